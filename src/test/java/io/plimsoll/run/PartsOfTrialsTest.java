package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.ReferenceTable;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of single clients and groups, as in a comparison across terminals. */
class PartsOfTrialsTest {
    @TempDir
    Path out;

    @Test
    void rowOfPartShowsItsOwnClientAndGroup() throws Exception {
        RunResult result = Runs.run("""
                name: parts
                topics: [{name: parts, partitions: 2}]
                producers:
                  - {topic: parts, records: 2000, rate: 1000/s, record: {size: 100}}
                  - {topic: parts, records: 1000, rate: 1000/s, record: {size: 100}}
                consumers: [{topic: parts, records: 2000}, {topic: parts, records: 1000}]
                warmup: 0s
                reference:
                  source: a report
                  tables:
                    - title: terminals
                      columns:
                        sent: produce.records
                        sent/s: produce.throughput in records/s
                        read: consume.records
                        read/s: consume.throughput in records/s
                        p99: produce.response.p99 in ms
                      rows:
                        - {trial: parts, part: 1, values: [1, 2, 3, 4, 5]}
                        - {trial: parts, part: 2, values: [1, 2, 3, 4, 5]}
                        - {trial: parts, part: 3, values: [1, 2, 3, 4, 5]}
                """, SharedLab.oneBroker().bootstrapServers(), out);
        TrialResult trial = result.trials().get(0);
        List<TrialResult.ProducerShare> clients = trial.produce().sources().producers();
        List<TrialResult.Group> groups = trial.consume().groups();
        List<ReferenceTable.Row> rows = result.published().tables().get(0).rows();
        for (int i = 0; i < 2; i++) {
            assertThat(rows.get(i).measured())
                    .containsExactly(
                            i == 0 ? 2000.0 : 1000.0,
                            clients.get(i).recordsPerSecond(),
                            i == 0 ? 2000.0 : 1000.0,
                            groups.get(i).recordsPerSecond(),
                            null);
        }
        assertThat(rows.get(2).measured()).containsOnlyNulls();
        // 3,000 records arrive in the first second; a group ends after its own number of records.
        double longest = groups.stream()
                .mapToDouble(g -> g.records() / g.recordsPerSecond())
                .max()
                .orElseThrow();
        Double own = trial.consume().reading().rateSeconds();
        assertThat(longest).isCloseTo(own == null ? trial.course().measuredSeconds() : own, within(0.02 * longest));
        assertThat(trial.consume().volume().recordsPerSecond()).isCloseTo(3000 / longest, within(60.0));
        assertThat(groups.get(0).bytesPerSecond()).isCloseTo(100 * groups.get(0).recordsPerSecond(), within(1.0));
    }

    /** As in a capture with idle last steps: one window for both sides. */
    @Test
    void readersEndWithLoadThatEndsEarly() {
        TrialResult trial = Runs.run("""
            name: idle
            topics: [{name: idle-end}]
            producers: [{topic: idle-end, rate: {steps: [300/s, 300/s, 0.001/s, 0.001/s], each: 2s}, record: {size: 100}}]
            consumers: [{topic: idle-end}]
            warmup: 0s
            duration: 8s
            """, SharedLab.oneBroker().bootstrapServers(), out)
                .trials()
                .get(0);
        assertThat(trial.course().measuredSeconds()).isLessThan(7);
        assertThat(trial.consume().reading().rateSeconds()).isNull();
        double produced = trial.produce().volume().recordsPerSecond();
        assertThat(trial.consume().volume().recordsPerSecond()).isCloseTo(produced, within(0.1 * produced));
    }
}
