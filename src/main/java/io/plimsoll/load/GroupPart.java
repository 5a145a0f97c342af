package io.plimsoll.load;

import java.util.Set;

/**
 * The local state of a consumer group that is spread over processes, or the combined state of all other processes.
 * @param key of the group within its trial
 * @param open whether members may join
 * @param joined whether every member has its assignment, and no partition has two members
 * @param owned partitions, as {@code topic-partition}, that have a member with a position
 * @param reached partitions read to their end
 * @param taken number of records taken so far
 */
public record GroupPart(String key, boolean open, boolean joined, Set<String> owned, Set<String> reached, long taken) {

    /** The part of a process that has not reported yet. */
    public static GroupPart unknown(String key) {
        return new GroupPart(key, false, false, Set.of(), Set.of(), 0);
    }

    /** Whether both parts are equal, except possibly for the number of taken records. */
    public boolean differsOnlyInTaken(GroupPart other) {
        return equals(new GroupPart(key, other.open, other.joined, other.owned, other.reached, taken));
    }
}
