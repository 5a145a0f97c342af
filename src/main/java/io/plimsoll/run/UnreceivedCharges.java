package io.plimsoll.run;

import io.plimsoll.audit.LogSink;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.Consumers.Unreceived;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.raw.AuditReader;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.Stamp;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * Charges the end-to-end latency of groups with unread records. It reads these records from the logs for their intended
 * times, or evenly spread samples that stand for their neighbors. Records that cannot be read in time count as due at
 * the end of the load, the lower bound of their latency.
 *
 * @param gaveUpNanos nanoTime at which the groups stopped reading
 * @param loadEndNanos nanoTime after which no record was due
 */
record UnreceivedCharges(
        LoadContext context, TrialClock clock, long gaveUpNanos, long loadEndNanos, BooleanSupplier hurry) {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    /** Limit of offsets to read. */
    private static final long MOST = 1_000_000;
    /** Samples per partition if not read completely. */
    private static final int SAMPLES = 16;

    void charge(List<Unreceived> all) throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        charge(all.stream().filter(Unreceived::committed).toList(), true, deadline);
        charge(all.stream().filter(u -> !u.committed()).toList(), false, deadline);
    }

    private void charge(List<Unreceived> all, boolean committed, long deadline) throws InterruptedException {
        Map<TopicPartition, List<Unreceived>> byPartition = new HashMap<>();
        all.stream()
                .filter(u -> u.to() > u.from() && u.source() != EndToEndSource.NONE)
                .forEach(u -> byPartition
                        .computeIfAbsent(u.partition(), p -> new ArrayList<>())
                        .add(u));
        long offsets = byPartition.values().stream()
                .mapToLong(left -> to(left) - from(left))
                .sum();
        int rounds = offsets <= MOST ? 1 : SAMPLES;
        double share = Math.min(1, (double) MOST / Math.max(1, offsets));
        for (int round = 0; round < rounds; round++) {
            List<Sample> samples = new ArrayList<>();
            for (List<Unreceived> left : byPartition.values()) {
                long length = to(left) - from(left);
                long from = from(left) + length * round / rounds;
                long next = from(left) + length * (round + 1) / rounds;
                if (next > from) {
                    samples.add(new Sample(left, from, next, from + Math.max(1, Math.round((next - from) * share))));
                }
            }
            read(samples, committed, deadline);
        }
    }

    private static long from(List<Unreceived> left) {
        return left.stream().mapToLong(Unreceived::from).min().orElseThrow();
    }

    private static long to(List<Unreceived> left) {
        return left.stream().mapToLong(Unreceived::to).max().orElseThrow();
    }

    private void read(List<Sample> samples, boolean committed, long deadline) throws InterruptedException {
        // Without a trail, records are identified by their values, as consumers do.
        AuditReader reader = new AuditReader(context.with((AuditTrail) null), committed);
        Map<TopicPartition, Long> reached = reader.read(
                samples.stream()
                        .map(s -> new AuditReader.Part(s.partition(), s.from, s.readTo, s))
                        .toList(),
                deadline,
                hurry);
        samples.forEach(s -> s.chargeRest(reached.get(s.partition())));
    }

    /** Consecutive records; those before {@code readTo} are read and stand for all. Confined to the reading thread. */
    private final class Sample implements LogSink {
        private final List<Unreceived> left;
        private final long from;
        private final long to;
        private final long readTo;

        Sample(List<Unreceived> left, long from, long to, long readTo) {
            this.left = left;
            this.from = from;
            this.to = to;
            this.readTo = readTo;
        }

        TopicPartition partition() {
            return left.get(0).partition();
        }

        /** Number of offsets that the records before this offset stand for. */
        private long standFor(long offset) {
            return readTo == from ? 0 : Math.round((double) (offset - from) * (to - from) / (readTo - from));
        }

        @Override
        public void record(long offset, ByteBuffer bytes, int valueAt, int valueBytes, long epochMillis) {
            if (offset < from || offset >= readTo) {
                return;
            }
            long count = standFor(offset + 1) - standFor(offset);
            for (Unreceived u : left) {
                boolean stamped = u.source() == EndToEndSource.STAMP;
                if (u.has(offset) && (!stamped || Stamp.isOurs(bytes, valueAt, valueBytes, context.runId()))) {
                    charge(u, stamped ? Stamp.intendedEpochNanos(bytes, valueAt) : epochMillis * 1_000_000, count);
                }
            }
        }

        private void charge(Unreceived u, long dueEpochNanos, long count) {
            long due = dueEpochNanos - clock.epochOffsetNanos();
            long charged = due >= clock.startNanos() && due <= gaveUpNanos
                    ? Math.min(count, u.most().get())
                    : 0;
            if (charged > 0) {
                u.most().addAndGet(-charged);
                u.meter().neverReceived(clock, dueEpochNanos, gaveUpNanos, charged);
            }
        }

        void chargeRest(long reached) {
            if (reached < readTo) {
                long offset = from + standFor(Math.max(reached, from));
                left.forEach(u -> charge(u, clock.toEpochNanos(loadEndNanos), u.between(offset, to)));
            }
        }

        @Override
        public void records(long offset, int of, long sequence, long records, long epochMillis) {
            throw new IllegalStateException("no records are known without a trail");
        }
    }
}
