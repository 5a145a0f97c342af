package truth;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Records when a producer reports each acknowledgment, in the file given to this JVM agent: partition (4 bytes), offset (8),
 * and nanoseconds since the epoch (8). An agent is on the class path, where Kafka's client finds it.
 */
public final class Acknowledged implements ProducerInterceptor<byte[], byte[]> {
    private static DataOutputStream out;

    public static void premain(String file) throws IOException {
        out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(file), 1 << 16));
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> sent) {
        return sent;
    }

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception failure) {
        if (failure != null || !metadata.hasOffset()) {
            return;
        }
        Instant now = Instant.now();
        synchronized (Acknowledged.class) {
            try {
                out.writeInt(metadata.partition());
                out.writeLong(metadata.offset());
                out.writeLong(now.getEpochSecond() * 1_000_000_000L + now.getNano());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        synchronized (Acknowledged.class) {
            try {
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void configure(Map<String, ?> config) {
        // This interceptor has no settings.
    }
}
