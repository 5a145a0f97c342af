package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.RequestHeader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kafka's own classes parse the produce request with the same contents, by topic, in every version. */
class ProduceFrameTest {
    private static final List<TopicRef> TOPICS =
            List.of(new TopicRef("orders", new Uuid(1, 2)), new TopicRef("orders-b", new Uuid(3, 4)));

    static Stream<Short> versions() {
        return Stream.iterate((short) 3, v -> (short) (v + 1)).limit(ApiKeys.PRODUCE.latestVersion() - 2);
    }

    private static ByteBuffer batch(int topic, int partition) {
        return ByteBuffer.wrap(new byte[] {(byte) topic, (byte) partition, 9});
    }

    @ParameterizedTest
    @MethodSource("versions")
    void topicHasOneEntryForAllPartitions(short version) {
        // Longer than any other field around a batch.
        String clientId = "client-4711-".repeat(100);
        ProduceFrame frame = new ProduceFrame(8, clientId, null);
        for (int topic = 0; topic < 2; topic++) {
            for (int partition = 0; partition < 3; partition++) {
                TopicRef known = TOPICS.get(topic);
                // A different object each time: equality is by name.
                frame.add(new TopicRef(known.name(), known.id()), partition, batch(topic, partition));
            }
        }
        frame.begin(new RawLink(null, "0", "127.0.0.1", 1, 1, null), version, (short) -1);
        ByteBuffer[] pieces = frame.write(42, 30_000);
        ByteBuffer bytes = ByteBuffer.allocate(2500);
        Arrays.stream(pieces, 0, 13).forEach(bytes::put);
        bytes.flip();

        assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
        RequestHeader header = RequestHeader.parse(bytes);
        assertThat(List.of(header.clientId(), header.correlationId(), header.apiVersion()))
                .isEqualTo(List.of(clientId, 42, version));
        ProduceRequestData request = new ProduceRequestData(new ByteBufferAccessor(bytes), version);
        assertThat(bytes.hasRemaining()).isFalse();
        assertThat(request.timeoutMs()).isEqualTo(30_000);
        assertThat(request.topicData()).hasSize(2);
        int index = 0;
        for (TopicProduceData topic : request.topicData()) {
            TopicRef expected = TOPICS.get(index);
            assertThat(topic.name()).isEqualTo(version < 13 ? expected.name() : "");
            assertThat(topic.topicId()).isEqualTo(version < 13 ? Uuid.ZERO_UUID : expected.id());
            assertThat(topic.partitionData()).hasSize(3);
            for (int p = 0; p < 3; p++) {
                assertThat(topic.partitionData().get(p).index()).isEqualTo(p);
                MemoryRecords records =
                        (MemoryRecords) topic.partitionData().get(p).records();
                assertThat(records.buffer()).isEqualTo(batch(index, p));
            }
            index++;
        }
    }
}
