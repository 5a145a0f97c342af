package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** End-to-end latency is charged with unread records, verified against the log. */
@Order(1)
class NeverReceivedTest {
    @TempDir
    Path out;

    @ParameterizedTest
    @CsvSource({"stamped, 100", "unstamped, 10"})
    void chargesLatencyWithUnreadRecordsOfDeadMember(String topic, int size) throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        // The second group survives; the first one's member died after about 2 s, so half of its records are unread.
        TrialResult trial = Runs.run("""
            name: dies
            topics: [{name: dies-%s, partitions: 2}]
            producers: [{topic: dies-%s, rate: 500/s, record: {size: %d}}]
            consumers:
              - {topic: dies-%s}
              - {topic: dies-%s}
            faults: [{at: 2s, killMember: 'consumers[0]'}]
            duration: 4s
            warmup: 0s
            checks:
              - consume.endToEnd.p95 < 1h
              - consume.endToEnd.min < 1h
              - consume.endToEnd.p50 > 1us
            """.formatted(topic, topic, size, topic, topic), servers, out)
                .trials()
                .get(0);
        long log = trial.produce().volume().records();
        assertThat(log).isEqualTo(2000);
        long received = trial.consume().volume().records();
        TrialResult.EndToEnd times = trial.consume().times();
        assertThat(received).isBetween(log, 2 * log - 1);
        assertThat(times.neverReceived()).isEqualTo(2 * log - received);
        assertThat(times.endToEnd().count()).isEqualTo(2 * log);
        assertThat(trial.consume().reading().missing()).isEqualTo(times.neverReceived());
        // Records due at the member's death waited at least for the rest of the load.
        assertThat(times.endToEnd().max()).isBetween(1_500_000L, 60_000_000L);
        assertThat(trial.judgement().checks()).extracting(CheckResult::passed).containsExactly(false, true, true);
    }
}
