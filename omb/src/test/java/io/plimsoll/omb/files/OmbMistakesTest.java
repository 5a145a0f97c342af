package io.plimsoll.omb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plimsoll.Exit;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages about mistakes in files: file, line, key, and a remedy. */
class OmbMistakesTest {

    private static List<String> mistakes(String driver, String workload, boolean strict) {
        ScenarioException failure = catchThrowableOfType(
                ScenarioException.class,
                () -> OmbTranslation.translate(driver, "d.yaml", workload, "w.yaml", Omb.setting(strict, false, 1)));
        assertThat(failure).as("a failure to read").isNotNull();
        assertThat(failure.exit()).isEqualTo(Exit.USAGE);
        return failure.getMessage().lines().toList();
    }

    /** The changed key is in the last line of the workload. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        topics: 0                    | 12:9: topics: «scenario.omb.noTopics»
        topics: two                  | 12:9: topics: expected «scenario.a.wholeSuch¦1», found "two"
        partitionsPerTopic: 0        | 12:21: partitionsPerTopic: expected «scenario.a.count.range¦1¦200000», found "0"
        partitionsPerTopicList: [1]  | 13:25: partitionsPerTopicList: «scenario.omb.oneForEachTopic¦1¦2»
        partitionsPerTopicList: [1, x] | 13:29: partitionsPerTopicList[1]: expected «scenario.a.wholeSuch¦1», found "x"
        producersPerTopicList: {a: 1} | 13:24: producersPerTopicList: expected «scenario.omb.a.perTopic», found a map
        existingTopicList: [a]       | 2:9: topics: «scenario.omb.topicsTwice»
        keyDistributor: RANDOM_NANOS | 13:17: keyDistributor: expected NO_KEY, KEY_ROUND_ROBIN or RANDOM_NANO, found "RANDOM_NANOS"; did you mean RANDOM_NANO?
        messageSize: -1              | 12:14: messageSize: expected «scenario.a.count.range¦0¦1000000000», found "-1"
        messageSizeDistribution: 5   | 13:26: messageSizeDistribution: expected a map such as {"0-256": 90, "1KB-4KB": 10}, found "5"
        messageSizeDistribution: {5-1: 1} | 13:27: messageSizeDistribution: expected «scenario.omb.a.bucket», found "5-1"
        randomBytesRatio: 2          | 12:19: randomBytesRatio: expected a number from 0 to 1, found "2"
        useRandomizedPayloads: yes   | 12:24: useRandomizedPayloads: expected true or false, found "yes"
        producerRate: fast           | 12:15: producerRate: expected «scenario.a.wholeSuch¦1», found "fast"
        producerRate: [1]            | 12:15: producerRate: expected «scenario.omb.a.rate», found a list
        producerRateList: [[1]]      | 13:20: producerRateList: expected «scenario.omb.a.rateElements», found [1]
        producerRateList: []         | 13:19: producerRateList: expected «scenario.omb.a.rateElements», found []
        testDurationMinutes: 0       | 12:22: testDurationMinutes: «scenario.omb.forEver»
        testDurationMinutes: five    | 12:22: testDurationMinutes: expected a number of minutes, found "five"
        warmupDurationMinutes: -1    | 13:24: warmupDurationMinutes: expected a number of minutes, found "-1"
        consumerBacklogSizeGB: 1.5   | 13:24: consumerBacklogSizeGB: expected «scenario.a.count.range¦0¦1000000», found "1.5"
        backlogDrainRatio: 7         | 13:20: backlogDrainRatio: expected a number from 0 to 1, found "7"
        sampleRateMillis: 10         | 13:19: sampleRateMillis: expected «scenario.a.count.range¦1000¦3600000», found "10"
        """)
    void reportsWorkloadMistakes(String line, String expected) {
        assertThat(mistakes(Omb.DRIVER, Omb.with(line), false)).containsExactly("w.yaml:" + Said.text(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        topics              | w.yaml:1:1: topics: «scenario.omb.noTopics»
        partitionsPerTopic  | w.yaml:1:1: «scenario.missing¦partitionsPerTopic¦«scenario.a.count.least¦1»»
        messageSize         | w.yaml:1:1: «scenario.missing¦messageSize¦a number of bytes»
        testDurationMinutes | w.yaml:1:1: testDurationMinutes: «scenario.omb.forEver»
        """)
    void reportsMissingWorkloadKeys(String key, String expected) {
        String workload = Omb.without(key);
        List<String> mistakes = mistakes(Omb.DRIVER, workload, false);
        assertThat(mistakes).contains(Said.text(expected));
    }

    @Test
    void reportsWorkloadWithoutClients() {
        String workload = Omb.without("producersPerTopic").replaceAll("subscriptions.*\n", "");
        assertThat(mistakes(Omb.DRIVER, workload, false))
                .containsExactly(Said.text("w.yaml:1:1: producersPerTopic: «scenario.omb.noLoad»"));
    }

    @Test
    void reportsBacklogWithoutRate() {
        String workload = Omb.with("producerRate: 0") + "consumerBacklogSizeGB: 1\n";
        assertThat(mistakes(Omb.DRIVER, workload, false))
                .containsExactly(Said.text("w.yaml:12:15: producerRate: «scenario.omb.backlogNeedsRate»"));
    }

    @Test
    void reportsPayloadFileMistakes() {
        String missing = Omb.without("useRandomizedPayloads") + "payloadFile: gone.data\n";
        assertThat(mistakes(Omb.DRIVER, missing, false))
                .containsExactly(Said.text("w.yaml:12:14: payloadFile: «scenario.omb.noFile¦\"gone.data\"»"));
        String wrong = missing.replace("gone", "there").replace("messageSize: 100", "messageSize: 99");
        assertThat(mistakes(Omb.DRIVER, wrong, false))
                .containsExactly(Said.text("w.yaml:12:14: payloadFile: «scenario.omb.otherSize¦100¦99»"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '§', quoteCharacter = '~', textBlock = """
        reset: maybe            § 8:8: reset: expected true or false, found "maybe"
        driverClass: x.PulsarDriver § 8:14: driverClass: «scenario.omb.notKafka¦"PulsarDriver"»
        replicationFactor: many § 8:20: replicationFactor: expected «scenario.a.wholeSuch¦1», found "many"
        producerConfig: {a: b}  § 8:17: producerConfig: expected «scenario.omb.a.block¦producerConfig», found a map; is the | after producerConfig: missing?
        producerConfig: acks    § 8:17: producerConfig: expected name=value, found "acks"
        producerConfig: linger.ms=soon § 8:17: producerConfig.linger.ms: the Kafka client refuses it: not a number
        useMyTopic: true        § 8:13: useMyTopic: «scenario.omb.namesNone»
        """)
    void reportsDriverMistakes(String line, String expected) {
        String key = line.substring(0, line.indexOf(':') + 1);
        String driver = Omb.DRIVER.replaceAll("(?m)^" + key + ".*\n", "");
        int lines = (int) driver.lines().count();
        String place = Said.text(expected).replaceFirst("^8:", lines + 1 + ":");
        assertThat(mistakes(driver + line + "\n", Omb.WORKLOAD, false)).containsExactly("d.yaml:" + place);
    }

    @Test
    void reportsLinesInsidePropertyBlocks() {
        String driver = """
            name: Kafka
            replicationFactor: 1
            commonConfig: |
              bootstrap.servers=localhost:9092
            consumerConfig: |
              # the second line of the block

              fetch.max.wait.ms=5s
              auto.offset.reset=newest
            producerConfig: |
              acks=1
              password-without-a-value
            """;
        assertThat(mistakes(driver, Omb.WORKLOAD, false))
                .containsExactly(
                        "d.yaml:8:1: consumerConfig.fetch.max.wait.ms: the Kafka client refuses it: not a number",
                        "d.yaml:9:1: consumerConfig.auto.offset.reset: expected earliest or latest, found \"newest\"",
                        "d.yaml:12:1: producerConfig: expected name=value, found \"(redacted)\"");
    }

    @Test
    void mapsScenarioMistakesToLinesOfTheFile() {
        assertThat(mistakes(Omb.DRIVER + "producerConfig: |\n  acks=2\n", Omb.WORKLOAD, false))
                .containsExactly("d.yaml:9:1: producers[0].config.acks: expected 0, 1, all or -1, found \"2\"");
    }

    @Test
    void reportsUnknownNames() {
        String driver = Omb.DRIVER + "producerConfig: |\n  lingerms=1\nrest: true\n";
        String workload = Omb.WORKLOAD + "partitonsPerTopic: 3\n";
        assertThat(Omb.run(driver, workload).warnings().stream().map(Sentence::english))
                .containsExactly(
                        Said.text("w.yaml:13:1: «scenario.omb.ignored¦unknown key \"partitonsPerTopic\"; did you mean"
                                + " partitionsPerTopic?»"),
                        Said.text("d.yaml:10:1: «scenario.omb.ignored¦unknown key \"rest\"; did you mean reset?»"),
                        Said.text(
                                "d.yaml:9:1: producerConfig.lingerms: «scenario.omb.ignored¦«scenario.omb.noProperty¦producer¦;"
                                        + " did you mean linger.ms?»»"));
        assertThat(mistakes(driver, workload, true))
                .contains(
                        "w.yaml:13:1: unknown key \"partitonsPerTopic\"; did you mean partitionsPerTopic?",
                        "d.yaml:10:1: unknown key \"rest\"; did you mean reset?");
    }

    @Test
    void reportsDriverWithoutCluster() {
        assertThat(mistakes(
                        "name: x\nreplicationFactor: 1\ncommonConfig: |\n  bootstrap.servers= # here\n",
                        Omb.WORKLOAD,
                        false))
                .containsExactly(Said.text("d.yaml:4:1: commonConfig: «scenario.omb.emptyServers¦bootstrap.servers»"));
    }

    @Test
    void reportsTopicCountMismatch() {
        assertThat(mistakes(Omb.DRIVER + "useMyTopic: true\ntopics: a,b,c\n", Omb.WORKLOAD, false))
                .containsExactly(Said.text("w.yaml:2:9: topics: «scenario.omb.otherCount¦2¦3¦d.yaml:9:9»"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        ~~        | w.yaml: expected «scenario.omb.a.workload», found nothing
        ~- a~     | w.yaml:1:1: expected «scenario.omb.a.workload», found a list
        ~a: [~    | w.yaml:1:5: «scenario.unreadable»
        """)
    void reportsFilesThatAreNoWorkload(String workload, String expected) {
        assertThat(mistakes(Omb.DRIVER, workload, false))
                .singleElement()
                .asString()
                .startsWith(Said.text(expected).substring(0, 20));
    }

    @Test
    void everyKeyIsDocumented() throws Exception {
        String document = Files.readString(Path.of("docs", "reference", "openmessaging-keys.md"));
        assertThat(OmbKeys.WORKLOAD.keys().keySet())
                .allSatisfy(key -> assertThat(document).contains("`" + key + "`"));
        assertThat(OmbKeys.DRIVER.keys().keySet())
                .allSatisfy(key -> assertThat(document).contains("`" + key + "`"));
    }
}
