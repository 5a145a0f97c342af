package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.text.Sentence;
import io.plimsoll.watch.WatchStatus.Outage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The reports of a watch on real brokers, compared with the faults injected in the same run. */
@Order(1)
class WatchTruthTest {
    /** Much longer than the outages of brokers that wait for a core. */
    private static final Duration PAUSE = Duration.ofSeconds(5);
    /** Maximum delay of the bounds of an outage: on a busy host a question or its answer waits for a core. */
    private static final Duration CLOSE = Duration.ofSeconds(3);
    /** Silences caused by elections lasted 0.9 s and more: followers wait for replica.fetch.backoff.ms, a second. */
    private static final Duration OF_AN_ELECTION = Duration.ofMillis(800);

    @TempDir
    Path directory;

    private final BlockingQueue<Outage> told = new LinkedBlockingQueue<>();
    private final List<Sentence> problems = new CopyOnWriteArrayList<>();
    private final Watch.Listener listener = new Watch.Listener() {
        @Override
        public void outage(Outage outage) {
            told.add(outage);
        }

        @Override
        public void problem(Sentence what) {
            problems.add(what);
        }
    };

    private WatchSettings settings(Lab lab, String topic) {
        return new WatchSettings(
                new ClusterConnection(lab.bootstrapServers(), Map.of()),
                topic,
                new WatchSettings.Layout(4, 3, Map.of("retention.ms", "3600000")),
                new WatchSettings.Load(10, 100, 1e6, Map.of("compression.type", "lz4"), Map.of()),
                Duration.ofSeconds(1),
                Duration.ofMillis(400),
                0.999,
                directory.resolve("state"));
    }

    /** Waits until a watch knows a fact; the duration is not tested. */
    private static WatchStatus until(Watch watch, Predicate<WatchStatus> known) throws InterruptedException {
        for (WatchStatus status = watch.status(); ; status = watch.status()) {
            if (known.test(status)) {
                return status;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private static long good(WatchStatus status, Signal signal, int broker) {
        return status.signals().stream()
                .filter(s -> s.signal() == signal && s.broker() == broker)
                .mapToLong(WatchStatus.SignalStatus::good)
                .sum();
    }

    private static long bad(WatchStatus status, Signal signal, int broker) {
        return status.signals().stream()
                .filter(s -> s.signal() == signal && s.broker() == broker)
                .mapToLong(WatchStatus.SignalStatus::bad)
                .sum();
    }

    private static boolean allSeen(WatchStatus status, long times) {
        return List.of(1, 2, 3).stream()
                .allMatch(broker -> good(status, Signal.PRODUCE, broker) >= times
                        && good(status, Signal.END_TO_END, broker) >= times
                        && good(status, Signal.METADATA, broker) >= times
                        && good(status, Signal.COMMIT, broker) > 0
                        && good(status, Signal.CONNECT, broker) > 0);
    }

    private Outage next(Signal signal, int broker, boolean over) throws InterruptedException {
        while (true) {
            Outage outage = told.take();
            if (outage.signal() == signal && outage.broker() == broker && outage.ongoing() != over) {
                return outage;
            }
        }
    }

    private static Duration length(Outage outage) {
        return Duration.between(outage.from(), outage.ongoing() ? Instant.now() : outage.to());
    }

    private static double longest(WatchStatus status) {
        return status.signals().stream()
                .filter(s -> s.signal() == Signal.PRODUCE && s.broker() == 2)
                .findFirst()
                .orElseThrow()
                .day()
                .max();
    }

    @Test
    @Timeout(240)
    void findsInjectedPauseAndKeepsAccountsAcrossRestart() throws Exception {
        try (Lab lab = SharedLab.ownForeign(3)) {
            WatchSettings settings = settings(lab, "watched");
            WatchStatus first;
            try (Watch watch = new Watch(settings, listener)) {
                until(
                        watch,
                        status ->
                                allSeen(status, 20) && status.outages().stream().noneMatch(Outage::ongoing));
                told.clear();
                Instant before = Instant.now();
                lab.pause(2);
                Instant paused = Instant.now();
                next(Signal.METADATA, 2, false);
                Predicate<Outage> down = o -> o.signal() == Signal.METADATA
                        && o.broker() == 2
                        && o.ongoing()
                        && length(o).compareTo(PAUSE) > 0;
                Outage seen = until(watch, status -> status.outages().stream().anyMatch(down)).outages().stream()
                        .filter(down)
                        .findFirst()
                        .orElseThrow();
                told.clear();
                Instant resumed = Instant.now();
                lab.resume(2);
                Instant running = Instant.now();
                Outage over = next(Signal.METADATA, 2, true);
                assertThat(over.from()).isEqualTo(seen.from());
                assertThat(over.from()).isBetween(before.minus(CLOSE), paused.plus(CLOSE));
                assertThat(over.to()).isBetween(resumed, running.plus(CLOSE));
                assertThat(watch.status().outages())
                        .as("questions to the other brokers were answered")
                        .noneMatch(o -> o.signal() == Signal.METADATA
                                && o.broker() != 2
                                && o.from().isAfter(before.minus(CLOSE))
                                && length(o).compareTo(PAUSE.dividedBy(2)) > 0);
                // Outages in progress would differ after the restart.
                first = until(
                        watch,
                        status -> allSeen(status, 40)
                                && status.place().audit().waiting() < 10
                                && status.outages().stream().noneMatch(Outage::ongoing));
                assertThat(first.brokers()).containsExactly(1, 2, 3);
                assertThat(first.place().audit().clean()).isTrue();
            }
            try (Watch watch = new Watch(settings, listener)) {
                WatchStatus again = until(
                        watch,
                        status -> good(status, Signal.PRODUCE, 2) > good(first, Signal.PRODUCE, 2)
                                && status.place().audit().confirmed()
                                        > first.place().audit().confirmed() + 20);
                assertThat(again.since()).isEqualTo(first.since());
                assertThat(longest(again)).as("of the day, the pause").isGreaterThan(0.98 * longest(first));
                assertThat(again.place().audit().clean()).isTrue();
                assertThat(again.outages()).contains(first.outages().get(0));
                PlimsollException second =
                        Assertions.catchThrowableOfType(PlimsollException.class, () -> new Watch(settings, listener));
                assertThat(second.exit()).isEqualTo(Exit.USAGE);
                assertThat(second).hasMessageContaining("in use by another watch");
            }
            assertThat(problems).isEmpty();
        }
    }

    /** After an upgrade of a watch while a broker is down, it must not report that all is well. */
    @Tag("nightly")
    @Test
    @Timeout(240)
    void restartedWatchStillReportsDownBroker() throws Exception {
        try (Lab lab = SharedLab.ownForeign(3)) {
            WatchSettings settings = settings(lab, "outlived");
            Outage seen;
            try (Watch watch = new Watch(settings, listener)) {
                until(watch, status -> allSeen(status, 5));
                lab.kill(3);
                // Only the accounts contain the broker: a new process learns of it from them alone.
                WatchStatus without = until(watch, status -> !status.brokers().contains(3));
                // A busy host can have shorter ones before it.
                seen = without.outages().stream()
                        .filter(o -> o.signal() == Signal.METADATA && o.broker() == 3 && o.ongoing())
                        .findFirst()
                        .orElseThrow();
            }
            told.clear();
            try (Watch watch = new Watch(settings, listener)) {
                long before = good(watch.status(), Signal.METADATA, 1);
                WatchStatus began = until(watch, status -> good(status, Signal.METADATA, 1) > before + 30);
                WatchStatus later = until(watch, status -> good(status, Signal.METADATA, 1) > before + 150);
                double seconds = (bad(later, Signal.METADATA, 3) - bad(began, Signal.METADATA, 3)) / 10.0;
                for (Signal signal : List.of(Signal.PRODUCE, Signal.END_TO_END, Signal.COMMIT)) {
                    double perSecond = signal == Signal.COMMIT ? 2 : 10;
                    assertThat((bad(later, signal, 3) - bad(began, signal, 3)) / perSecond)
                            .as("seconds without %s", signal)
                            .isCloseTo(seconds, within(0.25 * seconds + 0.6));
                    assertThat(good(later, signal, 3)).isEqualTo(good(began, signal, 3));
                }
                assertThat(watch.status().outages())
                        .filteredOn(o -> o.signal() == Signal.METADATA && o.broker() == 3 && o.ongoing())
                        .singleElement()
                        .matches(o -> o.from().equals(seen.from()));
                lab.restart(3);
                Outage over = next(Signal.METADATA, 3, true);
                assertThat(over.from()).isEqualTo(seen.from());
            }
        }
    }

    /**
     * Followers that fetch from the new leader before it knows of its election retry a second later, and acks=all
     * waits.
     */
    @Test
    @Tag("nightly")
    @Timeout(240)
    void returningBrokerIsReelectedWithoutSilence() throws Exception {
        try (Lab lab = SharedLab.ownForeign(3);
                Watch watch = new Watch(settings(lab, "elected"), listener)) {
            until(watch, status -> allSeen(status, 20));
            for (int broker : List.of(1, 2)) {
                lab.kill(broker);
                until(watch, status -> !status.brokers().contains(broker));
                lab.restart(broker);
                next(Signal.METADATA, broker, true);
                until(watch, status -> status.outages().stream().noneMatch(Outage::ongoing));
                Instant back = Instant.now();
                long before = good(watch.status(), Signal.PRODUCE, broker);
                // The list of brokers is refreshed less often than records are written.
                WatchStatus after = until(
                        watch,
                        status -> status.brokers().contains(broker)
                                && good(status, Signal.PRODUCE, broker) > before + 30);
                assertThat(after.outages())
                        .as("outages since broker %d was back", broker)
                        .noneMatch(outage ->
                                outage.from().isAfter(back) && length(outage).compareTo(OF_AN_ELECTION) > 0);
                assertThat(after.place().audit().clean()).isTrue();
            }
        }
    }
}
