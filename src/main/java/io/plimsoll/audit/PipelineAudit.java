package io.plimsoll.audit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether what a pipeline read, transformed and wrote is there exactly once: each committed input has one output among
 * the committed records, of one key in their order, and the offsets that it committed tell the same. Inputs are told
 * first, then outputs by partition in the order of their offsets. Of one thread.
 */
public final class PipelineAudit {
    /** What can be wrong with the way of a record through a pipeline; what each means, the figures {@code pipeline.…} say. */
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

        /** Its name in results: a word in small letters. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace("_", "");
        }
    }

    /**
     * A record that the pipeline reads.
     *
     * @param key a hash of its key; 0 without one, for which no order is promised
     * @param id by which its outputs are known
     * @param content a checksum of what its output should be
     */
    public record In(int partition, long offset, long key, long id, long content, boolean committed) {
        @Override
        public String toString() {
            return "in " + partition + "@" + offset + " #" + Long.toHexString(id) + (committed ? "" : " aborted");
        }
    }

    /** The writing of a record by an incarnation of a member, which grows, in a transaction of so many records. */
    public record Step(int member, long incarnation, long transaction, int size) {}

    /**
     * A record that a pipeline has written.
     *
     * @param step null if nobody knows
     * @param committed whether readers of committed records are shown it
     */
    public record Out(int partition, long offset, long key, long id, long content, Step step, boolean committed) {
        @Override
        public String toString() {
            String by = step == null
                    ? ""
                    : ", member " + step.member + " (" + step.incarnation + ") transaction " + step.transaction;
            return "out " + partition + "@" + offset + " #" + Long.toHexString(id) + (committed ? "" : " aborted") + by;
        }
    }

    /**
     * @param records that it is about
     * @param example the fewest records that show it, as text
     */
    public record Finding(Anomaly anomaly, long records, List<String> example) {}

    private final Map<Long, In> inputs = new HashMap<>();
    private final Map<Long, Out> firstOutputs = new HashMap<>();
    private final Map<Integer, Long> passed = new HashMap<>();
    private final Set<Step> aborted = new HashSet<>();
    private final Map<Step, List<Out>> steps = new HashMap<>();
    private final Map<Long, Out> lastOfKey = new HashMap<>();
    private final Map<Integer, Out> lastOfMember = new TreeMap<>();
    /** Inputs and transactions of which nobody can say yet what becomes of their outputs. */
    private final Set<Long> undecided = new HashSet<>();

    private final Set<Step> open = new HashSet<>();
    private final Map<Anomaly, Finding> findings = new EnumMap<>(Anomaly.class);

    public void input(In record) {
        inputs.put(record.id, record);
    }

    /** The group has committed that it reads a partition from here on. */
    public void passed(int partition, long offset) {
        passed.put(partition, offset);
    }

    /** A member knows that it has aborted this. */
    public void aborted(Step step) {
        aborted.add(step);
    }

    /** A partition ends later than where readers of committed records are let. */
    public void open(String partition, long stable, long end) {
        if (stable < end) {
            found(Anomaly.STUCK, end - stable, List.of(partition + " is shown up to " + stable + " of " + end));
        }
    }

    /** An output that lies behind a transaction that is open: whether it will be shown, nobody knows. */
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
        In earlier = inputs.get(before.id);
        if (before.partition != out.partition) {
            found(Anomaly.MISROUTED, 1, texts(earlier, before, in, out));
        } else if (earlier.partition == in.partition && earlier.offset > in.offset) {
            found(Anomaly.REORDERED, 1, texts(in, earlier, before, out));
            // What comes next is held against the later of both.
            lastOfKey.put(in.key, before);
        }
    }

    private void zombie(Out out) {
        if (out.step == null) {
            return;
        }
        Out before = lastOfMember.get(out.step.member);
        if (before != null && before.step.incarnation > out.step.incarnation && before.partition == out.partition) {
            found(Anomaly.ZOMBIE, 1, texts(before, out));
        } else {
            lastOfMember.put(out.step.member, out);
        }
    }

    private static List<String> texts(Object... records) {
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

    /** Committed inputs that the group has not passed yet, and that have no output. */
    public long left() {
        return inputs.values().stream()
                .filter(in -> !isPassed(in) && isWithout(in))
                .count();
    }

    private boolean isWithout(In in) {
        return in.committed && !firstOutputs.containsKey(in.id) && !undecided.contains(in.id);
    }

    private boolean isPassed(In in) {
        return in.offset < passed.getOrDefault(in.partition, Long.MAX_VALUE);
    }

    /** All that was found, once all records were told. */
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
