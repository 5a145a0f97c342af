package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files held open by brokers are found and classified. */
class BrokerFilesTest {

    @Test
    void launcherComesFirstAndHoldsOnlyBrokerClasses(@TempDir Path lab) throws Exception {
        List<String> classPath = List.of(BrokerFiles.find(lab).classPath().split(File.pathSeparator));
        assertThat(classPath.get(0)).contains("launcher-");
        assertThat(classPath.subList(1, classPath.size())).isSorted().anyMatch(jar -> jar.contains("kafka_2.13"));
        assertThat(BrokerFiles.find(lab).classPath()).isEqualTo(String.join(File.pathSeparator, classPath));
        List<String> names = new ArrayList<>();
        try (JarFile launcher = new JarFile(classPath.get(0))) {
            launcher.stream().forEach(entry -> names.add(entry.getName()));
        }
        assertThat(names).containsExactly("io/plimsoll/lab/BrokerMain.class", "io/plimsoll/lab/broker-log4j2.xml");
    }

    @Test
    @Tag("nightly")
    void ignoresTruncatedArchiveAndToleratesDamagedOne(@TempDir Path lab) throws Exception {
        assertThat(Lab.prepare()).isTrue();
        String flag = BrokerFiles.find(lab).archiveFlags().get(0);
        Path archive = Path.of(flag.substring(flag.indexOf('=') + 1));
        byte[] whole = Files.readAllBytes(archive);
        try {
            byte[] damaged = whole.clone();
            for (int i = damaged.length / 4; i < damaged.length / 4 + 64; i++) {
                damaged[i] ^= 0x55;
            }
            replace(archive, damaged);
            Lab.start(LabOptions.ephemeral(1).withHeapMegabytes(256)).close();

            replace(archive, java.util.Arrays.copyOf(whole, whole.length / 2));
            assertThat(BrokerFiles.find(lab).archiveFlags()).isEmpty();
        } finally {
            replace(archive, whole);
        }
    }

    /** A new file, because a broker of another test may have mapped the old one. */
    private static void replace(Path file, byte[] content) throws IOException {
        Files.deleteIfExists(file);
        Files.write(file, content);
    }
}
