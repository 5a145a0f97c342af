package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.FetchResponseData.AbortedTransaction;
import org.apache.kafka.common.message.FetchResponseData.FetchableTopicResponse;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.MetadataResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Responses written by Kafka's classes in every version. Intact ones are parsed correctly; truncated or corrupt ones
 * never report an outcome twice or read past their end.
 */
@Timeout(120)
class ResponseFuzzTest {
    private static final RawNetwork NETWORK =
            new RawNetwork(Map.of("bootstrap.servers", "127.0.0.1:1"), "fuzz", -1, 1_000);

    @AfterAll
    static void close() {
        NETWORK.close();
    }

    private static final int TRIES = 3000;
    private static final Uuid ID = new Uuid(4711, 42);
    private static final TopicRef TOPIC = new TopicRef("fuzzed", ID);
    private static final TopicRef OTHER = new TopicRef("other-topic", new Uuid(7, 8));

    private final SplittableRandom random = new SplittableRandom(20);

    private static ByteBuffer bytes(ApiKeys api, ApiMessage message, short version) {
        ByteBuffer body = MessageUtil.toByteBufferAccessor(message, version).buffer();
        // Headers of newer versions have tagged fields, here empty.
        boolean tags = api.responseHeaderVersion(version) >= 1;
        ByteBuffer response = ByteBuffer.allocate(body.remaining() + (tags ? 1 : 0));
        if (tags) {
            response.put((byte) 0);
        }
        return response.put(body).flip();
    }

    /** Truncated at some point, with a few bytes changed, or both. */
    private ByteBuffer damaged(ByteBuffer whole) {
        byte[] copy = new byte[whole.remaining()];
        whole.duplicate().get(copy);
        int how = random.nextInt(3);
        if (how != 0) {
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                int at = random.nextInt(copy.length);
                // Lengths and counts are small: mostly small changes, occasionally a wild one.
                copy[at] = (byte) (random.nextBoolean() ? copy[at] ^ (1 << random.nextInt(8)) : random.nextInt());
            }
        }
        return ByteBuffer.wrap(how == 1 ? copy : Arrays.copyOf(copy, random.nextInt(copy.length)));
    }

    /** Outcomes reported for one frame. */
    private static final class RecordingListener implements ProduceFrame.Listener {
        final int[] outcomes = new int[8];
        final short[] errors = new short[8];
        int done;

        @Override
        public void outcome(ProduceFrame frame, int slot, short error, long baseOffset) {
            outcomes[slot]++;
            errors[slot] = error;
        }

        @Override
        public void done(ProduceFrame frame, int throttleMillis) {
            done++;
        }

        @Override
        public void failed(ProduceFrame frame, String kind) {
            // counts as no outcome
        }
    }

    private static ProduceFrame produceFrame(RecordingListener told, short version) {
        ProduceFrame frame = new ProduceFrame(8, "client", told);
        frame.reset();
        for (int p = 0; p < 3; p++) {
            frame.add(TOPIC, p, ByteBuffer.allocate(100));
        }
        frame.add(OTHER, 1, ByteBuffer.allocate(100));
        frame.begin(new RawLink(NETWORK, "0", "127.0.0.1", 1, 1, null), version, (short) -1);
        return frame;
    }

    private static ProduceResponseData produceResponse(short version) {
        ProduceResponseData data = new ProduceResponseData().setThrottleTimeMs(3);
        for (TopicRef topic : List.of(TOPIC, OTHER)) {
            TopicProduceResponse response = new TopicProduceResponse()
                    .setName(version < 13 ? topic.name() : "")
                    .setTopicId(version < 13 ? Uuid.ZERO_UUID : topic.id());
            for (int p = topic.equals(TOPIC) ? 0 : 1; p < (topic.equals(TOPIC) ? 3 : 2); p++) {
                PartitionProduceResponse partition = new PartitionProduceResponse()
                        .setIndex(p)
                        .setErrorCode((short) (p == 2 ? 10 : 0))
                        .setBaseOffset(1000 + p);
                if (p == 2 && version >= 8) {
                    partition
                            .setErrorMessage("too large")
                            .setRecordErrors(List.of(new BatchIndexAndErrorMessage()
                                    .setBatchIndex(1)
                                    .setBatchIndexErrorMessage("it")));
                }
                response.partitionResponses().add(partition);
            }
            data.responses().add(response);
        }
        return data;
    }

    @Test
    void toleratesDamagedProduceResponses() {
        for (short version = ApiKeys.PRODUCE.oldestVersion(); version <= ApiKeys.PRODUCE.latestVersion(); version++) {
            if (version < 3) {
                continue;
            }
            ByteBuffer whole = bytes(ApiKeys.PRODUCE, produceResponse(version), version);
            RecordingListener clean = new RecordingListener();
            produceFrame(clean, version).onResponse(whole.duplicate());
            assertThat(clean.outcomes).startsWith(1, 1, 1, 1, 0);
            assertThat(clean.errors).startsWith((short) 0, (short) 0, (short) 10, (short) 0);
            assertThat(clean.done).isEqualTo(1);
            for (int i = 0; i < TRIES; i++) {
                RecordingListener told = new RecordingListener();
                ProduceFrame frame = produceFrame(told, version);
                boolean refused = refused(() -> frame.onResponse(damaged(whole)));
                assertThat(told.done).isEqualTo(refused ? 0 : 1);
                int most = Arrays.stream(told.outcomes).max().orElse(0);
                assertThat(most).isLessThanOrEqualTo(1);
                if (!refused) {
                    assertThat(told.outcomes).startsWith(1, 1, 1, 1, 0);
                }
            }
        }
    }

    /** Response handlers do not catch errors: no response may cause one. */
    private static boolean refused(Runnable parsing) {
        try {
            parsing.run();
            return false;
        } catch (RuntimeException e) {
            return true;
        } catch (Error e) {
            return fail("a response threw " + e, e);
        }
    }

    private static final class Partition extends FetchPartition {
        Partition(TopicRef topic, int partition) {
            super(partition);
            this.topic = topic;
        }
    }

    private static FetchResponseData fetchResponse(short version) {
        FetchResponseData data = new FetchResponseData()
                .setThrottleTimeMs(0)
                .setErrorCode((short) 0)
                .setSessionId(5);
        for (TopicRef topic : List.of(TOPIC, OTHER)) {
            FetchableTopicResponse response = new FetchableTopicResponse();
            if (version < 13) {
                response.setTopic(topic.name());
            } else {
                response.setTopicId(topic.id());
            }
            for (int p = 0; p < 2; p++) {
                response.partitions()
                        .add(new PartitionData()
                                .setPartitionIndex(p)
                                .setErrorCode((short) 0)
                                .setHighWatermark(100)
                                .setLastStableOffset(100)
                                .setLogStartOffset(0)
                                .setAbortedTransactions(List.of(new AbortedTransaction()
                                        .setProducerId(9)
                                        .setFirstOffset(8)))
                                .setRecords(MemoryRecords.readableRecords(ByteBuffer.allocate(70 + p))));
            }
            data.responses().add(response);
        }
        return data;
    }

    @Test
    void toleratesDamagedFetchResponses() {
        List<FetchPartition> asked = new ArrayList<>();
        for (TopicRef topic : List.of(TOPIC, OTHER)) {
            for (int p = 0; p < 2; p++) {
                asked.add(new Partition(topic, p));
            }
        }
        for (short version = 7; version <= ApiKeys.FETCH.latestVersion(); version++) {
            ByteBuffer whole = bytes(ApiKeys.FETCH, fetchResponse(version), version);
            FetchFrame clean = fetched(asked, version, whole.duplicate());
            assertThat(clean.count()).isEqualTo(4);
            assertThat(clean.dataEnd(1) - clean.dataAt(1)).isEqualTo(71);
            assertThat(clean.abortedProducerId(3, 0)).isEqualTo(9);
            for (int i = 0; i < TRIES; i++) {
                ByteBuffer damaged = damaged(whole);
                FetchFrame[] frame = new FetchFrame[1];
                short v = version;
                if (refused(() -> frame[0] = fetched(asked, v, damaged))) {
                    continue;
                }
                assertThat(frame[0].count()).isLessThanOrEqualTo(4);
                for (int p = 0; p < frame[0].count(); p++) {
                    assertThat(frame[0].dataAt(p)).isBetween(0, frame[0].dataEnd(p));
                    assertThat(frame[0].dataEnd(p)).isLessThanOrEqualTo(damaged.limit());
                    for (int t = 0; t < frame[0].abortedCount(p); t++) {
                        frame[0].abortedProducerId(p, t);
                        frame[0].abortedFirstOffset(p, t);
                    }
                }
            }
        }
    }

    private static FetchFrame fetched(List<FetchPartition> asked, short version, ByteBuffer response) {
        FetchFrame[] told = new FetchFrame[1];
        FetchSession.Listener listener = new FetchSession.Listener() {
            @Override
            public void fetched(FetchFrame frame) {
                told[0] = frame;
            }

            @Override
            public void failed(FetchSession session, String kind) {
                fail("failed: " + kind);
            }
        };
        FetchSession session = new FetchSession(
                null,
                new RawLink(NETWORK, "0", "127.0.0.1", 1, 1, null),
                "client",
                new FetchSession.Limits(1, 1, 1, 1, 1, false),
                listener);
        session.assign(asked.toArray(new FetchPartition[0]));
        FetchFrame frame = new FetchFrame(session);
        frame.prepare(version, session.partitions());
        frame.onResponse(response);
        assertThat(told[0]).isSameAs(frame);
        return frame;
    }

    @Test
    void toleratesDamagedMetadataResponses() {
        MetadataResponseData data =
                new MetadataResponseData().setClusterId("cluster").setControllerId(1);
        data.brokers()
                .add(new MetadataResponseBroker()
                        .setNodeId(1)
                        .setHost("127.0.0.1")
                        .setPort(9));
        MetadataResponseTopic topic = new MetadataResponseTopic().setName("fuzzed");
        for (int p = 0; p < 3; p++) {
            topic.partitions()
                    .add(new MetadataResponsePartition()
                            .setPartitionIndex(p)
                            .setLeaderId(1)
                            .setReplicaNodes(List.of(1))
                            .setIsrNodes(List.of(1)));
        }
        data.topics().add(topic);
        short newest = ApiKeys.METADATA.latestVersion();
        for (short v = 1; v <= newest; v++) {
            short version = v;
            ByteBuffer whole = MessageUtil.toByteBufferAccessor(data, version).buffer();
            assertThat(view(whole.duplicate(), version).topics().get("fuzzed").leaders())
                    .containsExactly(1, 1, 1);
            for (int i = 0; i < TRIES; i++) {
                ByteBuffer damaged = damaged(whole);
                refused(() -> view(damaged, version));
            }
        }
    }

    private static ClusterView view(ByteBuffer response, short version) {
        return ClusterView.view(MetadataResponse.parse(new ByteBufferAccessor(response), version));
    }
}
