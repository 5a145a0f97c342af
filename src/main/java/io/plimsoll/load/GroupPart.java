package io.plimsoll.load;

import java.util.Set;

/**
 * The knowledge of a consumer group whose members are in several processes: in one of them, or in all the others
 * together.
 *
 * @param key of the group within its trial, whatever its id
 * @param open what has to be done before members join is done, as far as it was to be done here
 * @param joined every member has been told its partitions, and none has one that another has too
 * @param owned partitions, as {@code topic-partition}, with a member that knows where it reads them from
 * @param reached partitions that were read to their end
 * @param taken records so far
 */
public record GroupPart(String key, boolean open, boolean joined, Set<String> owned, Set<String> reached, long taken) {
    public GroupPart {
        owned = Set.copyOf(owned);
        reached = Set.copyOf(reached);
    }

    /** Stands for a process that has said nothing yet. */
    public static GroupPart unknown(String key) {
        return new GroupPart(key, false, false, Set.of(), Set.of(), 0);
    }

    /** Whether this says the same but for the number of records. */
    public boolean differsOnlyInTaken(GroupPart other) {
        return equals(new GroupPart(key, other.open, other.joined, other.owned, other.reached, taken));
    }
}
