package io.plimsoll.load;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.ConsumeCounts;
import io.plimsoll.measure.ConsumeTally;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.Stamp;
import io.plimsoll.scenario.ConsumerSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Guards what a member counts of what it has polled: how much, in which window, and how old. */
class RecordIntakeTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final long RUN = 42;
    private static final long EPOCH_OFFSET = 1_700_000_000 * SECOND;
    private static final int KEY_BYTES = 3;
    private static final int VALUE_BYTES = 20;

    private final ReceiveMeter meter = ReceiveMeter.of("g", false);
    private final ReadWindow window = new ReadWindow(new ConsumerSpec.Start.Earliest(), false);

    private RecordIntake intake(GroupState group, EndToEndSource source) {
        window.start(new TrialClock(0, SECOND, 2 * SECOND, EPOCH_OFFSET));
        return new RecordIntake(group, meter, source, RUN, window, null, null);
    }

    private static GroupState group(OptionalLong records) {
        return new GroupState("g", 0, null, records, Duration.ofSeconds(5), true);
    }

    /** Records that were due at these times, with offsets from 100 on. */
    private static ConsumerRecords<ByteBuffer, ByteBuffer> records(long runId, long... dueNanos) {
        return records(TimestampType.CREATE_TIME, 0, runId, dueNanos);
    }

    /** The same, whose timestamps are of this type, and so much later than they were due. */
    private static ConsumerRecords<ByteBuffer, ByteBuffer> records(
            TimestampType type, long later, long runId, long... dueNanos) {
        List<ConsumerRecord<ByteBuffer, ByteBuffer>> list = new ArrayList<>();
        for (long due : dueNanos) {
            byte[] value = new byte[VALUE_BYTES];
            Stamp.write(value, runId, due + EPOCH_OFFSET);
            list.add(new ConsumerRecord<>(
                    "t",
                    0,
                    100 + list.size(),
                    (due + later + EPOCH_OFFSET) / MILLI,
                    type,
                    KEY_BYTES,
                    VALUE_BYTES,
                    ByteBuffer.allocate(KEY_BYTES),
                    ByteBuffer.wrap(value),
                    new RecordHeaders(),
                    Optional.empty()));
        }
        return new ConsumerRecords<>(
                Map.of(PARTITION, list), Map.of(PARTITION, new OffsetAndMetadata(100 + list.size())));
    }

    private ConsumeCounts counts(boolean measured) {
        ConsumeTally tally = new ConsumeTally();
        tally.read(List.of(meter));
        return tally.counts(measured);
    }

    @Test
    void aStampSaysWhenARecordWasDueAndSoInWhichWindow() {
        GroupState group = group(OptionalLong.empty());
        intake(group, EndToEndSource.STAMP)
                .take(records(RUN, SECOND - 5 * MILLI, SECOND + 5 * MILLI), SECOND + 20 * MILLI);
        ConsumeCounts measured = counts(true);
        assertThat(measured.records()).isEqualTo(2);
        assertThat(measured.bytes()).isEqualTo(2 * (KEY_BYTES + VALUE_BYTES));
        assertThat(measured.arrived()).isEqualTo(2);
        assertThat(measured.endToEnd().count()).isEqualTo(1);
        assertThat(measured.endToEnd().maxMicros()).isBetween(14_990L, 15_010L);
        assertThat(group.consumedByPartition().get(PARTITION)).hasValue(2);
        group.positioned(PARTITION, 102);
        assertThat(group.lag(Map.of(PARTITION, 105L))).hasValue(3);
    }

    @Test
    void aStampOfAnotherRunSaysNothing() {
        intake(group(OptionalLong.empty()), EndToEndSource.STAMP).take(records(RUN + 1, SECOND), 2 * SECOND - 1);
        assertThat(counts(true).records()).isEqualTo(1);
        assertThat(counts(true).endToEnd().isEmpty()).isTrue();
    }

    @Test
    void aGroupThatWasHeldBackSaysHowLongItWaitedForTheFirstRecordOfAPartition() {
        ReadWindow held = new ReadWindow(new ConsumerSpec.Start.Backlog(Duration.ofSeconds(1)), false);
        held.start(new TrialClock(0, SECOND, 5 * SECOND, EPOCH_OFFSET));
        RecordIntake intake =
                new RecordIntake(group(OptionalLong.empty()), meter, EndToEndSource.NONE, RUN, held, null, null);
        intake.take(records(RUN, SECOND), 2 * SECOND + 40 * MILLI);
        intake.take(records(RUN, SECOND), 3 * SECOND);
        assertThat(counts(true).events()).containsEntry("firstRecords", 1L).containsEntry("firstRecordMicros", 40_000L);
    }

    @Test
    void whatComesAfterTheWindowIsNoThroughput() {
        intake(group(OptionalLong.empty()), EndToEndSource.NONE).take(records(RUN, SECOND), 2 * SECOND);
        assertThat(counts(true).records()).isEqualTo(1);
        assertThat(counts(true).arrived()).isZero();
    }

    @Test
    void aTimestampIsCutToMillisecondsAndUpToOneIsNoFaultOfClocks() {
        RecordIntake intake = intake(group(OptionalLong.empty()), EndToEndSource.LOG_APPEND_TIME);
        intake.take(records(RUN, SECOND + 10 * MILLI), SECOND + 10 * MILLI - MILLI / 2);
        ConsumeTally tally = new ConsumeTally();
        tally.read(List.of(meter));
        assertThat(tally.counts(true).times().negativeEndToEnd()).isZero();
        assertThat(tally.counts(true).endToEnd().maxMicros()).isEqualTo(1);
        intake.take(records(RUN, SECOND + 10 * MILLI), SECOND + 8 * MILLI);
        tally.read(List.of(meter));
        assertThat(tally.counts(true).times().negativeEndToEnd()).isEqualTo(1);
    }

    @Test
    void anAppendTimeIsTimedBesideTheStampAndByItsOwnWindow() {
        RecordIntake intake = intake(group(OptionalLong.empty()), EndToEndSource.STAMP);
        // The first was due before the window and appended in it.
        intake.take(
                records(TimestampType.LOG_APPEND_TIME, 6 * MILLI, RUN, SECOND - 5 * MILLI, SECOND + 5 * MILLI),
                SECOND + 20 * MILLI);
        ConsumeTally tally = new ConsumeTally();
        tally.read(List.of(meter));
        ConsumeCounts.Times times = tally.counts(true).times();
        assertThat(times.endToEnd().count()).isEqualTo(1);
        assertThat(times.endToEnd().maxMicros()).isBetween(14_990L, 15_010L);
        assertThat(times.endToEndFromAppend().count()).isEqualTo(2);
        assertThat(times.endToEndFromAppend().minMicros()).isBetween(8_990L, 9_010L);
        assertThat(times.endToEndFromAppend().maxMicros()).isBetween(18_990L, 19_010L);
        assertThat(times.negativeFromAppend()).isZero();
        intake.take(records(TimestampType.LOG_APPEND_TIME, 2 * MILLI, RUN, SECOND), SECOND);
        intake.take(records(RUN, SECOND), SECOND + MILLI);
        tally.read(List.of(meter));
        assertThat(tally.counts(true).times().negativeFromAppend()).isEqualTo(1);
        assertThat(tally.counts(true).times().endToEndFromAppend().isEmpty()).isTrue();
    }

    @Test
    void aGroupBoundByRecordsCountsExactlySoMany() {
        GroupState group = group(OptionalLong.of(3));
        RecordIntake intake = intake(group, EndToEndSource.NONE);
        intake.take(records(RUN, SECOND, SECOND), SECOND + 1);
        intake.take(records(RUN, SECOND, SECOND), SECOND + 2);
        assertThat(counts(true).records()).isEqualTo(3);
        assertThat(group.done()).isTrue();
    }
}
