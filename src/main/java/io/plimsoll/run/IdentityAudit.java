package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.audit.JournalWriter;
import io.plimsoll.audit.LogReading;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.LoadContext;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.result.AuditHeader;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;

/** The identity-based part of a trial's audit. Confined to the trial's thread. */
final class IdentityAudit implements AutoCloseable {
    /** Time limit of an audit after the user interrupts the run. */
    private static final Duration INTERRUPTED_LIMIT = Duration.ofSeconds(1);

    private final LoadContext context;
    private final Topics topics;
    private final RunDirectory directory;
    private final int index;
    private AuditHeader header;
    private AuditJournal journal;

    IdentityAudit(LoadContext context, Topics topics, RunDirectory directory, int index) {
        this.context = context;
        this.topics = topics;
        this.directory = directory;
        this.index = index;
    }

    /**
     * Starts after the producers exist and before the first record.
     *
     * @param ends end offsets by {@code topic-partition}
     */
    void begin(String trial, Scenario scenario, String clusterId, Map<String, Long> ends) {
        List<String> names = scenario.producedTopics();
        Map<String, TopicDescription> described = topics.describe(names);
        Map<String, String> ids = new TreeMap<>();
        Map<String, List<Long>> begins = new TreeMap<>();
        described.forEach((name, topic) -> {
            ids.put(name, topic.topicId().toString());
            List<Long> offsets = new ArrayList<>();
            for (int p = 0; p < topic.partitions().size(); p++) {
                TopicPartition partition = new TopicPartition(name, p);
                offsets.add(ends.getOrDefault(partition.toString(), 0L));
                context.trail().reading(partition, offsets.get(p));
            }
            begins.put(name, offsets);
        });
        header = new AuditHeader(
                trial,
                Instant.now(),
                String.valueOf(context.clientProperties().get("bootstrap.servers")),
                clusterId,
                Long.toHexString(context.runId()),
                names,
                ids,
                begins,
                context.trail().profiles());
        directory.write(RunDirectory.auditHeader(index), Json.pretty(header));
        try {
            journal = new AuditJournal(directory.path().resolve(RunDirectory.auditJournal(index)));
        } catch (IOException e) {
            throw directory.cannotWrite(RunDirectory.auditJournal(index), e);
        }
    }

    /**
     * Finishes after the last record.
     *
     * @param leaders by {@code topic-partition}
     * @param interrupted whether the user interrupted the run
     * @throws PlimsollException if the cluster does not respond
     */
    AuditResult end(TrialOutcome outcome, Map<String, Integer> leaders, BooleanSupplier interrupted)
            throws InterruptedException {
        close();
        LogAudit audit = new LogAudit(header, journal.path, context, topics, hurry(interrupted));
        AuditResult found = audit.result(audit.run(), leaders, groups(outcome, audit.recreated()));
        return !journal.broken && context.trail().adopted().complete() ? found : found.incomplete();
    }

    private static BooleanSupplier hurry(BooleanSupplier interrupted) {
        long[] since = {0};
        return () -> {
            if (since[0] == 0 && interrupted.getAsBoolean()) {
                since[0] = System.nanoTime();
            }
            return since[0] != 0 && System.nanoTime() - since[0] > INTERRUPTED_LIMIT.toNanos();
        };
    }

    private List<GroupAudit> groups(TrialOutcome outcome, Set<String> recreated) {
        boolean hidden = header.transactional();
        Map<String, GroupAudit> groups = new TreeMap<>();
        for (GroupDelivery delivery : outcome.deliveries()) {
            LogReading reading = context.trail().reading(new TopicPartition(delivery.topic(), delivery.partition()));
            long behind = Math.max(0, reading.next() - Math.max(delivery.position(), reading.from()));
            Long skipped = hidden || recreated.contains(delivery.topic())
                    ? null
                    : Math.max(0, reading.visible() - delivery.distinct() - behind);
            groups.merge(
                    delivery.group(),
                    new GroupAudit(delivery.group(), delivery.again(), skipped, delivery.givenUp()),
                    IdentityAudit::plus);
        }
        return List.copyOf(groups.values());
    }

    private static GroupAudit plus(GroupAudit a, GroupAudit b) {
        return new GroupAudit(
                a.group(),
                a.processedTwice() + b.processedTwice(),
                sum(a.skipped(), b.skipped()),
                sum(a.givenUp(), b.givenUp()));
    }

    private static Long sum(Long a, Long b) {
        return a == null || b == null ? null : Long.valueOf(a + b);
    }

    @Override
    public void close() {
        if (journal != null) {
            journal.close();
        }
    }

    /**
     * Writes the outcomes of a trial's records once a second in its own thread, so that they can be audited even if
     * this process is killed. Each write reaches the operating system immediately.
     */
    private final class AuditJournal implements AutoCloseable {
        private static final long EVERY_NANOS = 1_000_000_000L;
        /** Block size limit, even after a slow disk: readers reject blocks several times larger. */
        private static final int BLOCK_BYTES = 1 << 20;

        private final JournalWriter writer;
        private final Path path;
        private final RandomAccessFile file;
        private final PeriodicTask task;
        private boolean closed;
        private volatile boolean broken;

        AuditJournal(Path path) throws IOException {
            this.writer = new JournalWriter(header.topics(), BLOCK_BYTES, this::append);
            this.path = path;
            PrivateFiles.file(path);
            this.file = new RandomAccessFile(path.toFile(), "rw");
            this.task = PeriodicTask.each("plimsoll-audit", System.nanoTime(), EVERY_NANOS, 1, () -> write(false));
        }

        private synchronized void write(boolean last) {
            writer.begin(System.currentTimeMillis());
            context.trail().drain(writer);
            if (last && context.trail().adopted().complete()) {
                writer.ended();
            }
            if (!writer.empty()) {
                append(writer.end());
            }
        }

        private void append(ByteBuffer block) {
            if (broken) {
                return;
            }
            try {
                file.write(block.array(), block.arrayOffset(), block.limit());
            } catch (IOException e) {
                broken = true;
                context.notes().accept(Sentence.of("run.journalFailed", path, String.valueOf(e.getMessage())));
            }
        }

        /** Writes the rest. Call it after the last send. */
        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            task.end(0);
            write(true);
            try {
                file.close();
            } catch (IOException e) {
                broken = true;
            }
        }
    }
}
