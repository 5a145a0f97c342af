package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.testing.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A Kafka release is found by version or directory; a missing one is rejected with a remedy. */
class KafkaReleaseTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"2.7.2", "4.4.0", "10.0.0"})
    void refusesUnsupportedVersion(String version) {
        assertThatThrownBy(() -> KafkaRelease.of(version))
                .isInstanceOfSatisfying(
                        PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                .hasMessageContaining(version)
                .hasMessageContaining("2.8.0 to 4.3");
    }

    @Test
    void acceptsDirectoryOfJars() throws Exception {
        Path libs = Files.createDirectory(directory.resolve("libs"));
        assertThatThrownBy(() -> KafkaRelease.of(libs.toString())).hasMessageContaining("no broker");
        for (String jar : new String[] {"kafka_2.13-3.2.3.jar", "zookeeper-3.6.3.jar", "slf4j-reload4j-1.7.36.jar"}) {
            Files.createFile(libs.resolve(jar));
        }
        KafkaRelease release = KafkaRelease.of(directory.toString());
        assertThat(release.version()).isEqualTo("3.2.3");
        assertThat(release.needsZooKeeper()).isTrue();
        // Every broker of a lab uses the lab's logging.
        assertThat(release.jars())
                .extracting(jar -> jar.getFileName().toString())
                .containsExactly("kafka_2.13-3.2.3.jar", "zookeeper-3.6.3.jar");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "3.3.2 | SASL_SSL,OAUTHBEARER | «lab.security.release¦3.3.2¦OAUTHBEARER¦3.4.0»",
                "3.4.1 | SASL_SSL,PLAIN,SCRAM-SHA-512 | «lab.security.release¦3.4.1¦SCRAM-SHA-512¦3.5.0»",
                "3.4.1 | SASL_SSL,OAUTHBEARER | -",
                "3.5.0 | SASL_PLAINTEXT,SCRAM-SHA-256 | -",
                "3.3.2 | SASL_SSL,PLAIN,acls | -"
            })
    void refusesMechanismsUnsupportedByRelease(String release, String words, String why) throws Exception {
        Files.createFile(directory.resolve("kafka_2.13-" + release + ".jar"));
        LabOptions options = LabOptions.ephemeral(1)
                .with(LabSpec.of(List.of("kafkaVersion=" + directory)))
                .withSecurity(LabSecurity.parse(words));
        LabNodes nodes = new LabNodes(options, directory);
        if (why == null) {
            assertThat(nodes.all(null)).hasSize(1);
        } else {
            assertThatThrownBy(() -> nodes.all(null))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                    .hasMessageContaining(Said.text(why));
        }
    }

    @Test
    void bundledReleaseNeedsNoZooKeeper() {
        KafkaRelease own = KafkaRelease.of(KafkaRelease.OWN);
        assertThat(own.needsZooKeeper()).isFalse();
        assertThat(KafkaRelease.of(own.version())).isEqualTo(own);
    }

    @Test
    void releasePomUsesPluginVersionOfProject() throws Exception {
        String project = Files.readString(Path.of("pom.xml"));
        String version = project.replaceAll("(?s).*<dependency-plugin.version>(.*?)</.*", "$1");
        assertThat(Files.readString(Path.of("src/main/resources/io/plimsoll/lab/release-pom.xml")))
                .contains("<artifactId>maven-dependency-plugin</artifactId>\n        <version>" + version + "<");
    }
}
