package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that cannot work are refused with a sentence before a lab is started or anything is written. */
class RunMistakesTest {
    @TempDir
    Path directory;

    private InProcess run(String... args) {
        List<String> all = new ArrayList<>(List.of("run", "--quiet", "--out", out().toString()));
        all.addAll(List.of(args));
        return InProcess.run(all.toArray(String[]::new));
    }

    private Path out() {
        return directory.resolve("runs");
    }

    private String file(String yaml) throws IOException {
        return Files.writeString(directory.resolve("f.yaml"), yaml).toString();
    }

    private void assertRefused(InProcess run, String message) {
        assertThat(run.err())
                .containsPattern(InProcess.expected(message))
                .doesNotContain("internal error", "Exception");
        assertThat(run.err()).startsWith("plimsoll: ");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(out()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        rats: 5/s                          | f.yaml:3:29: producers[0]: unknown key "rats"; did you mean rate?
        clients: many                      | f.yaml:3:38: producers[0].clients: expected a whole number such as 1, found "many"
        clients: -1                        | f.yaml:3:38: producers[0].clients: expected a whole number from 1 to 10000, found "-1"
        records: 0                         | f.yaml:3:38: producers[0].records: expected a whole number of 1 or more, found "0"
        rate: 0/s                          | f.yaml:3:35: producers[0].rate: expected a rate of more than 0, found "0/s"; for no limit write unlimited
        record: {size: 2MB}                | more than the producer's max.request.size of 1048576; raise it in config or make the record smaller
        config: {acks: banana}             | f.yaml:3:44: producers[0].config.acks: expected 0, 1, all or -1, found "banana"
        config: {linger.ms: soon}          | f.yaml:3:49: producers[0].config.linger.ms: expected a whole number, found "soon"
        config: {compression.type: zap}    | producers[0].config: the Kafka client refuses it: Invalid value zap for configuration compression.type
        config: {retries: often}           | producers[0].config: the Kafka client refuses it: Invalid value often for configuration retries
        config: {acks: 1, enable.idempotence: true} | producers[0].config: the Kafka client refuses it: Must set acks to all in order to use the idempotent producer
        config: {interceptor.classes: no.Such}      | producers[0].config: the Kafka client refuses to start: there is no class no.Such; correct the property
        config: {security.protocol: SSL, ssl.keystore.location: /no/such.jks} | producers[0].config: the Kafka client refuses to start: SSL key store is specified, but key store password is not specified; correct the property
        record: {payload: {file: /no/such/lines.txt}} | /no/such/lines.txt
        config: {bootstrap.servers: "kafka1:9092"} | producers[0].config: bootstrap.servers names kafka1:9092, and all clients of a run go to the cluster that --bootstrap-server names
        connections: 2                     | producers[0].connections: belongs to engine: raw, not to engine: client
        """)
    void inAProducer(String properties, String message) throws IOException {
        InProcess run =
                run(file("name: f\ntopics: [{name: events}]\nproducers: [{topic: events, " + properties + "}]\n"));
        assertRefused(run, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {name: a, replication: 3}                 | --brokers 2 | topic a asks for replication 3 and the lab has 2 brokers; lower replication, or give --brokers 3
        {name: a, replication: 12}                | --seed 1    | topic a asks for replication 12 and the lab has 9 brokers; lower replication
        {name: a, existing: true}                 | --seed 1    | topic a is to exist already, and the lab that is started for the run has no topics
        {name: a}                                 | --broker-config message.max.bytes=2000 | a record takes 5069 bytes with its batch header, more than the brokers' message.max.bytes of 2000
        {name: a, config: {max.message.bytes: 99}} | --seed 1   | more than the max.message.bytes of topic a, which is 99; raise it in the topic's config
        {name: a, config: {retention.mss: 5}}     | --seed 1    | topics: a: Kafka has no topic config retention.mss; did you mean retention.ms?
        {name: a, partitions: 0}                  | --seed 1    | topics[0].partitions: expected a whole number from 1
        {name: a}                                 | --broker-config log.dirs=/tmp | The broker property 'log.dirs' cannot be set
        {name: a}                                 | --brokers 0 | A lab has 1 to 9 brokers, not 0.
        {name: a}                                 | --brokers 10 | A lab has 1 to 9 brokers, not 10.
        {name: a}                                 | --brokers two | --brokers: expected a whole number, found 'two'
        {name: a}                                 | --bootstrap-server 127.0.0.1:1 --brokers 1 | @cli.labOrCluster
        {name: a}                                 | --jmx 1=foo | @cli.notAJmxAddress(foo)
        {name: a}                                 | --jmx foo   | --jmx: expected BROKER=HOST:PORT, found 'foo'
        {name: a}                                 | --metrics-endpoint 1=kafka1:7071 | @cli.notAMetricsEndpoint(kafka1:7071,--metrics-endpoint)
        {name: a}                                 | --bootstrap-server 127.0.0.1:1 --broker-config a=b | @cli.labOrCluster
        {name: a}                                 | --bootstrap-server nonsense | nonsense
        {name: a}                                 | --command-config /no/such.properties | /no/such.properties: there is no such file
        {name: a}                                 | --scale 0   | --scale: expected a number more than 0 and at most 1000000, found 0.0
        {name: a}                                 | --scale -1  | --scale: expected a number more than 0
        {name: a}                                 | --set duration | expected path=value, for example --set producers[0].rate=1000/s
        {name: a}                                 | --set producers[7].rate=1/s | --set producers[7].rate=1/s
        {name: a}                                 | --set durration=1s | unknown key durration; did you mean duration?
        {name: a}                                 | --seed many | --seed: expected a whole number, found 'many'
        {name: a}                                 | --colour    | --colour
        """)
    void inATopicOrAnOption(String topic, String options, String message) throws IOException {
        String yaml = "name: f\ntopics: [" + topic + "]\nproducers: [{topic: a, record: {size: 5000}}]\n";
        List<String> args = new ArrayList<>(List.of(file(yaml)));
        args.addAll(List.of(options.strip().split(" ")));
        assertRefused(run(args.toArray(String[]::new)), message);
    }

    /** A cluster that no guard has looked at, and somebody's producer that would be fenced. */
    @Test
    void inWhatLeadsElsewhere() throws IOException {
        String topics = "name: f\ntopics: [{name: a}, {name: b}]\nproducers: [{topic: a, rate: 1/s}]\n";
        assertRefused(
                run(file(topics + "consumers: [{topic: a, config: {bootstrap.servers: 'kafka1:9092'}}]\n")),
                "consumers[0].config: bootstrap.servers names kafka1:9092");
        for (String own : List.of("bootstrap.servers: 'kafka1:9092'", "transactional.id: ledger")) {
            String consumer = "consumers: [{kind: pipeline, topic: a, output: b, outputConfig: {" + own + "}}]\n";
            String key = own.substring(0, own.indexOf(':'));
            assertRefused(run(file(topics + consumer)), "consumers[0].outputConfig." + key);
        }
    }

    @Test
    void inAConsumer() throws IOException {
        String yaml = "topics: [{name: a}]\nconsumers: [{topic: a, config: {isolation.level: none}}]\n";
        assertRefused(
                run(file(yaml)),
                "consumers[0].config: the Kafka client refuses it: Invalid value none for configuration"
                        + " isolation.level");
    }

    @Test
    void whatAnEngineCannotDo() throws IOException {
        String yaml = "topics: [{name: a}]\nconsumers: [{topic: a, engine: raw, commit: {sync: {every: 1}}}]\n";
        assertRefused(run(file(yaml)), "consumers[0].commit: the raw engine commits no offsets; use engine: client");
    }

    @Test
    void everyMistakeOfAMatrixIsToldAtOnce() throws IOException {
        InProcess run = run(file("""
            topics: [{name: a}]
            producers: [{topic: a}]
            matrix: {producers.config.compression.type: [zap, lz4, zip]}
            """));
        assertRefused(run, "trial compression.type=zap: producers[0].config: the Kafka client refuses it");
        assertThat(run.err()).contains("trial compression.type=zip: ").doesNotContain("lz4:");
    }

    @Test
    void inTheFileItself() throws IOException {
        assertRefused(run("quik"), "there is no built-in scenario 'quik'; did you mean 'quick'?");
        assertRefused(run("nosuch"), "there is no built-in scenario 'nosuch'; 'plimsoll scenarios' lists them");
        assertRefused(run("no/such.yaml"), "there is no file no/such.yaml; give the path of a scenario");
        assertRefused(
                run(file("")),
                "f.yaml: expected a map with the keys topics, producers, consumers and others, found nothing");
        assertRefused(run(file("a: [")), "f.yaml:1:5: cannot be read as YAML");
        Path folder = Files.createDirectory(directory.resolve("folder.yaml"));
        assertRefused(run(folder.toString()), folder + " is a directory; give the path of a scenario");
        Path latin = Files.write(directory.resolve("l.yaml"), "name: ä".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(run(latin.toString()), latin + " is not a text file in UTF-8; save it as such");
    }

    @Test
    void inThePlaceForTheResults() throws IOException {
        Path file = Files.writeString(directory.resolve("taken"), "");
        for (String place : List.of(file.toString(), file + "/deeper", "/proc/plimsoll")) {
            InProcess run = InProcess.run("run", "quick", "--quiet", "--out", place);
            assertThat(run.err()).contains("Cannot write results to " + place, "--out");
            assertThat(run.exit()).isEqualTo(2);
        }
    }

    @Test
    void inTheDirectoryOfAnEarlierRun() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        for (Path wrong : Stream.of("empty", "missing").map(directory::resolve).toList()) {
            InProcess report = InProcess.run("report", wrong.toString());
            assertThat(report.err()).startsWith("plimsoll: " + wrong + " is not a run directory: it ");
            assertThat(report.exit()).isEqualTo(2);
        }
        Files.writeString(empty.resolve("timeline.jsonl"), "");
        InProcess report = InProcess.run("report", empty.toString());
        assertThat(report.err()).contains("There is nothing to report in " + empty);
        assertThat(report.exit()).isEqualTo(2);
    }

    @Test
    void aSecretInAMistypedOptionIsNotRepeated() {
        InProcess run = run("quick", "--command-propertee", "ssl.keystore.password=hushHush");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--command-propertee").doesNotContain("hushHush");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        kill: any        | 127.0.0.1:1 | faults[0]: 'kill any broker' can only happen to a lab, and --bootstrap-server names a cluster that is not this run's own
        cut: 1, for: 1s  | 127.0.0.1:1 | faults[0]: 'cut the network of broker 1' can only happen to a lab
        exec: "rm -r /"  | 127.0.0.1:1 | faults[0]: runs a command of the scenario, which needs your consent: read it, then give --allow-exec
        exec: "true"     |             | faults[0]: runs a command of the scenario, which needs your consent
        pause: 4         |             | faults[0]: there is no broker 4 in a lab of 1 broker, whose ids begin at 1; give --brokers 4, or another id
        """)
    void faultsThatMayNotOrCannotHappen(String fault, String cluster, String message) throws IOException {
        String file = file("topics: [{name: t}]\nproducers: [{topic: t}]\nfaults: [{at: 1s, " + fault + "}]\n");
        assertRefused(cluster == null ? run(file) : run(file, "--bootstrap-server", cluster), message);
    }

    /** Its runs would read that file, and each begin runs of its own, without an end. */
    @Test
    void runsInTurnsAreNotAskedForByAFileOfArguments() throws IOException {
        Path words = Files.writeString(directory.resolve("words"), "--ab\ncluster=127.0.0.1:1|127.0.0.1:2\n");
        assertRefused(run("quick", "@" + words), "@cli.abInFile");
    }
}
