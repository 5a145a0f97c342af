package io.plimsoll.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.protocol.ApiKeys;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of one connection, one request at a time for all partitions. It uses an incremental fetch session
 * (KIP-227): after the first request, only partitions with a changed offset are sent. Requests are encoded field by
 * field without allocation. Supports Fetch versions 7 to 18 ("flexible" from 12, topic ids from 13). Used by the
 * network thread.
 */
public final class FetchSession {

    /** Receives responses and failures. */
    public interface Listener {
        /** A response arrived. The listener owns the frame until {@link FetchFrame#release}. */
        void fetched(FetchFrame frame);

        /** The request failed. The session restarts when the connection is reestablished. */
        void failed(FetchSession session, String kind);
    }

    /**
     * Request limits from the consumer's properties; {@code startBytes} grows up to {@code maxBytes} if full responses
     * are slow.
     */
    public record Limits(
            int maxWaitMillis,
            int minBytes,
            int startBytes,
            int maxBytes,
            int partitionMaxBytes,
            boolean readCommitted) {}

    static final short FIRST_FLEXIBLE = 12;
    static final short FIRST_WITH_TOPIC_ID = 13;
    private static final short FIRST_WITH_REPLICA_STATE = 15;
    private static final short FIRST_WITH_RACK = 11;
    private static final short FIRST_WITH_LEADER_EPOCH = 9;
    private static final int UNKNOWN = -1;
    private static final int FIXED_BYTES = 128;
    private static final int PARTITION_BYTES = 48;
    /** Time in ns above which transfer dominates a full response, so that larger requests are more efficient. */
    private static final long SLOW_NANOS = 5_000_000L;
    /** Number of consecutive faster full responses after which requests become smaller again. */
    private static final int FAST_ENOUGH = 64;

    private final RawNetwork network;
    private final RawLink link;
    private final byte[] clientId;
    private final Limits limits;
    private final Listener listener;
    /** Two frames: one is in flight while the other is read. */
    private final FetchFrame[] frames = {new FetchFrame(this), new FetchFrame(this)};

    private FetchPartition[] partitions = {};
    private ByteBuffer request = ByteBuffer.allocateDirect(FIXED_BYTES);
    private final ByteBuffer[] buffers = {request};
    private @Nullable FetchFrame inFlight;
    private int id;
    private int epoch;
    private int first;
    private short version;
    private int askedBytes;
    private int fastInARow;

    public FetchSession(RawNetwork network, RawLink link, String clientId, Limits limits, Listener listener) {
        this.network = network;
        this.link = link;
        this.clientId = clientId.getBytes(StandardCharsets.UTF_8);
        this.limits = limits;
        this.askedBytes = limits.startBytes();
        this.listener = listener;
    }

    public RawLink link() {
        return link;
    }

    /** Replaces the partitions, grouped by topic; a response in flight is discarded. */
    public void assign(FetchPartition[] assigned) {
        partitions = assigned.clone();
        first = 0;
        reset();
    }

    FetchPartition[] partitions() {
        return partitions;
    }

    /** Whether a request can be sent now. */
    public boolean maySend(long nowNanos) {
        return inFlight == null
                && partitions.length > 0
                && link.idle()
                && nowNanos >= link.throttledUntilNanos()
                && (frames[0].free() || frames[1].free());
    }

    /** Sends a request. Call only if {@link #maySend} is true. */
    public void send() {
        FetchFrame frame = frames[0].free() ? frames[0] : frames[1];
        if (epoch == 0) {
            // A session keeps its initial version and its form of topic addressing.
            version = negotiate();
        }
        write(link.nextCorrelationId());
        frame.prepare(version, partitions);
        inFlight = frame;
        link.send(frame, buffers, 1);
    }

    private short negotiate() {
        boolean ids = true;
        for (FetchPartition partition : partitions) {
            ids &= partition.topic.hasId();
        }
        short newest = ApiKeys.FETCH.latestVersion();
        return link.version(ApiKeys.FETCH, ids ? newest : (short) Math.min(newest, FIRST_WITH_TOPIC_ID - 1));
    }

    /** Makes the next request start a full session with all partitions. */
    private void reset() {
        epoch = 0;
    }

    private void write(int correlationId) {
        reserve();
        boolean flexible = version >= FIRST_FLEXIBLE;
        request.clear();
        request.putInt(0).putShort(ApiKeys.FETCH.id).putShort(version).putInt(correlationId);
        request.putShort((short) clientId.length).put(clientId);
        VarInts.writeTags(request, flexible);
        if (version < FIRST_WITH_REPLICA_STATE) {
            request.putInt(UNKNOWN);
        }
        request.putInt(limits.maxWaitMillis()).putInt(limits.minBytes()).putInt(askedBytes);
        request.put((byte) (limits.readCommitted() ? 1 : 0));
        request.putInt(id).putInt(epoch);
        writeTopics();
        VarInts.writeCount(request, flexible, 0);
        if (version >= FIRST_WITH_RACK) {
            if (flexible) {
                request.put((byte) 1);
            } else {
                request.putShort((short) 0);
            }
        }
        VarInts.writeTags(request, flexible);
        request.flip();
        request.putInt(0, request.limit() - Integer.BYTES);
        if (epoch == 0) {
            // Without a session, the broker serves partitions in request order, so rotate the first one.
            first = partitions.length == 0 ? 0 : (first + 1) % partitions.length;
        }
    }

    private void reserve() {
        int needed = FIXED_BYTES + clientId.length;
        for (FetchPartition partition : partitions) {
            needed += PARTITION_BYTES + partition.topic.nameBytes().length;
        }
        if (request.capacity() < needed) {
            request = ByteBuffer.allocateDirect(needed);
            buffers[0] = request;
        }
    }

    private FetchPartition at(int i) {
        return partitions[(first + i) % partitions.length];
    }

    /** Whether a request contains a partition: a full request contains all, an incremental one only changed offsets. */
    private boolean named(FetchPartition partition) {
        return epoch == 0 || partition.sentOffset != partition.offset;
    }

    private void writeTopics() {
        boolean flexible = version >= FIRST_FLEXIBLE;
        VarInts.writeCount(request, flexible, countTopics());
        int i = 0;
        while (i < partitions.length) {
            TopicRef topic = at(i).topic;
            int to = i;
            int count = 0;
            while (to < partitions.length && at(to).topic.equals(topic)) {
                count += named(at(to++)) ? 1 : 0;
            }
            if (count > 0) {
                topic.write(request, version >= FIRST_WITH_TOPIC_ID, flexible);
                VarInts.writeCount(request, flexible, count);
                for (; i < to; i++) {
                    if (named(at(i))) {
                        writePartition(at(i));
                    }
                }
                VarInts.writeTags(request, flexible);
            }
            i = to;
        }
    }

    private int countTopics() {
        int count = 0;
        TopicRef last = null;
        for (int i = 0; i < partitions.length; i++) {
            TopicRef topic = at(i).topic;
            if (i > 0 && !at(i - 1).topic.equals(topic)) {
                last = null;
            }
            if (last == null && named(at(i))) {
                count++;
                last = topic;
            }
        }
        return count;
    }

    private void writePartition(FetchPartition partition) {
        request.putInt(partition.partition());
        if (version >= FIRST_WITH_LEADER_EPOCH) {
            request.putInt(UNKNOWN);
        }
        request.putLong(partition.offset);
        if (version >= FIRST_FLEXIBLE) {
            request.putInt(UNKNOWN); // Skip the epoch of the last record, which only followers use.
        }
        request.putLong(UNKNOWN).putInt(limits.partitionMaxBytes());
        VarInts.writeTags(request, version >= FIRST_FLEXIBLE);
        partition.sentOffset = partition.offset;
    }

    void answered(FetchFrame frame, short error, int sessionId) {
        inFlight = null;
        if (!frame.current()) {
            // The partitions changed, so the next request ends this session and starts another.
            id = error == 0 ? sessionId : id;
        } else if (error != 0) {
            // The broker lost the session or disagrees about it; a new session loses no data.
            id = RawErrors.unknownFetchSession(error) ? 0 : id;
            reset();
        } else if (epoch == 0) {
            id = sessionId;
            epoch = sessionId == 0 ? 0 : 1;
        } else {
            epoch = epoch == Integer.MAX_VALUE ? 1 : epoch + 1;
        }
        if (frame.throttleMillis() > 0) {
            link.throttle(frame.throttleMillis());
        }
        adapt(frame.responseBytes(), frame.receivedNanos() - frame.sentNanos());
        listener.fetched(frame);
    }

    /** Adapts the request size: small responses fit into the CPU cache, but a distant broker needs larger ones. */
    private void adapt(int bytes, long nanos) {
        if (bytes < askedBytes / 2) {
            return;
        }
        fastInARow = nanos < SLOW_NANOS ? fastInARow + 1 : 0;
        if (nanos >= SLOW_NANOS) {
            askedBytes = (int) Math.min(limits.maxBytes(), 2L * askedBytes);
        } else if (fastInARow >= FAST_ENOUGH) {
            askedBytes = Math.max(limits.startBytes(), askedBytes / 2);
            fastInARow = 0;
        }
    }

    void failed(FetchFrame frame, String kind) {
        if (inFlight == frame) {
            inFlight = null;
        }
        reset();
        listener.failed(this, kind);
    }

    void release(ByteBuffer response) {
        network.release(response);
    }
}
