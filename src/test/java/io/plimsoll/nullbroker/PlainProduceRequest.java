package io.plimsoll.nullbroker;

import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.RequestHeader;

/** Produce requests as frames, encoded by Kafka's own classes. */
final class PlainProduceRequest {
    private PlainProduceRequest() {}

    static MemoryRecords batch(int records, int recordBytes) {
        SimpleRecord[] contents = new SimpleRecord[records];
        for (int i = 0; i < records; i++) {
            contents[i] = new SimpleRecord(1L, new byte[recordBytes]);
        }
        return MemoryRecords.withRecords(Compression.NONE, contents);
    }

    /** One batch for partition 0, from its size field on. */
    static ByteBuffer of(String topic, Uuid topicId, MemoryRecords batch, short version, short acks, int correlation) {
        TopicProduceData data = new TopicProduceData();
        if (version >= 13) {
            data.setTopicId(topicId);
        } else {
            data.setName(topic);
        }
        data.partitionData().add(new PartitionProduceData().setIndex(0).setRecords(batch));
        TopicProduceDataCollection topics = new TopicProduceDataCollection();
        topics.add(data);
        ProduceRequestData request =
                new ProduceRequestData().setAcks(acks).setTimeoutMs(1000).setTopicData(topics);
        RequestHeader header = new RequestHeader(ApiKeys.PRODUCE, version, "frame", correlation);
        ByteBuffer body = new ProduceRequest(request, version).serializeWithHeader(header);
        return ByteBuffer.allocate(Integer.BYTES + body.remaining())
                .putInt(body.remaining())
                .put(body)
                .flip();
    }
}
