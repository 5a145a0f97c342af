package io.plimsoll.load.raw;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.DueTimes;
import io.plimsoll.load.PreciseWait;
import io.plimsoll.load.Producers.Sender;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.Endings;
import io.plimsoll.measure.SpunTime;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.ProducerIds;
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One raw producer: a thread that takes the records that are due, forms batches, stamps and sends them, and reads the
 * answers. Everything it uses belongs to this thread; other threads only ask it to start, stop and end.
 */
final class RawClient extends RawThread implements Sender {
    private static final long MAX_POLL_MILLIS = 50;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /** An answer is looked for this much more often than its request is old: what it seems to take is true to so much. */
    private static final int LOOKS = 16;

    private static final long LEAST_LOOK_NANOS = 20_000L;
    private static final long MOST_LOOK_NANOS = 100_000L;

    private final RecordSource source;
    final BatchSender sender;
    private final RawSettings settings;
    private final List<String> topics;
    private final PartitionQueue[] queues;
    private final Map<String, TopicRef> refs = new HashMap<>();
    private Route[] routes = {};

    private final PreciseWait exactly;
    private final Consumer<Sentence> notes;

    private volatile TrialClock clock;
    private volatile boolean stopAsked;
    private volatile boolean flushAsked;
    private volatile boolean sent;
    private volatile boolean drained;
    private ClusterView routed;
    private boolean askingId;
    private boolean identified;
    private boolean started;
    private boolean flushing;
    /** Only time kept more from being sent: without acknowledgements nothing else ends a round. */
    private boolean moreToSend;

    /** @param topics of the entry, by their index in {@code queues} */
    RawClient(
            RawCluster cluster,
            RecordSource source,
            BatchSender sender,
            RawSettings settings,
            List<String> topics,
            PartitionQueue[] queues,
            PreciseWait exactly,
            Consumer<Sentence> notes) {
        super(cluster);
        this.exactly = exactly;
        this.notes = notes;
        this.source = source;
        this.sender = sender;
        this.settings = settings;
        this.topics = topics;
        this.queues = queues;
    }

    @Override
    public void start(TrialClock trialClock) {
        source.start(trialClock);
        clock = trialClock;
        wakeup();
    }

    @Override
    public void stop() {
        stopAsked = true;
        wakeup();
    }

    /** Sends what is left without waiting for linger. */
    void flush() {
        flushAsked = true;
        wakeup();
    }

    @Override
    public boolean sent() {
        return sent;
    }

    @Override
    public DueTimes times() {
        return source.times;
    }

    @Override
    public AckMeter acks() {
        return source.acks;
    }

    /** True once everything is answered. */
    boolean drained() {
        return drained;
    }

    @Override
    boolean connect(long nowNanos) {
        cluster.tick(nowNanos);
        identify();
        if (!cluster.connected() || (settings.delivery().idempotent() && !identified)) {
            return false;
        }
        route();
        return true;
    }

    @Override
    boolean over() {
        return false;
    }

    @Override
    void failed(Throwable error) {
        if (started && !stopAsked) {
            source.acks.event(System.nanoTime(), Endings.event(KafkaErrors.kind(error)));
        }
        notes.accept(Sentence.of("load.producerEnded", error));
    }

    private void identify() {
        // Later on any broker will do: the others must not wait for one that is gone.
        boolean tooEarly = !started && !cluster.connected();
        if (!settings.delivery().idempotent() || identified || askingId || tooEarly) {
            return;
        }
        RawLink link = cluster.anyIdle();
        if (link == null) {
            return;
        }
        askingId = true;
        ProducerIds.send(link, cluster.clientId, answer -> {
            askingId = false;
            if (answer == null || RawErrors.retriable(answer.error())) {
                return;
            }
            if (!RawErrors.ok(answer.error())) {
                throw KafkaErrors.explain(
                        RawErrors.exception(answer.error()),
                        "get a producer id for",
                        Sentence.of("cluster.client", cluster.clientId));
            }
            identified = true;
            sender.identify(new BatchSealer.ProducerIdentity(answer.id(), answer.epoch()));
        });
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a view is replaced, never changed
    void step() {
        long now = System.nanoTime();
        cluster.tick(now);
        if (cluster.view() != routed) {
            route();
        }
        TrialClock started0 = clock;
        if (started0 != null && !started) {
            started = true;
            exactly.begin();
            sender.start(started0);
        }
        if (started) {
            if (stopAsked) {
                source.stop();
            }
            source.take(now);
            if (!flushing && (flushAsked || (source.ended() && stopAsked))) {
                flushing = true;
                for (Route route : routes) {
                    route.flush();
                }
            }
            sender.expire(queues, now);
            if (sender.needsNewId() && !askingId) {
                identified = false;
            }
            identify();
            moreToSend = false;
            for (Route route : routes) {
                drain(route, now);
            }
            sent = source.ended();
            drained = sent && sender.unfinished() == 0 && source.allDone();
        }
        await(now);
    }

    private void drain(Route route, long now) {
        for (int i = 0; i < settings.requests().maxInFlight(); i++) {
            if (!sender.drain(route, now)) {
                return;
            }
        }
        moreToSend |=
                route.link.idle() && route.link.inFlight() < settings.requests().maxInFlight();
    }

    /** Waits for the network until something is due. */
    private void await(long now) {
        if (moreToSend) {
            network.poll(0);
            return;
        }
        long next = nextTime(now);
        long wait = next - System.nanoTime();
        long millis = (wait - exactly.windowNanos()) / NANOS_PER_MILLI;
        if (wait <= 0) {
            network.poll(0);
        } else if (millis > 0) {
            network.poll(Math.min(MAX_POLL_MILLIS, millis));
        } else if (writing()) {
            // A selection can wait for whole milliseconds alone, and parking would keep the rest from being written.
            network.poll(1);
        } else {
            waitBriefly(next);
            network.poll(0);
        }
    }

    /**
     * Waits for less than a selection can. Nothing wakes the thread when an answer comes, so it wakes up to look for one: not
     * before answers have come lately, and then the more often the younger the request is, so that no time that a request
     * takes is rounded up by much.
     */
    private void waitBriefly(long until) {
        long now = System.nanoTime();
        long sentNanos = latestUnanswered();
        if (sentNanos == Long.MIN_VALUE) {
            exactly.until(until, now);
            return;
        }
        boolean spins = exactly.spins(now);
        long window = spins ? exactly.windowNanos() : 0;
        long earliest = sentNanos + sender.fastestNanos() * 3 / 4 - window;
        long look = Math.min(MOST_LOOK_NANOS, Math.max(LEAST_LOOK_NANOS, (now - sentNanos) / LOOKS));
        if (now < earliest) {
            exactly.sleep(Math.min(until - window, earliest) - now);
        } else if (until - now <= Math.max(look, window)) {
            exactly.until(until, now);
        } else if (!spins || look > window) {
            exactly.sleep(Math.min(look, until - window - now));
        } else {
            network.poll(0);
            exactly.spun(System.nanoTime() - now);
        }
    }

    /** When the oldest request without an answer was sent, over the connection where that is the youngest. */
    private long latestUnanswered() {
        long latest = Long.MIN_VALUE;
        for (Route route : routes) {
            if (route.link.inFlight() > 0) {
                latest = Math.max(latest, route.link.oldestSentNanos());
            }
        }
        return latest;
    }

    /**
     * When there will be something to do whatever comes from the network, in nanoTime. What is overdue does not count:
     * it waits for an answer or a connection, and these wake us.
     */
    private long nextTime(long now) {
        if (!started) {
            return Long.MAX_VALUE;
        }
        long until = source.nextDue();
        if (source.mayTakeAtOnce()) {
            long from = Math.max(clock.startNanos(), source.times.goesOnNanos(now));
            until = from > now ? from : until;
        }
        for (Route route : routes) {
            until = Math.min(until, route.nextNanos(now));
        }
        return until;
    }

    private boolean writing() {
        for (Route route : routes) {
            if (route.link.ready() && !route.link.idle()) {
                return true;
            }
        }
        return false;
    }

    /** Assigns each partition to its leader's connection. */
    private void route() {
        ClusterView view = cluster.view();
        routed = view;
        routes = new Route[0];
        if (view == null) {
            return;
        }
        Map<RawLink, List<PartitionQueue>> lists = new LinkedHashMap<>();
        for (PartitionQueue queue : queues) {
            String name = topics.get(queue.topicIndex);
            ClusterView.Topic topic = view.topics().get(name);
            if (topic == null || queue.partition >= topic.leaders().length) {
                continue;
            }
            queue.topic = refs.compute(
                    name,
                    (n, known) -> known != null && known.id().equals(topic.id()) ? known : new TopicRef(n, topic.id()));
            RawLink link = cluster.link(topic.leaders()[queue.partition], queue.partition);
            if (link != null) {
                lists.computeIfAbsent(link, l -> new ArrayList<>()).add(queue);
            }
        }
        long linger = flushing ? 0 : settings.lingerNanos();
        routes = lists.entrySet().stream()
                .map(e -> new Route(e.getKey(), e.getValue().toArray(new PartitionQueue[0]), linger))
                .toArray(Route[]::new);
    }

    /** Charges what was not answered with the time it has waited. */
    @Override
    void end() {
        try {
            if (started) {
                long now = System.nanoTime();
                source.stop();
                network.links().stream().toList().forEach(network::remove);
                // Wherever they are: an error may have come while one was on its way from a queue into a request.
                source.unfinished().forEach(batch -> sender.abandon(batch, now));
                for (PartitionQueue queue : queues) {
                    queue.batches.clear();
                }
            }
        } finally {
            sent = true;
            drained = true;
            SpunTime.forget();
        }
    }
}
