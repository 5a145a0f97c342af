package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The topic command changes a cluster as it reports. */
class TopicCommandTest {
    private final String name = "topic-command-" + UUID.randomUUID();

    private static InProcess topic(String... args) {
        List<String> all = new ArrayList<>(List.of("topic"));
        all.addAll(List.of(args));
        all.addAll(List.of("--bootstrap-server", SharedLab.oneBroker().bootstrapServers()));
        return InProcess.run(all.toArray(String[]::new));
    }

    private static void assertFails(InProcess run, int exit, String... parts) {
        assertThat(run.exit()).as(run.err()).isEqualTo(exit);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("plimsoll: ").contains(parts);
    }

    @Test
    void createsListsDescribesAndDeletes() throws IOException {
        InProcess created = topic("create", name, "--partitions", "6", "--config", "cleanup.policy=compact,delete");
        assertThat(created.err()).isEmpty();
        assertThat(created.exit()).isZero();
        assertThat(created.out()).isEqualTo("created topic " + name + " (partitions=6, replication=1)\n");
        assertThat(topic("list").out().lines()).contains(name).noneMatch(line -> line.startsWith("__"));

        InProcess described = topic("describe", name);
        assertThat(described.exit()).isZero();
        assertThat(described.out())
                .contains("topic " + name + "  partitions=6  replication=1", "  cleanup.policy=compact,delete");
        assertThat(described.out().lines()).hasSize(9);
        JsonNode json =
                new ObjectMapper().readTree(topic("describe", name, "--json").out());
        assertThat(json.get(0).path("name").asText()).isEqualTo(name);
        assertThat(json.get(0).path("partitions")).hasSize(6);
        assertThat(json.get(0).path("partitions").get(5).path("leader").asInt()).isEqualTo(1);

        InProcess deleted = topic("delete", name);
        assertThat(deleted.out()).isEqualTo("deleted topic " + name + "\n");
        assertThat(deleted.exit()).isZero();
        assertThat(topic("list").out().lines()).doesNotContain(name);
    }

    @Test
    void suggestsNameForMisspelledConfig() {
        InProcess refused = topic("create", name, "--config", "retention.mss=5");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err())
                .containsPattern(Said.en("cluster.unknownTopicConfig", null, "retention.mss", null))
                .contains(Said.text("retention.mss«scenario.didYouMean¦retention.ms»"));
        assertThat(topic("list").out().lines()).doesNotContain(name);
    }

    @Test
    void describesInChinese() {
        topic("create", name, "--partitions", "2");
        String told = topic("describe", name, "--lang", "zh").out();
        topic("delete", name);
        assertThat(told)
                .containsPattern(Said.zhPattern("«cli.topicDescribed¦" + name + "¦2¦1¦«cli.topicRecords¦0»¦0¦»"))
                .contains(headings(Language.ZH))
                .doesNotContain(Stream.of(headings(Language.EN))
                        .filter(heading -> !heading.equals("leader"))
                        .toArray(String[]::new));
    }

    private static String[] headings(Language language) {
        return Wording.of("cli", language).get("cli.topicColumns").split("\\|");
    }

    @Test
    void existingTopicFailsCreateUnlessAllowed() {
        topic("create", name);
        assertFails(topic("create", name), 2, "cannot create topic " + name, "already exists");
        InProcess allowed = topic("create", name, "--if-not-exists", "--partitions", "9");
        assertThat(allowed.exit()).isZero();
        assertThat(allowed.out()).matches(Said.en("cli.topicThere", name + " (partitions=1, replication=1)") + "\n");
        topic("delete", name);
    }

    @Test
    void missingTopicFailsCommandUnlessAllowed() {
        assertFails(topic("describe", name), 2, name, "no such topic");
        assertFails(topic("delete", name), 2, "topic " + name, "--if-exists");
        InProcess allowed = topic("delete", name, "--if-exists");
        assertThat(allowed.exit()).isZero();
        assertThat(allowed.out()).matches(Said.en("cli.noTopic", name) + "\n");
    }

    @Test
    void deletesNothingIfOneNameIsInvalid() {
        topic("create", name);
        assertFails(topic("delete", name, name + "-not"), 2, "no topic was deleted");
        assertFails(topic("delete", name, "__consumer_offsets", "--if-exists"), 2, "__consumer_offsets");
        assertFails(topic("delete", name, name + "-(not"), 2, name + "-(not");
        assertFails(topic("delete", name + "-not.*"), 2, name + "-not.*");
        assertThat(topic("list").out().lines()).contains(name);
        topic("delete", name);
    }

    @Test
    void patternsMatchWholeNames() throws IOException {
        List<String> all = List.of(name + "-b", name + ".a", name + ".a2", name + "xa");
        all.forEach(each -> topic("create", each));
        assertThat(topic("list", name + "[.]a, " + name + "-b").out().lines())
                .containsExactly(name + "-b", name + ".a");
        JsonNode described = new ObjectMapper()
                .readTree(topic("describe", name + "\\..*", "--json").out());
        assertThat(described.findValuesAsText("name"))
                .contains(name + ".a", name + ".a2")
                .doesNotContain(name + "xa");

        InProcess deleted = topic("delete", name + ".a", name + "-.+");
        assertThat(deleted.err()).containsPattern(Said.en("cli.topicsToDelete", 2, null));
        assertThat(deleted.out().lines()).hasSize(2);
        assertThat(topic("list", name + ".*").out().lines()).containsExactly(name + ".a2", name + "xa");

        InProcess none = topic("delete", name + "-.+", "--if-exists");
        assertThat(none.exit()).isZero();
        assertThat(none.out() + none.err()).isEmpty();
        topic("delete", name + ".*");
        assertThat(topic("list", name + ".*").out()).isEmpty();
    }

    @Test
    void patternsMatchInternalTopicsOnRequestButNotForDelete() {
        String internal = "__consumer_offset[s]";
        InProcess all = topic("list", "--internal", internal);
        assertThat(topic("list", internal).out()).isEmpty();
        assertThat(topic("list", "--internal", "--exclude-internal", internal).out())
                .isEmpty();
        if (!all.out().isEmpty()) {
            assertThat(topic("describe", "--internal", internal).exit()).isZero();
        }
        assertFails(topic("describe", internal), 2, internal);
        assertFails(topic("delete", internal), 2, internal);
    }

    @ParameterizedTest
    @CsvSource({
        "create NAME --partitions 0, --partitions: expected 1 or more",
        "create NAME --partitions -1, --partitions: expected 1 or more",
        "create NAME --partitions many, --partitions",
        "create NAME --replication 0, --replication: expected 1 or more",
        "create NAME --replication-factor 2, use a replication factor that does not exceed the number of brokers",
        "create NAME --config retention.ms, --config",
        "create NAME --config no.such.thing=1, no.such.thing",
        "create no/slash, no/slash",
        "create, NAME",
        "delete, NAME",
        "describe, NAME"
    })
    void usageErrorsCreateNothing(String arguments, String part) {
        assertFails(topic(arguments.replace("NAME", name).split(" ")), 2, part);
        assertThat(topic("list").out().lines()).doesNotContain(name);
    }

    @Test
    void reportsMissingClusterOrAction() {
        assertFails(InProcess.run("topic", "list"), 2, "--bootstrap-server");
        assertFails(InProcess.run("topic"), 2, "create, list, describe or delete");
        assertFails(InProcess.run("topic", "list", "--bootstrap-server", "nowhere"), 2, "host:port");
        assertFails(
                InProcess.run("topic", "list", "--bootstrap-server", "no-such-host.invalid:1"),
                6,
                "cannot be resolved");
    }

    @Test
    void readsCredentialsFromFileAndNeverPrintsThem(@TempDir Path directory) throws IOException {
        String address = SecuredLab.sasl().bootstrapServers();
        String config = directory.resolve("client.properties").toString();
        SecuredLab.writeSaslProperties(Path.of(config), SecuredLab.ALICE, SecuredLab.alicePassword());
        String[] create = {"topic", "create", name, "--bootstrap-server", address, "--command-config", config};
        assertFails(InProcess.run(create), 6, "cannot create topic " + name, "not authorized");

        SecuredLab.writeSaslProperties(Path.of(config), SecuredLab.ALICE, "wrongHush");
        String[] list = {"topic", "list", "--debug", "--bootstrap-server", address, "--command-config", config};
        InProcess wrong = InProcess.run(list);
        assertFails(wrong, 6, "'user'", "Invalid username or password");
        assertThat(wrong.err()).contains("\tat ").doesNotContain("Hush");

        SecuredLab.writeSaslProperties(Path.of(config), SecuredLab.ADMIN, SecuredLab.adminPassword());
        assertThat(InProcess.run(list).exit()).isZero();

        List<String> malformed = new ArrayList<>(List.of(list));
        malformed.addAll(List.of("--command-property", "sasl.jaas.config=Module sometimes password=\"otherHush\";"));
        InProcess refused = InProcess.run(malformed.toArray(String[]::new));
        assertFails(refused, 2, Said.text("«cluster.unusableProperties»"));
        assertThat(refused.err()).doesNotContain("Hush");
    }
}
