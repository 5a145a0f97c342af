package io.plimsoll.report.perf;

import io.plimsoll.measure.Latencies;
import io.plimsoll.report.Text;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Prints a run in the exact output format of a Kafka performance tool: interval lines during the run, the summary at its end.
 * Standard output contains only these lines; other messages go to standard error before the last line, because scripts read
 * the last line. Numbers have a decimal point in every locale. Thread-safe.
 */
public abstract class PerfOutput implements Progress {
    static final double MB = 1024.0 * 1024.0;
    /** Tolerance for an interval of five snapshots that appears slightly short. */
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
        metrics(metrics).forEach(this::line);
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

    @Override
    public void close() {
        out.flush();
        err.flush();
    }

    /** A table of a client's metrics below an empty line; empty without metrics. */
    static List<String> metrics(Map<String, Object> metrics) {
        List<String> lines = new ArrayList<>();
        if (metrics.isEmpty()) {
            return lines;
        }
        int width = metrics.keySet().stream().mapToInt(String::length).max().orElse(1);
        lines.add("");
        lines.add(format("%-" + width + "s   %s", "Metric Name", "Value"));
        metrics.forEach((name, value) ->
                lines.add(format("%-" + width + "s : " + (value instanceof Double ? "%.3f" : "%s"), name, value)));
        return lines;
    }

    static double per(double amount, double seconds) {
        return seconds > 0 ? amount / seconds : 0;
    }

    static double millis(double micros) {
        return micros / 1000.0;
    }

    /** Rounded to the nearest: Kafka's tools truncate to milliseconds of the wall clock. */
    static long wholeMillis(Latencies latencies, double percentile) {
        return Math.round(latencies.percentileMicros(percentile) / 1000.0);
    }

    static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
