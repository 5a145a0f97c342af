package io.plimsoll.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.testing.Scenarios;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Members that end: their figures, their replacements, and groups without members. */
class ThreadedConsumersTest {
    private static final long SECOND = 1_000_000_000;

    private final LoadContext shared = new LoadContext(Map.of(), "run", 1, 1, text -> {});
    /** Number of closed connections of all members. */
    private final AtomicLong closed = new AtomicLong();
    /** Whether members continue although they must end. */
    private volatile boolean hanging;

    private Planted consumers;

    private final class PlantedMember extends MemberRun {
        PlantedMember(RecordIntake intake) {
            super(ThreadedConsumersTest.this::connections, intake, Waiter.SYSTEM, text -> {});
        }

        @Override
        protected void read() {
            while (hanging || !over()) {
                waiter.park(1_000_000);
            }
        }

        @Override
        protected void close() {
            closed.incrementAndGet();
        }

        @Override
        protected void wakeup() {
            // It never waits for long.
        }
    }

    private final class Planted extends ThreadedConsumers<PlantedMember> {
        Planted(ConsumerSpec spec) {
            super(
                    new ConsumerKind.Entry(
                            shared, spec, Slice.all(1), "consumers-0", EndToEndSource.NONE, null, t -> new int[] {1}),
                    Waiter.SYSTEM);
        }

        @Override
        public void prepare(Duration timeout) {
            Slice here = membersHere(0);
            addMembers(addGroup(0, here), here);
            startMembers();
        }

        @Override
        protected PlantedMember create(GroupState group, int index, ReceiveMeter meter) {
            return new PlantedMember(new RecordIntake(
                    group, meter, EndToEndSource.NONE, 1, window, null, null, null, polls(group, "client")));
        }

        GroupState group() {
            return groups.get(0);
        }
    }

    private Map<MetricName, Metric> connections() {
        MetricName name = new MetricName("connection-close-total", "consumer-metrics", "", Map.of());
        return Map.of(name, new Metric() {
            @Override
            public MetricName metricName() {
                return name;
            }

            @Override
            public Object metricValue() {
                return closed.doubleValue();
            }
        });
    }

    /** One member that reads until its group has ten records. */
    private void start(String keys) {
        String yaml = "topics: [{name: t, partitions: 1}]\nconsumers: [{topic: t, records: 10" + keys + "}]\n";
        consumers = new Planted(Scenarios.scenario(yaml).consumers().get(0));
        consumers.prepare(Duration.ofMinutes(1));
        long now = System.nanoTime();
        consumers.start(new TrialClock(now, now, now + 600 * SECOND, 0));
    }

    private GroupMember first() {
        return consumers.members().get(0);
    }

    private void kill() throws InterruptedException {
        first().kill();
        await(() -> !first().alive());
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        assertThat(Waiter.SYSTEM.await(condition, Duration.ofMinutes(1))).isTrue();
    }

    private Observation figures() {
        return MeterCounts.of(reading -> consumers.read(reading, false)).clients().stream()
                .filter(seen -> seen.what().equals("consumers-0"))
                .findFirst()
                .orElseThrow();
    }

    @AfterEach
    void end() {
        hanging = false;
        consumers.close();
    }

    /** A closing client closes its connections, and an ended member is neither idle nor busy. */
    @Test
    void endedMemberReportsNeitherTimeNorLostConnection() throws InterruptedException {
        start("");
        figures();
        closed.incrementAndGet();
        assertThat(figures().sums()).containsKeys("clientSeconds", "pollIdleSeconds");
        assertThat(shared.events().take()).singleElement().satisfies(lost -> {
            assertThat(lost.kind()).isEqualTo(Incident.Kind.DISCONNECT);
            assertThat(lost.errorNanos()).isZero();
        });
        kill();
        Observation ended = figures();
        assertThat(ended.sums()).doesNotContainKeys("clientSeconds", "pollIdleSeconds");
        assertThat(ended.gauges()).doesNotContainKey("leastPollIdle");
        assertThat(shared.events().take()).isEmpty();
    }

    @Test
    void groupWithoutMembersAwaitsReplacement() throws InterruptedException {
        start("");
        kill();
        assertThat(consumers.done()).isTrue();
        assertThat(consumers.awaitsMembers()).isTrue();
        first().replace();
        assertThat(consumers.done()).isFalse();
        consumers.group().end();
        await(consumers::done);
        assertThat(consumers.awaitsMembers()).isFalse();
    }

    @Test
    void groupWithoutMembersGivesUpAfterIdleTimeout() throws InterruptedException {
        start(", idleTimeout: 100ms");
        kill();
        await(() -> !consumers.awaitsMembers());
        assertThat(consumers.group().missing()).isEqualTo(10);
    }

    /** A hanging member does not keep its replacement from joining. */
    @Test
    void replacesMemberThatDoesNotEnd() {
        start("");
        hanging = true;
        first().kill();
        first().replace();
        assertThat(consumers.members()).hasSize(2).allMatch(GroupMember::alive);
    }
}
