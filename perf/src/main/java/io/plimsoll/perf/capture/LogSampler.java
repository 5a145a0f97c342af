package io.plimsoll.perf.capture;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import io.plimsoll.Exit;
import io.plimsoll.perf.capture.shape.TopicTally;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import io.plimsoll.wire.FetchFrame;
import io.plimsoll.wire.FetchPartition;
import io.plimsoll.wire.FetchSession;
import io.plimsoll.wire.RawErrors;
import io.plimsoll.wire.RawNetwork;
import io.plimsoll.wire.TopicRef;
import io.plimsoll.wire.VarInts;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthorizationException;

/** Reads pieces of logs from partition leaders at a limited rate, without a consumer group. Owned by one thread. */
final class LogSampler implements AutoCloseable, FetchSession.Listener {
    private static final String CLIENT_ID = "plimsoll-capture";
    private static final int REQUEST_TIMEOUT_MILLIS = 15_000;
    private static final int MAX_WAIT_MILLIS = 100;
    private static final int PIECE_BYTES = 64 << 10;

    private final RawNetwork network;
    private final FetchSession.Limits limits;
    private final double bytesPerNano;
    private final BatchScan scan = new BatchScan();
    private final Map<Node, FetchSession> sessions = new HashMap<>();
    private final Map<FetchSession, ArrayDeque<Piece>> waiting = new HashMap<>();

    private final ArrayDeque<FetchFrame> arrived = new ArrayDeque<>();
    private double allowance;
    private long allowedNanos = System.nanoTime();
    private long bytes;

    static final class Piece extends FetchPartition {
        private final Node leader;
        private final long endOffset;
        private final TopicTally tally;

        Piece(TopicRef topic, int partition, Node leader, long from, long to, TopicTally tally) {
            super(partition);
            this.topic = topic;
            this.offset = from;
            this.leader = leader;
            this.endOffset = to;
            this.tally = tally;
        }
    }

    /** @param bytesPerSecond maximum rate over any period longer than a second */
    LogSampler(ClusterConnection connection, long bytesPerSecond) {
        this.network = new RawNetwork(connection.clientProperties(), CLIENT_ID, -1, REQUEST_TIMEOUT_MILLIS);
        this.limits = new FetchSession.Limits(MAX_WAIT_MILLIS, 1, PIECE_BYTES, PIECE_BYTES, PIECE_BYTES, false);
        this.bytesPerNano = bytesPerSecond / 1e9;
    }

    long bytes() {
        return bytes;
    }

    /**
     * @param deadlineNanos on the clock of {@link System#nanoTime}; pieces that remain then are not read
     * @throws io.plimsoll.PlimsollException if no broker responded by then, or read access is denied
     */
    void read(List<Piece> pieces, long deadlineNanos) {
        for (Piece piece : pieces) {
            FetchSession session = sessions.computeIfAbsent(
                    piece.leader,
                    node -> new FetchSession(
                            network, network.link(node.host(), node.port(), node.id()), CLIENT_ID, limits, this));
            waiting.computeIfAbsent(session, s -> new ArrayDeque<>()).add(piece);
        }
        waiting.forEach((session, own) -> session.assign(new FetchPartition[] {own.peek()}));
        while (!waiting.isEmpty()
                && System.nanoTime() < deadlineNanos
                && !Thread.currentThread().isInterrupted()) {
            long now = System.nanoTime();
            allowance = Math.min(1e9 * bytesPerNano, allowance + (now - allowedNanos) * bytesPerNano);
            allowedNanos = now;
            for (FetchSession session : waiting.keySet()) {
                if (allowance > 0 && session.maySend(now)) {
                    allowance -= limits.maxBytes();
                    session.send();
                }
            }
            network.poll(5);
            arrived.forEach(this::take);
            arrived.clear();
        }
        Exit.CLUSTER.when(bytes == 0 && !pieces.isEmpty(), "capture.silent");
    }

    @Override
    public void fetched(FetchFrame frame) {
        arrived.add(frame);
    }

    private void take(FetchFrame frame) {
        allowance += limits.maxBytes() - frame.responseBytes();
        bytes += frame.responseBytes();
        Piece piece = Objects.requireNonNull(waiting.get(frame.session())).element();
        if (RawErrors.ok(frame.error()) && frame.current() && frame.count() == 1) {
            if (!RawErrors.ok(frame.error(0))
                    && RawErrors.exception(frame.error(0)) instanceof AuthorizationException refused) {
                throw KafkaErrors.explain(refused, "read", KafkaErrors.topics(List.of(piece.topic.name())));
            }
            long next = scan.read(
                    frame.data(), frame.dataAt(0), frame.dataEnd(0), piece.offset, piece.endOffset, piece.tally);
            boolean over = next == piece.offset || next >= piece.endOffset;
            piece.offset = next;
            if (over) {
                next(frame.session());
            }
        } else if (!RawErrors.aboutFetchSession(frame.error())) {
            // The leader changed or the partition was deleted: continue with the next piece.
            next(frame.session());
        }
        frame.release();
    }

    private void next(FetchSession session) {
        ArrayDeque<Piece> own = Objects.requireNonNull(waiting.get(session));
        own.remove();
        if (own.isEmpty()) {
            waiting.remove(session);
        } else {
            session.assign(new FetchPartition[] {own.peek()});
        }
    }

    @Override
    public void failed(FetchSession session, String kind) {
        // The request is repeated after a reconnect, until the deadline.
        allowance += limits.maxBytes();
    }

    @Override
    public void close() {
        network.close();
    }

    /** Reads fetched batches record by record and passes on lengths, hashes and schema IDs, not contents. Owned by one thread. */
    private static final class BatchScan {
        private static final int CONTROL = 0x20;

        private final Hasher64 hasher = Hashing.komihash5_0();
        private ByteBuffer data = ByteBuffer.allocate(0);

        private int at;

        /**
         * Reads the complete batches in the buffer.
         *
         * @param offset earlier records are skipped, as are records from {@code endOffset} on
         * @return the offset after the last record read, or {@code offset} if none
         */
        long read(ByteBuffer buffer, int from, int to, long offset, long endOffset, TopicTally tally) {
            long next = offset;
            int batch = from;
            while (to - batch >= BatchLayout.RECORDS && buffer.get(batch + BatchLayout.MAGIC) == BatchLayout.MAGIC_2) {
                int end = batch + BatchLayout.LENGTH_COUNTS_FROM + buffer.getInt(batch + BatchLayout.LENGTH);
                long base = buffer.getLong(batch + BatchLayout.BASE_OFFSET);
                if (end > to || end < batch + BatchLayout.RECORDS || base >= endOffset) {
                    break;
                }
                try {
                    batch(buffer, batch, end, Math.max(0, next - base), endOffset - base, tally);
                } catch (IndexOutOfBoundsException | UncheckedIOException | IllegalArgumentException e) {
                    // Corrupt or nonstandard batch: skip it.
                }
                next = Math.max(next, base + buffer.getInt(batch + BatchLayout.LAST_OFFSET_DELTA) + 1);
                batch = end;
            }
            return next;
        }

        private void batch(ByteBuffer buffer, int from, int end, long skipDeltas, long endDelta, TopicTally tally) {
            int attributes = buffer.getShort(from + BatchLayout.ATTRIBUTES);
            int count = buffer.getInt(from + BatchLayout.RECORDS_COUNT);
            if ((attributes & CONTROL) != 0) {
                return;
            }
            Codec codec = Codec.of(attributes);
            byte[] records = new byte[end - from - BatchLayout.RECORDS];
            buffer.get(from + BatchLayout.RECORDS, records);
            if (codec != Codec.NONE) {
                records = codec.decompress(records);
            }
            data = ByteBuffer.wrap(records);
            at = 0;
            for (int i = 0; i < count; i++) {
                record(skipDeltas, endDelta, records, tally);
            }
            int plainBytes = BatchLayout.RECORDS + records.length;
            tally.batch(codec.toString(), count, end - from, plainBytes, skipDeltas > 0);
        }

        private long field() {
            long field = VarInts.field(data, at);
            at += VarInts.bytes(field);
            return VarInts.value(field);
        }

        private void record(long skipDeltas, long endDelta, byte[] records, TopicTally tally) {
            field();
            at++;
            field();
            long delta = field();
            boolean taken = delta >= skipDeltas && delta < endDelta;
            int keyBytes = (int) field();
            if (taken) {
                tally.keySchemas.add(data, at, keyBytes);
            }
            if (taken && keyBytes >= 0) {
                tally.keys.add(hasher.hashBytesToLong(records, at, keyBytes), keyBytes);
            } else if (taken) {
                tally.keys.none();
            }
            at += Math.max(0, keyBytes);
            int valueBytes = (int) field();
            if (taken) {
                tally.valueSchemas.add(data, at, valueBytes);
            }
            at += Math.max(0, valueBytes);
            int headers = (int) field();
            int names = 0;
            int held = 0;
            for (int i = 0; i < headers; i++) {
                int name = (int) field();
                at += name;
                int length = (int) Math.max(0, field());
                at += length;
                names += name;
                held += length;
            }
            if (taken) {
                tally.record(valueBytes, headers, names, held);
            }
        }
    }
}
