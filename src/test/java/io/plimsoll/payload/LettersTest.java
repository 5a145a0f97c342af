package io.plimsoll.payload;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.RecordSpec.Payload;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Values as sent by Kafka's own performance tool. */
class LettersTest {
    @Test
    void lettersDifferPerRecordAndAreAllUsed() {
        RecordGenerator generator = RecordsTesting.generator(RecordsTesting.of(new Payload.Letters()));
        Set<String> values = new HashSet<>();
        Set<Integer> letters = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            byte[] value = generator.nextValue(i, i);
            String text = new String(Arrays.copyOfRange(value, Stamp.BYTES, value.length), US_ASCII);
            assertThat(text).matches("[A-Z]{84}");
            values.add(text);
            text.chars().forEach(letters::add);
        }
        assertThat(values).hasSize(1000);
        assertThat(letters).hasSize(26);
    }

    @Test
    void sequenceMayStartAnywhere() {
        RecordGenerator generator =
                RecordsTesting.generator(RecordsTesting.of(new Payload.Template("${sequence:98} ${sequence}")));
        assertThat(new String(generator.nextValue(0, 0), US_ASCII)).isEqualTo("98 0");
        assertThat(new String(generator.nextValue(2, 0), US_ASCII)).isEqualTo("100 2");
    }
}
