package io.plimsoll.report.perf;

import io.plimsoll.report.Text;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/**
 * Shows a run in the lines of one of Kafka's performance tools: those of intervals while it goes on, the rest when it
 * has ended. Standard output gets these lines and nothing else; what else there is to say goes to standard error, before
 * the last of them, since scripts read the last line. Thread-safe.
 */
public abstract class PerfOutput implements Progress {
    /** An interval of five snapshots, each of which is a little late, may seem to be a little shorter. */
    private static final double INTERVAL_SLACK = 0.99;

    private final PrintWriter out;
    private final PrintWriter err;
    private final double intervalNanos;

    PerfOutput(PrintWriter out, PrintWriter err, long intervalMillis) {
        this.out = out;
        this.err = err;
        this.intervalNanos = intervalMillis * 1e6 * INTERVAL_SLACK;
    }

    public void begin() {}

    /**
     * After the run has ended, once.
     *
     * @param metrics of the client itself; empty if they are not wanted
     */
    public final synchronized void end(RunResult result, Map<String, Object> metrics, Language language) {
        result.verdict().warnings().forEach(w -> warn(w.in(language)));
        remarks(result).forEach(remark -> warn(remark.in(language)));
        err.flush();
        summary(result);
        PerfLines.metrics(metrics).forEach(this::line);
        out.flush();
    }

    abstract void summary(RunResult result);

    List<Sentence> remarks(RunResult result) {
        return List.of();
    }

    private void warn(String text) {
        err.println("plimsoll: " + Text.printable(text));
    }

    final boolean intervalOver(long nanos) {
        return nanos >= intervalNanos;
    }

    final void line(String text) {
        out.println(text);
        out.flush();
    }

    /** All lines at once, so that none comes between them. */
    final void lines(List<String> lines) {
        lines.forEach(this::line);
    }

    @Override
    public void phase(String trial, String phase, double fraction, double etaSeconds) {}

    /** Warnings of the run are shown at its end, with those that are found only then. */
    @Override
    public void note(Sentence text) {}

    @Override
    public void close() {
        out.flush();
        err.flush();
    }
}
