package io.plimsoll.load.raw;

import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.LogSink;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupState;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.ReadWindow;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Polls;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.wire.FetchSession;
import io.plimsoll.wire.RawNetwork;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/** Reads ranges of logs for an audit, in a few threads. */
public final class AuditReader {
    private static final int MOST_THREADS = 4;
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(20);
    private static final int FETCH_BYTES = 8 << 20;
    private static final int PARTITION_FETCH_BYTES = 2 << 20;
    private static final int REQUEST_TIMEOUT_MILLIS = 30_000;
    private static final long RETRY_BACKOFF_NANOS = 100_000_000;
    private static final long LOOK_EVERY_MILLIS = 5;

    /**
     * A range of offsets.
     * @param to exclusive
     */
    public record Part(TopicPartition partition, long from, long to, LogSink sink) {}

    private final LoadContext context;
    private final boolean readCommitted;
    private final GroupState group;
    private final ReadWindow window;
    private final ReceiveMeter meter;

    /**
     * @param context load context that includes the trail of the trial
     * @param readCommitted whether to hide records of aborted transactions
     */
    public AuditReader(LoadContext context, boolean readCommitted) {
        this.context = context;
        this.readCommitted = readCommitted;
        this.group = new GroupState(context.runTag() + "-audit", 0, null, OptionalLong.empty(), IDLE_LIMIT, true);
        this.window = new ReadWindow(new ConsumerSpec.Start.Earliest(), false);
        this.meter = ReceiveMeter.of(group.id(), true);
    }

    /**
     * Reads all parts, one per partition. Call it only once.
     * @param deadlineNanos latest time at which reading ends, in nanoTime
     * @param hurry returns true to end reading early
     * @return the offset after the last record read, by partition
     */
    public Map<TopicPartition, Long> read(List<Part> parts, long deadlineNanos, BooleanSupplier hurry)
            throws InterruptedException {
        if (parts.isEmpty()) {
            return Map.of();
        }
        Map<TopicPartition, Long> targets = new HashMap<>();
        parts.forEach(part -> targets.put(part.partition(), part.to()));
        group.readUpTo(targets);
        long now = System.nanoTime();
        window.start(new TrialClock(now, now, Long.MAX_VALUE, 0));
        int threads = Math.min(
                Math.min(parts.size(), MOST_THREADS), Runtime.getRuntime().availableProcessors());
        List<RawReader> readers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            readers.add(reader(parts, i, threads));
        }
        readers.forEach(RawReader::prepare);
        try {
            while (readers.stream().anyMatch(r -> !r.ended())
                    && System.nanoTime() < deadlineNanos
                    && !hurry.getAsBoolean()) {
                Thread.sleep(LOOK_EVERY_MILLIS);
            }
        } finally {
            RawThread.end(readers, Duration.ofSeconds(2));
        }
        Map<TopicPartition, Long> reached = new HashMap<>();
        for (Part part : parts) {
            long left = group.lag(Map.of(part.partition(), part.to())).orElseThrow();
            reached.put(part.partition(), part.to() - left);
        }
        return reached;
    }

    private RawReader reader(List<Part> parts, int index, int threads) {
        List<ReadPartition> own = new ArrayList<>();
        Set<String> topics = new LinkedHashSet<>();
        for (int i = index; i < parts.size(); i += threads) {
            Part part = parts.get(i);
            ReadPartition partition = new ReadPartition(part.partition(), part.from());
            partition.offset = part.from();
            partition.audited = new ReadPartition.Audited(
                    new BatchExaminer(context.trail()),
                    new LogPartition(part.partition().topic(), part.partition().partition()),
                    part.sink());
            group.positioned(part.partition(), part.from());
            own.add(partition);
            topics.add(part.partition().topic());
        }
        own.sort(java.util.Comparator.comparing(p -> p.name.topic()));
        FetchSettings settings = new FetchSettings(
                new FetchSession.Limits(500, 1, FETCH_BYTES, FETCH_BYTES, PARTITION_FETCH_BYTES, readCommitted),
                true,
                "earliest",
                OptionalLong.empty(),
                REQUEST_TIMEOUT_MILLIS,
                RETRY_BACKOFF_NANOS,
                -1);
        String clientId = group.id() + "-" + index;
        RawNetwork network = new RawNetwork(context.clientProperties(), clientId, -1, REQUEST_TIMEOUT_MILLIS);
        RawCluster cluster = new RawCluster(network, clientId, topics, 1);
        RawReader reader = new RawReader(
                cluster,
                settings,
                own.toArray(new ReadPartition[0]),
                EndToEndSource.NONE,
                context.runId(),
                group,
                window,
                meter,
                new Polls(group.id(), clientId, new ClientEvents()),
                () -> {},
                context.notes());
        // A leader that does not return must not keep the audit from the other partitions.
        reader.startsWithoutLeaders = true;
        return reader;
    }
}
