package io.plimsoll.load.raw;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.measure.Counter;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.FetchFrame;
import io.plimsoll.wire.FetchSession;
import io.plimsoll.wire.RawErrors;
import java.util.ArrayDeque;
import java.util.List;
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
    private final ReadPartition[] partitions;
    private final Positions positions;
    private final FetchRoutes routes;
    private final FetchHandler handler;
    private final GroupState group;
    private final ReceiveMeter meter;
    private final ReadWindow window;
    private final Consumer<Sentence> notes;
    private final Counter fetches = new Counter();
    private final Counter idleNanos = new Counter();
    private final RoundTrips roundTrips = new RoundTrips();
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
        super(cluster.network(), cluster, cluster.clientId());
        String clientId = cluster.clientId();
        this.handler = handler;
        this.group = handler.group();
        this.meter = handler.meter();
        this.window = handler.window();
        this.settings = settings;
        this.partitions = partitions;
        this.positions = new Positions(partitions, settings, clientId, cluster, group);
        this.routes = new FetchRoutes(
                partitions, cluster, link -> new FetchSession(network, link, clientId, settings.limits(), this));
        this.notes = notes;
    }

    /** Fetch requests since the start; any thread. */
    long fetches() {
        return fetches.get();
    }

    /** For how long it has waited for the network, since the start; any thread. */
    long idleNanos() {
        return idleNanos.get();
    }

    /** To be read by any thread, but only one. */
    RoundTrips roundTrips() {
        return roundTrips;
    }

    @Override
    boolean connect(long nowNanos) {
        keepRoutes(nowNanos);
        return cluster.connected() && positions.complete();
    }

    @Override
    boolean over() {
        return group.done();
    }

    @Override
    void failed(Throwable error) {
        meter.failed(error instanceof Exception e ? KafkaErrors.kind(e) : "internal");
        notes.accept(Sentence.of("load.readerEnded", group.id(), String.valueOf(error.getMessage())));
    }

    @Override
    void end() {
        reading = false;
    }

    @Override
    void step() {
        long now = System.nanoTime();
        if (!reading && window.open(now)) {
            reading = true;
            group.startWaiting(now);
        }
        keepRoutes(now);
        if (reading) {
            for (FetchSession session : routes.sessions()) {
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
        for (FetchSession session : routes.sessions()) {
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
            meter.failed(kind);
        }
    }

    private void readArrived() {
        FetchFrame frame;
        while ((frame = arrived.poll()) != null) {
            boolean usable = frame.current() && RawErrors.ok(frame.error());
            if (usable) {
                advance(frame);
            } else if (!RawErrors.ok(frame.error()) && !RawErrors.aboutFetchSession(frame.error())) {
                meter.failed(KafkaErrors.kind(RawErrors.exception(frame.error())));
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
            meter.failed("corruptRecord");
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
        meter.failed(KafkaErrors.kind(failure));
        if (RawErrors.offsetOutOfRange(error)) {
            positions.reset(partition);
        }
        if (RawErrors.staleMetadata(error)) {
            cluster.markStale();
        }
        leaveAlone(partition, System.nanoTime());
    }

    private void checkEnd(long now) {
        if (group.endsByOffsets()) {
            for (ReadPartition partition : partitions) {
                group.readTo(partition.name, partition.offset);
            }
        }
        group.endIfIdle(now);
    }
}
