package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The state file of a persistent lab is sufficient for later commands. */
class LabFileTest {
    private static final long NO_PROCESS = Integer.MAX_VALUE;

    @TempDir
    Path directory;

    @BeforeEach
    void leave() throws IOException {
        leave(directory, false);
    }

    private static void leave(Path place, boolean ownDirectory) throws IOException {
        new LabFile(
                        LabFile.SCHEMA,
                        "a-cluster",
                        256,
                        ownDirectory,
                        List.of(new LabFile.Entry(1, null, 20001, 20002, NO_PROCESS, 0, null, null)),
                        null,
                        List.of("disks=2"))
                .write(place);
    }

    @Test
    void stopRemovesOwnDirectoryUnlessUserStoredFilesInIt() throws IOException {
        Path own = Files.createDirectories(directory.resolve("own/node-1/data"))
                .getParent()
                .getParent();
        Path scenario = Files.writeString(own.resolve("mine.yaml"), "name: mine");
        leave(own, true);
        Lab.open(own).stop(false);
        assertThat(own.toFile().list()).containsExactly("mine.yaml");
        Files.delete(scenario);
        leave(own, true);
        Lab.open(own).stop(false);
        assertThat(own).doesNotExist();
    }

    @Test
    void countsDataOfAllDisks() throws IOException {
        for (String disk : List.of("data", "data-2")) {
            Path log = Files.createDirectories(directory.resolve("node-1").resolve(disk));
            Files.write(log.resolve("0.log"), new byte[1000]);
        }
        assertThat(Lab.open(directory).dataBytes(1)).isEqualTo(2000);
    }

    @Test
    void keepsSettingsThatAreNotOverridden() {
        LabOptions said = LabOptions.persistent(1, directory).described(List.of("racks=3"));
        LabOptions goesOn = said.after(List.of("disks=2", "racks=2"));
        assertThat(goesOn.settings()).containsExactly("disks=2", "racks=3");
        assertThat(new LabNodes(goesOn, directory)
                        .all(LabFile.read(directory))
                        .get(0)
                        .disks())
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"disks=1", "disks=3", "controllers=1"})
    void refusesOtherDiskOrControllerLayout(String other) {
        LabOptions options =
                LabOptions.persistent(1, directory).described(List.of(other)).after(List.of("disks=2"));
        assertThatThrownBy(() -> new LabNodes(options, directory).all(LabFile.read(directory)))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining("layout of disks or controllers");
    }

    @Test
    void usesGivenClientConfigWhenReopened() {
        Map<String, String> client = Map.of("security.protocol", "SASL_PLAINTEXT");
        assertThat(Lab.open(directory, client).options.clientConfig).isEqualTo(client);
    }
}
