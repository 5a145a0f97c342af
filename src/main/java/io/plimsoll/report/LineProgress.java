package io.plimsoll.report;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.LiveState.LiveFigures;
import io.plimsoll.report.LiveState.LiveFigures.Load;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Progress without a terminal: a {@code key=value} line at the start of each phase, and every five seconds while
 * load runs. Numbers have no separators and fixed units: records per second, MB per second, milliseconds, cores.
 * Thread-safe.
 */
public final class LineProgress extends LiveState {
    private static final long EVERY_NANOS = 5_000_000_000L;

    private final PrintStream out;
    private final Language language;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private long nextNanos;

    LineProgress(PrintStream out, Language language, LongSupplier nanoTime) {
        this.out = out;
        this.language = language;
        this.nanoTime = nanoTime;
        startNanos = nanoTime.getAsLong();
        nextNanos = startNanos + EVERY_NANOS;
    }

    @Override
    public synchronized void phase(String trial, String phase, double fraction, double etaSeconds) {
        long now = nanoTime.getAsLong();
        if (!isIn(trial, phase) && unseen()) {
            // The last figures of the previous phase: a short phase may have no other line.
            print(now, true);
        }
        if (phase(trial, phase, fraction, etaSeconds, now)) {
            print(now, false);
        }
    }

    @Override
    public synchronized void snapshot(Snapshot snapshot) {
        super.snapshot(snapshot);
        long now = nanoTime.getAsLong();
        if (now >= nextNanos) {
            print(now, true);
        }
    }

    @Override
    public synchronized void search(SearchView view) {
        Map<String, String> pairs = new LinkedHashMap<>();
        pairs.put("search", view.purpose());
        pairs.put("unit", view.inBytes() ? "bytes" : "records");
        pairs.put("number", String.valueOf(view.trial()));
        pairs.put("load", Double.isInfinite(view.load()) ? "unlimited" : number(view.load(), 0));
        if (!Double.isNaN(view.lower())) {
            pairs.put("passed", number(view.lower(), 0));
        }
        if (!Double.isNaN(view.upper())) {
            pairs.put("failed", number(view.upper(), 0));
        }
        if (view.etaSeconds() >= 0) {
            pairs.put("eta", number(Math.ceil(view.etaSeconds()), 0) + "s");
        }
        print(nanoTime.getAsLong(), pairs);
    }

    @Override
    public synchronized void fault(Sentence what) {
        super.fault(what);
        print(nanoTime.getAsLong(), false);
    }

    @Override
    public synchronized void note(Sentence text) {
        out.println("note=" + quoted(Text.printable(text.in(language))));
    }

    private void print(long now, boolean withLoad) {
        nextNanos = now + EVERY_NANOS;
        print(now, pairs(figures(now), withLoad));
    }

    private void print(long now, Map<String, String> pairs) {
        String line = pairs.entrySet().stream()
                .map(e -> e.getKey() + "=" + quoted(e.getValue()))
                .collect(Collectors.joining(" "));
        out.println("seconds=" + Units.decimals((now - startNanos) / 1e9, 0).replace(",", "") + " " + line);
    }

    private static Map<String, String> pairs(LiveFigures figures, boolean withLoad) {
        Map<String, String> pairs = new LinkedHashMap<>();
        if (figures.trial() != null) {
            pairs.put("trial", Text.printable(figures.trial()));
        }
        pairs.put("phase", Text.printable(figures.phase()));
        if (figures.fault() != null) {
            pairs.put("fault", Text.printable(figures.fault().english()));
        }
        if (figures.fraction() >= 0) {
            pairs.put("done", number(100 * figures.fraction(), 0) + "%");
        } else if (figures.elapsedSeconds() >= 1) {
            pairs.put("elapsed", number(Math.floor(figures.elapsedSeconds()), 0) + "s");
        }
        if (figures.etaSeconds() >= 0) {
            pairs.put("eta", number(Math.ceil(figures.etaSeconds()), 0) + "s");
        }
        if (withLoad && figures.load() != null) {
            load(figures.load(), pairs);
        }
        if (withLoad && figures.checks() != null) {
            int held = figures.checks().held().size();
            pairs.put("checks", held + "/" + (held + figures.checks().missed().size()));
        }
        return pairs;
    }

    private static void load(Load load, Map<String, String> pairs) {
        boolean produces = load.offered() > 0 || load.produced().records() > 0;
        if (produces) {
            pairs.put("offered", number(load.offered(), 0));
            pairs.put("achieved", number(load.produced().records(), 0));
            pairs.put("MB", number(load.produced().bytes() / 1e6, 2));
        }
        if (load.consumed().records() > 0) {
            pairs.put("consumed", number(load.consumed().records(), 0));
        }
        if (load.response() != null) {
            pairs.put("p50ms", number(load.response().p50() / 1e3, 2));
            pairs.put("p99ms", number(load.response().p99() / 1e3, 2));
            pairs.put("maxms", number(load.response().max() / 1e3, 2));
        }
        pairs.put("errors", String.valueOf(load.errors()));
        if (load.lag() != null) {
            pairs.put("lag", String.valueOf(load.lag()));
        }
        pairs.put("cores", number(load.cores(), 2));
    }

    private static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    private static String quoted(String value) {
        boolean plain = !value.isEmpty() && value.chars().noneMatch(c -> c == ' ' || c == '"' || c == '=');
        return plain ? value : "\"" + value.replace("\"", "'") + "\"";
    }
}
