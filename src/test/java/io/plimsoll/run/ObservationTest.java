package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.plimsoll.Daemon;
import io.plimsoll.LinuxRoot;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.observe.broker.BrokerSource;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.ObservedSource;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.ObservedHostPage;
import io.plimsoll.web.WebPlace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Broker metrics under a known load. */
@Order(1)
class ObservationTest {
    @TempDir
    Path out;

    /** Low rates at both ends: missed seconds, between polls delayed by a busy machine, contain few records. */
    private static final String YAML = """
        name: observed
        topics: [{name: observed, partitions: 2}]
        producers:
          - {topic: observed, rate: {steps: [10/s, 10/s, 3000/s, 10/s, 10/s], each: 3s}, record: {size: 500}}
        consumers: [{topic: observed}]
        duration: 15s
        warmup: 0s
        """;

    private static final int SENT = 9120;
    /** The records of both low rates. */
    private static final double FEW_RECORDS = 120;

    private Run.Finished run(List<BrokerSource> observed) {
        RunRequest request = Runs.request(YAML, "127.0.0.1:9092", out).with(draft -> {
            draft.cluster = Optional.empty();
            draft.brokers = OptionalInt.of(1);
            draft.sources = observed;
        });
        Run.Finished finished = new Run(request, Progress.NONE).execute();
        assertThat(finished.failure()).isNull();
        ResultSchema.assertValid(finished.result());
        return finished;
    }

    /** Total increase of the broker's counters by figure. */
    private static Map<String, Double> counted(Run.Finished finished, String source) {
        return counted(finished, "broker 1", source);
    }

    private static Map<String, Double> counted(Run.Finished finished, String what, String source) {
        Map<String, Double> sums = new TreeMap<>();
        try (RunDirectory directory = RunDirectory.open(finished.directory());
                Stream<TimelineEvent> events = directory.readTimeline()) {
            events.filter(TimelineEvent.Observed.class::isInstance)
                    .map(e -> ((TimelineEvent.Observed) e).observation())
                    .filter(o -> o.what().equals(what) && o.source().equals(source))
                    .forEach(o -> o.sums().forEach((name, value) -> sums.merge(name, value, Double::sum)));
        }
        return sums;
    }

    /** The last moment can be missing from the readings. */
    private static void ofTopics(Run.Finished finished, TrialResult trial) {
        List<Map<String, Object>> topics = trial.observed().topics();
        assertThat(topics).hasSize(2);
        for (int i = 0; i < 2; i++) {
            String topic = (String) topics.get(i).get("id");
            double size = i == 0 ? 100 : 300;
            double sent = i == 0 ? 6000 : 1200;
            assertThat(topic).contains(i == 0 ? "elsewhere" : "other");
            Map<String, Double> counted = counted(finished, "topic " + topic, "brokers");
            assertThat(counted.get("messagesIn")).isBetween(sent / 2, sent);
            assertThat(counted.get("bytesIn") / counted.get("messagesIn")).isBetween(size, size + 100);
            assertThat(figure(topics.get(i), "messagesIn")).isPositive();
            assertThat(figure(topics.get(i), "logBytes")).isBetween(1.0, sent * (size + 100));
        }
    }

    private static double figure(Map<?, ?> figures, String name) {
        assertThat(figures.get(name)).as(name + " of " + figures).isInstanceOf(Number.class);
        return ((Number) figures.get(name)).doubleValue();
    }

    /** Responds like an exporter, and stops after a few requests. */
    private static HttpServer exporter(AtomicInteger asked) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/metrics", exchange -> {
            int n = asked.incrementAndGet();
            byte[] body = ("kafka_server_brokertopicmetrics_bytesin_total " + 1000L * n + "\n")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(n <= 3 ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static void countsWhatWasSent(Map<String, Double> counted, TrialResult trial) {
        double sent = trial.produce().volume().records();
        assertThat(sent).isEqualTo(SENT);
        // The consumer's group writes a few records of its own.
        assertThat(counted.get("messagesIn")).isCloseTo(sent, within(FEW_RECORDS));
        // The broker also counts the bytes around the values.
        double bytesPerRecord = counted.get("bytesIn") / counted.get("messagesIn");
        assertThat(bytesPerRecord).isBetween(500.0, 600.0);
        assertThat(counted.get("bytesOut")).isCloseTo(counted.get("bytesIn"), within(FEW_RECORDS * bytesPerRecord));
        double requests =
                trial.produce().wire().requestsPerSecond() * trial.course().measuredSeconds();
        assertThat(counted.get("produce.requests")).isCloseTo(requests, within(FEW_RECORDS));
    }

    @Test
    void observesLabAndWarnsAboutFailedSource() throws IOException {
        AtomicInteger asked = new AtomicInteger();
        HttpServer server = exporter(asked);
        Run.Finished finished;
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/metrics";
            finished = run(List.of(BrokerSource.prometheus(7, url)));
        } finally {
            server.stop(0);
        }
        RunResult result = finished.result();
        TrialResult trial = result.trials().get(0);
        countsWhatWasSent(counted(finished, "jmx"), trial);

        Map<String, Object> broker = trial.observed().brokers().get(0);
        assertThat(broker).containsEntry("id", 1);
        assertThat(broker.get("sources"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .contains("jmx");
        for (String rate : List.of("messagesIn", "bytesIn", "bytesOut", "produceRequests", "fetchRequests")) {
            assertThat(figure(broker, rate)).as(rate).isPositive();
        }
        double stages = figure(broker, "requestQueueMs")
                + figure(broker, "localMs")
                + figure(broker, "remoteMs")
                + figure(broker, "throttleMs")
                + figure(broker, "responseQueueMs")
                + figure(broker, "responseSendMs");
        // Kafka rounds each to whole milliseconds.
        assertThat(Math.abs(stages - figure(broker, "totalMs"))).isLessThan(1.5);
        assertThat(figure(broker, "cpu")).isPositive();
        assertThat(figure(broker, "handlerIdle")).isBetween(0.2, 1.0);
        assertThat(figure(broker, "networkIdle")).isBetween(0.2, 1.0);
        assertThat(figure(broker, "underReplicated")).isZero();
        assertThat(figure(trial.observed().cluster(), "underReplicated")).isZero();
        assertThat(figure(trial.observed().cluster(), "leaderChanges")).isZero();
        // Read every five seconds: at the last reading, not all of it had been written.
        assertThat(figure(trial.observed().cluster(), "logBytes")).isBetween(10 * 500.0, SENT * 600.0);

        Map<String, Object> exported = trial.observed().brokers().get(1);
        assertThat(exported).containsEntry("id", 7).containsEntry("messagesIn", null);
        assertThat(asked.get()).isGreaterThan(3);
        assertThat(Sentence.joined(result.verdict().warnings()).english()
                        + trial.judgement().warnings())
                .containsPattern(Said.en("observe.cannotBeObserved", "broker 7", "prometheus"))
                .contains("status 503");
        assertThat(trial.course().complete()).isTrue();
        Runs.assertSound(result);
        if (LinuxRoot.isHere()) {
            assertThat(figure(trial.observed().host(), "cpu")).isPositive();
        }
    }

    /** Until it is interrupted, to keep the disks of this host busy. */
    private void write() {
        try (FileChannel file =
                FileChannel.open(out.resolve("written"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (!Thread.interrupted()) {
                file.write(ByteBuffer.allocate(1 << 20), 0);
                file.force(true);
                Thread.sleep(50);
            }
        } catch (IOException | InterruptedException e) {
            // The run is over.
        }
    }

    /** The increase read from the kernel directly is at least the increase observed during a part of that time. */
    private static void agentSaysWhatTheKernelDoes(
            Run.Finished finished, Map<String, Double> before, Map<String, Double> after) {
        Map<String, Double> seen = counted(finished, "agent");
        ObservedSource told = finished.result().environment().sources().get(1);
        assertThat(told).extracting(ObservedSource::broker, ObservedSource::by).containsExactly(1, "agent");
        assertThat(told.host())
                .containsEntry("name", HostInventory.read(Path.of(".")).name().value());
        assertThat(told.host()).containsKeys("cpu", "memory", "disks", "networks");
        after.forEach((figure, value) -> assertThat(seen.get(figure))
                .as(figure)
                .isNotNegative()
                .isLessThanOrEqualTo(value - before.get(figure)));
        // Some machines have disks that the kernel does not list.
        if (after.get("host.diskWriteBytes") > before.get("host.diskWriteBytes")) {
            assertThat(seen.get("host.diskWriteBytes")).isPositive();
            assertThat(figure(
                            (Map<?, ?>) finished.result()
                                    .trials()
                                    .get(0)
                                    .observed()
                                    .brokers()
                                    .get(0)
                                    .get("host"),
                            "diskWriteBytes"))
                    .isPositive();
        }
        assertThat(seen.get("host.cpuSeconds")).isPositive();
    }

    /** On a given cluster with one wrong metrics address. */
    @Test
    void observesNamedBrokersAndWarnsAboutWrongAddresses() throws Exception {
        assumeTrue(LinuxRoot.isHere(), "an agent observes its host only on Linux");
        Lab lab = SharedLab.oneBroker();
        String jmx = lab.jmxAddress(1);
        String yaml = """
            name: elsewhere
            topics: [{name: elsewhere}, {name: other}]
            producers: [{topic: elsewhere, rate: 500/s, record: {size: 100}}, {topic: other, rate: 100/s, record: {size: 300}}]
            duration: 12s
            warmup: 0s
            audit: false
            """;
        ObservedHostPage agent = new ObservedHostPage(WebPlace.local(0), out);
        String address = agent.address();
        RunRequest plain = Runs.request(yaml, lab.bootstrapServers(), out);
        List<BrokerSource> observed = List.of(
                BrokerSource.jmx(1, () -> jmx, null),
                BrokerSource.jmx(2, () -> "service:jmx:rmi:///jndi/rmi://127.0.0.1:1/jmxrmi", null),
                BrokerSource.prometheus(3, "http://127.0.0.1:1/metrics"),
                BrokerSource.agent(1, address));
        RunRequest request = plain.with(draft -> draft.sources = observed);
        Map<String, Double> before = KernelCounters.now();
        Thread writing = Daemon.start("writes-to-disk", this::write);
        Run.Finished finished;
        try (agent) {
            finished = new Run(request, Progress.NONE).execute();
        }
        writing.interrupt();
        agentSaysWhatTheKernelDoes(finished, before, KernelCounters.now());
        assertThat(finished.failure()).isNull();
        TrialResult trial = finished.result().trials().get(0);
        assertThat(trial.course().complete()).isTrue();
        assertThat(trial.produce().volume().records()).isEqualTo(7200);
        ofTopics(finished, trial);
        Map<String, Object> broker = trial.observed().brokers().get(0);
        // Its process is on this host, and found by its listening port.
        assertThat(broker).containsEntry("id", 1).containsEntry("sources", List.of("agent", "jmx", "proc"));
        assertThat(figure(broker, "messagesIn")).isPositive();
        assertThat(figure(broker, "produceRequests")).isPositive();
        assertThat(Sentence.joined(finished.result().verdict().warnings()).english()
                        + trial.judgement().warnings())
                .contains(Said.text("«run.unknownBrokers¦[2, 3]¦[1]»"))
                .containsPattern(Said.en("observe.cannotBeObserved", "broker 2", "jmx"))
                .containsPattern(Said.en("observe.cannotBeObserved", "broker 3", "prometheus"));
    }
}
