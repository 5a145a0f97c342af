package io.plimsoll.load;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Polls;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.Snapshot;
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

/** Counts of polled records: number, window, and age. */
class RecordIntakeTest {
    private static final Polls POLLS = new Polls("g", "client", new ClientEvents());
    private static final TopicPartition PARTITION = new TopicPartition("t", 0);
    private static final long RUN = 42;
    private static final long EPOCH_OFFSET = 1_700_000_000 * SECOND;
    private static final int KEY_BYTES = 3;
    private static final int VALUE_BYTES = 20;

    private final ReceiveMeter meter = ReceiveMeter.of("g", false);
    private final ReadWindow window = new ReadWindow(new ConsumerSpec.Start.Earliest(), false);

    private RecordIntake intake(GroupState group, EndToEndSource source) {
        window.start(new TrialClock(0, SECOND, 2 * SECOND, EPOCH_OFFSET));
        return new RecordIntake(group, meter, source, RUN, window, null, null, null, POLLS);
    }

    private static GroupState group(OptionalLong records) {
        return new GroupState("g", 0, null, records, Duration.ofSeconds(5), true);
    }

    /** Records that were due at these times, with offsets from 100 on. */
    private static ConsumerRecords<ByteBuffer, ByteBuffer> records(long runId, long... dueNanos) {
        return records(TimestampType.CREATE_TIME, 0, runId, dueNanos);
    }

    /** The same records with this timestamp type and this delay after their due time. */
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

    private Counts counts(boolean measured) {
        Snapshot read = MeterCounts.of(meter);
        return measured ? read.measured() : read.warmup();
    }

    @Test
    void stampPlacesLatencyInWindowOfDueTime() {
        GroupState group = group(OptionalLong.empty());
        intake(group, EndToEndSource.STAMP)
                .take(records(RUN, SECOND - 5 * MILLI, SECOND + 5 * MILLI), SECOND + 20 * MILLI);
        Counts measured = counts(true);
        assertThat(measured.get(Consumed.RECORDS)).isEqualTo(2);
        assertThat(measured.get(Consumed.BYTES)).isEqualTo(2 * (KEY_BYTES + VALUE_BYTES));
        assertThat(measured.get(Consumed.ARRIVED)).isEqualTo(2);
        assertThat(measured.get(Consumed.END_TO_END).count()).isEqualTo(1);
        assertThat(measured.get(Consumed.END_TO_END).maxMicros()).isBetween(14_990L, 15_010L);
        assertThat(group.consumedByPartition().get(PARTITION)).hasValue(2);
        group.positioned(PARTITION, 102);
        assertThat(group.lag(Map.of(PARTITION, 105L))).hasValue(3);
    }

    @Test
    void ignoresStampOfAnotherRun() {
        intake(group(OptionalLong.empty()), EndToEndSource.STAMP).take(records(RUN + 1, SECOND), 2 * SECOND - 1);
        assertThat(counts(true).get(Consumed.RECORDS)).isEqualTo(1);
        assertThat(counts(true).get(Consumed.END_TO_END).isEmpty()).isTrue();
    }

    @Test
    void timesFirstRecordOfADelayedGroup() {
        ReadWindow held = new ReadWindow(new ConsumerSpec.Start.Backlog(Duration.ofSeconds(1)), false);
        held.start(new TrialClock(0, SECOND, 5 * SECOND, EPOCH_OFFSET));
        RecordIntake intake = new RecordIntake(
                group(OptionalLong.empty()), meter, EndToEndSource.NONE, RUN, held, null, null, null, POLLS);
        intake.take(records(RUN, SECOND), 2 * SECOND + 40 * MILLI);
        intake.take(records(RUN, SECOND), 3 * SECOND);
        assertThat(counts(true).get(Consumed.EVENTS))
                .containsEntry("firstRecords", 1L)
                .containsEntry("firstRecordMicros", 40_000L);
    }

    @Test
    void excludesRecordsAfterTheWindowFromThroughput() {
        intake(group(OptionalLong.empty()), EndToEndSource.NONE).take(records(RUN, SECOND), 2 * SECOND);
        assertThat(counts(true).get(Consumed.RECORDS)).isEqualTo(1);
        assertThat(counts(true).get(Consumed.ARRIVED)).isZero();
    }

    @Test
    void toleratesNegativeLatencyWithinAMillisecond() {
        RecordIntake intake = intake(group(OptionalLong.empty()), EndToEndSource.LOG_APPEND_TIME);
        intake.take(records(RUN, SECOND + 10 * MILLI), SECOND + 10 * MILLI - MILLI / 2);
        Snapshot read = MeterCounts.of(meter);
        assertThat(read.measured().get(Consumed.NEGATIVE_END_TO_END)).isZero();
        assertThat(read.measured().get(Consumed.END_TO_END).maxMicros()).isEqualTo(1);
        intake.take(records(RUN, SECOND + 10 * MILLI), SECOND + 8 * MILLI);
        read = MeterCounts.of(meter);
        assertThat(read.measured().get(Consumed.NEGATIVE_END_TO_END)).isEqualTo(1);
    }

    @Test
    void measuresFromAppendTimeInItsOwnWindow() {
        RecordIntake intake = intake(group(OptionalLong.empty()), EndToEndSource.STAMP);
        // The first was due before the window and appended in it.
        intake.take(
                records(TimestampType.LOG_APPEND_TIME, 6 * MILLI, RUN, SECOND - 5 * MILLI, SECOND + 5 * MILLI),
                SECOND + 20 * MILLI);
        Snapshot read = MeterCounts.of(meter);
        Counts times = read.measured();
        assertThat(times.get(Consumed.END_TO_END).count()).isEqualTo(1);
        assertThat(times.get(Consumed.END_TO_END).maxMicros()).isBetween(14_990L, 15_010L);
        assertThat(times.get(Consumed.END_TO_END_FROM_APPEND).count()).isEqualTo(2);
        assertThat(times.get(Consumed.END_TO_END_FROM_APPEND).minMicros()).isBetween(8_990L, 9_010L);
        assertThat(times.get(Consumed.END_TO_END_FROM_APPEND).maxMicros()).isBetween(18_990L, 19_010L);
        assertThat(times.get(Consumed.NEGATIVE_FROM_APPEND)).isZero();
        intake.take(records(TimestampType.LOG_APPEND_TIME, 2 * MILLI, RUN, SECOND), SECOND);
        intake.take(records(RUN, SECOND), SECOND + MILLI);
        read = MeterCounts.of(meter);
        assertThat(read.measured().get(Consumed.NEGATIVE_FROM_APPEND)).isEqualTo(1);
        assertThat(read.measured().get(Consumed.END_TO_END_FROM_APPEND).isEmpty())
                .isTrue();
    }

    @Test
    void groupWithRecordLimitCountsExactlyThatMany() {
        GroupState group = group(OptionalLong.of(3));
        RecordIntake intake = intake(group, EndToEndSource.NONE);
        intake.take(records(RUN, SECOND, SECOND), SECOND + 1);
        intake.take(records(RUN, SECOND, SECOND), SECOND + 2);
        assertThat(counts(true).get(Consumed.RECORDS)).isEqualTo(3);
        assertThat(group.done()).isTrue();
    }
}
