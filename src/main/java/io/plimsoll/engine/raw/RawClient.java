package io.plimsoll.engine.raw;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.engine.client.KafkaErrors;
import io.plimsoll.engine.raw.kafka.ClusterView;
import io.plimsoll.engine.raw.kafka.ProducerIds;
import io.plimsoll.engine.raw.kafka.RawErrors;
import io.plimsoll.engine.raw.kafka.RawLink;
import io.plimsoll.engine.raw.kafka.RawNetwork;
import io.plimsoll.engine.raw.kafka.TopicRef;
import io.plimsoll.measure.TrialClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * One raw producer: a thread that takes the records that are due, forms batches, stamps and sends them, and reads the
 * answers. Everything it uses belongs to this thread; other threads only ask it to start, stop and end.
 */
final class RawClient implements Runnable {
    private static final long MAX_POLL_MILLIS = 50;
    private static final long SHORT_WAIT_NANOS = 1_000_000L;
    private static final long SHORTEST_PARK_NANOS = 100_000L;

    private final RawNetwork network;
    private final String clientId;
    private final RawCluster cluster;
    private final RecordSource source;
    private final BatchSender sender;
    private final RawSettings settings;
    private final List<String> topics;
    private final PartitionQueue[] queues;
    /** Which partitions go over which connection. */
    private List<Map.Entry<RawLink, PartitionQueue[]>> routes = List.of();

    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final Consumer<String> notes;
    private final Thread thread;

    private volatile TrialClock clock;
    private volatile boolean stopAsked;
    private volatile boolean flushAsked;
    private volatile boolean endAsked;
    private volatile boolean sent;
    private volatile boolean drained;
    private ClusterView routed;
    private boolean askingId;
    private boolean identified;
    private boolean started;
    /** Only time kept more from being sent: without acknowledgements nothing else ends a round. */
    private boolean moreToSend;

    RawClient(
            RawNetwork network,
            String clientId,
            RawCluster cluster,
            RecordSource source,
            BatchSender sender,
            RawSettings settings,
            List<String> topics,
            PartitionQueue[] queues,
            Consumer<String> notes) {
        this.notes = notes;
        this.network = network;
        this.clientId = clientId;
        this.cluster = cluster;
        this.source = source;
        this.sender = sender;
        this.settings = settings;
        this.topics = topics;
        this.queues = queues;
        this.thread = new Thread(this, "plimsoll-raw-" + clientId);
        this.thread.setDaemon(true);
    }

    /** Connects in a thread of its own; the future completes when every leader's connection is ready. */
    CompletableFuture<Void> prepare() {
        thread.start();
        return ready;
    }

    /** What kept it from becoming ready; null if nothing is known. */
    String lastError() {
        return cluster.error();
    }

    void start(TrialClock trialClock) {
        clock = trialClock;
        network.wakeup();
    }

    void stop() {
        stopAsked = true;
        network.wakeup();
    }

    /** Sends what is left without waiting for linger. */
    void flush() {
        flushAsked = true;
        network.wakeup();
    }

    /** True once every record was handed over. */
    boolean sent() {
        return sent;
    }

    /** True once everything is answered. */
    boolean drained() {
        return drained;
    }

    void end() {
        endAsked = true;
        network.wakeup();
        LockSupport.unpark(thread);
    }

    boolean join(Duration timeout) throws InterruptedException {
        thread.join(timeout.toMillis());
        return !thread.isAlive();
    }

    BatchSender sender() {
        return sender;
    }

    @Override
    public void run() {
        try {
            while (!endAsked && !connectedAndKnown()) {
                cluster.tick(System.nanoTime());
                identify();
                network.poll(5);
            }
            route();
            ready.complete(null);
            while (!endAsked) {
                step();
            }
        } catch (RuntimeException | Error e) {
            if (!ready.completeExceptionally(e)) {
                notes.accept("a producer ended early: " + e);
            }
        } finally {
            giveUp();
            sent = true;
            drained = true;
            network.close();
        }
    }

    private boolean connectedAndKnown() {
        return cluster.connected() && (!settings.idempotent() || identified);
    }

    private void identify() {
        if (!settings.idempotent() || identified || askingId || !cluster.connected()) {
            return;
        }
        RawLink link = cluster.anyIdle();
        if (link == null) {
            return;
        }
        askingId = true;
        ProducerIds.send(link, clientId, answer -> {
            askingId = false;
            if (answer == null || RawErrors.retriable(answer.error())) {
                return;
            }
            if (!RawErrors.ok(answer.error())) {
                throw KafkaErrors.explain(
                        RawErrors.exception(answer.error()), "get a producer id for", "client " + clientId);
            }
            identified = true;
            sender.identify(new BatchSender.ProducerIdentity(answer.id(), answer.epoch()));
        });
    }

    private void step() {
        long now = System.nanoTime();
        cluster.tick(now);
        if (cluster.view() != routed) {
            route();
        }
        TrialClock started0 = clock;
        if (started0 != null && !started) {
            started = true;
            source.start(started0);
            sender.start(started0);
        }
        if (started) {
            if (stopAsked) {
                source.end(now);
            }
            source.take(now);
            if (flushAsked || source.ended() && stopAsked) {
                sender.flush();
            }
            renewId();
            moreToSend = false;
            for (int i = 0; i < routes.size(); i++) {
                drain(routes.get(i).getKey(), routes.get(i).getValue(), now);
            }
            sent = source.ended();
            drained = sent && sender.unfinished() == 0 && nothingQueued();
        }
        await(now);
    }

    private void drain(RawLink link, PartitionQueue[] own, long now) {
        for (int i = 0; i < settings.maxInFlight(); i++) {
            if (!sender.drain(link, own, now)) {
                return;
            }
        }
        moreToSend |= link.idle() && link.inFlight() < settings.maxInFlight();
    }

    /** Once a batch failed for good, its partition's sequences have a gap: all begin anew under another id. */
    private void renewId() {
        if (!sender.needsNewId() || sender.unfinished() > 0) {
            return;
        }
        if (!askingId && identified) {
            identified = false;
            for (PartitionQueue queue : queues) {
                queue.nextBaseSequence = 0;
                queue.batches.forEach(batch -> batch.baseSequence = -1);
            }
        }
        identify();
    }

    private boolean nothingQueued() {
        for (PartitionQueue queue : queues) {
            if (!queue.batches.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Waits for the network until something is due. */
    private void await(long now) {
        if (moreToSend) {
            network.poll(0);
            return;
        }
        long until = clock == null ? Long.MAX_VALUE : source.nextDue();
        if (started && source.mayTakeAtOnce() && now < clock.startNanos()) {
            until = clock.startNanos();
        }
        for (PartitionQueue queue : queues) {
            if (!queue.batches.isEmpty()) {
                until = Math.min(until, queue.lingerEndNanos(settings.lingerNanos()));
            }
        }
        boolean writing = writing();
        long wait = until == Long.MAX_VALUE ? Long.MAX_VALUE : until - System.nanoTime();
        if (writing || wait >= SHORT_WAIT_NANOS || wait <= 0) {
            // Overdue batches wait for an answer or a connection: the network wakes us.
            long millis = wait <= 0 || wait == Long.MAX_VALUE ? MAX_POLL_MILLIS : wait / 1_000_000;
            network.poll(writing && wait <= 0 ? 1 : Math.min(MAX_POLL_MILLIS, millis));
        } else {
            LockSupport.parkNanos(this, Math.min(wait, SHORTEST_PARK_NANOS));
            network.poll(0);
        }
    }

    private boolean writing() {
        for (int i = 0; i < routes.size(); i++) {
            RawLink link = routes.get(i).getKey();
            if (link.ready() && !link.idle()) {
                return true;
            }
        }
        return false;
    }

    /** Assigns each partition to its leader's connection. */
    private void route() {
        ClusterView view = cluster.view();
        routed = view;
        routes = List.of();
        if (view == null) {
            return;
        }
        Map<RawLink, List<PartitionQueue>> lists = new HashMap<>();
        for (PartitionQueue queue : queues) {
            String name = topics.get(queue.topicIndex);
            ClusterView.Topic topic = view.topics().get(name);
            if (topic == null || queue.partition >= topic.leaders().length) {
                continue;
            }
            if (queue.topic == null || !queue.topic.id().equals(topic.id())) {
                queue.topic = new TopicRef(name, topic.id());
            }
            queue.leader = topic.leaders()[queue.partition];
            RawLink link = cluster.link(queue.leader, queue.partition);
            if (link != null) {
                lists.computeIfAbsent(link, l -> new ArrayList<>()).add(queue);
            }
        }
        List<Map.Entry<RawLink, PartitionQueue[]>> found = new ArrayList<>();
        lists.forEach((link, list) -> found.add(Map.entry(link, list.toArray(new PartitionQueue[0]))));
        routes = found;
    }

    /** What was not answered is charged with the time it has waited. */
    private void giveUp() {
        try {
            if (!ready.isDone()) {
                ready.completeExceptionally(
                        new PlimsollException(Exit.CLUSTER, "the raw engine ended before it was connected"));
            }
            if (started) {
                long now = System.nanoTime();
                source.end(now);
                network.links().stream().toList().forEach(network::remove);
                for (PartitionQueue queue : queues) {
                    queue.batches.forEach(batch -> sender.abandon(batch, now));
                    queue.batches.clear();
                }
            }
        } catch (RuntimeException e) {
            ready.completeExceptionally(e);
        }
    }
}
