package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks exactly-once processing of a pipeline. Each committed input must have exactly one committed output, outputs of
 * a key must keep the order of their inputs, and committed offsets must agree with the outputs. Add all inputs first,
 * then the outputs by partition in offset order. Not thread-safe.
 */
public final class PipelineAudit {
    /** Violations of exactly-once processing; each is explained by the figure {@code pipeline.…} of the same name. */
    public enum Anomaly {
        LOST,
        DOUBLED,
        PHANTOM,
        ALTERED,
        REORDERED,
        MISROUTED,
        ABORTED_INPUT,
        ABORTED_READ,
        TORN,
        ZOMBIE,
        REWOUND,
        STUCK;

        /** The name in results, in lower case. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace("_", "");
        }
    }

    /** An input record: hash of the key (0 without a key), identity of its outputs, checksum of the expected output. */
    public record In(int partition, long offset, long key, long id, long content, boolean committed) {
        @Override
        public String toString() {
            return "in " + partition + "@" + offset + " #" + Long.toHexString(id) + (committed ? "" : " aborted");
        }
    }

    /**
     * The transaction in which a member wrote a record: {@code incarnation} numbers the member's producer epochs,
     * {@code size} is the number of records in the transaction.
     */
    public record Step(int member, long incarnation, long transaction, int size) {}

    /**
     * An output record; the step is null if unknown, and only committed records are visible to {@code read_committed}.
     */
    public record Out(
            int partition,
            long offset,
            long key,
            long id,
            long content,
            @Nullable Step step,
            boolean committed) {
        @Override
        public String toString() {
            String by = step == null
                    ? ""
                    : ", member " + step.member + " (" + step.incarnation + ") transaction " + step.transaction;
            return "out " + partition + "@" + offset + " #" + Long.toHexString(id) + (committed ? "" : " aborted") + by;
        }
    }

    /** Number of affected records, and the smallest set of records that shows the anomaly, one line per record. */
    public record Finding(Anomaly anomaly, long records, List<String> example) {}

    private final Map<Long, In> inputs = new HashMap<>();
    private final Map<Long, Out> firstOutputs = new HashMap<>();
    private final Map<Integer, Long> passed = new HashMap<>();
    private final Set<Step> aborted = new HashSet<>();
    private final Map<Step, List<Out>> steps = new HashMap<>();
    private final Map<Long, Out> lastOfKey = new HashMap<>();
    private final Map<Integer, Out> lastOfMember = new TreeMap<>();
    /** Inputs and transactions with outputs that are not yet decided. */
    private final Set<Long> undecided = new HashSet<>();

    private final Set<Step> open = new HashSet<>();
    private final Map<Anomaly, Finding> findings = new EnumMap<>(Anomaly.class);

    public void input(In record) {
        inputs.put(record.id, record);
    }

    /** Records the offset that the group committed in a partition. */
    public void passed(int partition, long offset) {
        passed.put(partition, offset);
    }

    /** Records that a member aborted this transaction. */
    public void aborted(Step step) {
        aborted.add(step);
    }

    /** Records the last stable offset of a partition; it is an anomaly if this offset is below the end offset. */
    public void open(String partition, long stable, long end) {
        if (stable < end) {
            found(Anomaly.STUCK, end - stable, List.of(partition + " is shown up to " + stable + " of " + end));
        }
    }

    /** Adds an output above the last stable offset, so its visibility is undecided. */
    public void held(Out out) {
        undecided.add(out.id);
        open.add(out.step);
    }

    public void output(Out out) {
        if (out.step != null) {
            steps.computeIfAbsent(out.step, s -> new ArrayList<>(2)).add(out);
        }
        if (!out.committed) {
            return;
        }
        In in = inputs.get(out.id);
        Out first = firstOutputs.putIfAbsent(out.id, out);
        zombie(out);
        if (out.step != null && aborted.contains(out.step)) {
            found(Anomaly.ABORTED_READ, 1, texts(out));
        }
        if (in == null) {
            found(Anomaly.PHANTOM, 1, texts(out));
            return;
        }
        if (first != null) {
            found(Anomaly.DOUBLED, 1, texts(in, first, out));
            return;
        }
        if (!in.committed) {
            found(Anomaly.ABORTED_INPUT, 1, texts(in, out));
        }
        if (in.content != out.content || in.key != out.key) {
            found(Anomaly.ALTERED, 1, texts(in, out));
        }
        Long next = passed.get(in.partition);
        if (next != null && in.offset >= next) {
            found(Anomaly.REWOUND, 1, List.of(in + ", the group reads on at " + next, out.toString()));
        }
        ordered(in, out);
    }

    private void ordered(In in, Out out) {
        Out before = in.key == 0 ? null : lastOfKey.put(in.key, out);
        if (before == null) {
            return;
        }
        In earlier = Objects.requireNonNull(inputs.get(before.id), "compared outputs have inputs");
        if (before.partition != out.partition) {
            found(Anomaly.MISROUTED, 1, texts(earlier, before, in, out));
        } else if (earlier.partition == in.partition && earlier.offset > in.offset) {
            found(Anomaly.REORDERED, 1, texts(in, earlier, before, out));
            // Keep the output with the later input, for the comparison with the next output.
            lastOfKey.put(in.key, before);
        }
    }

    private void zombie(Out out) {
        if (out.step == null) {
            return;
        }
        Out before = lastOfMember.get(out.step.member);
        if (before != null
                && Objects.requireNonNull(before.step).incarnation > out.step.incarnation
                && before.partition == out.partition) {
            found(Anomaly.ZOMBIE, 1, texts(before, out));
        } else {
            lastOfMember.put(out.step.member, out);
        }
    }

    private static List<String> texts(@Nullable Object... records) {
        return Stream.of(records).map(Object::toString).toList();
    }

    private void found(Anomaly anomaly, long records, List<String> example) {
        findings.merge(
                anomaly,
                new Finding(anomaly, records, example),
                (a, b) -> new Finding(
                        anomaly, a.records + b.records, b.example.size() < a.example.size() ? b.example : a.example));
    }

    public long inputs() {
        return inputs.size();
    }

    /** Number of committed inputs that have no output yet and that the group's committed offset has not passed. */
    public long left() {
        return inputs.values().stream()
                .filter(in -> !isPassed(in) && isWithout(in))
                .count();
    }

    private boolean isWithout(In in) {
        return in.committed && !firstOutputs.containsKey(in.id) && !undecided.contains(in.id);
    }

    private boolean isPassed(In in) {
        return in.offset < passed.getOrDefault(in.partition, 0L);
    }

    /** All anomalies. Call it once, after the last output. */
    public List<Finding> findings() {
        inputs.values().stream()
                .filter(in -> isPassed(in) && isWithout(in))
                .sorted(Comparator.comparingInt(In::partition).thenComparingLong(In::offset))
                .forEach(in -> found(Anomaly.LOST, 1, texts(in)));
        steps.forEach((step, outs) -> {
            long shown = outs.stream().filter(Out::committed).count();
            if (shown > 0 && shown < step.size && !open.contains(step)) {
                Out one = outs.stream().filter(Out::committed).findFirst().orElseThrow();
                Stream<Out> hidden = outs.stream().filter(out -> !out.committed).limit(1);
                String rest = shown + " of " + step.size + " records of this transaction are shown";
                List<String> example = new ArrayList<>(texts(one, rest));
                hidden.forEach(out -> example.add(out.toString()));
                found(Anomaly.TORN, step.size - shown, example);
            }
        });
        return List.copyOf(findings.values());
    }
}
