package io.plimsoll.load.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.load.RecordIntake;
import io.plimsoll.load.VirtualTime;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Polls;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.scenario.ConsumerSpec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A pipeline member continues after its coordinator was temporarily unavailable. */
class ForwarderTest {
    private static final Polls POLLS = new Polls("g", "client", new ClientEvents());
    private static final long MARK = 7;
    private final VirtualTime time = new VirtualTime();
    private final ReceiveMeter meter = ReceiveMeter.of("g", false);
    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();

    private MockProducer<byte[], byte[]> producer() {
        MockProducer<byte[], byte[]> made =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        if (producers.isEmpty()) {
            made.initTransactionException = new TimeoutException("no coordinator");
        }
        producers.add(made);
        return made;
    }

    private Forwarder forwarder(Supplier<Producer<byte[], byte[]>> producer) {
        GroupState group = new GroupState("g", 0, null, OptionalLong.empty(), Duration.ofSeconds(1), true);
        ReadWindow window = new ReadWindow(new ConsumerSpec.Start.Earliest(), false);
        return new Forwarder(
                new PlannedConsumer(time),
                producer,
                new Forwarder.Pipe(MARK, "out", true, Map.of(PlannedConsumer.PARTITION, 0), new HashSet<>()),
                0,
                new RecordIntake(group, meter, EndToEndSource.NONE, 1, window, null, null, null, POLLS),
                time);
    }

    private static ConsumerRecords<ByteBuffer, ByteBuffer> oneRecord() {
        return new ConsumerRecords<>(
                Map.of(
                        PlannedConsumer.PARTITION,
                        List.of(new ConsumerRecord<>("t", 0, 0, null, ByteBuffer.allocate(20)))),
                Map.of());
    }

    @Test
    void replacesProducerThatFailsToInitialize() {
        Forwarder forwarder = forwarder(this::producer);
        ConsumerRecords<ByteBuffer, ByteBuffer> records = oneRecord();
        long before = time.nanoTime();
        assertThat(forwarder.forward(records, () -> false, () -> false)).isFalse();
        // Without a pause, failed records would be read again thousands of times a second.
        assertThat(time.nanoTime() - before).isGreaterThanOrEqualTo(100 * VirtualTime.MILLI);
        assertThat(forwarder.forward(records, () -> false, () -> false)).isTrue();
        assertThat(producers).hasSize(2);
        assertThat(producers.get(0).closed()).isTrue();
        assertThat(producers.get(1).history()).hasSize(1);
        Snapshot read = MeterCounts.of(meter);
        assertThat(read.measured().get(Consumed.ERRORS)).containsValue(1L);
    }

    /** A partition that was added to the input during the run is forwarded under the next number. */
    @Test
    void forwardsRecordsOfAddedPartition() {
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
        Forwarder forwarder = forwarder(() -> producer);
        TopicPartition added = new TopicPartition("t", 7);
        ConsumerRecords<ByteBuffer, ByteBuffer> records = new ConsumerRecords<>(
                Map.of(added, List.of(new ConsumerRecord<>("t", 7, 5, null, ByteBuffer.allocate(20)))), Map.of());
        assertThat(forwarder.forward(records, () -> false, () -> false)).isTrue();
        ByteBuffer header = header(producer);
        assertThat(header.getInt()).isEqualTo(1);
        assertThat(header.getLong()).isEqualTo(5);
        assertThat(header.getLong(Forwarder.MARK_AT)).isEqualTo(MARK);
    }

    /** The header of the first record that this producer wrote. */
    private static ByteBuffer header(MockProducer<byte[], byte[]> producer) {
        return ByteBuffer.wrap(
                producer.history().get(0).headers().lastHeader(Forwarder.HEADER).value());
    }

    /** Numbered by a clock that never steps back. */
    @Test
    void replacedProducerIsALaterIncarnation() {
        List<MockProducer<byte[], byte[]>> both = new ArrayList<>();
        Forwarder forwarder = forwarder(() -> {
            both.add(new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()));
            return both.get(both.size() - 1);
        });
        assertThat(forwarder.forward(oneRecord(), () -> false, () -> false)).isTrue();
        both.get(0).fenceProducer();
        long before = time.nanoTime();
        assertThat(forwarder.forward(oneRecord(), () -> false, () -> false)).isFalse();
        assertThat(forwarder.forward(oneRecord(), () -> false, () -> false)).isTrue();
        int incarnationAt = 4 + 8 + 4;
        assertThat(header(both.get(1)).getLong(incarnationAt)
                        - header(both.get(0)).getLong(incarnationAt))
                .isEqualTo(time.nanoTime() - before);
    }

    /** The commit can have succeeded, so its records must not be written again. */
    @Test
    void repeatsCommitThatTimedOut() {
        int[] commits = {0};
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public void commitTransaction() {
                        if (commits[0]++ < 2) {
                            throw new TimeoutException("no response");
                        }
                        super.commitTransaction();
                    }
                };
        Forwarder forwarder = forwarder(() -> producer);
        ConsumerRecords<ByteBuffer, ByteBuffer> records = oneRecord();
        assertThat(forwarder.forward(records, () -> false, () -> false)).isTrue();
        assertThat(commits[0]).isEqualTo(3);
        assertThat(producer.history()).hasSize(1);
        assertThat(producer.transactionAborted()).isFalse();
        commits[0] = 0;
        assertThat(forwarder.forward(records, () -> false, () -> true)).isFalse();
    }
}
