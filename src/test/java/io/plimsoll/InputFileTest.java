package io.plimsoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** User files above the size limit of their kind are rejected. */
class InputFileTest {
    @TempDir
    Path directory;

    @Test
    void acceptsFileUpToSizeLimit() throws IOException {
        Path file = Files.writeString(directory.resolve("f"), "zwölf");
        assertThat(InputFile.text(file, 6)).isEqualTo("zwölf");
        assertThatThrownBy(() -> InputFile.text(file, 5))
                .isInstanceOf(PlimsollException.class)
                .message()
                .containsPattern(Said.en("text.fileTooLarge", file, 0));
    }

    @Test
    void stripsLeadingByteOrderMark() throws IOException {
        Path file = Files.writeString(directory.resolve("f"), "\uFEFF{\uFEFF}");
        assertThat(InputFile.text(file, 8)).isEqualTo("{\uFEFF}");
    }

    /** A sparse file occupies no disk space, and is rejected before any read. */
    @Test
    void refusesHugeFile() throws IOException {
        Path file = directory.resolve("huge");
        try (RandomAccessFile huge = new RandomAccessFile(file.toFile(), "rw")) {
            huge.setLength(1L << 40);
        }
        assertThatThrownBy(() -> InputFile.text(file, InputFile.SAVED))
                .hasMessageMatching(Said.en("text.fileTooLarge", file, 400));
    }

    /** A special file reports no size and may never end. */
    @Test
    void refusesEndlessFile() {
        assertThatThrownBy(() -> InputFile.text(Path.of("/dev/zero"), 100)).hasMessageContaining("larger than");
    }

    @Test
    void refusesFileThatIsNotText() throws IOException {
        Path file = Files.write(directory.resolve("f"), new byte[] {(byte) 0xff});
        assertThatThrownBy(() -> InputFile.text(file, 5)).isInstanceOf(CharacterCodingException.class);
    }
}
