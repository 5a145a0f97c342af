package io.plimsoll.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.audit.PipelineAudit.Anomaly;
import io.plimsoll.audit.PipelineAudit.Finding;
import io.plimsoll.audit.PipelineAudit.In;
import io.plimsoll.audit.PipelineAudit.Out;
import io.plimsoll.audit.PipelineAudit.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Guards that each planted anomaly of a pipeline is reported, with the smallest set of records that shows it, and no
 * other anomaly.
 */
class PipelineAuditTest {
    private static final int RECORDS = 1000;
    private static final int KEYS = 7;

    private final PipelineAudit audit = new PipelineAudit();
    /** Output of a correct pipeline, three records per transaction. */
    private final List<Out> outputs = new ArrayList<>();

    @BeforeEach
    void aFaultlessPipeline() {
        for (int i = 0; i < RECORDS; i++) {
            In in = new In(0, i, 1 + i % KEYS, 100 + i, 31L * i, true);
            audit.input(in);
            Step step = new Step(0, 1, i / 3, Math.min(3, RECORDS - i / 3 * 3));
            outputs.add(new Out(0, 0, in.key(), in.id(), in.content(), step, true));
        }
        audit.passed(0, RECORDS);
    }

    private List<Finding> findings() {
        for (int i = 0; i < outputs.size(); i++) {
            Out out = outputs.get(i);
            audit.output(new Out(out.partition(), i, out.key(), out.id(), out.content(), out.step(), out.committed()));
        }
        return audit.findings();
    }

    private void assertOnly(Anomaly anomaly, long records, int example) {
        assertThat(findings()).singleElement().satisfies(finding -> {
            assertThat(finding.anomaly()).isEqualTo(anomaly);
            assertThat(finding.records()).isEqualTo(records);
            assertThat(finding.example()).as(finding.toString()).hasSize(example);
        });
    }

    private Out with(int index, Step step, boolean committed) {
        Out out = outputs.get(index);
        return new Out(out.partition(), 0, out.key(), out.id(), out.content(), step, committed);
    }

    @Test
    void recordsBehindOpenTransactionAreStuckNotLost() {
        outputs.subList(RECORDS - 10, RECORDS).forEach(audit::held);
        outputs.subList(RECORDS - 10, RECORDS).clear();
        audit.open("out-0", RECORDS - 10, RECORDS);
        assertOnly(Anomaly.STUCK, 10, 1);
        assertThat(audit.left()).isZero();
    }

    @Test
    void correctPipelineHasNoFindings() {
        assertThat(findings()).isEmpty();
        assertThat(audit.left()).isZero();
    }

    @Test
    void abortedAttemptsAreNoAnomaly() {
        for (int i = 0; i < 300; i += 30) {
            for (int k = 0; k < 3; k++) {
                outputs.add(i + k, with(i + k, new Step(0, 1, 9000 + i, 3), false));
            }
            audit.aborted(new Step(0, 1, 9000 + i, 3));
        }
        assertThat(findings()).isEmpty();
    }

    @Test
    void findsLostRecords() {
        Step step = outputs.get(500).step();
        outputs.removeIf(out -> out.step().equals(step));
        assertOnly(Anomaly.LOST, 3, 1);
    }

    @Test
    void inputBeyondCommittedOffsetIsLeftNotLost() {
        audit.passed(0, 999);
        outputs.remove(999);
        assertThat(findings()).isEmpty();
        assertThat(audit.left()).isEqualTo(1);
    }

    @Test
    void findsDuplicatedRecord() {
        outputs.add(20, with(10, new Step(0, 1, 5000, 1), true));
        assertOnly(Anomaly.DOUBLED, 1, 3);
    }

    @Test
    void findsPhantomRecord() {
        outputs.add(new Out(0, 0, 1, 77, 0, null, true));
        assertOnly(Anomaly.PHANTOM, 1, 1);
    }

    @Test
    void findsAlteredRecord() {
        Out out = outputs.get(5);
        outputs.set(5, new Out(0, 0, out.key(), out.id(), 1, out.step(), true));
        assertOnly(Anomaly.ALTERED, 1, 2);
    }

    @Test
    void findsReorderedRecord() {
        Out out = outputs.remove(50);
        outputs.add(50 + KEYS, out);
        assertOnly(Anomaly.REORDERED, 1, 4);
    }

    @Test
    void findsMisroutedRecord() {
        Out out = outputs.get(RECORDS - 1);
        outputs.set(RECORDS - 1, new Out(1, 0, out.key(), out.id(), out.content(), out.step(), true));
        assertOnly(Anomaly.MISROUTED, 1, 4);
    }

    @Test
    void findsAbortedInputThatWasRead() {
        audit.input(new In(0, 2000, 1, 9999, 5, false));
        audit.passed(0, 3000);
        outputs.add(new Out(0, 0, 1, 9999, 5, null, true));
        assertOnly(Anomaly.ABORTED_INPUT, 1, 2);
    }

    @Test
    void findsVisibleAbortedOutput() {
        audit.aborted(outputs.get(30).step());
        assertOnly(Anomaly.ABORTED_READ, 3, 1);
    }

    @Test
    void findsTornTransaction() {
        // The second of three is hidden, and is written again in a transaction of its own.
        outputs.add(301, with(301, new Step(0, 1, 7000, 1), true));
        outputs.set(302, with(302, outputs.get(302).step(), false));
        assertOnly(Anomaly.TORN, 1, 3);
    }

    @Test
    void findsZombieWrite() {
        for (int i = 600; i < RECORDS; i++) {
            outputs.set(i, with(i, new Step(0, 2, i, 1), true));
        }
        outputs.set(700, with(700, new Step(0, 1, 8000, 1), true));
        assertOnly(Anomaly.ZOMBIE, 1, 2);
    }

    @Test
    void findsOffsetNotCommittedWithOutput() {
        audit.passed(0, 990);
        assertOnly(Anomaly.REWOUND, 10, 2);
    }

    @Test
    void findsCommittedRecordsBehindOpenTransaction() {
        audit.open("out-0", 400, 1000);
        assertOnly(Anomaly.STUCK, 600, 1);
    }

    @Test
    void killsAndRetriesOfSoundPipelineHaveNoFindings() {
        SplittableRandom random = new SplittableRandom(7);
        for (int run = 0; run < 50; run++) {
            PipelineAudit sound = new PipelineAudit();
            soundRun(sound, random);
            assertThat(sound.findings()).as("run %d", run).isEmpty();
        }
    }

    /** Transactions abort, members die and are replaced; commits include their offsets. */
    private static void soundRun(PipelineAudit audit, SplittableRandom random) {
        for (int i = 0; i < RECORDS; i++) {
            audit.input(new In(0, i, 1 + i % KEYS, i, i, true));
        }
        long incarnation = 1;
        long transaction = 0;
        long offset = 0;
        int at = 0;
        while (at < RECORDS) {
            int size = Math.min(RECORDS - at, 1 + random.nextInt(20));
            int fate = random.nextInt(5);
            Step step = new Step(0, incarnation, transaction++, size);
            for (int i = at; i < at + size; i++) {
                audit.output(new Out(0, offset++, 1 + i % KEYS, i, i, step, fate > 1));
            }
            if (fate == 0) {
                incarnation++;
            } else if (fate == 1) {
                audit.aborted(step);
            } else {
                at += size;
            }
        }
        audit.passed(0, RECORDS);
    }

    /** A member that ends before its first commit of a partition has not reached the partition's inputs. */
    @Test
    void inputsOfPartitionWithoutCommitAreLeftNotLost() {
        for (int i = 0; i < 5; i++) {
            audit.input(new In(1, i, 0, 5000 + i, i, true));
        }
        assertThat(findings()).isEmpty();
        assertThat(audit.left()).isEqualTo(5);
    }
}
