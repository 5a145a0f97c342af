package io.plimsoll.load.raw;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.measure.Counter;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.FetchFrame;
import io.plimsoll.wire.FetchSession;
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * One reading thread of a group on the raw engine: fetches its partitions from their leaders and reads what comes. The
 * next request is on its way before the batches of the last are read. Everything it uses belongs to this thread; other
 * threads only ask it to stop.
 */
final class RawReader extends RawThread implements FetchSession.Listener {
    private static final long MAX_POLL_MILLIS = 50;
    private static final long SHORT_POLL_MILLIS = 5;

    private final FetchSettings settings;
    /** Those of one topic follow each other. */
    private final ReadPartition[] partitions;

    private final Positions positions;
    private final FetchRoutes routes = new FetchRoutes();
    private final FetchHandler handler;
    private final Consumer<Sentence> notes;
    private final Counter fetches = new Counter();
    private final Counter idleNanos = new Counter();
    final RoundTrips roundTrips = new RoundTrips();
    private final ArrayDeque<FetchFrame> arrived = new ArrayDeque<>();
    private ClusterView routed;
    private boolean rerouteNow;
    private long rerouteAtNanos = Long.MAX_VALUE;
    private boolean reading;

    RawReader(
            RawCluster cluster,
            FetchSettings settings,
            ReadPartition[] partitions,
            FetchHandler handler,
            Consumer<Sentence> notes) {
        super(cluster);
        this.handler = handler;
        this.settings = settings;
        this.partitions = partitions;
        this.positions = new Positions(partitions, settings, cluster, handler.group);
        this.notes = notes;
    }

    /** Fetch requests since the last call, by one thread, as in what follows. */
    long fetches() {
        return fetches.drain();
    }

    /** For how long it has waited for the network since the last call. */
    long idleNanos() {
        return idleNanos.drain();
    }

    @Override
    boolean connect(long nowNanos) {
        keepRoutes(nowNanos);
        return cluster.connected() && positions.complete();
    }

    @Override
    boolean over() {
        return handler.group.done();
    }

    @Override
    void failed(Throwable error) {
        handler.meter.ended(KafkaErrors.kind(error));
        notes.accept(Sentence.of("load.readerEnded", handler.group.id(), String.valueOf(error.getMessage())));
    }

    @Override
    void end() {
        reading = false;
    }

    @Override
    void step() {
        long now = System.nanoTime();
        if (!reading && handler.window.open(now)) {
            reading = true;
            handler.group.startWaiting(now);
        }
        keepRoutes(now);
        if (reading) {
            for (FetchSession session : routes.sessions) {
                send(session, now);
            }
        }
        long before = System.nanoTime();
        network.poll(reading ? pollMillis(now) : SHORT_POLL_MILLIS);
        idleNanos.add(System.nanoTime() - before);
        readArrived();
        if (reading) {
            checkEnd(System.nanoTime());
        }
    }

    /** No later than a broker allows the next request. */
    private long pollMillis(long now) {
        long millis = MAX_POLL_MILLIS;
        for (FetchSession session : routes.sessions) {
            long pause = session.link().throttledUntilNanos() - now;
            millis = pause > 0 ? Math.min(millis, pause / 1_000_000 + 1) : millis;
        }
        return millis;
    }

    @SuppressWarnings("ReferenceEquality") // a view is replaced, never changed
    private void keepRoutes(long now) {
        cluster.tick(now);
        if (cluster.view() != routed || rerouteNow || now >= rerouteAtNanos || positions.changed()) {
            rerouteNow = false;
            routed = cluster.view();
            rerouteAtNanos = routes.assign(now);
        }
        positions.tick(now);
    }

    private void send(FetchSession session, long now) {
        if (session.maySend(now)) {
            session.send();
            fetches.add(1);
        } else if (!session.link().ready()) {
            // Perhaps another broker leads by now.
            cluster.markStale();
        }
    }

    @Override
    public void fetched(FetchFrame frame) {
        roundTrips.answered(
                frame.session().link().broker(),
                frame.receivedNanos() - frame.sentNanos(),
                frame.responseBytes(),
                frame.throttleMillis());
        arrived.add(frame);
    }

    @Override
    public void failed(FetchSession session, String kind) {
        cluster.markStale();
        if (!endAsked()) {
            handler.meter.failed(kind);
        }
    }

    private void readArrived() {
        FetchFrame frame;
        while ((frame = arrived.poll()) != null) {
            boolean usable = frame.current() && RawErrors.ok(frame.error());
            if (usable) {
                advance(frame);
            } else if (!RawErrors.ok(frame.error()) && !RawErrors.aboutFetchSession(frame.error())) {
                handler.meter.failed(KafkaErrors.kind(RawErrors.exception(frame.error())));
                // Asked again at once, a broker in trouble would be asked thousands of times a second.
                frame.session().link().pause(settings.retryBackoffNanos());
            }
            if (!rerouteNow) {
                send(frame.session(), System.nanoTime());
                network.poll(0);
            }
            if (usable && !handler.take(frame)) {
                pauseDamaged(frame);
            }
            frame.release();
        }
    }

    /** Moves the positions behind what came, so that the next request can go before this is read. */
    private void advance(FetchFrame frame) {
        boolean data = false;
        boolean progress = false;
        for (int i = 0; i < frame.count(); i++) {
            ReadPartition partition = (ReadPartition) frame.partition(i);
            if (!RawErrors.ok(frame.error(i))) {
                refused(partition, frame.error(i));
            } else if (frame.offset(i) != partition.offset) {
                // Asked for before damage moved the position back.
                frame.drop(i);
            } else {
                long next = BatchReader.nextOffset(frame.data(), frame.dataAt(i), frame.dataEnd(i), partition.offset);
                data |= frame.dataEnd(i) > frame.dataAt(i);
                progress |= next > partition.offset;
                partition.offset = next;
            }
        }
        if (data && !progress) {
            // Brokers send at least one whole batch: what begins here is none.
            handler.meter.failed("corruptRecord");
            pauseDamaged(frame);
        }
    }

    /** Damage may be mended: it is asked for again, as the official client does, but not at once. */
    private void pauseDamaged(FetchFrame frame) {
        long now = System.nanoTime();
        for (int i = 0; i < frame.count(); i++) {
            if (frame.dataEnd(i) > frame.dataAt(i)) {
                leaveAlone((ReadPartition) frame.partition(i), now);
            }
        }
    }

    private void leaveAlone(ReadPartition partition, long now) {
        partition.retryAtNanos = now + settings.retryBackoffNanos();
        rerouteNow = true;
    }

    private void refused(ReadPartition partition, short error) {
        Exception failure = RawErrors.exception(error);
        if (failure instanceof AuthorizationException) {
            throw KafkaErrors.explain(failure, "read", KafkaErrors.topics(List.of(partition.name.topic())));
        }
        handler.meter.failed(KafkaErrors.kind(failure));
        if (RawErrors.offsetOutOfRange(error)) {
            positions.reset(partition);
        }
        if (RawErrors.staleMetadata(error)) {
            cluster.markStale();
        }
        leaveAlone(partition, System.nanoTime());
    }

    private void checkEnd(long now) {
        if (handler.group.endsByOffsets()) {
            for (ReadPartition partition : partitions) {
                handler.group.readTo(partition.name, partition.offset);
            }
        }
        handler.group.endIfIdle(now);
    }

    /** Which partition of a reading thread is fetched over which connection. Owned by that thread. */
    private final class FetchRoutes {
        private static final ReadPartition[] NONE = {};

        private final Map<RawLink, FetchSession> byLink = new HashMap<>();
        private final Map<RawLink, ReadPartition[]> assigned = new HashMap<>();
        /** The topics as requests address them. */
        private final Map<String, TopicRef> topics = new HashMap<>();

        /** Those that have partitions to fetch. */
        private FetchSession[] sessions = {};

        /**
         * Assigns the partitions that have a leader and a position and need not be left alone.
         *
         * @return when this is due again in any case, in nanoTime
         */
        long assign(long nowNanos) {
            ClusterView view = cluster.view();
            if (view == null) {
                return Long.MAX_VALUE;
            }
            boolean renamed = addressTopics(view);
            long again = Long.MAX_VALUE;
            Map<RawLink, List<ReadPartition>> lists = new HashMap<>();
            for (ReadPartition partition : partitions) {
                partition.link = link(view, partition);
                partition.topic = topics.get(partition.name.topic());
                if (partition.link == null || !partition.positioned()) {
                    continue;
                }
                if (nowNanos < partition.retryAtNanos) {
                    again = Math.min(again, partition.retryAtNanos);
                } else {
                    lists.computeIfAbsent(partition.link, l -> new ArrayList<>())
                            .add(partition);
                }
            }
            List<FetchSession> busy = new ArrayList<>();
            assigned.keySet().forEach(link -> lists.computeIfAbsent(link, l -> List.of()));
            lists.forEach((link, list) -> {
                ReadPartition[] now = list.toArray(NONE);
                FetchSession session = byLink.computeIfAbsent(
                        link, l -> new FetchSession(network, l, cluster.clientId, settings.limits(), RawReader.this));
                if (renamed || !Arrays.equals(now, assigned.get(link))) {
                    assigned.put(link, now);
                    session.assign(now);
                }
                if (now.length > 0) {
                    busy.add(session);
                }
            });
            sessions = busy.toArray(new FetchSession[0]);
            return again;
        }

        /** True if a topic is addressed otherwise than before: it was made anew, or brokers learned ids. */
        private boolean addressTopics(ClusterView view) {
            boolean changed = false;
            for (Map.Entry<String, ClusterView.Topic> entry : view.topics().entrySet()) {
                TopicRef known = topics.get(entry.getKey());
                if (known == null || !known.id().equals(entry.getValue().id())) {
                    topics.put(
                            entry.getKey(),
                            new TopicRef(entry.getKey(), entry.getValue().id()));
                    changed = true;
                }
            }
            return changed;
        }

        private RawLink link(ClusterView view, ReadPartition partition) {
            ClusterView.Topic topic = view.topics().get(partition.name.topic());
            if (topic == null || partition.partition() >= topic.leaders().length) {
                return null;
            }
            return cluster.link(topic.leaders()[partition.partition()], partition.partition());
        }
    }
}
