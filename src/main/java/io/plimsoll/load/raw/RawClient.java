package io.plimsoll.load.raw;

import io.plimsoll.Lifecycle;
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
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One raw producer: a thread that takes due records, forms and sends batches, and reads responses. It owns its state;
 * other threads only request start, stop and end.
 */
final class RawClient extends RawThread implements Sender {
    private static final long MAX_POLL_MILLIS = 50;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    /**
     * The interval between polls is the age of a request divided by this number; this bounds the error of the latency.
     */
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

    private enum SendPhase {
        /** Waits for connections, then for the start. */
        WAITING,
        SENDING,
        /** Every due record has been taken. */
        SENT,
        /** Every record has a response or was given up. */
        DRAINED;

        /** Creates the lifecycle. An early end gives up the remaining records. */
        private static Lifecycle<SendPhase> begin() {
            return new Lifecycle<>(
                    WAITING,
                    Map.of(
                            WAITING, EnumSet.of(SENDING, DRAINED),
                            SENDING, EnumSet.of(SENT, DRAINED),
                            SENT, EnumSet.of(DRAINED)));
        }
    }

    private enum ProducerId {
        NEEDED,
        ASKED,
        KNOWN
    }

    // Set once by another thread.
    private volatile @Nullable TrialClock clock;
    private volatile boolean stopAsked;
    private volatile boolean flushAsked;
    private final Lifecycle<SendPhase> life = SendPhase.begin();
    private @Nullable ClusterView routed;
    private ProducerId id;
    private long lingerNanos;

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
        this.id = settings.idempotent() ? ProducerId.NEEDED : ProducerId.KNOWN;
        this.lingerNanos = settings.lingerNanos();
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

    void flush() {
        flushAsked = true;
        wakeup();
    }

    @Override
    public boolean sent() {
        return life.reached(SendPhase.SENT);
    }

    @Override
    public DueTimes times() {
        return source.times;
    }

    @Override
    public AckMeter acks() {
        return source.acks;
    }

    boolean drained() {
        return life.reached(SendPhase.DRAINED);
    }

    @Override
    boolean connect(long nowNanos) {
        cluster.tick(nowNanos);
        identify();
        if (!cluster.connected() || id != ProducerId.KNOWN) {
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
        if (life.reached(SendPhase.SENDING) && !stopAsked) {
            source.acks.event(System.nanoTime(), Endings.event(KafkaErrors.kind(error)));
        }
        notes.accept(Sentence.of("load.producerEnded", error));
    }

    private void identify() {
        // After the start, one connected broker is sufficient.
        boolean tooEarly = !life.reached(SendPhase.SENDING) && !cluster.connected();
        if (id != ProducerId.NEEDED || tooEarly) {
            return;
        }
        RawLink link = cluster.anyIdle();
        if (link == null) {
            return;
        }
        id = ProducerId.ASKED;
        link.askProducerId(cluster.clientId, answer -> {
            id = ProducerId.NEEDED;
            if (answer == null || RawErrors.retriable(answer.error())) {
                return;
            }
            if (!RawErrors.ok(answer.error())) {
                throw KafkaErrors.explain(
                        RawErrors.exception(answer.error()),
                        "get a producer id for",
                        Sentence.of("cluster.client", cluster.clientId));
            }
            id = ProducerId.KNOWN;
            sender.identify(new PartitionQueue.ProducerIdentity(answer.id(), answer.epoch()));
        });
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // A view is replaced, never changed.
    void step() {
        long now = System.nanoTime();
        cluster.tick(now);
        if (cluster.view() != routed) {
            route();
        }
        TrialClock begun = clock;
        if (begun != null && !life.reached(SendPhase.SENDING)) {
            life.enter(SendPhase.SENDING);
            exactly.begin();
            sender.start(begun);
        }
        await(now, life.reached(SendPhase.SENDING) && send(now));
    }

    /**
     * Takes due records and sends ready batches.
     * @return whether more can be sent now
     */
    private boolean send(long now) {
        if (stopAsked) {
            source.stop();
        }
        source.take(now);
        if (lingerNanos > 0 && (flushAsked || (source.ended() && stopAsked))) {
            lingerNanos = 0;
            for (Route route : routes) {
                route.flush();
            }
        }
        sender.expire(queues, now);
        if (sender.needsNewId() && id == ProducerId.KNOWN) {
            id = ProducerId.NEEDED;
        }
        identify();
        boolean more = false;
        for (Route route : routes) {
            more |= drain(route, now);
        }
        if (source.ended() && !life.reached(SendPhase.SENT)) {
            life.enter(SendPhase.SENT);
        }
        if (life.now() == SendPhase.SENT && sender.unfinished() == 0 && source.allDone()) {
            life.enter(SendPhase.DRAINED);
        }
        return more;
    }

    private boolean drain(Route route, long now) {
        int most = settings.maxInFlight();
        for (int i = 0; i < most; i++) {
            if (!sender.drain(route, now)) {
                return false;
            }
        }
        return route.link.idle() && route.link.inFlight() < most;
    }

    private void await(long now, boolean moreToSend) {
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
            // select() waits for whole milliseconds, and parking would delay pending writes.
            network.poll(1);
        } else {
            waitBriefly(next);
            network.poll(0);
        }
    }

    /**
     * Waits for less than a millisecond, which select() cannot do, and polls for responses. Polling begins when the age
     * of a request is about three quarters of the shortest recent round-trip time. The younger the request, the more
     * frequent the polls, to limit the error of latencies.
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

    /** The latest send time among the oldest pending requests of all connections. */
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
     * Time of the next scheduled work, in nanoTime. Overdue work waits for a response or a connection; both wake the
     * thread.
     */
    private long nextTime(long now) {
        if (!life.reached(SendPhase.SENDING)) {
            return Long.MAX_VALUE;
        }
        long until = source.nextDue();
        if (source.mayTakeAtOnce()) {
            long from = Math.max(Objects.requireNonNull(clock).startNanos(), source.times.resumeNanos(now));
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
        routes = lists.entrySet().stream()
                .map(e -> new Route(e.getKey(), e.getValue().toArray(new PartitionQueue[0]), lingerNanos))
                .toArray(Route[]::new);
    }

    /** Ends the client; charges unanswered records with their waiting time. */
    @Override
    void end() {
        try {
            if (life.reached(SendPhase.SENDING)) {
                long now = System.nanoTime();
                source.stop();
                sender.close();
                network.links().stream().toList().forEach(network::remove);
                // Batches in any state, because an error can occur while a batch moves from a queue into a request.
                source.unfinished().forEach(batch -> sender.abandon(batch, now));
                for (PartitionQueue queue : queues) {
                    queue.batches.clear();
                }
            }
        } finally {
            if (!drained()) {
                life.enter(SendPhase.DRAINED);
            }
            SpunTime.forget();
        }
    }
}
