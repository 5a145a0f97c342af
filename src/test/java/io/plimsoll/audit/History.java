package io.plimsoll.audit;

import io.plimsoll.audit.ReadLedger.Registry;
import io.plimsoll.audit.Reconciliation.Examined;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A random history of producers and logs, judged twice: record by record with hash sets, as the definitions say, and by
 * the audit.
 */
final class History {
    private static final int PARTITIONS = 2;

    private enum Fate {
        ACKNOWLEDGED,
        FAILED,
        UNKNOWN
    }

    private enum Kind {
        OURS,
        DAMAGED,
        FOREIGN,
        MARKER,
        ABSENT
    }

    private record Id(int producer, long sequence) {}

    private record Entry(Kind kind, Id id) {}

    private final SplittableRandom random;
    private final List<ProducerProfile> profiles = new ArrayList<>();
    private final List<List<Entry>> logs = new ArrayList<>();
    private final Map<Id, Fate> fates = new HashMap<>();
    private final Map<Id, Integer> partitions = new HashMap<>();
    private final Map<Id, Long> offsets = new HashMap<>();
    private final Set<Id> aborted = new HashSet<>();
    private final Set<Id> committed = new HashSet<>();
    private final long[] sent;
    private final long[] begin = new long[PARTITIONS];
    private final long[] next = new long[PARTITIONS];
    private final boolean expires;
    private final boolean killed;

    /** The verdict of either side: number of records by verdict, and the records of some verdicts. */
    record Judgement(
            long acknowledged,
            long read,
            long unknown,
            boolean complete,
            Map<Verdict, Long> counts,
            Set<String> lost,
            Set<String> places) {}

    History(long seed) {
        random = new SplittableRandom(seed);
        int producers = 1 + random.nextInt(3);
        sent = new long[producers];
        for (int p = 0; p < producers; p++) {
            profiles.add(new ProducerProfile(
                    p, "producers[0]", random.nextBoolean(), random.nextBoolean(), random.nextInt(3) == 0, true));
        }
        for (int i = 0; i < PARTITIONS; i++) {
            logs.add(new ArrayList<>());
        }
        killed = random.nextInt(8) == 0;
        write(5 + random.nextInt(40));
        disturb();
        for (int i = 0; i < PARTITIONS; i++) {
            begin[i] = random.nextInt(6) == 0 ? random.nextInt(logs.get(i).size() + 1) : 0;
            next[i] = random.nextInt(10) == 0
                    ? random.nextInt(logs.get(i).size() + 1)
                    : logs.get(i).size();
            next[i] = Math.max(next[i], begin[i]);
        }
        expires = random.nextBoolean();
    }

    private void write(int events) {
        for (int event = 0; event < events; event++) {
            int producer = random.nextInt(profiles.size());
            int partition = random.nextInt(PARTITIONS);
            int count = 1 + random.nextInt(4);
            boolean transactional = profiles.get(producer).transactional();
            int ending = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                Id id = new Id(producer, sent[producer]++);
                Fate fate =
                        random.nextInt(5) > 0 ? Fate.ACKNOWLEDGED : random.nextBoolean() ? Fate.UNKNOWN : Fate.FAILED;
                boolean written = fate == Fate.ACKNOWLEDGED
                        ? random.nextInt(30) > 0
                        : fate == Fate.UNKNOWN ? random.nextBoolean() : random.nextInt(30) == 0;
                fates.put(id, fate);
                partitions.put(id, partition);
                offsets.put(id, (long) logs.get(partition).size());
                if (transactional && ending == 0) {
                    aborted.add(id);
                } else if (transactional && ending < 3) {
                    committed.add(id);
                }
                if (written) {
                    logs.get(partition).add(new Entry(random.nextInt(40) == 0 ? Kind.DAMAGED : Kind.OURS, id));
                } else if (fate == Fate.ACKNOWLEDGED) {
                    logs.get(partition).add(new Entry(Kind.FOREIGN, null));
                }
            }
            if (random.nextInt(10) == 0) {
                logs.get(partition).add(new Entry(random.nextBoolean() ? Kind.MARKER : Kind.ABSENT, null));
            }
            if (random.nextInt(12) == 0) {
                logs.get(partition).add(new Entry(Kind.FOREIGN, null));
            }
        }
    }

    private void disturb() {
        for (List<Entry> log : logs) {
            if (log.size() > 4 && random.nextInt(3) == 0) {
                // A copy, and two swapped records: acknowledged offsets then contain another record.
                log.add(log.get(random.nextInt(log.size())));
            }
            if (log.size() > 4 && random.nextInt(3) == 0) {
                int at = random.nextInt(log.size() - 1);
                Entry moved = log.remove(at);
                log.add(at + 1, moved);
            }
        }
    }

    private boolean hidden(Entry entry) {
        // Most aborted records are hidden; a visible one is a finding.
        return entry.kind() == Kind.OURS
                && aborted.contains(entry.id())
                && entry.id().sequence() % 3 != 0;
    }

    private long sentKnown(int producer) {
        return killed ? Long.MAX_VALUE : sent[producer];
    }

    /** By the words. */
    Judgement expected() {
        Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
        Set<String> places = new HashSet<>();
        Set<Id> read = new HashSet<>();
        Set<String> damaged = new HashSet<>();
        long copies = 0;
        for (int p = 0; p < PARTITIONS; p++) {
            Map<Integer, Long> highest = new HashMap<>();
            for (long o = begin[p]; o < next[p]; o++) {
                Entry entry = logs.get(p).get((int) o);
                Verdict verdict =
                        switch (entry.kind()) {
                            case DAMAGED -> Verdict.CORRUPTED;
                            case FOREIGN -> Verdict.FOREIGN;
                            default -> null;
                        };
                if (entry.kind() == Kind.DAMAGED) {
                    damaged.add(p + "@" + o);
                }
                if (entry.kind() == Kind.OURS && !hidden(entry)) {
                    copies++;
                    Id id = entry.id();
                    boolean late = id.sequence() < highest.getOrDefault(id.producer(), -1L);
                    highest.merge(id.producer(), id.sequence(), Math::max);
                    boolean first = read.add(id);
                    verdict = !first ? Verdict.DUPLICATED : late ? Verdict.REORDERED : null;
                    if (first) {
                        Verdict also = afterReading(id);
                        if (also != null) {
                            counts.merge(also, 1L, Long::sum);
                            places.add(also + " " + p + "@" + o);
                        }
                    }
                }
                if (verdict != null) {
                    counts.merge(verdict, 1L, Long::sum);
                    places.add(verdict + " " + p + "@" + o);
                }
            }
        }
        return judge(read, damaged, copies, counts, places);
    }

    private boolean durable(Id id) {
        return fates.get(id) == Fate.ACKNOWLEDGED
                && (!profiles.get(id.producer()).transactional() || committed.contains(id));
    }

    private Verdict afterReading(Id id) {
        if (aborted.contains(id)) {
            return Verdict.ABORTED_YET_VISIBLE;
        }
        if (fates.get(id) == Fate.FAILED) {
            return Verdict.PHANTOM;
        }
        return durable(id) ? null : Verdict.UNKNOWN_AND_PRESENT;
    }

    private Judgement judge(
            Set<Id> read, Set<String> damaged, long copies, Map<Verdict, Long> counts, Set<String> places) {
        long acknowledged = 0;
        long unknown = counts.getOrDefault(Verdict.UNKNOWN_AND_PRESENT, 0L);
        boolean complete = true;
        Set<String> lost = new HashSet<>();
        for (Map.Entry<Id, Fate> entry : fates.entrySet()) {
            Id id = entry.getKey();
            if (durable(id)) {
                acknowledged++;
            }
            if (read.contains(id)) {
                continue;
            }
            if (durable(id)) {
                int p = partitions.get(id);
                long o = offsets.get(id);
                if (o >= next[p]) {
                    complete = false;
                } else if (expires && o < begin[p]) {
                    complete = false;
                    counts.merge(Verdict.EXPIRED, 1L, Long::sum);
                } else if (!damaged.contains(p + "@" + o)) {
                    counts.merge(Verdict.LOST, 1L, Long::sum);
                    lost.add(id + " " + p + "@" + o);
                }
            } else if (!aborted.contains(id) && entry.getValue() != Fate.FAILED) {
                counts.merge(Verdict.UNKNOWN_AND_ABSENT, 1L, Long::sum);
                unknown++;
            }
        }
        return new Judgement(
                acknowledged, copies, unknown, complete && allExamined(), new TreeMap<>(counts), lost, places);
    }

    private boolean allExamined() {
        for (int p = 0; p < PARTITIONS; p++) {
            if (next[p] < logs.get(p).size()) {
                return false;
            }
        }
        return true;
    }

    /** Judged by the audit, with its journal written and read, and a reader that repeats some offsets. */
    Judgement audited() throws IOException {
        List<String> topics = List.of("t");
        byte[] journal = journal(topics);
        Outcomes outcomes = new Outcomes(profiles);
        new JournalReader(topics).read(new ByteArrayInputStream(journal), outcomes);
        ReadLedger ledger = new ReadLedger(1, new Registry() {
            @Override
            public ProducerProfile profile(int producer) {
                return producer < profiles.size() ? profiles.get(producer) : null;
            }

            @Override
            public long sent(int producer) {
                return sentKnown(producer);
            }
        });
        Map<LogPartition, Examined> examined = new HashMap<>();
        for (int p = 0; p < PARTITIONS; p++) {
            LogReading reading = read(p, ledger);
            examined.put(reading.partition(), new Examined(begin[p], reading.next(), expires));
        }
        Reconciliation reconciliation = new Reconciliation(outcomes, ledger, examined, allExamined());
        reconciliation.compare();
        if (reconciliation.anyMissing()) {
            new JournalReader(topics).read(new ByteArrayInputStream(journal), reconciliation.locator());
        }
        if (reconciliation.wanted()) {
            places(reconciliation);
        }
        return judgement(reconciliation.outcome());
    }

    private byte[] journal(List<String> topics) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        JournalWriter writer = new JournalWriter(topics);
        writer.begin(1);
        for (int producer = 0; producer < sent.length; producer++) {
            for (long s = 0; s < sent[producer]; s++) {
                Id id = new Id(producer, s);
                Fate fate = fates.get(id);
                if (fate == Fate.ACKNOWLEDGED) {
                    writer.acknowledged(producer, s, 1, new LogPartition("t", partitions.get(id)), offsets.get(id));
                } else if (fate == Fate.FAILED) {
                    writer.ended(Journal.Ending.FAILED, producer, s, 1);
                }
                if (aborted.contains(id)) {
                    writer.ended(Journal.Ending.ABORTED, producer, s, 1);
                } else if (committed.contains(id)) {
                    writer.ended(Journal.Ending.COMMITTED, producer, s, 1);
                }
                if (random.nextInt(20) == 0) {
                    append(bytes, writer);
                }
            }
            writer.sent(producer, sent[producer]);
        }
        writer.ended();
        append(bytes, writer);
        return bytes.toByteArray();
    }

    private static void append(ByteArrayOutputStream to, JournalWriter writer) {
        ByteBuffer block = writer.end();
        to.write(block.array(), block.arrayOffset(), block.limit());
        writer.begin(2);
    }

    private LogReading read(int p, ReadLedger ledger) {
        LogReading reading = new LogReading(new LogPartition("t", p), begin[p], ledger);
        long from = begin[p];
        while (from < next[p]) {
            long to = Math.min(next[p], from + 1 + random.nextInt(8));
            long again = Math.max(begin[p], from - random.nextInt(4));
            for (long o = again; o < to; o++) {
                tell(reading, o, logs.get(p).get((int) o));
            }
            from = to;
        }
        reading.end(next[p]);
        reading.flush();
        return reading;
    }

    private void tell(LogReading reading, long offset, Entry entry) {
        switch (entry.kind()) {
            case DAMAGED -> reading.damaged(offset, offset, 1);
            case FOREIGN -> reading.record(offset, ByteBuffer.allocate(1), 0, 1, 1);
            case MARKER -> reading.hidden(offset, offset);
            case ABSENT -> {}
            default -> {
                if (hidden(entry)) {
                    reading.hidden(offset, offset);
                } else {
                    reading.records(offset, entry.id().producer(), entry.id().sequence(), 1, 1);
                }
            }
        }
    }

    private void places(Reconciliation reconciliation) {
        for (int p = 0; p < PARTITIONS; p++) {
            for (long o = begin[p]; o < next[p]; o++) {
                Entry entry = logs.get(p).get((int) o);
                if (entry.kind() == Kind.OURS && !hidden(entry)) {
                    reconciliation.place(
                            new LogPartition("t", p),
                            o,
                            entry.id().producer(),
                            entry.id().sequence(),
                            1);
                }
            }
        }
    }

    private static Judgement judgement(Reconciliation.Result result) {
        Map<Verdict, Long> counts = new TreeMap<>();
        Set<String> lost = new HashSet<>();
        Set<String> places = new HashSet<>();
        for (Verdict verdict : Verdict.values()) {
            long records = result.findings().records(verdict);
            if (records > 0) {
                counts.put(verdict, records);
            }
        }
        for (AuditFinding f : result.findings().all()) {
            for (long i = 0; i < f.range().records() && f.range().partition() != null; i++) {
                String place =
                        f.range().partition().partition() + "@" + (f.range().firstOffset() + i);
                if (f.verdict() == Verdict.LOST) {
                    lost.add(new Id(f.range().producer(), f.range().firstSequence() + i) + " " + place);
                } else if (f.verdict() != Verdict.EXPIRED) {
                    places.add(f.verdict() + " " + place);
                }
            }
        }
        return new Judgement(
                result.acknowledged(), result.read(), result.unknown(), result.complete(), counts, lost, places);
    }
}
