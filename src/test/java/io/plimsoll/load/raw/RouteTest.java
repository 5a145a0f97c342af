package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.DueTimes;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals.UniformArrivals;
import io.plimsoll.pace.ConstantSchedule;
import io.plimsoll.pace.Throttle;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.wire.ProduceFrame;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.RawNetwork;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Guards when a connection has something to send and which partitions a request includes: topic by topic, none starved,
 * and no checks before the due time.
 */
class RouteTest {
    private static final long MILLI = 1_000_000;
    private static final long LINGER = 10 * MILLI;
    private static final long NOW = 100_000 * MILLI;
    private static final int TOPICS = 3;
    private static final int PARTITIONS = 4;
    private static final int BATCH_BYTES = 500;
    private static final int BATCHES_A_REQUEST = 11;

    private final RawSettings settings = settings();
    private final PartitionPlan plan = plan(settings);
    private final Route route = new Route(null, plan.queues, LINGER);
    private final BatchSender sender = sender(settings, plan);

    private static RawSettings settings() {
        return settings("enable.idempotence", "false");
    }

    private static RawSettings settings(String key, String value) {
        Map<String, Object> properties = new HashMap<>(Map.of(
                "bootstrap.servers",
                "127.0.0.1:1",
                "key.serializer",
                ByteArraySerializer.class.getName(),
                "value.serializer",
                ByteArraySerializer.class.getName(),
                "enable.idempotence",
                false,
                "batch.size",
                BATCH_BYTES,
                "max.request.size",
                BATCH_BYTES * BATCHES_A_REQUEST));
        properties.put(key, value);
        return RawSettings.of(ClientProperties.parseProducer(properties, "producers-0"), 1);
    }

    private static PartitionPlan plan(RawSettings settings) {
        ProducerSpec spec = ScenarioReader.read(
                        "topics: [{name: a, partitions: 4}]\n"
                                + "producers: [{topic: a, engine: raw, rate: 1/s, record: {size: 100}}]\n",
                        "test",
                        List.of(),
                        1)
                .trials()
                .get(0)
                .scenario()
                .producers()
                .get(0);
        PartitionPlan plan =
                new PartitionPlan(spec, settings, new int[] {PARTITIONS, PARTITIONS, PARTITIONS}, 0, 1, null);
        plan.build(
                () -> RecordGenerator.of(
                        spec.record(), 1, 0, 1, 1, PayloadSource.load(spec.record(), 1), RecordGenerator.NO_PRODUCER),
                1);
        for (PartitionQueue queue : plan.queues) {
            queue.topic = new TopicRef("topic-" + queue.topicIndex, new Uuid(1, queue.topicIndex));
        }
        return plan;
    }

    private static BatchSender sender(RawSettings settings, PartitionPlan plan) {
        return sender(
                settings,
                plan,
                new DueTimes(new UniformArrivals(new ConstantSchedule(0), 0, 1), Long.MAX_VALUE, new Throttle(0)));
    }

    private static BatchSender sender(RawSettings settings, PartitionPlan plan, DueTimes times) {
        AckMeter acks = AckMeter.of(new int[] {PARTITIONS, PARTITIONS, PARTITIONS}, times.closedLoop(), false);
        SendMeter sends = SendMeter.of(times.closedLoop(), false);
        RecordSource source = new RecordSource(times, plan, settings, sends, acks);
        BatchSender made = new BatchSender(settings, "client", null, source, null);
        TrialClock clock = new TrialClock(0, 0, Long.MAX_VALUE, 0);
        acks.start(clock);
        sends.start(clock);
        made.start(clock);
        return made;
    }

    /** A batch of one record. */
    private PendingBatch add(int queue) {
        return add(plan.queues[queue], plan);
    }

    private static PendingBatch add(PartitionQueue queue, PartitionPlan plan) {
        PendingBatch batch = new PendingBatch(plan.maxRecords());
        batch.begin(NOW);
        batch.append(NOW, NOW);
        queue.add(batch);
        return batch;
    }

    @Test
    void batchIsReadyAfterLinger() {
        assertThat(route.ready(NOW)).isFalse();
        add(7);
        assertThat(route.ready(NOW + LINGER - 1)).isFalse();
        assertThat(route.ready(NOW + LINGER)).isTrue();
    }

    @Test
    void closedBatchIsReadyAtOnce() {
        add(2);
        assertThat(route.ready(NOW)).isFalse();
        plan.queues[2].closeLast();
        assertThat(route.ready(NOW)).isTrue();
    }

    @Test
    void retriedBatchWaitsForBackoffAndInFlightRequests() {
        PartitionQueue queue = plan.queues[4];
        PendingBatch batch = add(4);
        queue.poll();
        batch.attempts = 1;
        queue.inFlight = 1;
        queue.retryAtNanos = NOW + MILLI;
        queue.putBack(batch);
        assertThat(route.ready(NOW + MILLI)).isFalse();
        queue.inFlight = 0;
        queue.changed();
        assertThat(route.ready(NOW)).isFalse();
        assertThat(route.ready(NOW + MILLI)).isTrue();
    }

    /** The old leader can still reject its requests: records sent to the new one by then would overtake them. */
    @ParameterizedTest
    @CsvSource({"max.in.flight.requests.per.connection, 1, true", "enable.idempotence, true, true", "acks, 1, false"})
    void orderedSendsToNewLeaderWaitForOldLeader(String key, String value, boolean promised) {
        RawSettings own = settings(key, value);
        PartitionPlan ownPlan = plan(own);
        BatchSender ownSender = sender(own, ownPlan);
        PartitionQueue queue = ownPlan.queues[0];
        try (RawNetwork network = new RawNetwork(Map.of("bootstrap.servers", "127.0.0.1:1"), "client", -1, 1000)) {
            RawLink oldLeader = network.link("127.0.0.1", 1, 1);
            RawLink newLeader = network.link("127.0.0.1", 1, 2);
            Route before = new Route(oldLeader, ownPlan.queues, 0);
            add(queue, ownPlan);
            ProduceFrame sent = ownSender.newFrame();
            ownSender.fill(sent, before, NOW);
            assertThat(sent.count()).isEqualTo(1);
            add(queue, ownPlan);
            assertThat(before.ready(NOW)).as("over the same connection").isTrue();

            Route after = new Route(newLeader, ownPlan.queues, 0);
            ProduceFrame tooEarly = ownSender.newFrame();
            assertThat(after.ready(NOW)).isEqualTo(!promised);
            if (promised) {
                ownSender.fill(tooEarly, after, NOW);
                assertThat(tooEarly.count()).isZero();
                ownSender.outcome(sent, 0, Errors.NONE.code(), 0);
                assertThat(after.ready(NOW)).isTrue();
                ownSender.fill(tooEarly, after, NOW);
            } else {
                ownSender.fill(tooEarly, after, NOW);
            }
            assertThat(tooEarly.count()).isEqualTo(1);
        }
    }

    @Test
    void closedLoopWaitsForOldLeaderAfterLeaderChange() {
        RawSettings own = settings("enable.idempotence", "true");
        PartitionPlan ownPlan = plan(own);
        DueTimes times = new DueTimes(null, Long.MAX_VALUE, new Throttle(0));
        times.start(new TrialClock(0, 0, Long.MAX_VALUE, 0));
        BatchSender ownSender = sender(own, ownPlan, times);
        try (RawNetwork network = new RawNetwork(Map.of("bootstrap.servers", "127.0.0.1:1"), "client", -1, 1000)) {
            PartitionQueue[] one = {ownPlan.queues[0]};
            ProduceFrame sent = ownSender.newFrame();
            ownSender.fill(sent, new Route(network.link("127.0.0.1", 1, 1), one, 0), NOW);
            assertThat(sent.count()).isEqualTo(1);
            Route after = new Route(network.link("127.0.0.1", 1, 2), one, 0);
            ProduceFrame next = ownSender.newFrame();
            ownSender.fill(next, after, NOW);
            assertThat(next.count()).isZero();
            ownSender.outcome(sent, 0, Errors.NONE.code(), 0);
            ownSender.fill(next, after, NOW);
            assertThat(next.count()).isEqualTo(1);
        }
    }

    /** A batch in flight keeps the first partition from its next epoch. */
    @Test
    void waitingPartitionDelaysNoOtherPartition() {
        RawSettings own = settings("enable.idempotence", "true");
        PartitionPlan ownPlan = plan(own);
        BatchSender ownSender = sender(own, ownPlan);
        Route ownRoute = new Route(null, ownPlan.queues, 0);
        PartitionQueue waiting = ownPlan.queues[0];
        waiting.inFlight = 1;
        add(waiting, ownPlan);
        add(ownPlan.queues[1], ownPlan);
        ProduceFrame frame = ownSender.newFrame();
        ownSender.fill(frame, ownRoute, NOW);
        assertThat(frame.count()).isEqualTo(1);
        assertThat(((BatchSender.Slots) frame.attachment).queues[0]).isSameAs(ownPlan.queues[1]);
        waiting.inFlight = 0;
        waiting.changed();
        ProduceFrame next = ownSender.newFrame();
        ownSender.fill(next, ownRoute, NOW);
        assertThat(((BatchSender.Slots) next.attachment).queues[0]).isSameAs(waiting);
    }

    @Test
    void flushMakesBatchesReadyAtOnce() {
        add(1);
        route.flush();
        assertThat(route.ready(NOW)).isTrue();
    }

    @Test
    void servesPartitionsFairlyAndGroupsThemByTopic() {
        List<Integer> served = new ArrayList<>();
        for (int request = 0; request < 24; request++) {
            // All partitions always have more to send than fits into a request.
            for (int q = 0; q < plan.queues.length; q++) {
                while (plan.queues[q].batches.isEmpty()) {
                    fill(add(q));
                }
            }
            ProduceFrame frame = sender.newFrame();
            assertThat(sender.fill(frame, route, NOW + LINGER)).isBetween(1, BATCH_BYTES * BATCHES_A_REQUEST);
            List<Integer> topics = new ArrayList<>();
            BatchSender.Slots slots = (BatchSender.Slots) frame.attachment;
            for (int slot = 0; slot < frame.count(); slot++) {
                PartitionQueue queue = slots.queues[slot];
                served.add(queue.topicIndex * PARTITIONS + queue.partition);
                if (topics.isEmpty() || topics.get(topics.size() - 1) != queue.topicIndex) {
                    topics.add(queue.topicIndex);
                }
            }
            assertThat(topics).doesNotHaveDuplicates();
        }
        for (int q = 0; q < TOPICS * PARTITIONS; q++) {
            int partition = q;
            // A request takes 11 of 12 partitions: 24 requests serve each one 22 times.
            assertThat(served.stream().filter(p -> p == partition)).hasSize(22);
        }
    }

    private void fill(PendingBatch batch) {
        while (batch.count < plan.maxRecords()) {
            batch.append(NOW, NOW);
        }
    }
}
