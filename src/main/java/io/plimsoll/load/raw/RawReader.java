package io.plimsoll.load.raw;

import io.plimsoll.PlimsollException;
import io.plimsoll.audit.LogSink;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.load.Work;
import io.plimsoll.load.raw.BatchReader.AbortedTransactions;
import io.plimsoll.load.raw.RawThread.RoundTrips;
import io.plimsoll.measure.Counter;
import io.plimsoll.measure.Polls;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.FetchFrame;
import io.plimsoll.wire.FetchSession;
import io.plimsoll.wire.OffsetLookup;
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.TopicRef;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * One reading thread of a group on the raw engine. It sends the next request before it reads the last response. It owns
 * its state; other threads only ask it to end.
 */
final class RawReader extends RawThread implements FetchSession.Listener {
    private static final long MAX_POLL_MILLIS = 50;
    private static final long SHORT_POLL_MILLIS = 5;

    private final FetchSettings settings;
    private final ReadPartition[] partitions;
    private final Positions positions;
    private final FetchRoutes routes = new FetchRoutes();
    private final Intake intake;
    private final BatchReader reader;
    private final EndToEndSource source;
    private final GroupState group;
    private final ReadWindow window;
    private final ReceiveMeter meter;
    private final Polls polls;
    private final Runnable compressedSeen;
    private final Consumer<Sentence> notes;
    /** Processes the records of each batch before they count. */
    @Nullable
    Work work;
    /** Whether to start without connections to all leaders, because a partition can lack a leader for a long time. */
    boolean startsWithoutLeaders;

    /** Number of fetch requests; drained by one thread, as is {@link #idleNanos}. */
    final Counter fetches = new Counter();

    /** Time in ns spent waiting for the network. */
    final Counter idleNanos = new Counter();

    final RoundTrips roundTrips = new RoundTrips();
    private final ArrayDeque<FetchFrame> arrived = new ArrayDeque<>();
    private @Nullable ClusterView routed;
    private boolean rerouteNow;
    private long rerouteAtNanos = Long.MAX_VALUE;
    private boolean reading;

    /** @param compressedSeen called once if batches are compressed */
    RawReader(
            RawCluster cluster,
            FetchSettings settings,
            ReadPartition[] partitions,
            EndToEndSource source,
            long runId,
            GroupState group,
            ReadWindow window,
            ReceiveMeter meter,
            Polls polls,
            Runnable compressedSeen,
            Consumer<Sentence> notes) {
        super(cluster);
        this.settings = settings;
        this.partitions = partitions;
        this.reader = new BatchReader(settings.checkCrcs(), source, runId);
        this.source = source;
        this.group = group;
        this.window = window;
        this.meter = meter;
        this.polls = polls;
        this.compressedSeen = compressedSeen;
        this.notes = notes;
        this.positions = new Positions();
        this.intake = new Intake();
    }

    @Override
    boolean connect(long nowNanos) {
        keepRoutes(nowNanos);
        boolean connected = startsWithoutLeaders ? cluster.view() != null : cluster.connected();
        return connected && positions.complete();
    }

    @Override
    boolean over() {
        return group.done();
    }

    @Override
    void failed(Throwable error) {
        meter.ended(KafkaErrors.kind(error));
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
            for (FetchSession session : routes.sessions) {
                send(session, now);
            }
        }
        long before = System.nanoTime();
        polls.begun(before);
        long most = reading ? pollMillis(now) : SHORT_POLL_MILLIS;
        network.poll(most);
        long after = System.nanoTime();
        polls.ended(after, most * 1_000_000L);
        idleNanos.add(after - before);
        readArrived();
        if (reading) {
            checkEnd(System.nanoTime());
        }
    }

    /** Maximum time in ms to wait; less if the throttling of a connection ends earlier. */
    private long pollMillis(long now) {
        long millis = MAX_POLL_MILLIS;
        for (FetchSession session : routes.sessions) {
            long pause = session.link().throttledUntilNanos() - now;
            millis = pause > 0 ? Math.min(millis, pause / 1_000_000 + 1) : millis;
        }
        return millis;
    }

    @SuppressWarnings("ReferenceEquality") // A view is replaced, never changed.
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
            // Another broker may be the leader now.
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
                // Pause, so that the request is not retried thousands of times a second.
                frame.session().link().pause(settings.retryBackoffNanos());
            }
            if (!rerouteNow) {
                long before = System.nanoTime();
                send(frame.session(), before);
                polls.begun(before);
                network.poll(0);
                polls.ended(System.nanoTime(), 0);
            }
            if (usable && !intake.take(frame)) {
                pauseDamaged(frame);
            }
            frame.release();
        }
    }

    /** Moves the positions past the response, so that the next request can be sent before the response is read. */
    private void advance(FetchFrame frame) {
        boolean data = false;
        boolean progress = false;
        for (int i = 0; i < frame.count(); i++) {
            ReadPartition partition = (ReadPartition) frame.partition(i);
            if (!RawErrors.ok(frame.error(i))) {
                refused(partition, frame.error(i));
            } else if (frame.offset(i) != partition.offset) {
                // The request was sent before damage moved the position back.
                frame.drop(i);
            } else {
                long next = BatchReader.nextOffset(frame.data(), frame.dataAt(i), frame.dataEnd(i), partition.offset);
                data |= frame.dataEnd(i) > frame.dataAt(i);
                progress |= next > partition.offset;
                partition.offset = next;
            }
        }
        if (data && !progress) {
            // Brokers send at least one complete batch, so an incomplete one is corrupt.
            meter.failed("corruptRecord");
            pauseDamaged(frame);
        }
    }

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

    private final class FetchRoutes {
        private static final ReadPartition[] NONE = {};

        private final Map<RawLink, FetchSession> byLink = new HashMap<>();
        private final Map<RawLink, ReadPartition[]> assigned = new HashMap<>();
        private final Map<String, TopicRef> topics = new HashMap<>();

        private FetchSession[] sessions = {};

        /**
         * Assigns partitions to connections if they have a leader and a position and are not paused.
         * @return latest time of the next assignment, in nanoTime
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
                TopicRef topic = topics.get(partition.name.topic());
                if (partition.link == null || topic == null || !partition.positioned()) {
                    continue;
                }
                partition.topic = topic;
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

        /** Updates the topic IDs. True if a topic was recreated, or its ID has become known. */
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

        private @Nullable RawLink link(ClusterView view, ReadPartition partition) {
            ClusterView.Topic topic = view.topics().get(partition.name.topic());
            if (topic == null || partition.partition() >= topic.leaders().length) {
                return null;
            }
            return cluster.link(topic.leaders()[partition.partition()], partition.partition());
        }
    }

    /** Finds the start offsets of partitions without a position. */
    private final class Positions {
        private final Map<TopicPartition, ReadPartition> byName =
                Stream.of(partitions).collect(Collectors.toMap(p -> p.name, p -> p));

        private boolean changed;
        private @Nullable PlimsollException failure;
        /** Partitions without a position and without a pending lookup. */
        private int missing = partitions.length;

        boolean changed() {
            boolean was = changed;
            changed = false;
            return was;
        }

        boolean complete() {
            return Stream.of(partitions).allMatch(ReadPartition::positioned);
        }

        /** Looks up another position, because the current position does not exist. */
        void reset(ReadPartition partition) {
            partition.offset = -1;
            partition.lookFor = settings.lookFor(System.currentTimeMillis());
            missing++;
        }

        /**
         * Queries the leaders for missing positions.
         * @throws PlimsollException if a leader denies access
         */
        void tick(long nowNanos) {
            if (failure != null) {
                throw failure;
            }
            if (missing == 0) {
                return;
            }
            Map<RawLink, Map<TopicPartition, Long>> questions = new HashMap<>();
            for (ReadPartition partition : partitions) {
                boolean due = !partition.positioned() && !partition.lookingUp && nowNanos >= partition.retryAtNanos;
                if (due && partition.link != null && partition.link.idle()) {
                    questions
                            .computeIfAbsent(partition.link, l -> new HashMap<>())
                            .put(partition.name, partition.lookFor);
                }
            }
            questions.forEach(this::ask);
        }

        private void ask(RawLink link, Map<TopicPartition, Long> question) {
            question.keySet().forEach(name -> partition(name).lookingUp = true);
            missing -= question.size();
            OffsetLookup.send(link, question, settings.limits().readCommitted(), cluster.clientId, answers -> {
                if (answers == null) {
                    cluster.markStale();
                }
                for (TopicPartition name : question.keySet()) {
                    answered(partition(name), answers == null ? null : answers.get(name));
                }
            });
        }

        private ReadPartition partition(TopicPartition name) {
            return Objects.requireNonNull(byName.get(name));
        }

        private void answered(ReadPartition partition, OffsetLookup.@Nullable Answer answer) {
            partition.lookingUp = false;
            if (answer != null && RawErrors.ok(answer.error()) && answer.offset() >= 0) {
                if (partition.wanted > answer.offset() && partition.lookFor == OffsetLookup.EARLIEST) {
                    // The wanted offset can be beyond the end.
                    partition.lookFor = OffsetLookup.LATEST;
                    missing++;
                    return;
                }
                boolean atWanted = partition.wanted >= 0 && partition.lookFor == OffsetLookup.LATEST;
                partition.offset = atWanted ? Math.min(partition.wanted, answer.offset()) : answer.offset();
                partition.wanted = -1;
                group.positioned(partition.name, partition.offset);
                changed = true;
                return;
            }
            missing++;
            if (answer != null && RawErrors.ok(answer.error())) {
                // No record is that recent, so start at the end.
                partition.lookFor = OffsetLookup.LATEST;
                return;
            }
            partition.retryAtNanos = System.nanoTime() + settings.retryBackoffNanos();
            if (answer != null) {
                cluster.markStale();
                Exception error = RawErrors.exception(answer.error());
                if (error instanceof AuthorizationException) {
                    failure = KafkaErrors.explain(
                            error, "read the offsets of", KafkaErrors.topics(List.of(partition.name.topic())));
                }
            }
        }
    }

    /** Counts the fetched records. */
    private final class Intake implements BatchReader.Sink {
        /** Number of attempts to fetch damaged data; damage in transit disappears with the next attempt. */
        private static final int DAMAGED_ATTEMPTS = 3;

        private boolean compressed;
        private @Nullable ReadPartition current;
        private long nowNanos;
        private @Nullable FetchFrame frame;
        /** Offset of the next record to which {@link #onLatency} applies. */
        private long offset;

        private long fromOffset;
        private long appendedMillis;
        private int records;
        private long bytes;

        private final @Nullable AbortedTransactions aborted =
                settings.limits().readCommitted() ? new AbortedTransactions() : null;

        /**
         * Reads a response after the positions were moved past it, and moves the positions back to damaged data.
         * @return false if data is damaged
         */
        boolean take(FetchFrame frame) {
            boolean intact = true;
            this.frame = frame;
            nowNanos = frame.receivedNanos();
            int all = 0;
            long allBytes = 0;
            for (int i = 0; i < frame.count(); i++) {
                if (frame.dataEnd(i) == frame.dataAt(i)) {
                    continue;
                }
                records = 0;
                bytes = 0;
                collectAborted(frame, i);
                ReadPartition partition = (ReadPartition) frame.partition(i);
                current = partition;
                fromOffset = frame.offset(i);
                long next =
                        reader.read(frame.data(), frame.dataAt(i), frame.dataEnd(i), frame.offset(i), aborted, this);
                if (partition.audited != null) {
                    LogSink sink = partition.audited.sink();
                    sink.flush();
                    next = passDamage(frame, i, partition, sink, next);
                }
                group.readsFrom(partition.name, next, nowNanos);
                group.consumed(partition.name, records, next);
                if (next != partition.offset) {
                    partition.offset = next;
                    intact = false;
                }
                all += records;
                allBytes += bytes;
            }
            if (all > 0 && work == null) {
                received(all, allBytes);
            }
            return intact;
        }

        private void received(int count, long payloadBytes) {
            meter.received(count, payloadBytes, window.measured(nowNanos), window.inWindow(nowNanos), nowNanos);
        }

        /** The next offset for an audit: an audit continues after a permanently damaged batch. */
        private static long passDamage(FetchFrame frame, int index, ReadPartition partition, LogSink sink, long next) {
            if (next == partition.offset) {
                partition.damages = 0;
                return next;
            }
            long end = BatchReader.endOfBatch(frame.data(), frame.dataAt(index), frame.dataEnd(index), next);
            if (++partition.damages < DAMAGED_ATTEMPTS || end < 0) {
                return next;
            }
            partition.damages = 0;
            sink.damaged(next, end - 1, -1);
            return end;
        }

        @Override
        public void batch(ByteBuffer data, int at, int end, boolean visible) {
            offset = Math.max(fromOffset, data.getLong(at + BatchLayout.BASE_OFFSET));
            appendedMillis = 0;
            ReadPartition.Audited audited = Objects.requireNonNull(current).audited;
            if (audited != null) {
                audited.examiner().examine(audited.log(), audited.sink(), data, at, end, visible);
            }
        }

        private void collectAborted(FetchFrame frame, int index) {
            if (aborted != null) {
                aborted.clear();
                for (int t = 0; t < frame.abortedCount(index); t++) {
                    aborted.add(frame.abortedProducerId(index, t), frame.abortedFirstOffset(index, t));
                }
            }
        }

        @Override
        public int claim(int count) {
            if (work == null) {
                return group.claim(count, nowNanos);
            }
            work.begin(count);
            int done = 0;
            while (done < count && work.next()) {
                done++;
                if (work.failed()) {
                    meter.count("workFailures", 1);
                }
            }
            nowNanos = System.nanoTime();
            return group.claim(done, nowNanos);
        }

        @Override
        public void onRecords(int count, long size, boolean isCompressed) {
            records += count;
            bytes += size;
            if (work != null) {
                received(count, size);
            }
            if (isCompressed && !compressed) {
                compressed = true;
                compressedSeen.run();
            }
        }

        @Override
        public void onLatency(long fromEpochNanos, int count) {
            boolean millis = source != EndToEndSource.STAMP;
            if (meter.endToEnd(window.clock(), fromEpochNanos, millis, nowNanos, count)) {
                TopicPartition name = Objects.requireNonNull(current).name;
                FetchFrame response = Objects.requireNonNull(frame);
                meter.slow(
                        polls,
                        window.clock(),
                        name.topic(),
                        name.partition(),
                        offset,
                        response.session().link().broker(),
                        fromEpochNanos,
                        appendedMillis * 1_000_000,
                        response.receivedNanos(),
                        nowNanos,
                        count);
            }
            offset += count;
        }

        @Override
        public void onAppended(long millis, int count) {
            appendedMillis = millis;
            meter.fromAppend(window.clock(), millis, nowNanos, count);
        }

        @Override
        public void damaged(String kind) {
            meter.failed(kind);
        }
    }
}
