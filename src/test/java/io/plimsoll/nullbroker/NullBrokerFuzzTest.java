package io.plimsoll.nullbroker;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.wire.server.ServedTopics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.message.FetchRequestData.FetchPartition;
import org.apache.kafka.common.message.FetchRequestData.FetchTopic;
import org.apache.kafka.common.message.MetadataRequestData;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.RequestUtils;

/**
 * For any input the connection is answered or closed in bounded time (every wait of {@link SocketClient} is bounded),
 * other clients are served, and incomplete requests do not count.
 */
class NullBrokerFuzzTest {
    private static final String TOPIC = "fuzz";
    private static final int BATCH_RECORDS = 3;
    private static NullBroker broker;

    @BeforeContainer
    static void start() {
        broker = NullBroker.start(new NullBrokerOptions().topic(TOPIC, 1).checkCrc(true));
    }

    @AfterContainer
    static void stop() {
        broker.close();
    }

    private static ByteBuffer produce(int version, int correlation) {
        Uuid id = topicId();
        return PlainProduceRequest.of(
                TOPIC, id, PlainProduceRequest.batch(BATCH_RECORDS, 10), (short) version, (short) 1, correlation);
    }

    private static Uuid topicId() {
        return new ServedTopics(1, 0, Map.of(TOPIC, 1)).named(TOPIC).ref().id();
    }

    private static ByteBuffer frame(ApiKeys api, int version, ApiMessage request) {
        RequestHeader header = new RequestHeader(api, (short) version, "fuzz", 5);
        ByteBuffer bytes = RequestUtils.serialize(header.data(), header.headerVersion(), request, (short) version);
        return ByteBuffer.allocate(Integer.BYTES + bytes.remaining())
                .putInt(bytes.remaining())
                .put(bytes)
                .flip();
    }

    private static List<ByteBuffer> validFrames() {
        FetchPartition partition = new FetchPartition().setPartition(0).setPartitionMaxBytes(1 << 20);
        FetchTopic topic =
                new FetchTopic().setTopicId(topicId()).setTopic(TOPIC).setPartitions(List.of(partition));
        FetchRequestData fetch =
                new FetchRequestData().setMaxWaitMs(5).setMinBytes(1).setTopics(List.of(topic));
        MetadataRequestData metadata =
                new MetadataRequestData().setTopics(List.of(new MetadataRequestTopic().setName(TOPIC)));
        return List.of(
                produce(3, 1),
                produce(8, 1),
                produce(12, 1),
                produce(13, 1),
                frame(ApiKeys.FETCH, 4, fetch),
                frame(ApiKeys.FETCH, 12, fetch),
                frame(ApiKeys.FETCH, 18, fetch),
                frame(ApiKeys.METADATA, 1, metadata),
                frame(ApiKeys.METADATA, 13, metadata));
    }

    private static void assertServing() throws IOException {
        try (SocketClient client = new SocketClient(broker)) {
            long before = broker.stats().records();
            client.send(produce(13, 99));
            assertThat(client.receive().getInt(0)).isEqualTo(99);
            assertThat(broker.stats().records()).isEqualTo(before + BATCH_RECORDS);
        }
    }

    @Property(tries = 200)
    void closesConnectionOnRandomBytes(@ForAll byte[] bytes) throws IOException {
        try (SocketClient client = new SocketClient(broker)) {
            client.send(ByteBuffer.wrap(bytes));
            client.end();
            client.awaitClose();
        }
        assertServing();
    }

    @Property(tries = 200)
    void closesConnectionOnRandomFrame(
            @ForAll byte[] body, @ForAll @IntRange(max = 100) int apiKey, @ForAll @IntRange(max = 20) int version)
            throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(18 + body.length)
                .putInt(14 + body.length)
                .putShort((short) apiKey)
                .putShort((short) version)
                .putInt(3)
                .putShort((short) 4)
                .putInt(0)
                .put(body)
                .flip();
        try (SocketClient client = new SocketClient(broker)) {
            client.send(frame);
            client.end();
            client.awaitClose();
        }
        assertServing();
    }

    @Property(tries = 300)
    void ignoresTruncatedFrame(@ForAll @IntRange(max = 8) int which, @ForAll @IntRange(max = 300) int length)
            throws IOException {
        ByteBuffer frame = validFrames().get(which);
        long before = broker.stats().records();
        frame.limit(Math.min(length, frame.limit() - 1));
        try (SocketClient client = new SocketClient(broker)) {
            client.send(frame);
            client.end();
            client.awaitClose();
        }
        assertThat(broker.stats().records()).isEqualTo(before);
        assertServing();
    }

    @Property(tries = 500)
    void answersOrClosesOnCorruptedFrame(
            @ForAll @IntRange(max = 8) int which, @ForAll @IntRange(min = 1, max = 4) int changes, @ForAll long seed)
            throws IOException {
        ByteBuffer frame = validFrames().get(which);
        Random random = new Random(seed);
        for (int i = 0; i < changes; i++) {
            frame.put(random.nextInt(frame.limit()), (byte) random.nextInt());
        }
        try (SocketClient client = new SocketClient(broker)) {
            client.send(frame);
            client.end();
            client.awaitClose();
        }
        assertServing();
    }

    /** Requests are parsed identically, regardless of how packets divide the bytes. */
    @Property(tries = 50)
    void acceptsFragmentedFrames(@ForAll long seed, @ForAll @IntRange(min = 3, max = 13) int version)
            throws IOException {
        Random random = new Random(seed);
        ByteBuffer frame = produce(version, 42);
        long before = broker.stats().records();
        try (SocketClient client = new SocketClient(broker)) {
            for (int repeat = 0; repeat < 3; repeat++) {
                ByteBuffer rest = frame.duplicate();
                while (rest.hasRemaining()) {
                    ByteBuffer piece = rest.duplicate();
                    piece.limit(piece.position() + Math.min(rest.remaining(), 1 + random.nextInt(40)));
                    client.send(piece);
                    rest.position(piece.limit());
                }
                assertThat(client.receive().getInt(0)).isEqualTo(42);
            }
        }
        assertThat(broker.stats().records()).isEqualTo(before + 3 * BATCH_RECORDS);
    }

    @Property(tries = 20)
    void limitsFrameSize(@ForAll @IntRange(min = 1) int above) throws IOException {
        int limit = 100 << 20;
        ByteBuffer frame =
                ByteBuffer.allocate(4).putInt(above > limit ? above : -above).flip();
        try (SocketClient client = new SocketClient(broker)) {
            client.send(frame);
            client.awaitClose();
        }
    }
}
