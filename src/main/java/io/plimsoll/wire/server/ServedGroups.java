package io.plimsoll.wire.server;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;

/**
 * Consumer groups of a server and their committed offsets. A group has a single member, which is the leader and assigns
 * every partition to itself; a second member is rejected while the first is present. Thread-safe.
 */
final class ServedGroups {
    private static final int MOST_GROUPS = 10_000;
    /** Bounds the memory that clients can occupy. */
    private static final int MOST_COMMITS = 1_000_000;

    private static final long NONE = -1;

    record Member(String id, int generation) {}

    /** The member of a group; immutable, replaced on change. */
    private record Present(Member member, long heardNanos, long sessionNanos) {
        boolean is(String id) {
            return member.id().equals(id);
        }
    }

    private record Committed(String group, TopicPartition partition) {}

    private final Map<String, Present> members = new ConcurrentHashMap<>();
    private final Map<Committed, Long> commits = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();

    /**
     * @param givenId empty for a new member
     * @return null if the group is full
     */
    Member join(String group, String givenId, long sessionMillis) {
        if (members.size() >= MOST_GROUPS) {
            return null;
        }
        long now = System.nanoTime();
        String id = givenId.isEmpty() ? "member-" + ids.incrementAndGet() : givenId;
        Present joined = members.compute(group, (name, before) -> {
            boolean free = before == null || before.is(id) || now - before.heardNanos() > before.sessionNanos();
            int generation = before == null ? 1 : before.member().generation() + 1;
            long session = TimeUnit.MILLISECONDS.toNanos(Math.max(0, sessionMillis));
            return free ? new Present(new Member(id, generation), now, session) : before;
        });
        return joined.is(id) ? joined.member() : null;
    }

    /** A heartbeat of a member. */
    Errors heard(String group, String id, int generation) {
        Present present = members.computeIfPresent(
                group,
                (name, known) ->
                        known.is(id) ? new Present(known.member(), System.nanoTime(), known.sessionNanos()) : known);
        if (present == null || !present.is(id)) {
            return Errors.UNKNOWN_MEMBER_ID;
        }
        return present.member().generation() == generation ? Errors.NONE : Errors.ILLEGAL_GENERATION;
    }

    Errors leave(String group, String id) {
        Present known = members.get(group);
        boolean left = known != null && known.is(id) && members.remove(group, known);
        return left ? Errors.NONE : Errors.UNKNOWN_MEMBER_ID;
    }

    /** @return false if the limit is reached */
    boolean commit(String group, TopicPartition partition, long offset) {
        boolean room = commits.size() < MOST_COMMITS;
        if (room) {
            commits.put(new Committed(group, partition), offset);
        }
        return room;
    }

    /** @return −1 if none */
    long committed(String group, TopicPartition partition) {
        return commits.getOrDefault(new Committed(group, partition), NONE);
    }

    Set<TopicPartition> committed(String group) {
        return commits.keySet().stream()
                .filter(committed -> committed.group().equals(group))
                .map(Committed::partition)
                .collect(Collectors.toSet());
    }
}
