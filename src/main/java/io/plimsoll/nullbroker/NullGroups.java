package io.plimsoll.nullbroker;

import io.plimsoll.wire.server.Served;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The consumer groups of a null broker. A group has one member, which leads it and so assigns every partition to itself;
 * a second one is refused as long as the first is there. Safe for several threads.
 */
final class NullGroups implements Served.Groups {
    private static final int MOST_GROUPS = 10_000;
    /** Bounds what clients can make the broker keep. */
    private static final int MOST_COMMITS = 1_000_000;

    private static final long NONE = -1;

    /** Who is in a group; replaced, never changed. */
    private record Present(Member member, long heardNanos, long sessionNanos) {
        boolean is(String id) {
            return member.id().equals(id);
        }
    }

    private record Committed(String group, TopicPartition partition) {}

    private final LongSupplier nowNanos;
    private final Map<String, Present> members = new ConcurrentHashMap<>();
    private final Map<Committed, Long> commits = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();

    NullGroups(LongSupplier nowNanos) {
        this.nowNanos = nowNanos;
    }

    @Override
    public Member join(String group, String givenId, long sessionMillis) {
        if (members.size() >= MOST_GROUPS) {
            return null;
        }
        long now = nowNanos.getAsLong();
        String id = givenId.isEmpty() ? "member-" + ids.incrementAndGet() : givenId;
        Present joined = members.compute(group, (name, before) -> {
            boolean free = before == null || before.is(id) || now - before.heardNanos() > before.sessionNanos();
            int generation = before == null ? 1 : before.member().generation() + 1;
            long session = TimeUnit.MILLISECONDS.toNanos(Math.max(0, sessionMillis));
            return free ? new Present(new Member(id, generation), now, session) : before;
        });
        return joined.is(id) ? joined.member() : null;
    }

    @Override
    public Standing heard(String group, String id, int generation) {
        Present present = members.computeIfPresent(
                group,
                (name, known) ->
                        known.is(id) ? new Present(known.member(), nowNanos.getAsLong(), known.sessionNanos()) : known);
        if (present == null || !present.is(id)) {
            return Standing.UNKNOWN;
        }
        return present.member().generation() == generation ? Standing.MEMBER : Standing.OLD_GENERATION;
    }

    @Override
    public boolean leave(String group, String id) {
        Present known = members.get(group);
        return known != null && known.is(id) && members.remove(group, known);
    }

    @Override
    public boolean commit(String group, TopicPartition partition, long offset) {
        boolean room = commits.size() < MOST_COMMITS;
        if (room) {
            commits.put(new Committed(group, partition), offset);
        }
        return room;
    }

    @Override
    public long committed(String group, TopicPartition partition) {
        return commits.getOrDefault(new Committed(group, partition), NONE);
    }

    @Override
    public Set<TopicPartition> committed(String group) {
        return commits.keySet().stream()
                .filter(committed -> committed.group().equals(group))
                .map(Committed::partition)
                .collect(Collectors.toSet());
    }
}
