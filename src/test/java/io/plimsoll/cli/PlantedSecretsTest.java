package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.RunningCommand;
import io.plimsoll.testing.RunningCommand.Ended;
import io.plimsoll.testing.Said;
import io.plimsoll.web.RunsPage;
import io.plimsoll.web.WebPlace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Secrets enter by every input and leave by no output. */
class PlantedSecretsTest {
    /** The inputs; each secret is {@code plant}, the number of its line from 01 on, and {@code Zq7}. */
    private static final List<String> WAYS = List.of(
            "scenario: password in sasl.jaas.config of a producer",
            "scenario: ssl.keystore.password of a producer",
            "scenario: a property that Kafka does not know, of a producer",
            "scenario: a property that Kafka does not know, of a consumer",
            "scenario: ssl.keystore.key, a private key in PEM",
            "scenario: ssl.keystore.certificate.chain",
            "scenario: client secret of OAuth",
            "scenario: userinfo of sasl.oauthbearer.token.endpoint.url",
            "scenario: ssl.truststore.certificates of a consumer",
            "scenario: text of exec",
            "scenario: text of undo",
            "scenario: what exec prints before it fails",
            "scenario: template of values",
            "scenario: file of values",
            "scenario: first value of a matrix over a property that Kafka does not know",
            "scenario: second value of that matrix",
            "scenario: set of a trial, a property that Kafka does not know",
            "--set: a password",
            "--set: a property that Kafka does not know",
            "--set: a map of properties",
            "--command-config: ssl.key.password",
            "--command-config: password in sasl.jaas.config, with a semicolon",
            "--command-config: a property that Kafka does not know",
            "--command-property: ssl.truststore.password",
            "--command-property: a property that Kafka does not know",
            "--metrics-endpoint: userinfo",
            "--metrics-endpoint: query",
            "--jmx-password-file",
            "--jmx: userinfo of a URL",
            "environment: userinfo of the OTLP endpoint",
            "environment: path of the OTLP endpoint",
            "environment: query of the OTLP endpoint",
            "environment: headers of OTLP",
            "environment: looked up by a provider of Kafka's clients",
            "--producer-props: ssl.keystore.password",
            "--producer-props: a property that Kafka does not know",
            "OpenMessaging Benchmark: password in sasl.jaas.config of a driver",
            "OpenMessaging Benchmark: a property of a driver that Kafka does not know",
            "OpenMessaging Benchmark: userinfo in --workers",
            "--broker-config: a password of a lab",
            "fleet: password in sasl.jaas.config, sent to an agent",
            "fleet: ssl.keystore.password, sent to an agent",
            "fleet: template of values, sent to an agent");

    private static final Pattern PLANTED = Pattern.compile("plant(\\d\\d)[^Zz]{0,3}Zq7");
    private static final Pattern ZIPPED = Pattern.compile("\"resultGzip\":\"([A-Za-z0-9+/=]+)\"");
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/\\S*");

    @TempDir
    Path directory;

    private final Map<String, String> found = new LinkedHashMap<>();
    private final List<ProcessHandle> children = new ArrayList<>();

    private static String plant(int number) {
        assertThat(number).isBetween(1, WAYS.size());
        return String.format("plant%02dZq7", number);
    }

    /** Records each secret that a text contains. */
    private void search(String where, String text) {
        Matcher planted = PLANTED.matcher(text);
        while (planted.find()) {
            int number = Integer.parseInt(planted.group(1));
            found.putIfAbsent(
                    number + ": " + WAYS.get(number - 1),
                    where + ": …" + text.substring(Math.max(0, planted.start() - 80), planted.end()));
        }
        Matcher zipped = ZIPPED.matcher(text);
        while (zipped.find()) {
            byte[] bytes = Base64.getDecoder().decode(zipped.group(1));
            try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
                search(where + " (zipped)", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
    }

    private void searchFiles(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                search(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
            }
        }
    }

    /** The process details of a run's processes that are visible to every user of the machine. */
    private void searchChildren(ProcessHandle of) throws IOException {
        for (ProcessHandle child : of.descendants().toList()) {
            children.add(child);
            Path file = Path.of("/proc", Long.toString(child.pid()), "cmdline");
            try {
                String line = Files.readString(file, StandardCharsets.ISO_8859_1);
                // Until it executes another program, a process has the command line of its parent.
                if (!line.equals(typed(of))) {
                    search(file.toString(), line);
                }
            } catch (IOException e) {
                // The process has ended: the file is missing or unreadable.
            }
        }
    }

    /** The typed command line, which is visible to every user, and causes a warning. */
    private static String typed(ProcessHandle process) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"), StandardCharsets.ISO_8859_1);
    }

    private static String get(String address, int most) throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(address).toURL().openConnection();
        try (InputStream in = connection.getInputStream()) {
            return new String(in.readNBytes(most), StandardCharsets.UTF_8);
        }
    }

    private static String jaas(int number, String more) {
        return "org.apache.kafka.common.security.plain.PlainLoginModule required username='alice' password='"
                + plant(number) + more + "';";
    }

    private Path scenario() throws IOException {
        Path values = Files.writeString(directory.resolve("values.txt"), plant(14) + "\n");
        return Files.writeString(directory.resolve("planted.yaml"), """
                name: planted
                topics: [{name: planted-%d, partitions: 1}]
                producers:
                  - topic: planted-*
                    rate: 200/s
                    record: {payload: {template: "password %s ${sequence}"}}
                    config:
                      linger.ms: 7
                      sasl.jaas.config: "%s"
                      ssl.keystore.password: %s
                      my.cipher.passcode: %s
                      ssl.keystore.key: "-----BEGIN PRIVATE KEY-----\\n%s\\n-----END PRIVATE KEY-----"
                      ssl.keystore.certificate.chain: %s
                      sasl.oauthbearer.client.credentials.client.secret: %s
                      sasl.oauthbearer.token.endpoint.url: https://user:%s@localhost/token
                  - {topic: planted-*, rate: 10/s, record: {payload: {file: %s}}}
                consumers:
                  - {topic: planted-*, config: {my.licence: %s, ssl.truststore.certificates: %s, max.poll.records: 77}}
                faults:
                  - {at: 200ms, exec: "echo %s; : %s; sleep 3; exit 3", undo: ": %s", for: 1s}
                trials: [{name: one, set: {consumers.config.my.other: %s}}]
                matrix: {"producers[0].config.my.variant": [%s, %s]}
                duration: 2s
                warmup: 0s
                """.replace("planted-*", "planted-%1$d").formatted(
                System.nanoTime(),
                plant(13),
                jaas(1, ""),
                plant(2),
                plant(3),
                plant(5),
                plant(6),
                plant(7),
                plant(8),
                values,
                plant(4),
                plant(9),
                plant(12),
                plant(10),
                plant(11),
                plant(17),
                plant(15),
                plant(16)));
    }

    private Path commandConfig() throws IOException {
        return Files.writeString(
                directory.resolve("client.properties"),
                String.join(
                        "\n",
                        "ssl.key.password=" + plant(21),
                        "sasl.jaas.config=" + jaas(22, ";x"),
                        "my.vault=" + plant(23),
                        "client.rack=${env:PLANTED}",
                        "config.providers=env",
                        "config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider"));
    }

    /** One run with most of them, observed by the test; its files, output, and every report format. */
    @Test
    void doNotLeakFromRuns() throws Exception {
        Path runs = directory.resolve("runs");
        String password =
                Files.writeString(directory.resolve("jmx.txt"), plant(28)).toString();
        List<String> environment = List.of(
                "env",
                "PLANTED=" + plant(34),
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=http://user:" + plant(30) + "@127.0.0.1:9/" + plant(31) + "?k="
                        + plant(32),
                "OTEL_EXPORTER_OTLP_HEADERS=api-key=" + plant(33),
                "OTEL_METRIC_EXPORT_INTERVAL=300");
        Object[] command = {
            "run",
            scenario(),
            "--out",
            runs,
            "--debug",
            "--allow-exec",
            "--ui",
            "--prometheus",
            0,
            "--self-warmup",
            "0s",
            "--bootstrap-server",
            SharedLab.oneBroker().bootstrapServers(),
            "--command-config",
            commandConfig(),
            "--command-property",
            "ssl.truststore.password=" + plant(24),
            "--command-property=my.purse=" + plant(25),
            "--set",
            "producers.config.ssl.key.password=" + plant(18),
            "--set=producers.config.my.key=" + plant(19),
            "--set",
            "producers[1].config={my.map: " + plant(20) + ", linger.ms: 3}",
            "--metrics-endpoint",
            "0=http://user:" + plant(26) + "@127.0.0.1:9/metrics?token=" + plant(27),
            "--jmx-user",
            "alice",
            "--jmx-password-file",
            password,
            "--jmx",
            "7=service:jmx:rmi:///jndi/rmi://user:" + plant(29) + "@127.0.0.1:9/jmxrmi"
        };
        Ended ended;
        try (RunningCommand run = new RunningCommand(directory, environment, command)) {
            run.awaitProgress("phase=measuring");
            Matcher addresses = ADDRESS.matcher(run.err());
            while (addresses.find()) {
                String address = addresses.group();
                search(address, get(address, 5_000_000));
                if (address.contains("#stop")) {
                    search(address, get(address.replaceFirst("#.*", "events"), 5_000));
                }
            }
            while (run.process().isAlive() && children.isEmpty()) {
                searchChildren(run.process().toHandle());
            }
            searchChildren(run.process().toHandle());
            ended = run.awaitEnd();
        }
        assertThat(ended.exit()).as("%s%s", ended.err(), ended.out()).isIn(0, 3, 5);
        assertThat(children).as("the shell of exec was seen").isNotEmpty();
        search("standard output", ended.out());
        search("standard error", ended.err());
        assertThat(ended.err())
                .containsPattern(Said.en("cli.secretInSight", "--command-property"))
                .containsPattern(Said.en("cli.secretInSight", "--set"));
        searchFiles(runs);
        Path run = onlyRun(runs);
        searchReports(run);
        assertPrivate(run);
        assertThat(found).isEmpty();
        // Non-secret settings of Kafka are present, and so are provider lookups.
        assertThat(Files.readString(run.resolve("scenario.yaml")))
                .contains("linger.ms: 7", "max.poll.records: 77", "my.cipher.passcode: (redacted)")
                .contains("https://(redacted)@localhost/token", "template: (redacted)");
        assertThat(Files.readString(run.resolve("result.json"))).contains("my.variant=#2", "\"linger.ms\":\"7\"");
        InProcess again = InProcess.run("run", run.resolve("scenario.yaml").toString(), "--dry-run");
        assertThat(again.exit()).isEqualTo(2);
        assertThat(again.err())
                .contains(Said.text("producers[0].config.my.cipher.passcode: «scenario.leftOut¦(redacted)»"));
    }

    private static Path onlyRun(Path runs) throws IOException {
        try (Stream<Path> all = Files.list(runs)) {
            return all.collect(Collectors.toList()).get(0);
        }
    }

    private void searchReports(Path run) throws IOException {
        for (String format : List.of("terminal", "html", "md", "csv", "json", "junit")) {
            InProcess report = InProcess.run("report", run.toString(), "--format", format);
            assertThat(report.exit()).as(report.err()).isZero();
            search("report " + format, report.out() + report.err());
        }
        try (RunsPage page = new RunsPage(run.getParent(), WebPlace.local(0))) {
            search("ui", get(page.address(), 5_000_000));
            search("ui", get(page.address() + "run?name=" + run.getFileName(), 50_000_000));
        }
    }

    private static void assertPrivate(Path run) throws IOException {
        try (Stream<Path> all = Files.walk(run)) {
            for (Path each : all.toList()) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .as(each.toString())
                        .isEqualTo(Files.isDirectory(each) ? "rwx------" : "rw-------");
            }
        }
    }

    /** The replacements of Kafka's and OpenMessaging Benchmark's commands, and a run's own lab. */
    @Test
    @Tag("nightly")
    void doNotLeakFromOtherCommands() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        String topic = "planted-" + System.nanoTime();
        InProcess made = InProcess.run("topic", "create", topic, "--bootstrap-server", servers);
        assertThat(made.exit()).as(made.err()).isZero();
        check(
                List.of(),
                "producer-perf-test",
                "--topic",
                topic,
                "--num-records",
                200,
                "--throughput",
                200,
                "--record-size",
                50,
                "--bootstrap-server",
                servers,
                "--report",
                directory.resolve("perf"),
                "--json",
                directory.resolve("perf.json"),
                "--producer-props",
                "ssl.keystore.password=" + plant(35),
                "my.perf=" + plant(36),
                "linger.ms=7");
        Path driver =
                Files.writeString(directory.resolve("driver.yaml"), """
                name: Kafka
                driverClass: io.openmessaging.benchmark.driver.kafka.KafkaBenchmarkDriver
                replicationFactor: 1
                topicConfig: ""
                commonConfig: |
                  bootstrap.servers=%s
                  sasl.jaas.config=%s
                producerConfig: |
                  linger.ms=7
                  my.pwd=%s
                consumerConfig: ""
                """.formatted(servers, jaas(37, ""), plant(38)));
        Path workload = Files.writeString(directory.resolve("workload.yaml"), """
                name: planted
                topics: 1
                partitionsPerTopic: 1
                messageSize: 100
                payloadFile: ""
                keyDistributor: NO_KEY
                subscriptionsPerTopic: 1
                consumerPerSubscription: 1
                producersPerTopic: 1
                producerRate: 100
                consumerBacklogSizeGB: 0
                testDurationMinutes: 0.05
                warmupDurationMinutes: 0
                """);
        check(
                List.of(),
                "omb",
                "-d",
                driver,
                workload,
                "--out",
                directory.resolve("omb"),
                "-o",
                directory.resolve("omb.json"),
                "-w",
                "http://user:" + plant(39) + "@localhost:9/");
        check(
                List.of(),
                "run",
                "quick",
                "--scale",
                "0.01",
                "--out",
                directory.resolve("lab"),
                "--broker-config",
                "ssl.keystore.password=" + plant(40));
        searchFiles(directory.resolve("perf"));
        searchFiles(directory.resolve("omb"));
        searchFiles(directory.resolve("lab"));
        assertThat(found).isEmpty();
        assertThat(Files.readString(onlyRun(directory.resolve("perf")).resolve("result.json")))
                .contains("linger.ms=7", "my.perf=(redacted)");
    }

    /** The same for an agent, which receives client properties: its output, files, and process details. */
    @Test
    @Tag("nightly")
    void doNotLeakFromAgents() throws Exception {
        Path scratch = Files.createDirectory(directory.resolve("agent"));
        Path scenario = Files.writeString(
                directory.resolve("fleet.yaml"), """
                name: planted
                topics: [{name: planted-%1$d, partitions: 1}]
                producers:
                  - topic: planted-%1$d
                    rate: 100/s
                    record: {payload: {template: "password %2$s ${sequence}"}}
                    config: {linger.ms: 7, sasl.jaas.config: "%3$s", ssl.keystore.password: %4$s}
                duration: 2s
                warmup: 0s
                """.formatted(System.nanoTime(), plant(43), jaas(41, ""), plant(42)));
        try (RunningCommand agent =
                new RunningCommand(scratch, "agent", "--listen", "127.0.0.1:0", "--name", "planted", "--debug")) {
            agent.awaitProgress("listens on");
            Matcher listens = Pattern.compile("listens on (\\S+:\\d+)").matcher(agent.err());
            assertThat(listens.find()).isTrue();
            check(
                    List.of(),
                    "run",
                    scenario,
                    "--fleet",
                    listens.group(1),
                    "--out",
                    directory.resolve("fleet"),
                    "--debug",
                    "--bootstrap-server",
                    SharedLab.oneBroker().bootstrapServers());
            searchChildren(ProcessHandle.current());
            Ended ended = agent.signal("TERM");
            search("the agent's standard output", ended.out());
            search("the agent's standard error", ended.err());
        }
        searchFiles(scratch);
        searchFiles(directory.resolve("fleet"));
        assertThat(found).isEmpty();
        assertThat(Files.readString(onlyRun(directory.resolve("fleet")).resolve("result.json")))
                .contains("\"linger.ms\":\"7\"");
    }

    private void check(List<String> environment, Object... command) throws Exception {
        try (RunningCommand run = new RunningCommand(directory, environment, command)) {
            while (run.process().isAlive()) {
                searchChildren(run.process().toHandle());
                Thread.onSpinWait();
                run.process().waitFor(100, java.util.concurrent.TimeUnit.MILLISECONDS);
            }
            Ended ended = run.awaitEnd();
            search("standard output", ended.out());
            search("standard error", ended.err());
            assertThat(ended.exit()).as("%s%s", ended.err(), ended.out()).isIn(0, 3, 5);
        }
    }
}
