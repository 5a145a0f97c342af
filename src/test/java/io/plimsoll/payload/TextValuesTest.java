package io.plimsoll.payload;

import static io.plimsoll.payload.RecordsTesting.SEED;
import static io.plimsoll.payload.RecordsTesting.generator;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values from a file or a template. */
class TextValuesTest {
    @TempDir
    Path directory;

    @Test
    void fillsTemplateForEachRecord() {
        RecordGenerator generator = generator(RecordsTesting.of(new Payload.Template(
                "{\"id\":${sequence},\"at\":${timestamp},\"ü\":\"${random:7}\",\"u\":\"${uuid}\",$}")));
        Set<UUID> uuids = new HashSet<>();
        for (long sequence : new long[] {0, 9, 10, 999_999, 1_000_000_000_000L, 3}) {
            String value = new String(generator.nextValue(sequence, 1_700_000_000_123_999_999L), UTF_8);
            assertThat(value)
                    .matches("\\{\"id\":" + sequence + ",\"at\":1700000000123,\"ü\":\"[A-Za-z0-9]{7}\","
                            + "\"u\":\"[0-9a-f-]{36}\",\\$}");
            UUID uuid = UUID.fromString(value.substring(value.length() - 40, value.length() - 4));
            assertThat(uuid.version()).isEqualTo(4);
            assertThat(uuid.variant()).isEqualTo(2);
            uuids.add(uuid);
        }
        assertThat(uuids).hasSize(6);
        assertThat(generator.stamped()).isFalse();
    }

    @Test
    void predictsLengthOfTemplateValues() {
        RecordGenerator generator =
                generator(RecordsTesting.of(new Payload.Template("${sequence}-${sequence}-${timestamp}-${random:3}")));
        long now = 1_700_000_000_000_000_000L;
        assertThat(generator.meanPayloadBytes()).isEqualTo(generator.nextValue(1_234_567, now).length);
    }

    @Test
    void randomTextUsesLettersAndDigitsUniformly() {
        RecordGenerator generator = generator(RecordsTesting.of(new Payload.Template("${random:62000}")));
        int[] counts = new int[128];
        for (byte b : generator.nextValue(0, 0)) {
            counts[b]++;
        }
        double chiSquare = 0;
        for (int c = 0; c < 128; c++) {
            if (Character.isLetterOrDigit(c)) {
                chiSquare += (counts[c] - 1000.0) * (counts[c] - 1000.0) / 1000;
            } else {
                assertThat(counts[c]).isZero();
            }
        }
        assertThat((chiSquare - 61) / Math.sqrt(2 * 61)).isBetween(-3.0, 3.0);
    }

    @Test
    void splitsFileIntoExactBytes() throws IOException {
        byte[] content = {'a', (byte) 0xff, 0, '\r', '\n', '\n', '\r', '\n', 'b', '\r', 'c', '\r', '\n'};
        Path file = Files.write(directory.resolve("pieces"), content);
        assertThat(PayloadFile.read(file, "\r\n"))
                .containsExactly(new byte[] {'a', (byte) 0xff, 0}, new byte[] {'\n'}, new byte[] {'b', '\r', 'c'});
        assertThat(PayloadFile.read(file, "nowhere")).containsExactly(content);
    }

    @Test
    void findsOverlappingDelimitersFromLeft() throws IOException {
        Path file = Files.writeString(directory.resolve("overlap"), "1--2---3");
        assertThat(PayloadFile.read(file, "--"))
                .extracting(piece -> new String(piece, UTF_8))
                .containsExactly("1", "2", "-3");
    }

    @Test
    void picksPiecesRandomlyBySeed() throws IOException {
        Path file = Files.writeString(directory.resolve("lines"), "one\ntwo\n\nthree\n");
        Payload.File payload = new Payload.File(file.toString(), "\n");
        RecordGenerator generator = generator(RecordsTesting.of(payload));
        RecordGenerator same = generator(RecordsTesting.of(payload));
        RecordGenerator other = generator(RecordsTesting.of(payload), SEED, 1, 2);
        StringBuilder picks = new StringBuilder();
        StringBuilder samePicks = new StringBuilder();
        StringBuilder otherPicks = new StringBuilder();
        for (int i = 0; i < 3_000; i++) {
            picks.append(new String(generator.nextValue(i, i), UTF_8)).append(' ');
            samePicks.append(new String(same.nextValue(i, i), UTF_8)).append(' ');
            otherPicks.append(new String(other.nextValue(i, i), UTF_8)).append(' ');
        }
        assertThat(picks.toString()).isEqualTo(samePicks.toString()).isNotEqualTo(otherPicks.toString());
        for (String piece : new String[] {"one ", "two ", "three "}) {
            assertThat(picks.toString().split(piece, -1).length - 1).isBetween(900, 1_100);
        }
        assertThat(generator.stamped()).isFalse();
        assertThat(generator.maxValueBytes()).isEqualTo(5);
        assertThat(generator.meanPayloadBytes()).isEqualTo(11 / 3.0);
    }

    @Test
    void refusesUnusableFile() throws IOException {
        refused(directory.resolve("missing"), "\n", "does not exist");
        refused(directory, "\n", "the path is a directory");
        refused(Files.createFile(directory.resolve("empty")), "\n", Said.text("«payload.file.onlyDelimiters»"));
        refused(
                Files.writeString(directory.resolve("blank"), "\n\n"),
                "\n",
                Said.text("«payload.file.onlyDelimiters»"));
        refused(Files.writeString(directory.resolve("text"), "x"), "", "the delimiter is empty");
        Path huge = directory.resolve("huge");
        try (RandomAccessFile sparse = new RandomAccessFile(huge.toFile(), "rw")) {
            sparse.setLength(PayloadFile.MAX_BYTES + 1);
        }
        refused(huge, "\n", "the limit is 512 MB");
    }

    private static void refused(Path file, String delimiter, String message) {
        assertThatThrownBy(() -> PayloadFile.read(file, delimiter))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message);
    }
}
