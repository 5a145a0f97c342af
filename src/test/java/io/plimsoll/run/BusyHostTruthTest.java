package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.payload.Stamp;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.PlainLog;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * CPU contention changes a run's median by no more than a plain consumer sees in append times, and the result reports
 * the contention.
 */
class BusyHostTruthTest {
    private static final int RATE = 1000;
    private static final int WARMUP_SECONDS = 4;
    private static final int SECONDS = 10;
    /** Not visible in the log: the return of the response, and the resolution of append times. */
    private static final double WITHIN_MICROS = 2000;

    private static final double WITHIN = 0.03;

    @TempDir
    Path out;

    private record Medians(TrialResult trial, double reported, double appended) {}

    private Medians run(String topic) throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            NewTopic made =
                    new NewTopic(topic, 1, (short) 1).configs(Map.of("message.timestamp.type", "LogAppendTime"));
            admin.createTopics(List.of(made)).all().get();
        }
        TrialResult trial = Runs.run("""
                        name: busy
                        topics: [{name: %s, existing: true}]
                        producers: [{topic: %s, rate: %d/s, record: {size: 100}, config: {linger.ms: 0}}]
                        warmup: %ds
                        duration: %ds
                        """.formatted(topic, topic, RATE, WARMUP_SECONDS, SECONDS), servers, out)
                .trials()
                .get(0);
        double[] waits = new PlainLog(servers, topic, "read_uncommitted")
                .records().stream()
                        .skip((long) RATE * WARMUP_SECONDS)
                        .mapToDouble(
                                r -> r.timestamp() * 1e3 - Stamp.intendedEpochNanos(ByteBuffer.wrap(r.value())) / 1e3)
                        .sorted()
                        .toArray();
        assertThat(waits).hasSize(RATE * SECONDS);
        return new Medians(
                trial, trial.produce().times().responseTime().percentiles().p50(), waits[waits.length / 2]);
    }

    private static List<Process> loops() throws IOException {
        List<Process> loops = new ArrayList<>();
        for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
            loops.add(new ProcessBuilder("timeout", "120", "sh", "-c", "while :; do :; done").start());
        }
        return loops;
    }

    @Tag("nightly")
    @Test
    void cpuContentionDoesNotDistortMedian() throws Exception {
        Medians quiet = run("quiet-host");
        Medians busy;
        List<Process> loops = loops();
        try {
            busy = run("busy-host");
        } finally {
            loops.forEach(Process::destroy);
        }
        assertThat(busy.reported - quiet.reported)
                .as("%s, %s", quiet, busy)
                .isLessThanOrEqualTo(busy.appended - quiet.appended + WITHIN * busy.appended + WITHIN_MICROS);
        // No acknowledgment precedes its record in the log; the time of its return is not in the log.
        assertThat(busy.reported).isGreaterThanOrEqualTo(busy.appended * (1 - WITHIN) - WITHIN_MICROS);
        assertThat(busy.trial.judgement().warnings()).anyMatch(w -> w.key().equals("result.busyHost"));
    }
}
