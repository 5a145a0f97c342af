package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.testing.Said;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manual actions on the brokers of a lab. */
class LabFaultCommandsTest {
    @TempDir
    Path scratch;

    private InProcess lab(String command, String... more) {
        Stream<String> head = Stream.of("lab", command, "--dir", directory().toString());
        return InProcess.run(Stream.concat(head, Arrays.stream(more)).toArray(String[]::new));
    }

    private Path directory() {
        return scratch.resolve("lab");
    }

    private LabBroker broker() {
        return Lab.open(directory()).brokers().get(0);
    }

    private static void assertDone(InProcess command, String said) {
        assertThat(command.err()).isEmpty();
        assertThat(command.exit()).isZero();
        assertThat(command.out()).startsWith(said);
    }

    @Tag("nightly")
    @Test
    void findsPausesResumesKillsAndRestartsBrokers() throws Exception {
        LabOptions options = LabOptions.persistent(1, directory())
                .withHeapMegabytes(256)
                .withBrokerConfig(Map.of("broker.session.timeout.ms", "2000"));
        Lab lab = Lab.start(options);
        try {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()))) {
                admin.createTopics(List.of(new NewTopic("a-topic", 1, (short) 1)))
                        .all()
                        .get();
            }
            assertDone(
                    lab("pause", "--leader-of", "a-topic-0"),
                    Said.text("«run.byHand.pause.done¦1» «run.byHand.undo¦resume¦1¦ --dir " + directory() + "»"));
            assertThat(broker().paused()).isTrue();
            assertThat(lab("status").out()).contains("paused");
            assertThat(lab("kill", "--controller").err()).containsPattern(Said.en("cli.noBrokerToAsk"));
            assertDone(lab("resume", "--any"), Said.text("«run.byHand.resume.done¦1»"));
            assertThat(broker().paused()).isFalse();

            assertThat(lab("pause", "--leader-of", "a-topic-7").err())
                    .containsPattern(Said.en("cli.noLeader", "a-topic-7"));
            assertThat(lab("pause", "--leader-of", "atopic").err())
                    .containsPattern(Said.en("cli.leaderOfWhat", "atopic"));
            assertThat(lab("kill", "--broker", "2").err()).containsPattern(Said.en("lab.noSuchBroker", 2, "[1]"));
            assertThat(lab("kill").exit()).isEqualTo(2);
            assertThat(lab("kill", "--any", "--controller").exit()).isEqualTo(2);

            long pid = broker().pid();
            assertDone(lab("kill", "--controller"), Said.text("«run.byHand.kill.done¦1»"));
            assertThat(broker().alive()).isFalse();
            assertThat(lab("pause", "--broker", "1").err()).containsPattern(Said.en("lab.brokerNotRunning", 1));
            assertDone(lab("restart", "--any"), Said.text("«run.byHand.restart.done¦1»"));
            assertThat(broker().pid()).isNotEqualTo(pid);
            // A paused broker must end too.
            assertDone(lab("pause", "--any"), Said.text("«run.byHand.pause.done¦1»"));
        } finally {
            Lab.open(directory()).stop(false);
        }
        assertThat(ProcessHandle.of(lab.brokers().get(0).pid()).filter(ProcessHandle::isAlive))
                .isEmpty();
        assertThat(directory()).doesNotExist();
    }
}
