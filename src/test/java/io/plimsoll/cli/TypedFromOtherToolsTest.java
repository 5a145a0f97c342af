package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.KafkaTool;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands of other tools, as they are published, run or are answered by what to type instead. */
class TypedFromOtherToolsTest {
    private final String topic = "typed-" + UUID.randomUUID();

    @TempDir
    Path directory;

    private void createTopic() {
        String at = " --bootstrap-server " + SharedLab.oneBroker().bootstrapServers();
        assertThat(typed("topic create " + topic + at).exit()).isZero();
    }

    private void fill() {
        String at = " --bootstrap-server " + SharedLab.oneBroker().bootstrapServers();
        String load = " --num-records 1000 --record-size 100 --throughput -1";
        assertThat(typed("producer-perf-test --topic " + topic + load + at).exit())
                .isZero();
    }

    private static InProcess typed(String command) {
        return InProcess.run(DocumentedCommandsTest.words(command));
    }

    /** In its own process, with an empty standard input. */
    private InProcess withoutInput(String command) throws IOException, InterruptedException {
        Object[] words = DocumentedCommandsTest.words(command);
        try (RunningCommand running = new RunningCommand(directory, words)) {
            running.process().getOutputStream().close();
            RunningCommand.Ended ended = running.awaitEnd();
            return new InProcess(ended.exit(), ended.out(), ended.err());
        }
    }

    /** Five reports of users: each command as it was printed, with our brokers and without its minutes of load. */
    @ParameterizedTest
    @CsvFileSource(resources = "/drop-in/published.csv", delimiter = '|')
    void handlesPublishedCommands(String command, String outcome) throws Exception {
        String typed = command.replace("SERVERS", SharedLab.oneBroker().bootstrapServers())
                .replace("TOPIC", topic)
                .replace("OMB", "src/test/resources/drop-in");
        if (typed.startsWith("FILL && ") || typed.matches(".*-(producer-perf|console)\\S+ .*")) {
            createTopic();
        }
        if (typed.startsWith("FILL && ")) {
            fill();
        }
        String given = typed.replace("FILL && ", "");
        InProcess run = given.contains("console-producer") ? withoutInput(given) : typed(given);
        if (outcome.startsWith("cli.")) {
            assertThat(run.err()).containsPattern(Said.en(outcome));
            assertThat(run.exit()).isEqualTo(2);
        } else {
            assertThat(run.exit()).as(run.err()).isZero();
            assertThat(run.out()).containsPattern(outcome.replace("TOPIC", topic));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "kafka-topics.sh | --create --topic t --partitions 6 | topic create --as-kafka t --partitions 6",
                "bin/kafka-topics.sh | --delete --topic=t | topic delete --as-kafka t",
                "kafka-console-producer.sh | --broker-list h:1 --topic t | produce --bootstrap-server h:1 --topic t",
                "kafka-console-producer | --property parse.key=true --property key.separator=: --topic t"
                        + " | produce --topic t --key-separator :",
                "kafka-console-consumer.sh | --new-consumer --max-messages 5 --timeout-ms 100 | consume --max 5 --timeout 100ms",
                "kafka-console-consumer | --property print.key=true --property=print.partition=true --property key.separator=,"
                        + " | consume --format Partition:%p,%q,%v",
                "kafka-console-consumer | --property print.key=true --property print.value=false | consume --format %q",
                "kafkacat | -P -b h:1 -t t -p -1 -K: | produce --bootstrap-server h:1 --topic t --key-separator :",
                "kcat | -C -b h:1 -tt -o end -e -c5"
                        + " | consume --bootstrap-server h:1 --topic t --offset latest --to-end --max 5",
                "kcat | -C -b h:1 -t t -o -2000 -e | consume --bootstrap-server h:1 --topic t --offset -2000 --to-end",
                "kcat | -C -b h:1 -t t -q | consume --bootstrap-server h:1 --topic t --from-beginning",
                "kcat | -C -uqe -tt | consume --to-end --topic t --from-beginning",
                "kcat | -P -t t -K\\x3a | produce --topic t --key-separator :",
                "bin/benchmark | -d k.yaml w.yaml | omb -d k.yaml w.yaml",
                "bin/kafka-run-class.sh | kafka.tools.EndToEndLatency h:1 t 9 all 100 | end-to-end-latency h:1 t 9 all 100",
                "kafka-run-class | org.apache.kafka.tools.ProducerPerformance --topic t | producer-perf-test --topic t",
            })
    void translatesFlags(String tool, String words, String expected) {
        List<String> translated = DropInCommand.translate(tool, List.of(words.split(" ")));
        assertThat(String.join(" ", translated).strip()).isEqualTo(expected);
    }

    @Test
    void understandsEscapesOfFormats() {
        assertThat(ConsumeCommand.unescaped("%k\\x1f%s\\x0a\\\\x41\\t")).isEqualTo("%k\u001f%s\n\\x41\t");
        for (String format : List.of("%s\\q", "%q\\%v\n", "%s\\")) {
            InProcess refused = InProcess.run("kcat", "-C", "-b", "localhost:1", "-t", "t", "-f", format);
            assertThat(refused.err()).containsPattern(Said.en("cli.notAFormat", format));
            assertThat(refused.exit()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "bin/benchmark-worker --port 9090 --stats-port 9091, cli.dropIn.worker",
        "bin/benchmark --csv results, cli.dropIn.csv",
        "bin/benchmark -c results, cli.dropIn.csv",
        "kafka-topics --alter --topic t --partitions 9, cli.dropIn.alter",
        "kafka-topics --list --zookeeper h:2181, cli.dropIn.zookeeper",
        "kafka-console-consumer --zookeeper h:2181 --topic t, cli.dropIn.zookeeper",
        "kafka-console-consumer --topic t --whitelist x, cli.dropIn.notHere",
        "kcat -L -b h:1, cli.dropIn.kcat",
        "kcat -C -b h:1 -t t -X sasl.username=x, cli.dropIn.librdkafka",
        "kcat -C -b h:1 -t t -J, cli.dropIn.json",
        "kcat -C -b h:1 -t t -eJ, cli.dropIn.json",
        "kcat -P -b h:1 -t t -K\\q, cli.notAFormat",
        "kcat -P -b h:1 -t t -l file, cli.dropIn.lines",
    })
    void suggestsAlternativesForUnsupportedCommands(String command, String key) {
        InProcess run = typed(command);
        assertThat(run.err()).containsPattern(Said.en(key, (Object) null));
        assertThat(run.err().lines().filter(line -> line.startsWith("plimsoll: ")))
                .hasSize(1);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void printsTopicsLikeKafka() throws Exception {
        String at = " --bootstrap-server " + SharedLab.oneBroker().bootstrapServers();
        String create = "--create --topic " + topic + " --partitions 3 --config retention.ms=60000" + at;
        assertThat(typed("kafka-topics.sh " + create).out()).isEqualTo("Created topic " + topic + ".\n");
        assertThat(typed("kafka-topics.sh --list" + at).out().lines()).contains(topic);
        String describe = "--describe --topic " + topic + at;
        assertThat(typed("kafka-topics.sh " + describe).out())
                .isEqualTo(KafkaTool.run(directory, "TopicCommand", describe.split(" ")));
        assertThat(typed("kafka-topics.sh --delete --topic " + topic + at).out())
                .isEmpty();
        assertThat(typed("kafka-topics.sh --list" + at).out().lines()).doesNotContain(topic);
    }

    /** Kafka's clients only log a misspelled property. */
    @Test
    void reportsMisspelledProperties() throws Exception {
        String at = " --bootstrap-server " + SharedLab.oneBroker().bootstrapServers();
        Path config = Files.writeString(directory.resolve("client.properties"), "sasl.mechansim=PLAIN\n");
        createTopic();
        InProcess produce =
                withoutInput("kafka-console-producer.sh --topic " + topic + at + " --producer-property lingr.ms=5");
        assertThat(produce.err()).contains("lingr.ms").containsPattern(Said.en("load.didYouMean", "linger.ms"));
        for (String command : List.of("topic list", "probe", "lag --all")) {
            InProcess run = typed(command + at + " --command-config " + config);
            assertThat(run.err())
                    .as(command)
                    .contains("sasl.mechansim")
                    .containsPattern(Said.en("load.didYouMean", "sasl.mechanism"));
            assertThat(run.exit()).as(command).isZero();
        }
    }

    @Test
    void showsHelpOfTheTranslatedCommand() {
        assertThat(typed("kafka-producer-perf-test.sh --help").out()).contains("plimsoll producer-perf-test");
        assertThat(typed("--lang zh kcat -L").err()).containsPattern(Said.zh("cli.dropIn.kcat", (Object) null));
    }

    @Test
    void installsLinksAndKeepsForeignFiles() throws IOException {
        Path links = directory.resolve("bin");
        assertThat(typed("drop-in install " + links).exit()).isZero();
        assertThat(typed("drop-in install " + links).exit()).as("again").isZero();
        Path link = links.resolve("kafka-topics.sh");
        assertThat(link).isSymbolicLink();
        assertThat(links.resolve("kcat")).exists();
        assertThat(links.resolve("kafka-run-class.sh")).as("for other classes").doesNotExist();
        assertThat(typed("drop-in remove " + links).exit()).isZero();
        assertThat(links).isEmptyDirectory();

        Files.writeString(links.resolve("kcat"), "mine");
        InProcess refused = typed("drop-in install " + links);
        assertThat(refused.err()).containsPattern(Said.en("cli.dropIn.foreign", links.resolve("kcat")));
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(link).doesNotExist();
        assertThat(links.resolve("kcat")).hasContent("mine");
    }
}
