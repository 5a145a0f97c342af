package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
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

/** Impossible runs are rejected with a sentence before a lab is started or any file is written. */
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
        assertThat(run.err()).containsPattern(Said.pattern(message)).doesNotContain("internal error", "Exception");
        assertThat(run.err()).startsWith("plimsoll: ");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(out()).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        rats: 5/s                          | f.yaml:3:29: producers[0]: unknown key "rats"; did you mean rate?
        clients: many                      | f.yaml:3:38: producers[0].clients: expected «scenario.a.wholeSuch¦1», found "many"
        clients: -1                        | f.yaml:3:38: producers[0].clients: expected «scenario.a.count.range¦1¦10000», found "-1"
        records: 0                         | f.yaml:3:38: producers[0].records: expected «scenario.a.count.least¦1», found "0"
        rate: 0/s                          | f.yaml:3:35: producers[0].rate: «scenario.noRate¦"0/s"»
        record: {size: 2MB}                | «scenario.largerThanRequest¦2000088¦1048576»
        config: {acks: banana}             | f.yaml:3:44: producers[0].config.acks: expected 0, 1, all or -1, found "banana"
        config: {linger.ms: soon}          | f.yaml:3:49: producers[0].config.linger.ms: expected «scenario.a.whole», found "soon"
        config: {compression.type: zap}    | producers[0].config: the Kafka client rejects this configuration: Invalid value zap for configuration compression.type
        config: {retries: often}           | producers[0].config: the Kafka client rejects this configuration: Invalid value often for configuration retries
        config: {acks: 1, enable.idempotence: true} | producers[0].config: the Kafka client rejects this configuration: Must set acks to all in order to use the idempotent producer
        config: {interceptor.classes: no.Such}      | «load.unusable¦producers[0]¦«cluster.noClass¦no.Such»»
        config: {security.protocol: SSL, ssl.keystore.location: /no/such.jks} | «load.unusable¦producers[0]¦SSL key store is specified, but key store password is not specified»
        record: {payload: {file: /no/such/lines.txt}} | /no/such/lines.txt
        config: {bootstrap.servers: "kafka1:9092"} | «run.clusterInConfig¦producers[0]¦kafka1:9092»
        connections: 2                     | producers[0].connections: «scenario.otherEngine¦raw¦client»
        """)
    void refusesInvalidProducer(String properties, String message) throws IOException {
        InProcess run =
                run(file("name: f\ntopics: [{name: events}]\nproducers: [{topic: events, " + properties + "}]\n"));
        assertRefused(run, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        {name: a, replication: 3}                 | --brokers 2 | «run.labTooSmall¦a¦replication¦3¦2¦«run.giveBrokers¦3»»
        {name: a, replication: 12}                | --seed 1    | «run.labTooSmall¦a¦replication¦12¦9»
        {name: a, existing: true}                 | --seed 1    | «run.labHasNoTopics¦a»
        {name: a}                                 | --broker-config message.max.bytes=2000 | «run.recordOverLab¦5069¦2000»
        {name: a, config: {max.message.bytes: 99}} | --seed 1   | «scenario.largerThanMessage¦5069¦a¦99»
        {name: a, config: {retention.mss: 5}}     | --seed 1    | «cluster.unknownTopicConfig¦topics: a¦retention.mss¦; did you mean retention.ms?»
        {name: a}                                 | --strict --set producers[0].config.lingr.ms=5 | «load.unknownProperty¦producers[0].config¦producer¦lingr.ms¦«load.didYouMean¦linger.ms»»
        {name: a}                                 | --strict --bootstrap-server 127.0.0.1:1 --command-property=sasl.mechanism2=PLAIN | «load.unknownProperty¦«load.theClientProperties»¦client¦sasl.mechanism2¦«load.didYouMean¦sasl.mechanism»»
        {name: a, partitions: 0}                  | --seed 1    | topics[0].partitions: expected «scenario.a.count.range¦1»
        {name: a}                                 | --broker-config log.dirs=/tmp | The broker property 'log.dirs' is managed by the lab
        {name: a}                                 | --brokers 0 | A lab has 1 to 9 brokers, not 0.
        {name: a}                                 | --brokers 10 | A lab has 1 to 9 brokers, not 10.
        {name: a}                                 | --brokers two | --brokers: expected «scenario.a.whole», found 'two'
        {name: a}                                 | --bootstrap-server 127.0.0.1:1 --brokers 1 | «cli.labOrCluster»
        {name: a}                                 | --jmx 1=foo | «cli.notAJmxAddress¦foo»
        {name: a}                                 | --jmx foo   | «cli.notAJmxAddress¦foo»
        {name: a}                                 | --observer b1=http://h:1/?token=x | «cli.notAMetricsEndpoint¦b1=http://h:1/¦--observer»
        {name: a}                                 | --metrics-endpoint 1=kafka1:7071 | «cli.notAMetricsEndpoint¦kafka1:7071¦--metrics-endpoint»
        {name: a}                                 | --bootstrap-server 127.0.0.1:1 --broker-config a=b | «cli.labOrCluster»
        {name: a}                                 | --bootstrap-server nonsense | nonsense
        {name: a}                                 | --command-config /no/such.properties | /no/such.properties: «cluster.file.missing»
        {name: a}                                 | --scale 0   | --scale: «scenario.scale¦0.0»
        {name: a}                                 | --scale -1  | --scale: «scenario.scale»
        {name: a}                                 | --set duration | expected path=value, for example --set producers[0].rate=1000/s
        {name: a}                                 | --set producers[7].rate=1/s | --set producers[7].rate=1/s
        {name: a}                                 | --set durration=1s | unknown key durration; did you mean duration?
        {name: a}                                 | --seed many | --seed: expected «scenario.a.whole», found 'many'
        {name: a}                                 | --colour    | --colour
        """)
    void refusesInvalidTopicOrOption(String topic, String options, String message) throws IOException {
        String yaml = "name: f\ntopics: [" + topic + "]\nproducers: [{topic: a, record: {size: 5000}}]\n";
        List<String> args = new ArrayList<>(List.of(file(yaml)));
        args.addAll(List.of(options.strip().split(" ")));
        assertRefused(run(args.toArray(String[]::new)), message);
    }

    /** A cluster without guards, and a third-party producer that would be fenced. */
    @Test
    void refusesClusterOrTransactionalIdInConfig() throws IOException {
        String topics = "name: f\ntopics: [{name: a}, {name: b}]\nproducers: [{topic: a, rate: 1/s}]\n";
        assertRefused(
                run(file(topics + "consumers: [{topic: a, config: {bootstrap.servers: 'kafka1:9092'}}]\n")),
                "«run.clusterInConfig¦consumers[0]¦kafka1:9092»");
        for (String own : List.of("bootstrap.servers: 'kafka1:9092'", "transactional.id: ledger")) {
            String consumer = "consumers: [{kind: pipeline, topic: a, output: b, outputConfig: {" + own + "}}]\n";
            String key = own.substring(0, own.indexOf(':'));
            assertRefused(run(file(topics + consumer)), "consumers[0].outputConfig." + key);
        }
    }

    @Test
    void refusesInvalidConsumer() throws IOException {
        String yaml = "topics: [{name: a}]\nconsumers: [{topic: a, config: {isolation.level: none}}]\n";
        assertRefused(
                run(file(yaml)),
                "consumers[0].config: the Kafka client rejects this configuration: Invalid value none for configuration"
                        + " isolation.level");
    }

    /** Members create these producers only when they have records to write. The entry before differs only in them. */
    @Test
    void refusesInvalidOutputConfigOfPipeline() throws IOException {
        String yaml = """
            topics: [{name: a}, {name: b}]
            producers: [{topic: a, rate: 1/s}]
            consumers:
              - {kind: pipeline, topic: a, output: b, outputConfig: {linger.ms: 5}}
              - {kind: pipeline, topic: a, output: b, outputConfig: {%s}}
            """;
        assertRefused(run(file(yaml.formatted("compression.type: zap"))), "«load.unusable¦consumers[1].outputConfig»");
        assertRefused(
                run(file(yaml.formatted("lingr.ms: 5")), "--strict"),
                "«load.unknownProperty¦consumers[1].outputConfig¦producer¦lingr.ms¦«load.didYouMean¦linger.ms»»");
    }

    /** Although a consumer of another kind accepts it. */
    @Test
    void refusesConfigUnsupportedByShareGroups() throws IOException {
        String config = "config: {isolation.level: read_committed}";
        String yaml = "topics: [{name: a}]\nconsumers: [{topic: a, " + config + "}, {kind: share, topic: a, " + config
                + "}]\n";
        assertRefused(run(file(yaml)), "«load.unusable¦consumers[1]»");
    }

    @Test
    void refusesSettingUnsupportedByEngine() throws IOException {
        String yaml = "topics: [{name: a}]\nconsumers: [{topic: a, engine: raw, commit: {sync: {every: 1}}}]\n";
        assertRefused(run(file(yaml)), "consumers[0].commit: «load.rawCommitsNothing»");
    }

    @Test
    void reportsAllMistakesOfMatrixAtOnce() throws IOException {
        InProcess run = run(file("""
            topics: [{name: a}]
            producers: [{topic: a}]
            matrix: {producers.config.compression.type: [zap, lz4, zip]}
            """));
        assertRefused(
                run, "trial compression.type=zap: producers[0].config: the Kafka client rejects this configuration");
        assertThat(run.err()).contains("trial compression.type=zip: ").doesNotContain("lz4:");
    }

    @Test
    void refusesMissingOrUnreadableScenario() throws IOException {
        assertRefused(run("quik"), "«run.noSuchScenario¦quik¦«run.didYouMean¦quick»»");
        assertRefused(run("nosuch"), "«run.noSuchScenario¦nosuch¦»");
        assertRefused(run("no/such.yaml"), Said.text("«run.noSuchFile¦no/such.yaml¦a scenario»"));
        assertRefused(run(file("")), Said.text("f.yaml: expected «scenario.a.scenario», found nothing"));
        assertRefused(run(file("a: [")), Said.text("f.yaml:1:5: «scenario.unreadable»"));
        Path folder = Files.createDirectory(directory.resolve("folder.yaml"));
        assertRefused(run(folder.toString()), "«run.fileIsDirectory¦" + folder + "¦a scenario»");
        Path workload =
                Files.writeString(directory.resolve("workload.yaml"), "name: w\ntopics: 10\npartitionsPerTopic: 16\n");
        assertRefused(run(workload.toString()), "«run.fileOfOmb¦" + workload + "»");
        Path latin = Files.write(directory.resolve("l.yaml"), "name: ä".getBytes(StandardCharsets.ISO_8859_1));
        assertRefused(run(latin.toString()), "«run.fileNotText¦" + latin + "»");
    }

    @Test
    void refusesUnwritableResultsDirectory() throws IOException {
        Path file = Files.writeString(directory.resolve("taken"), "");
        for (String place : List.of(file.toString(), file + "/deeper", "/proc/plimsoll")) {
            InProcess run = InProcess.run("run", "quick", "--quiet", "--out", place);
            assertThat(run.err()).contains("Cannot write results to " + place, "--out");
            assertThat(run.exit()).isEqualTo(2);
        }
    }

    @Test
    void reportRefusesInvalidRunDirectory() throws IOException {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        for (Path wrong : Stream.of("empty", "missing").map(directory::resolve).toList()) {
            InProcess report = InProcess.run("report", wrong.toString());
            assertThat(report.err()).startsWith("plimsoll: " + wrong + " is not a run directory: it ");
            assertThat(report.exit()).isEqualTo(2);
        }
        Files.writeString(empty.resolve("timeline.jsonl"), "");
        InProcess report = InProcess.run("report", empty.toString());
        assertThat(report.err()).containsPattern(Said.en("result.nothingToReport", empty));
        assertThat(report.exit()).isEqualTo(2);
    }

    @Test
    void hidesSecretInMistypedOption() {
        InProcess run = run("quick", "--command-propertee", "ssl.keystore.password=hushHush");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--command-propertee").doesNotContain("hushHush");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        kill: any        | 127.0.0.1:1 | faults[0]: «run.onlyLab¦kill any broker»
        cut: 1, for: 1s  | 127.0.0.1:1 | faults[0]: «run.onlyLab¦cut the network of broker 1»
        exec: "rm -r /"  | 127.0.0.1:1 | faults[0]: «run.needsConsent»
        exec: "true"     |             | faults[0]: «run.needsConsent»
        pause: 4         |             | faults[0]: «run.noBrokerInLab¦4¦1»
        pause: 0         |             | faults[0]: «run.noBrokerInLab¦0¦1¦»
        """)
    void refusesForbiddenOrImpossibleFaults(String fault, String cluster, String message) throws IOException {
        String file = file("topics: [{name: t}]\nproducers: [{topic: t}]\nfaults: [{at: 1s, " + fault + "}]\n");
        assertRefused(cluster == null ? run(file) : run(file, "--bootstrap-server", cluster), message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
        kafkaVersion: 2.8.2             | kill: controller          | faults[0]: «run.needsQuorum¦kill controller»
        kafkaVersion: 2.8.2, brokers: 3 | upgrade: each, to: 3.9.1  | faults[0]: «run.needsQuorum¦upgrade each broker to 3.9.1»
        kafkaVersion: 3.9.1             | downgrade: 1, to: 2.8.2   | faults[0]: «run.needsQuorum¦downgrade broker 1 to 2.8.2»
        kafkaVersion: 2.8.2, brokers: 3 | removeBroker: 3           | faults[0]: «run.needsQuorum¦drain and remove broker 3»
        controllers: 3                  | cut: controller, for: 1s  | faults[0]: «run.dedicatedController¦cut the network of controller»
        disks: [/mnt/b]                 | fillDisk: 1, for: 1s      | «lab.disks.notFilled¦/mnt/b»
        """)
    void refusesFaultsThatLabCannotHave(String lab, String fault, String message) throws IOException {
        String load = "topics: [{name: t}]\nproducers: [{topic: t}]\n";
        assertRefused(run(file(load + "lab: {" + lab + "}\nfaults: [{at: 1s, " + fault + "}]\n")), message);
    }

    @Test
    void refusesCommandsForMissingBrokers() throws IOException {
        String file = file("topics: [{name: t}]\nproducers: [{topic: t}]\nfaults: [{at: 1s, exec: \"true\", on: 4}]\n");
        assertRefused(run(file, "--allow-exec"), "faults[0]: «run.noBrokerInLab¦4¦1»");
        String servers = SharedLab.oneBroker().bootstrapServers();
        InProcess run = run(file, "--allow-exec", "--dry-run", "--bootstrap-server", servers);
        assertThat(run.err()).containsPattern(Said.en("run.noSuchBroker", 4, "[1]"));
        assertThat(run.exit()).isEqualTo(2);
    }

    /** Its runs would read that file and start runs of their own, without an end. */
    @Test
    void refusesAbOfClustersInArgumentFile() throws IOException {
        Path words = Files.writeString(directory.resolve("words"), "--ab\ncluster=127.0.0.1:1|127.0.0.1:2\n");
        assertRefused(run("quick", "@" + words), "«cli.abInFile»");
    }
}
