package io.plimsoll.perf.capture.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.perf.capture.shape.SchemaTally.IdShare;
import io.plimsoll.perf.capture.shape.SchemaTally.SchemaIds;
import io.plimsoll.scenario.SchemaSpec.Framing;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Schema IDs of both framings are recognized, and other content is not mistaken for them. */
class SchemaTallyTest {
    private final SchemaTally tally = new SchemaTally();
    private final SplittableRandom random = new SplittableRandom(3);

    private void add(int records, int idBytes, long id, int length) {
        for (int i = 0; i < records; i++) {
            byte[] value = new byte[length];
            random.nextBytes(value);
            ByteBuffer framed = ByteBuffer.wrap(value);
            framed.put((byte) 0);
            if (idBytes == Integer.BYTES) {
                framed.putInt((int) id);
            } else {
                framed.putLong(id);
            }
            add(value);
        }
    }

    private void add(byte[] value) {
        // Inside a larger buffer.
        ByteBuffer data = ByteBuffer.allocate(value.length + 20);
        data.position(7).put(value);
        tally.add(data, 7, value.length);
    }

    @Test
    void findsConfluentIdsWithTheirShares() {
        add(60, 4, 100_041, 30);
        add(30, 4, 7, 5);
        for (int i = 0; i < 10; i++) {
            add(new byte[] {'t', 'e', 'x', 't', 's', '!'});
        }
        tally.add(ByteBuffer.allocate(0), 0, -1);
        assertThat(tally.ids())
                .isEqualTo(new SchemaIds(Framing.CONFLUENT, List.of(new IdShare(100_041, 0.6), new IdShare(7, 0.3))));
    }

    @Test
    void findsEightByteApicurioIds() {
        add(100, 8, 3_000_000_000L, 30);
        assertThat(tally.ids()).isEqualTo(new SchemaIds(Framing.APICURIO, List.of(new IdShare(3_000_000_000L, 1))));
    }

    @Test
    void ignoresFramingOfAMinority() {
        add(49, 4, 9, 30);
        for (int i = 0; i < 51; i++) {
            add(new byte[] {1, 0, 0, 0, 9, 1});
        }
        assertThat(tally.ids()).isEqualTo(SchemaIds.NONE);
    }

    @Test
    void doesNotMistakeNumbersForIds() {
        for (int i = 0; i < 1000; i++) {
            add(ByteBuffer.allocate(8).putLong(1_700_000_000_000L + i).array());
            add(ByteBuffer.allocate(4).putInt(i).array());
            add(ByteBuffer.allocate(12).putInt(random.nextInt(1 << 24)).array());
            add(ByteBuffer.allocate(16).putLong(random.nextLong(1L << 40)).array());
        }
        assertThat(tally.ids()).isEqualTo(SchemaIds.NONE);
    }
}
