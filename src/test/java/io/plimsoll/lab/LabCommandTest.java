package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.Exit;
import io.plimsoll.cli.InProcess;
import io.plimsoll.cli.Main;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as typed by a user, each in its own process. */
@Order(1)
class LabCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path scratch;

    @Test
    void labOutlivesItsCommandAndRestartsWithItsData() throws Exception {
        Path directory = scratch.resolve("deep/lab");
        try {
            Child.Result started = Child.plimsoll(
                    scratch,
                    arguments("start", directory, "--heap", 256, "--broker-config", "num.partitions=7")
                            .toArray());
            assertThat(started.exitCode()).as(started.err()).isZero();
            JsonNode status = status(directory, Exit.PASSED);
            assertThat(started.out())
                    .contains("bootstrap.servers="
                            + status.get("bootstrapServers").asText())
                    .contains("plimsoll lab stop --dir " + directory);
            assertThat(started.err()).isEqualTo("Starting 1 broker...\n");
            createTopicWithDefaults(status.get("bootstrapServers").asText());

            InProcess again = lab("start", directory);
            assertThat(again.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(again.err()).contains("A lab is already running in " + directory.toRealPath());

            long pid = status.get("brokers").get(0).get("pid").asLong();
            ProcessHandle broker = ProcessHandle.of(pid).orElseThrow();
            broker.destroyForcibly();
            broker.onExit().get();
            assertThat(status(directory, Exit.CLUSTER).get("running").asBoolean())
                    .isFalse();
            assertThat(lab("status", directory).out()).contains("dead").contains("No broker of this lab is running");

            InProcess wrongSize = lab("start", directory, "--brokers", 2);
            assertThat(wrongSize.exit()).isEqualTo(Exit.USAGE.code());
            assertThat(wrongSize.err()).containsPattern(Said.en("lab.otherSize", null, 1, 2));

            assertThat(lab("start", directory, "--heap", 256).exit()).isZero();
            JsonNode revived = status(directory, Exit.PASSED);
            assertThat(revived.get("clusterId")).isEqualTo(status.get("clusterId"));
            assertThat(topics(revived.get("bootstrapServers").asText())).containsExactly("with-defaults");

            assertThat(lab("stop", directory, "--keep-data").out()).containsPattern(Said.en("cli.dataStays"));
            assertThat(status(directory, Exit.CLUSTER)
                            .get("brokers")
                            .get(0)
                            .get("dataBytes")
                            .asLong())
                    .isPositive();
        } finally {
            assertThat(lab("stop", directory).out()).containsPattern(Said.en("cli.dataRemoved"));
        }
        assertThat(directory).doesNotExist();
        assertThat(lab("status", directory).exit()).isEqualTo(Exit.USAGE.code());
    }

    /** The file of {@code krb5=} suffices for the command, and it explains the setup of other clients. */
    @Tag("nightly")
    @Test
    void usesKrb5FileGivenToLab() throws Exception {
        Path lab = scratch.resolve("lab");
        try (TestKdc kdc = new TestKdc(Files.createDirectory(scratch.resolve("kdc")))) {
            Child.Result started = Child.plimsoll(
                    scratch,
                    arguments("start", lab, "--heap", 256, "--security", "SASL_PLAINTEXT," + kdc.words())
                            .toArray());
            assertThat(started.exitCode()).as(started.err()).isZero();
            assertThat(started.out()).contains("  KRB5_CONFIG=" + scratch.resolve("kdc/krb5.conf") + " ");
        } finally {
            lab("stop", lab);
        }
    }

    @Test
    void doesNotKillProcessWithRecycledId() throws Exception {
        Path directory =
                Files.createDirectories(scratch.resolve("my lab/node-1")).getParent();
        Process bystander = new ProcessBuilder("sleep", "60").start();
        try {
            long startedAt = bystander.info().startInstant().orElseThrow().toEpochMilli();
            writeLabFile(directory, bystander.pid(), startedAt);
            assertThat(lab("status", directory).exit()).isEqualTo(Exit.CLUSTER.code());
            assertThat(lab("status", directory).out()).contains("lab start --dir '" + directory + "' --brokers 1");
            assertThat(lab("stop", directory).out()).containsPattern("^" + Said.en("cli.labWasStopped"));
            assertThat(bystander.isAlive()).isTrue();
            assertThat(directory).isEmptyDirectory();
        } finally {
            bystander.destroyForcibly();
        }
    }

    private static void writeLabFile(Path directory, long pid, long startedAt) throws IOException {
        LabFile.Entry broker = new LabFile.Entry(1, null, 20001, 20002, pid, startedAt, null, null);
        new LabFile(LabFile.SCHEMA, "a-cluster", 256, false, List.of(broker), null, null).write(directory);
    }

    /** Starts a shell with the command line of a broker in this directory; it waits for an input. */
    private static Process shellAt(Path node) throws IOException {
        String marker = "-Dplimsoll.broker.log=" + node.resolve("broker.log");
        return new ProcessBuilder("sh", "-c", "read line", marker).start();
    }

    /** A clock that was set changes the start time that the operating system reports. */
    @Test
    void stopsBrokerWithOtherStartTime() throws Exception {
        Path node = Files.createDirectories(scratch.resolve("lab/node-1")).toRealPath();
        Path directory = node.getParent();
        Process broker = shellAt(node);
        try {
            writeLabFile(directory, broker.pid(), 0);
            assertThat(Lab.open(directory).isRunning()).isTrue();
            assertThat(lab("stop", directory).exit()).isZero();
            assertThat(broker.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(directory).isEmptyDirectory();
        } finally {
            broker.destroyForcibly();
        }
    }

    @Test
    void startEndsControllerOfDeadBrokers() throws Exception {
        Path node = Files.createDirectories(scratch.resolve("lab/node-101")).toRealPath();
        Path directory = node.getParent();
        Process controller = shellAt(node);
        try {
            // The command line shows that this process is not the broker.
            LabFile.Entry broker = new LabFile.Entry(1, null, 20001, 0, controller.pid(), 0, LabNode.Role.BROKER, null);
            LabFile.Entry left =
                    new LabFile.Entry(101, null, 0, 20002, controller.pid(), 0, LabNode.Role.CONTROLLER, null);
            List<String> settings = List.of("controllers=1");
            new LabFile(LabFile.SCHEMA, "a-cluster", 256, false, List.of(broker, left), null, settings)
                    .write(directory);
            var unused = new LabStarter(LabOptions.persistent(1, directory), List.of());
            assertThat(controller.waitFor(10, TimeUnit.SECONDS)).isTrue();
            assertThat(LabFile.in(directory)).exists();
        } finally {
            controller.destroyForcibly();
        }
    }

    @Test
    void leavesForeignDirectoryAlone() throws Exception {
        Path theirs = Files.writeString(
                Files.createDirectories(scratch.resolve("theirs/node-1")).resolve("file"), "theirs");
        InProcess refused = lab("start", scratch.resolve("theirs"));
        assertThat(refused.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(refused.err()).contains("exists but does not belong to a lab");
        assertThat(theirs).exists();

        Files.writeString(scratch.resolve("theirs/lab.json"), "{}");
        InProcess unreadable = lab("stop", scratch.resolve("theirs"));
        assertThat(unreadable.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(theirs).exists();
    }

    /** A lab would eventually remove files that it considers its own. */
    @Test
    void refusesToStartWhereForeignFilesExist() throws Exception {
        Path project = Files.createDirectories(scratch.resolve("project"));
        Path disk = Files.createDirectories(scratch.resolve("disk"));
        List<Path> theirs = List.of(
                project.resolve("security/policy"),
                project.resolve("launcher.jar"),
                project.resolve("node-101/file"),
                disk.resolve("project-1-0/file"));
        for (Path file : theirs) {
            Files.writeString(Files.createDirectories(file.getParent()).resolve(file.getFileName()), "theirs");
            InProcess refused = lab("start", project, "--set", "disks=[" + disk + "]", "--heap", 256);
            assertThat(refused.exit()).as(refused.err()).isEqualTo(Exit.USAGE.code());
            assertThat(refused.err()).contains("exists but does not belong to a lab");
            assertThat(file).hasContent("theirs");
            Files.delete(file);
            if (!file.getParent().equals(project)) {
                Files.delete(file.getParent());
            }
        }
    }

    @Test
    void namesMissingTemporaryDirectory() throws Exception {
        Path none = scratch.resolve("none");
        ProcessBuilder run = Child.java(Main.class, "run", "quick", "--out", scratch.resolve("run"));
        run.command().add(1, "-Djava.io.tmpdir=" + none);

        Process process = run.start();
        assertThat(process.errorReader().lines())
                .anyMatch(line -> line.contains(none + ": ") && line.contains("TMPDIR"));
        assertThat(process.waitFor()).isEqualTo(Exit.USAGE.code());
    }

    private static List<String> arguments(String command, Path directory, Object... more) {
        List<String> arguments = new ArrayList<>(List.of("lab", command, "--dir", directory.toString()));
        Arrays.stream(more).map(Object::toString).forEach(arguments::add);
        return arguments;
    }

    private static InProcess lab(String command, Path directory, Object... more) {
        return InProcess.run(arguments(command, directory, more).toArray(String[]::new));
    }

    private JsonNode status(Path directory, Exit expected) throws Exception {
        InProcess status = lab("status", directory, "--json");
        assertThat(status.exit()).as(status.err()).isEqualTo(expected.code());
        return JSON.readTree(status.out());
    }

    private static void createTopicWithDefaults(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            var created = admin.createTopics(
                    List.of(new NewTopic("with-defaults", java.util.Optional.empty(), java.util.Optional.empty())));
            assertThat(created.numPartitions("with-defaults").get()).isEqualTo(7);
        }
    }

    private static java.util.Set<String> topics(String bootstrapServers) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            return admin.listTopics().names().get();
        }
    }
}
