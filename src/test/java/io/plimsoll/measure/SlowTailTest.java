package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.SlowBatch.Stage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The slowest batches of each second are kept, with the time of each stage. */
class SlowTailTest {
    private static final long MILLI = 1_000_000;
    private static final long START = 1_000 * MILLI;

    private final SlowTail tail = new SlowTail(false);

    private void acknowledge(int partition, long dueMillis, long sentMillis, long requestMillis, long nowMillis) {
        Acknowledgment answer = new Acknowledgment()
                .at(0, partition, 7, START + nowMillis * MILLI)
                .to(2, START + requestMillis * MILLI, START + requestMillis * MILLI);
        if (tail.takes((nowMillis - dueMillis) * MILLI)) {
            tail.add(answer, START + dueMillis * MILLI, START + sentMillis * MILLI, 1);
        }
    }

    private List<SlowBatch> take() {
        return tail.take("producers[0]", topic -> "orders", START);
    }

    @Test
    void stagesCoverTimeFromDueToResponse() {
        acknowledge(3, 10, 15, 40, 140);
        assertThat(take()).singleElement().satisfies(batch -> {
            assertThat(batch.partition()).isEqualTo("orders-3");
            assertThat(batch.broker()).isEqualTo(2);
            assertThat(batch.offset()).isEqualTo(7);
            assertThat(batch.stages())
                    .isEqualTo(Map.of(Stage.SEND, 5 * MILLI, Stage.BATCH, 25 * MILLI, Stage.REQUEST, 100 * MILLI));
            assertThat(batch.fromNanos()).isEqualTo(10 * MILLI);
            assertThat(batch.toNanos()).isEqualTo(140 * MILLI);
            assertThat(batch.stage()).isEqualTo(Stage.REQUEST);
            assertThat(batch.startOf(Stage.REQUEST)).isEqualTo(40 * MILLI);
        });
        assertThat(take()).isEmpty();
    }

    @Test
    void timesRecordsOfOneResponseByTheSlowest() {
        acknowledge(3, 20, 20, 40, 140);
        acknowledge(3, 10, 12, 40, 140);
        acknowledge(3, 30, 30, 40, 140);
        assertThat(take()).singleElement().satisfies(batch -> {
            assertThat(batch.records()).isEqualTo(3);
            assertThat(batch.nanos()).isEqualTo(130 * MILLI);
            assertThat(batch.stages()).containsEntry(Stage.SEND, 2 * MILLI);
        });
    }

    @Test
    void keepsOnlyTheSlowest() {
        for (int i = 0; i < 1000; i++) {
            acknowledge(i, 0, 0, 1, 3 + i % 500);
        }
        assertThat(take()).hasSize(SlowTail.MOST).allSatisfy(batch -> assertThat(batch.nanos())
                .isGreaterThanOrEqualTo((500 - 16 + 3) * MILLI));
        acknowledge(0, 0, 0, 0, 1);
        assertThat(take()).isEmpty();
    }

    @Test
    void usesOneStageAfterSendWithoutRequestTimes() {
        tail.add(new Acknowledgment().at(0, 1, -1, START + 50 * MILLI), START, START + 10 * MILLI, 1);
        assertThat(take()).singleElement().satisfies(batch -> assertThat(batch.stages())
                .isEqualTo(Map.of(Stage.SEND, 10 * MILLI, Stage.ANSWER, 40 * MILLI)));
    }
}
