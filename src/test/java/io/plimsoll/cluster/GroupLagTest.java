package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import io.plimsoll.cluster.GroupWatch.Members;
import io.plimsoll.cluster.GroupWatch.Position;
import io.plimsoll.cluster.GroupWatch.Progress;
import io.plimsoll.result.GroupsFold;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commits show whether a foreign group keeps up, however rare they are; in virtual time. */
class GroupLagTest {
    private static final TopicPartition PARTITION = new TopicPartition("orders", 0);
    private static final long LOOK = 250_000_000L;

    private static Position position(long committed, long end) {
        return new Position(committed, 0, Math.max(0, committed), end, end);
    }

    private static Progress at(long committed, long end) {
        return new Progress(Map.of(PARTITION, position(committed, end)));
    }

    /** Observes a group for some time, ignoring the time before the window. */
    private static Map<String, Object> watched(double load, double capacity, double commitSeconds, int seconds) {
        GroupLag lag = new GroupLag("payments");
        GroupsFold fold = new GroupsFold();
        double processed = 0;
        double committed = 0;
        double nextCommit = commitSeconds * 0.37;
        int warmup = 15;
        for (int look = 1; look <= (warmup + seconds) * 4; look++) {
            double at = look * 0.25;
            while (nextCommit <= at) {
                committed = Math.min(load * nextCommit, capacity * nextCommit);
                nextCommit += commitSeconds;
            }
            processed = load * at;
            Progress progress = at((long) committed, (long) processed);
            lag.accept(look * LOOK, progress);
            if (look % 4 == 0) {
                // Records carry the time at which they were written.
                long first = Math.round(committed / load * 1e3);
                var seen = lag.observation(0, look * 250L, Map.of(PARTITION, first), Optional.empty());
                if (at > warmup) {
                    seen.ifPresent(fold::accept);
                }
            }
        }
        return fold.groups().get(0);
    }

    /** The timestamps of mirrored records say nothing about the age of unread records. */
    @Test
    void groupHasReadRecordsBelowItsPosition() {
        assertThat(at(100, 120).hasRead(at(80, 100))).isTrue();
        assertThat(at(99, 120).hasRead(at(80, 100))).isFalse();
        assertThat(at(100, 120).hasRead(new Progress(Map.of()))).isFalse();
    }

    /** Stuck at its first record, or without commits: the lag is unknown, not 0. */
    @Test
    void lagIsUnknownWithoutCommits() {
        GroupLag lag = new GroupLag("payments");
        GroupsFold fold = new GroupsFold();
        for (int look = 1; look <= 12; look++) {
            lag.accept(look * LOOK, at(-1, 100L * look));
            lag.observation(0, look * 250L, Map.of(), Optional.empty()).ifPresent(fold::accept);
        }
        assertThat(fold.groups().get(0))
                .containsEntry("lag", null)
                .containsEntry("consumed", null)
                .containsEntry("growth", null)
                .containsEntry("growing", null)
                .containsEntry("drainMs", null);
    }

    @ParameterizedTest
    @CsvSource({"0.1", "1", "2.3", "5", "5.07"})
    void groupThatKeepsUpHasNoGrowthAtAnyCommitRate(double commitSeconds) {
        assertThat(watched(1000, 1100, commitSeconds, 30)).containsEntry("growing", false);
        assertThat(watched(1000, 1001, commitSeconds, 30)).containsEntry("growing", false);
    }

    @ParameterizedTest
    @CsvSource({"0.1", "1", "2.3", "5", "5.07"})
    void lagOfSlowGroupGrowsByShortfall(double commitSeconds) {
        Map<String, Object> group = watched(1000, 960, commitSeconds, 30);
        assertThat(group).containsEntry("growing", true);
        assertThat((double) group.get("growth")).isCloseTo(40, within(20.0));
        assertThat((double) group.get("consumed")).isCloseTo(960, within(20.0));
        // 45 s after the start, 4 % late, plus the time since the last commit.
        assertThat((double) group.get("lagAtEndMs")).isBetween(45e3 * 0.04 - 1, 45e3 * 0.04 + commitSeconds * 1e3);
        assertThat(group.get("drainMs")).isNull();
    }

    /** Growth per second counts from then on and is not spread over earlier seconds. */
    @Test
    void growthCountsFromFirstCommit() {
        GroupLag lag = new GroupLag("payments");
        GroupsFold fold = new GroupsFold();
        for (int look = 0; look <= 80; look++) {
            long end = 250L * look;
            lag.accept(look * LOOK, at(look < 40 ? -1 : 2500 + (look - 40) * 100L, end));
            if (look > 0 && look % 4 == 0) {
                lag.observation(0, look * 250L, Map.of(), Optional.empty()).ifPresent(fold::accept);
            }
        }
        Map<String, Object> group = fold.groups().get(0);
        assertThat((double) group.get("produced")).isCloseTo(1000, within(1.0));
        assertThat((double) group.get("growth")).isCloseTo(600, within(60.0));
        assertThat((double) group.get("consumed")).isCloseTo(400, within(60.0));
    }

    /**
     * Members finish the fetched records of one partition before the next. The longer they take, the rarer the commits
     * of each partition: its lag drops to 0 each time, while the group's lag grows.
     */
    @ParameterizedTest
    @CsvSource({
        "360, 20, keptUp",
        "450, 8, fellBehind",
        "450, 10, fellBehind",
        "600, 4, undecided",
        "600, 5, fellBehind",
        "600, 8, fellBehind"
    })
    void drainingPartitionsInTurnDoesNotInflateConsumption(double load, int seconds, String pace) {
        GroupLag lag = new GroupLag("payments");
        GroupsFold fold = new GroupsFold();
        List<Member> members = List.of(new Member(0), new Member(1), new Member(2));
        for (int look = 0; look <= (3 + seconds) * 4; look++) {
            double at = look * 0.25;
            Map<TopicPartition, Position> positions = new HashMap<>();
            members.forEach(member -> member.until(at, load / 12, positions));
            lag.accept(look * LOOK, new Progress(positions));
            if (look > 0 && look % 4 == 0) {
                var seen = lag.observation(0, look * 250L, Map.of(), Optional.empty());
                if (at > 3) {
                    seen.ifPresent(fold::accept);
                }
            }
        }
        Map<String, Object> group = fold.groups().get(0);
        double carried = Math.min(load, Member.CAPACITY);
        assertThat(group).containsEntry("pace", pace);
        assertThat((double) group.get("consumed")).isCloseTo(carried, withPercentage(10));
    }

    /** Processes each record of four partitions for 8 ms, polls 50 of a fetched partition, and commits them. */
    private static final class Member {
        static final double CAPACITY = 3 / 0.008;
        private static final int POLL = 50;

        private final int number;
        private final long[] committed = new long[4];
        private long fetched;
        private int turn;
        private double now;

        Member(int number) {
            this.number = number;
        }

        void until(double at, double rate, Map<TopicPartition, Position> positions) {
            while (true) {
                if (committed[turn] >= fetched) {
                    turn = (turn + 1) % committed.length;
                    fetched = (long) (rate * now);
                }
                long records = Math.min(POLL, fetched - committed[turn]);
                double done = now + Math.max(records * 0.008, 0.002);
                if (done > at) {
                    break;
                }
                now = done;
                committed[turn] += Math.max(0, records);
            }
            for (int i = 0; i < committed.length; i++) {
                positions.put(new TopicPartition("orders", number * committed.length + i), position(committed[i], (long)
                        (rate * at)));
            }
        }
    }

    @Test
    void lagOfStalledGroupGrowsByFullLoad() {
        Map<String, Object> group = watched(1000, 0, 1, 20);
        assertThat(group).containsEntry("growing", true);
        assertThat((double) group.get("growth")).isCloseTo(1000, within(20.0));
        assertThat((double) group.get("lagAtEnd")).isEqualTo(35_000);
    }

    @Test
    void countsRebalanceOnceIfObservedOrInferred() {
        GroupLag lag = new GroupLag("payments");
        Members both = new Members(true, Map.of("a", Set.of(PARTITION), "b", Set.of()));
        Members none = new Members(false, Map.of());
        Members one = new Members(true, Map.of("b", Set.of(PARTITION)));
        for (Members look : new Members[] {both, both, none, none, one, one, both}) {
            lag.accept(look);
        }
        Progress nothing = new Progress(Map.of());
        lag.accept(0, nothing);
        lag.accept(LOOK, nothing);
        assertThat(lag.observation(0, 0, Map.of(), Optional.of(both))
                        .orElseThrow()
                        .sums())
                .containsEntry("rebalances", 2.0);
    }
}
