package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.KeyTool;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A login file that a coordinator cannot send is named with the reason. */
class LoginFilesTest {
    @TempDir
    Path directory;

    @Test
    void reportsKeystoreWithoutPassword() throws Exception {
        Path password = Files.writeString(directory.resolve("password"), "a password\n");
        Path keys = directory.resolve("keys.p12");
        KeyTool.authority(password, "plimsoll test", keys);
        assertThatThrownBy(() -> LoginFiles.text(Map.of("ssl.keystore.location", keys.toString())))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageFindingMatch(Said.en("fleet.loginFileUnreadable").pattern())
                .hasMessageContaining(keys.toString());
    }
}
