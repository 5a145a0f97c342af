package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.plimsoll.Exit;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.fleet.FleetMessage.Ended;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.FleetMessage.Journalled;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.FleetMessage.Prepare;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.fleet.FleetMessage.Release;
import io.plimsoll.fleet.plan.WarmupTurn;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse.Busiest;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker;
import io.plimsoll.run.WorkerBarrier;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fleet messages survive serialization, and unknown messages are rejected. */
class WireTest {
    private static final ObjectMapper CBOR = new CBORMapper();

    static Order order(String yaml) {
        Scenario s = ScenarioReader.read(yaml, "test.yaml", List.of(), 1)
                .trials()
                .get(0)
                .scenario();
        return new Order(
                "t",
                new Order.Load(
                        s.topics(),
                        s.producers(),
                        s.consumers(),
                        s.connections(),
                        s.duration(),
                        s.effectiveWarmup(),
                        new WarmupTurn(Duration.ofSeconds(5), Duration.ofSeconds(5))),
                new Order.Share(List.of(new Slice(0, 2)), List.of(), List.of(new Slice(3, 4)), 5, true, 3),
                new Order.RunKey("tag", 7, 1),
                Map.of("bootstrap.servers", "127.0.0.1:1"),
                EndToEndSource.STAMP,
                Duration.ofSeconds(3),
                true);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate: unlimited, record: {key: {uniform: 10}, payload: constant}",
                "rate: {ramp: [1000/s, 50000/s], over: 30s}, send: sync, record: {key: sequential}",
                "rate: {steps: [1/s, 2/s], each: 10s}, send: {flushEvery: 100}, arrivals: poisson",
                "rate: 20MB/s, records: 1000, transactions: {every: 1s}, config: {acks: all}"
            })
    void trialOrderRoundTrips(String producer) {
        Order sent = order("name: n\ntopics: [{name: t}]\nproducers: [{topic: t, clients: 2, " + producer
                + "}]\nconsumers: [{topic: t, start: {backlog: 10s}, commit: {async: {every: 10}}}]\n"
                + "connections: [{count: 9, rate: 7/s, hold: 3s, churn: 10%/min}]");
        Envelope read = Wire.read(Wire.write(new Envelope("pekko://x@h:1", "w", "s", "t", new Prepare(sent))));
        assertThat(read).isEqualTo(new Envelope("pekko://x@h:1", "w", "s", "t", new Prepare(sent)));
        assertThat(((Prepare) read.message()).order().scenario().producers())
                .isEqualTo(sent.load().producers());
        assertThat(((Prepare) read.message()).order().scenario().connections())
                .isEqualTo(sent.load().connections())
                .singleElement()
                .satisfies(c -> assertThat(c.count()).isEqualTo(9));
    }

    @Test
    void agentReportsRoundTrip() {
        Prepared prepared = new Prepared(
                List.of(new ProducerProfile(3, "producers[0]", true, true, false, true)),
                new Worker.LoadLimits(new CalibratedLimit(List.of(new CalibratedLimit.Point(100, 5e5))), null),
                List.of(new SelfWarmup("a", 3.2, 81_000, SelfWarmup.STEADY, List.of())));
        assertThat(Wire.read(Wire.write(new Envelope("x", null, "s", "t", prepared)))
                        .message())
                .isEqualTo(prepared);
        Journalled journal = new Journalled(new byte[] {1, -2, 3});
        FleetMessage read = Wire.read(Wire.write(new Envelope("x", null, "s", "t", journal)))
                .message();
        assertThat(((Journalled) read).block()).containsExactly(new byte[] {1, -2, 3});
    }

    @Test
    void reportsOfLargeTrialFitIntoMessage() {
        List<ProducerProfile> producers = IntStream.range(0, 20_000)
                .mapToObj(i -> new ProducerProfile(i, "producers[0]", true, true, false, true))
                .toList();
        assertThat(size(new Prepared(producers, Worker.LoadLimits.UNKNOWN, List.of())))
                .isLessThan(FleetNode.MOST_BYTES);
        Map<String, Long> partitions = IntStream.range(0, 20_000)
                .boxed()
                .collect(Collectors.toMap(i -> "orders-of-all-regions-" + i, i -> 1_000_000_000L));
        WorkerBarrier.Produced produced = new WorkerBarrier.Produced(partitions, partitions);
        TrialOutcome outcome =
                new TrialOutcome(produced, partitions, 60, 60, Map.of(), true, List.of(), null, List.of());
        assertThat(size(new Ended(outcome, 60, 60, Latencies.EMPTY))).isLessThan(FleetNode.MOST_BYTES);
    }

    private static int size(FleetMessage message) {
        return Wire.write(new Envelope("pekko://x@h:1", "w", "s", "t", message)).length;
    }

    @Test
    void agentFailuresAreTranslatable() {
        Failed failed = new Failed(Exit.USAGE, Sentence.of("fleet.noPayloadFile", "a.json", "/data"));
        Failed read = (Failed)
                Wire.read(Wire.write(new Envelope("x", null, "s", "t", failed))).message();
        assertThat(read).isEqualTo(failed);
        assertThat(read.reason().in(Language.ZH))
                .isEqualTo(failed.reason().in(Language.ZH))
                .isNotEqualTo(failed.reason().english());
    }

    /** Whether a group kept up is judged by its least lag. */
    @Test
    void snapshotKeepsLeastLag() {
        Counts whole = Counts.Sum.overTime()
                .add(Consumed.LAG, "g", 7)
                .add(Consumed.LEAST_LAG, "g", 2)
                .total();
        Snapshot sent = new Snapshot(
                "w",
                "t",
                3,
                Phase.MEASURE,
                0,
                1,
                null,
                null,
                Counts.NONE,
                Counts.NONE,
                whole,
                Busiest.NONE,
                List.of(),
                List.of());
        FleetMessage read = Wire.read(
                        Wire.write(new Envelope("x", null, "s", "t", new FleetMessage.SnapshotTaken(sent))))
                .message();
        assertThat(((FleetMessage.SnapshotTaken) read).snapshot().whole()).isEqualTo(whole);
    }

    @Test
    void absentFieldsStayAbsent() {
        Info info = new Info("a", Map.of("zone", "x"), "1", 2, null, Map.of(), null, null, "h", List.of(), Set.of());
        assertThat(Wire.read(Wire.write(new Envelope("x", null, "s", "t", info)))
                        .message())
                .isEqualTo(info);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.lang.ProcessBuilder",
                "io.plimsoll.fleet.FleetMessage$Release",
                "Envelope",
                "Unlimited",
                "[Ljava.lang.Object;"
            })
    void refusesUnknownMessageTypes(String name) throws Exception {
        byte[] bytes = CBOR.writeValueAsBytes(Map.of("from", "x", "message", Map.of("is", name)));
        assertThatThrownBy(() -> Wire.read(bytes)).isInstanceOf(UncheckedIOException.class);
        byte[] ours = CBOR.writeValueAsBytes(Map.of("from", "x", "message", Map.of("is", "Release")));
        assertThat(Wire.read(ours).message()).isEqualTo(new Release(false, false));
    }

    @Test
    void refusesMalformedBytes() {
        assertThatThrownBy(() -> Wire.read(new byte[] {1, 2, 3})).isInstanceOf(UncheckedIOException.class);
        assertThatThrownBy(() -> Wire.read(new byte[0])).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void orderHidesItsContentInToString() {
        assertThat(order("name: n\ntopics: [{name: t}]\nproducers: [{topic: t}]")
                        .toString())
                .doesNotContain("127.0.0.1");
    }
}
