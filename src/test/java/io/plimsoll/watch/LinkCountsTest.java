package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.watch.WatchedLinks.FreshLink;
import io.plimsoll.watch.WatchedLinks.StandingLink;
import io.plimsoll.watch.WatchedLinks.WatchedLink;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.LinkWatch.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Guards that connections and requests count by the number of due attempts, for any failure of a broker, in virtual
 * time.
 */
class LinkCountsTest {
    private static final long MS = 1_000_000;
    private static final long LIMIT = 2000 * MS;
    private static final ClusterView VIEW = new ClusterView(Map.of(), Map.of());

    private long now = Duration.ofDays(1).toNanos();
    private final WatchClock clock = new WatchClock(Duration.ofHours(1).toNanos(), () -> now, () -> 0);
    private final List<WatchStatus.Outage> told = new ArrayList<>();
    private final Ledger ledger = new Ledger(clock, Duration.ofSeconds(1), Duration.ofMillis(400), told::add);
    private final FreshLink fresh = new FreshLink(ledger, 1, LIMIT);
    private final List<Consumer<ClusterView>> questions = new ArrayList<>();
    private final StandingLink standing = new StandingLink(ledger, 1, LIMIT, questions::add, view -> {});

    /**
     * A connection as the network layer provides it: a failed attempt is retried after 50 ms, then after twice that
     * time.
     */
    private final class Network {
        private final WatchedLink link;
        private final BooleanSupplier turns;
        private boolean refuses = true;
        private boolean down = true;
        private long retryNanos = now;
        private int failures;

        Network(WatchedLink link, BooleanSupplier turns) {
            this.link = link;
            this.turns = turns;
        }

        void poll() {
            if (turns.getAsBoolean()) {
                down = true;
                retryNanos = now;
                failures = 0;
            }
            if (down && now >= retryNanos) {
                link.begun();
                if (refuses) {
                    link.ended("networkDisconnect");
                    retryNanos = now + Math.min(1000 * MS, (50 * MS) << Math.min(10, failures++));
                } else {
                    down = false;
                    link.reached(Stage.READY);
                }
            }
        }
    }

    private void pass(long millis, Runnable poll) {
        for (long end = now + millis * MS; now < end; ) {
            now += 10 * MS;
            poll.run();
            ledger.look();
        }
    }

    private Availability.Counts counts(Signal signal, int broker) {
        return ledger.counted().stream()
                .filter(c -> c.signal() == signal && c.broker() == broker)
                .map(c -> c.availability().all())
                .findFirst()
                .orElse(new Availability.Counts(0, 0));
    }

    @Test
    void countsRefusedAndOpenConnectionsOncePerSecond() {
        Network network = new Network(fresh, fresh::turns);
        pass(59_990, network::poll);
        assertThat(counts(Signal.CONNECT, 1)).isEqualTo(new Availability.Counts(0, 60));
        network.refuses = false;
        pass(60_000, network::poll);
        assertThat(counts(Signal.CONNECT, 1)).isEqualTo(new Availability.Counts(60, 60));
        assertThat(counts(Signal.CONNECT, WatchStatus.ALL)).isEqualTo(new Availability.Counts(60, 60));
    }

    /** The network layer retries before the next due attempt: its success ends the outage, and is not counted. */
    @Test
    void unscheduledSuccessEndsOutageWithoutCounting() {
        Network network = new Network(fresh, fresh::turns);
        network.refuses = false;
        pass(4990, network::poll);
        network.refuses = true;
        network.down = true;
        network.link.ended("networkDisconnect");
        pass(3030, network::poll);
        Availability.Counts before = counts(Signal.CONNECT, 1);
        assertThat(before).isEqualTo(new Availability.Counts(5, 4));
        network.refuses = false;
        pass(100, network::poll);
        assertThat(told).last().satisfies(outage -> {
            assertThat(outage.error()).isEqualTo("networkDisconnect");
            assertThat(outage.to()).isBetween(clock.now().minusMillis(100), clock.now());
        });
        assertThat(counts(Signal.CONNECT, 1)).isEqualTo(before);
    }

    @Test
    void hangingConnectionCountsOncePerSecondAndIsRetried() {
        fresh.begun();
        int[] opened = new int[1];
        pass(60_000, () -> {
            if (fresh.turns()) {
                opened[0]++;
                fresh.begun();
            }
        });
        assertThat(counts(Signal.CONNECT, 1).bad()).isBetween(58L, 60L);
        assertThat(opened[0]).isBetween(28, 30);
        assertThat(told)
                .hasSize(1)
                .allMatch(outage -> outage.ongoing() && outage.error().equals("timeout"));
        fresh.reached(Stage.READY);
        pass(3000, fresh::turns);
        assertThat(counts(Signal.CONNECT, 1).good()).isEqualTo(1);
    }

    @Test
    void requestsDueWhileOneHangsCountAtOnceAndOnlyOnce() {
        standing.begun();
        standing.reached(Stage.READY);
        pass(900, standing::turns);
        assertThat(questions).hasSize(1);
        assertThat(counts(Signal.METADATA, 1)).isEqualTo(new Availability.Counts(0, 0));
        pass(1110, standing::turns);
        assertThat(counts(Signal.METADATA, 1)).isEqualTo(new Availability.Counts(0, 20));
        pass(58_000, standing::turns);
        assertThat(counts(Signal.METADATA, 1)).isEqualTo(new Availability.Counts(0, 600));
        questions.remove(0).accept(VIEW);
        assertThat(counts(Signal.METADATA, 1)).isEqualTo(new Availability.Counts(0, 600));
        pass(10_000, () -> {
            standing.turns();
            questions.forEach(question -> question.accept(VIEW));
            questions.clear();
        });
        assertThat(counts(Signal.METADATA, 1)).isEqualTo(new Availability.Counts(100, 600));
    }

    @Test
    void requestsToRefusingBrokerCountTenTimesPerSecond() {
        Network network = new Network(standing, standing::turns);
        pass(60_000, network::poll);
        assertThat(counts(Signal.METADATA, 1).bad()).isBetween(596L, 601L);
        assertThat(counts(Signal.METADATA, 1).good()).isZero();
    }

    @Test
    void requestFailsWithHangingConnection() {
        standing.begun();
        pass(60_000, () -> {
            if (standing.turns()) {
                standing.begun();
            }
        });
        assertThat(counts(Signal.METADATA, 1).bad()).isBetween(580L, 600L);
        assertThat(told)
                .hasSize(1)
                .allMatch(outage -> outage.ongoing() && outage.error().equals("timeout"));
    }

    @Test
    void removedBrokerHasNoOngoingOutages() {
        Map<Signal, Attempt> late = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            late.put(signal, ledger.begin(signal, 1));
        }
        pass(100_000, () -> {});
        assertThat(ledger.outages()).hasSize(Signal.values().length).allMatch(WatchStatus.Outage::ongoing);
        ledger.forget(1);
        ledger.look();
        assertThat(ledger.outages()).hasSize(Signal.values().length).allMatch(outage -> clock.now()
                .equals(outage.to()));
        late.forEach((signal, attempt) -> ledger.end(signal, 1, attempt, false));
        pass(100_000, () -> {});
        assertThat(ledger.outages()).noneMatch(WatchStatus.Outage::ongoing);
    }
}
