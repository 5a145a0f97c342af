package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.lab.Child;
import io.plimsoll.testing.Said;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The output is complete, or the exit code reports that it is not. */
class StandardOutputTest {
    static final File FULL = new File("/dev/full");

    static boolean hasFullDevice() {
        return FULL.exists() && LinuxRoot.isHere();
    }

    @Test
    @EnabledIf("hasFullDevice")
    void truncatedOutputFailsTheCommand(@TempDir Path directory) throws Exception {
        File said = directory.resolve("said").toFile();
        Process full = Child.java(Main.class, "scenarios", "quick", "--lang", "zh")
                .redirectOutput(FULL)
                .redirectError(said)
                .start();
        assertThat(full.waitFor()).isEqualTo(Exit.INTERNAL.code());
        assertThat(Files.readString(said.toPath())).matches("plimsoll: " + Said.zh("cli.cutOff") + "\n");
    }

    /** Like {@code head}. */
    @Test
    void closedPipeIsNoFailure(@TempDir Path directory) throws Exception {
        File said = directory.resolve("said").toFile();
        Process piped =
                Child.java(Main.class, "scenarios", "quick").redirectError(said).start();
        piped.getInputStream().close();
        assertThat(piped.waitFor()).isZero();
        assertThat(said).isEmpty();
    }
}
