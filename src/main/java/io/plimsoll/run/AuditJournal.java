package io.plimsoll.run;

import io.plimsoll.audit.JournalWriter;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes down once a second what became of the records of a trial, in a thread of its own, so that they can be audited
 * even if this process is killed. What was written reaches the operating system at once.
 */
final class AuditJournal implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;

    private final AuditTrail trail;
    private final JournalWriter writer;
    private final Path path;
    private final RandomAccessFile file;
    private final Consumer<Sentence> problem;
    private PeriodicTask task;
    private boolean closed;
    private volatile boolean broken;

    /**
     * @param topics as the header has them
     * @param problem takes the sentence of a failure, once
     */
    AuditJournal(Path path, AuditTrail trail, List<String> topics, Consumer<Sentence> problem) throws IOException {
        this.trail = trail;
        this.writer = new JournalWriter(topics);
        this.path = path;
        this.file = new RandomAccessFile(path.toFile(), "rw");
        this.problem = problem;
    }

    void start() {
        task = new PeriodicTask("plimsoll-audit", System.nanoTime(), EVERY_NANOS, 1, () -> {
            write(false);
            return 1;
        });
    }

    Path path() {
        return path;
    }

    private synchronized void write(boolean last) {
        writer.begin(System.currentTimeMillis());
        trail.drain(writer);
        if (last && trail.adopted().complete()) {
            writer.ended();
        }
        if (writer.empty() || broken) {
            return;
        }
        ByteBuffer block = writer.end();
        try {
            file.write(block.array(), block.arrayOffset(), block.limit());
        } catch (IOException e) {
            broken = true;
            problem.accept(Sentence.of("run.journalFailed", path, String.valueOf(e.getMessage())));
        }
    }

    /** @return false if not everything could be written */
    boolean complete() {
        return !broken;
    }

    /** Writes the rest; to be called once nothing is sent any more. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (task != null) {
            task.end(0);
        }
        write(true);
        try {
            file.close();
        } catch (IOException e) {
            broken = true;
        }
    }
}
