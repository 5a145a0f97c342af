package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.measure.SlowBatch.Stage;
import io.plimsoll.result.Json;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.testing.PlantedQuota;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.watch.WatchStatus.Outage;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A stopped broker, a quota, and a stopped watch each explain the slow records of their time. */
@Tag("nightly")
@Timeout(240)
class SlowWatchTruthTest {
    private static final double NEAR = 0.5;
    private static final Duration PAUSE = Duration.ofMillis(1500);

    @TempDir
    Path directory;

    private URI address;

    private WatchStatus until(Predicate<WatchStatus> known) throws IOException, InterruptedException {
        while (true) {
            try (InputStream page = address.toURL().openStream()) {
                WatchStatus status = Json.MAPPER.readValue(page, WatchStatus.class);
                if (known.test(status)) {
                    return status;
                }
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private void settled(long records) throws IOException, InterruptedException {
        long before = until(status -> true).place().audit().acknowledged();
        until(status -> status.place().audit().acknowledged() >= before + records
                && status.outages().stream().noneMatch(Outage::ongoing));
    }

    private static boolean isCause(SlowMoment moment, Kind kind, String where) {
        return moment.causes().stream()
                .anyMatch(c -> c.event().equals(kind.word()) && c.where().startsWith(where));
    }

    /** A busy host stalls records at other times, too, so the moment is sought by its cause. */
    private SlowMoment moment(Instant from, Kind kind, String where) throws IOException, InterruptedException {
        Predicate<WatchStatus.Slow> planted =
                slow -> slow.to().isAfter(from) && isCause(slow.slowMoment(), kind, where);
        return until(status -> slow(status).stream().anyMatch(planted)).slowMoments().stream()
                .filter(m -> isCause(m, kind, where))
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    private static List<WatchStatus.Slow> slow(WatchStatus status) {
        return status.slowMoments().stream()
                .map(m -> WatchStatus.Slow.of(m, status.since()))
                .toList();
    }

    private double seconds(Instant instant) throws IOException, InterruptedException {
        return Duration.between(until(status -> true).since(), instant).toNanos() / 1e9;
    }

    private static void signal(String name, Process process) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Test
    void namesPlantedCauses() throws Exception {
        try (Lab lab = SharedLab.ownForeign(3);
                RunningCommand watch = new RunningCommand(
                        directory,
                        "watch",
                        "--bootstrap-server",
                        lab.bootstrapServers(),
                        "--state",
                        directory.resolve("state"))) {
            String err = watch.awaitProgress("http://").awaitProgress("/\n").err();
            address = URI.create(err.substring(err.indexOf("http://")).strip() + "status.json");
            settled(150);

            Instant paused = Instant.now();
            lab.pause(2);
            until(status -> status.outages().stream()
                    .anyMatch(o -> o.signal() == Signal.METADATA
                            && o.broker() == 2
                            && o.from().plus(PAUSE).isBefore(Instant.now())));
            Instant resumed = Instant.now();
            lab.resume(2);
            SlowMoment stall = moment(paused, Kind.BROKER_DOWN, "broker 2");
            assertThat(stall.stage()).isIn(Stage.REQUEST.word(), Stage.BATCH.word());
            assertThat(stall.brokers()).contains(2);
            assertThat(stall.toSeconds()).isCloseTo(seconds(resumed), within(2 * NEAR));
            assertThat(stall.worstMicros()).isGreaterThan(PAUSE.toMillis() * 1000);

            settled(60);
            Instant stopped = Instant.now();
            signal("STOP", watch.process());
            TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
            Instant continued = Instant.now();
            signal("CONT", watch.process());
            SlowMoment own = moment(stopped, Kind.PROCESS_PAUSE, "generator");
            assertThat(own.causes().get(0).where()).isEqualTo("generator");
            assertThat(own.causes().get(0).fromSeconds()).isCloseTo(seconds(stopped), within(NEAR));
            assertThat(own.causes().get(0).toSeconds()).isCloseTo(seconds(continued), within(NEAR));

            settled(60);
            Instant limited = Instant.now();
            PlantedQuota.limitProducers(lab.bootstrapServers(), 1_000.0);
            SlowMoment throttled = moment(limited, Kind.QUOTA, "broker ");
            assertThat(throttled.stage()).isIn(Stage.BATCH.word(), Stage.REQUEST.word());
            assertThat(throttled.causes().get(0).event()).isEqualTo(Kind.QUOTA.word());

            assertThat(watch.signal("TERM").out()).contains("quota throttling by broker", "the load generator");
        }
    }
}
