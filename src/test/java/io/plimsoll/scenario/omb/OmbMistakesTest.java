package io.plimsoll.scenario.omb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plimsoll.Exit;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user reads whose files have a mistake: file, line, key, and a way out. */
class OmbMistakesTest {

    private static List<String> mistakes(String driver, String workload, boolean strict) {
        ScenarioException failure = catchThrowableOfType(
                ScenarioException.class,
                () -> OmbTranslation.translate(driver, "d.yaml", workload, "w.yaml", Omb.setting(strict, false, 1)));
        assertThat(failure).as("a failure to read").isNotNull();
        assertThat(failure.exit()).isEqualTo(Exit.USAGE);
        return failure.getMessage().lines().toList();
    }

    /** The changed key stands in the last line of the workload. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        topics: 0                    | 12:9: topics: expected the number of topics, 1 or more
        topics: two                  | 12:9: topics: expected a whole number such as 1, found "two"
        partitionsPerTopic: 0        | 12:21: partitionsPerTopic: expected a whole number from 1 to 200000, found "0"
        partitionsPerTopicList: [1]  | 13:25: partitionsPerTopicList: has 1 numbers for 2 topics; give one for each topic
        partitionsPerTopicList: [1, x] | 13:29: partitionsPerTopicList[1]: expected a whole number such as 1, found "x"
        producersPerTopicList: {a: 1} | 13:24: producersPerTopicList: expected a list of whole numbers, one a topic, found a map
        existingTopicList: [a]       | 2:9: topics: expected 0, since the topics are named in a list; remove one or the other
        keyDistributor: RANDOM_NANOS | 13:17: keyDistributor: expected NO_KEY, KEY_ROUND_ROBIN or RANDOM_NANO, found "RANDOM_NANOS"; did you mean RANDOM_NANO?
        messageSize: -1              | 12:14: messageSize: expected a whole number from 0 to 1000000000, found "-1"
        messageSizeDistribution: 5   | 13:26: messageSizeDistribution: expected a map such as {"0-256": 90, "1KB-4KB": 10}, found "5"
        messageSizeDistribution: {5-1: 1} | 13:27: messageSizeDistribution: expected a range of sizes such as 0-256 or 1KB-4KB, found "5-1"
        randomBytesRatio: 2          | 12:19: randomBytesRatio: expected a number from 0 to 1, found "2"
        useRandomizedPayloads: yes   | 12:24: useRandomizedPayloads: expected true or false, found "yes"
        producerRate: fast           | 12:15: producerRate: expected a whole number such as 1, found "fast"
        producerRate: [1]            | 12:15: producerRate: expected a number of messages a second, found a list
        producerRateList: [[1]]      | 13:20: producerRateList: expected elements such as [0, 1000] (minutes, messages a second) or [13, 30, 1000] (hour, minute, messages a second), all of one kind, found [1]
        producerRateList: []         | 13:19: producerRateList: expected elements such as [0, 1000] (minutes, messages a second) or [13, 30, 1000] (hour, minute, messages a second), all of one kind, found []
        testDurationMinutes: 0       | 12:22: testDurationMinutes: expected a number of minutes of more than 0 (OpenMessaging Benchmark would run for ever)
        testDurationMinutes: five    | 12:22: testDurationMinutes: expected a number of minutes, found "five"
        warmupDurationMinutes: -1    | 13:24: warmupDurationMinutes: expected a number of minutes, found "-1"
        consumerBacklogSizeGB: 1.5   | 13:24: consumerBacklogSizeGB: expected a whole number from 0 to 1000000, found "1.5"
        backlogDrainRatio: 7         | 13:20: backlogDrainRatio: expected a number from 0 to 1, found "7"
        sampleRateMillis: 10         | 13:19: sampleRateMillis: expected a whole number from 1000 to 3600000, found "10"
        """)
    void ofAWorkload(String line, String expected) {
        assertThat(mistakes(Omb.DRIVER, Omb.with(line), false)).containsExactly("w.yaml:" + expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        topics              | w.yaml:1:1: topics: expected the number of topics, 1 or more
        partitionsPerTopic  | w.yaml:1:1: the key partitionsPerTopic is missing; expected a whole number of 1 or more
        messageSize         | w.yaml:1:1: the key messageSize is missing; expected a number of bytes
        testDurationMinutes | w.yaml:1:1: testDurationMinutes: expected a number of minutes of more than 0 (OpenMessaging Benchmark would run for ever)
        """)
    void ofAWorkloadWithoutAKey(String key, String expected) {
        String workload = Omb.without(key);
        List<String> mistakes = mistakes(Omb.DRIVER, workload, false);
        assertThat(mistakes).contains(expected);
    }

    @Test
    void ofAWorkloadWithoutAnybody() {
        String workload = Omb.without("producersPerTopic").replaceAll("subscriptions.*\n", "");
        assertThat(mistakes(Omb.DRIVER, workload, false))
                .containsExactly(
                        "w.yaml:1:1: producersPerTopic: there are neither producers nor consumers; give a number"
                                + " of 1 or more");
    }

    @Test
    void ofABacklogWithoutARate() {
        String workload = Omb.with("producerRate: 0") + "consumerBacklogSizeGB: 1\n";
        assertThat(mistakes(Omb.DRIVER, workload, false))
                .containsExactly("w.yaml:12:15: producerRate: a backlog needs a rate; give a number of 1 or more");
    }

    @Test
    void ofPayloadFiles() {
        String missing = Omb.without("useRandomizedPayloads") + "payloadFile: gone.data\n";
        assertThat(mistakes(Omb.DRIVER, missing, false))
                .containsExactly("w.yaml:12:14: payloadFile: there is no file \"gone.data\"; put it there, or write"
                        + " useRandomizedPayloads: true and randomBytesRatio: 1 to send random bytes");
        String wrong = missing.replace("gone", "there").replace("messageSize: 100", "messageSize: 99");
        assertThat(mistakes(Omb.DRIVER, wrong, false))
                .containsExactly("w.yaml:12:14: payloadFile: has 100 bytes, and messageSize is 99; make them equal");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '§', quoteCharacter = '~', textBlock = """
        reset: maybe            § 8:8: reset: expected true or false, found "maybe"
        driverClass: x.PulsarDriver § 8:14: driverClass: "PulsarDriver" is not a driver for Kafka, and only Kafka can be tested; give a file of OpenMessaging Benchmark's driver-kafka
        replicationFactor: many § 8:20: replicationFactor: expected a whole number such as 1, found "many"
        producerConfig: {a: b}  § 8:17: producerConfig: expected properties, one a line, after producerConfig: |, found a map; is the | after producerConfig: missing?
        producerConfig: acks    § 8:17: producerConfig: expected name=value, found "acks"
        producerConfig: linger.ms=soon § 8:17: producerConfig.linger.ms: the Kafka client refuses it: not a number
        useMyTopic: true        § 8:13: useMyTopic: useMyTopic is true and topics names none; write topics: NAME,NAME,...
        """)
    void ofADriver(String line, String expected) {
        String key = line.substring(0, line.indexOf(':') + 1);
        String driver = Omb.DRIVER.replaceAll("(?m)^" + key + ".*\n", "");
        int lines = (int) driver.lines().count();
        String place = expected.replaceFirst("^8:", lines + 1 + ":");
        assertThat(mistakes(driver + line + "\n", Omb.WORKLOAD, false)).containsExactly("d.yaml:" + place);
    }

    @Test
    void insideAPropertyBlock() {
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
    void ofWhatOnlyTheScenarioKnowsIsToldAtTheFilesOwnLine() {
        assertThat(mistakes(Omb.DRIVER + "producerConfig: |\n  acks=2\n", Omb.WORKLOAD, false))
                .containsExactly("d.yaml:9:1: producers[0].config.acks: expected 0, 1, all or -1, found \"2\"");
    }

    @Test
    void ofNamesThatNobodyKnows() {
        String driver = Omb.DRIVER + "producerConfig: |\n  lingerms=1\nrest: true\n";
        String workload = Omb.WORKLOAD + "partitonsPerTopic: 3\n";
        assertThat(Omb.run(driver, workload).warnings().stream().map(Sentence::english))
                .containsExactly(
                        "w.yaml:13:1: unknown key \"partitonsPerTopic\"; did you mean partitionsPerTopic?; it is"
                                + " ignored",
                        "d.yaml:10:1: unknown key \"rest\"; did you mean reset?; it is ignored",
                        "d.yaml:9:1: producerConfig.lingerms: the Kafka producer has no such property; did you mean"
                                + " linger.ms?; it is ignored");
        assertThat(mistakes(driver, workload, true))
                .contains(
                        "w.yaml:13:1: unknown key \"partitonsPerTopic\"; did you mean partitionsPerTopic?",
                        "d.yaml:10:1: unknown key \"rest\"; did you mean reset?");
    }

    @Test
    void ofADriverWithoutACluster() {
        assertThat(mistakes(
                        "name: x\nreplicationFactor: 1\ncommonConfig: |\n  bootstrap.servers= # here\n",
                        Omb.WORKLOAD,
                        false))
                .containsExactly("d.yaml:4:1: commonConfig: bootstrap.servers is empty; write it there, or give"
                        + " --bootstrap-server HOST:PORT, or --lab for brokers that are started for the run");
    }

    @Test
    void ofNumbersThatDoNotFitTheDriver() {
        assertThat(mistakes(Omb.DRIVER + "useMyTopic: true\ntopics: a,b,c\n", Omb.WORKLOAD, false))
                .containsExactly(
                        "w.yaml:2:9: topics: is 2, and the driver file names 3 topics (d.yaml:9:9); make them equal");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        ~~        | w.yaml: expected a workload of OpenMessaging Benchmark, which begins with keys such as name:, found nothing
        ~- a~     | w.yaml:1:1: expected a workload of OpenMessaging Benchmark, which begins with keys such as name:, found a list
        ~a: [~    | w.yaml:1:5: cannot be read as YAML
        """)
    void ofAFileThatIsNone(String workload, String expected) {
        assertThat(mistakes(Omb.DRIVER, workload, false))
                .singleElement()
                .asString()
                .startsWith(expected.substring(0, 20));
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
