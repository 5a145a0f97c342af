package io.plimsoll.report;

import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.Units;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Collects progress since the previous display. Guarded by a lock on this object. */
class LiveState implements Progress {
    private @Nullable String trial;
    private String phase = "starting";
    private double fraction = -1;
    private double etaSeconds = -1;
    /** Time at which the phase began; null before the first phase. */
    private @Nullable Long begunNanos;

    private long phaseNanos;

    private Counts.Sum recent = Counts.Sum.overTime();
    private long fromNanos = Long.MAX_VALUE;
    private long toNanos;
    private long cpuNanos;
    private long errors;
    private @Nullable Long lag;
    private boolean any;
    private boolean shown;
    private @Nullable SearchView search;
    private @Nullable Sentence fault;
    private @Nullable Checked checks;

    /** @return whether the trial or phase has changed */
    synchronized boolean phase(
            @Nullable String newTrial, String newPhase, double newFraction, double newEtaSeconds, long nowNanos) {
        boolean changed = !isIn(newTrial, newPhase);
        if (!Objects.equals(trial, newTrial)) {
            forget();
            any = false;
            checks = null;
            errors = 0;
            lag = null;
        }
        begunNanos = changed || begunNanos == null ? Long.valueOf(nowNanos) : begunNanos;
        trial = newTrial;
        phase = newPhase;
        fraction = newFraction;
        etaSeconds = newEtaSeconds;
        phaseNanos = nowNanos;
        return changed;
    }

    boolean isIn(@Nullable String aTrial, String aPhase) {
        return Objects.equals(trial, aTrial) && phase.equals(aPhase);
    }

    @Override
    public synchronized void search(SearchView view) {
        search = view;
    }

    @Override
    public synchronized void checks(List<String> held, List<String> missed) {
        checks = new Checked(held, missed);
    }

    boolean unseen() {
        return any && !shown;
    }

    @Override
    public synchronized void fault(@Nullable Sentence what) {
        fault = what;
    }

    @Override
    public synchronized void snapshot(Snapshot s) {
        if (shown) {
            forget();
        }
        any = true;
        recent.add(s.warmup());
        recent.add(s.measured());
        fromNanos = Math.min(fromNanos, s.fromNanos());
        toNanos = Math.max(toNanos, s.toNanos());
        cpuNanos += s.whole().get(GeneratorUse.CPU_NANOS);
        errors += errors(s.warmup()) + errors(s.measured());
        Map<String, Long> byGroup = s.whole().get(Consumed.LAG);
        lag = byGroup.isEmpty() ? null : Long.valueOf(Counts.total(byGroup));
    }

    private static long errors(Counts window) {
        return window.total(Produced.ERRORS) + window.total(Consumed.ERRORS);
    }

    private void forget() {
        recent = Counts.Sum.overTime();
        fromNanos = Long.MAX_VALUE;
        toNanos = 0;
        cpuNanos = 0;
        shown = false;
    }

    /** Extrapolates the progress between two reports if the end is known. */
    synchronized LiveFigures figures(long nowNanos) {
        shown = true;
        double since = (nowNanos - phaseNanos) / 1e9;
        boolean known = etaSeconds > 0 && fraction >= 0;
        double share = known ? Math.min(1, since / etaSeconds) : 0;
        return new LiveFigures(
                trial,
                phase,
                begunNanos == null ? 0 : (nowNanos - begunNanos) / 1e9,
                known ? fraction + (1 - fraction) * share : fraction,
                etaSeconds < 0 ? -1 : Math.max(0, etaSeconds - since),
                fault,
                checks,
                any ? load() : null,
                search);
    }

    @Override
    public void close() {}

    private Load load() {
        double seconds = Math.max(toNanos - fromNanos, 1) / 1e9;
        Counts total = recent.total();
        return new Load(
                total.get(Produced.DUE) / seconds,
                new PerSecond(
                        total.get(Produced.ACKNOWLEDGED) / seconds, total.get(Produced.ACKNOWLEDGED_BYTES) / seconds),
                new PerSecond(total.get(Consumed.RECORDS) / seconds, total.get(Consumed.BYTES) / seconds),
                total.get(Produced.RESPONSE_TIME),
                errors,
                lag,
                cpuNanos / 1e9 / seconds);
    }

    /**
     * The visible state of a run at one moment.
     * @param trial null outside of trials
     * @param elapsedSeconds seconds since the phase began
     * @param fraction completed part of the phase, 0 to 1; negative if unknown, like {@code etaSeconds}
     * @param checks null if none was decided yet
     * @param load null before the first second of the trial
     * @param search null outside of a search
     */
    record LiveFigures(
            @Nullable String trial,
            String phase,
            double elapsedSeconds,
            double fraction,
            double etaSeconds,
            @Nullable Sentence fault,
            @Nullable Checked checks,
            @Nullable Load load,
            @Nullable SearchView search) {}

    record Checked(List<String> held, List<String> missed) {}

    /**
     * Figures of the last seconds.
     * @param offered records per second
     * @param errors number of errors since the trial began
     * @param lag in records; null if unknown or without consumers
     * @param cores number of cores used by the load generator
     */
    record Load(
            double offered,
            PerSecond produced,
            PerSecond consumed,
            Latencies response,
            long errors,
            @Nullable Long lag,
            double cores) {}

    record PerSecond(double records, double bytes) {}

    /**
     * Progress as {@code key=value} lines: one per phase, and one every five seconds under load. Numbers have no separators and
     * fixed units: records per second, MB per second, milliseconds, cores. Thread-safe.
     */
    public static final class LineProgress extends LiveState {
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
        public synchronized void phase(@Nullable String trial, String phase, double fraction, double etaSeconds) {
            long now = nanoTime.getAsLong();
            if (!isIn(trial, phase) && unseen()) {
                // Print the last figures of the previous phase: a short phase can have no other line.
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
            put(pairs, "passed", !Double.isNaN(view.lower()), number(view.lower(), 0));
            put(pairs, "failed", !Double.isNaN(view.upper()), number(view.upper(), 0));
            put(pairs, "eta", view.etaSeconds() >= 0, number(Math.ceil(view.etaSeconds()), 0) + "s");
            print(nanoTime.getAsLong(), pairs);
        }

        @Override
        public synchronized void fault(@Nullable Sentence what) {
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
                pairs.put("trial", figures.trial());
            }
            pairs.put("phase", figures.phase());
            if (figures.fault() != null) {
                pairs.put("fault", figures.fault().english());
            }
            boolean known = figures.fraction() >= 0;
            put(pairs, "done", known, number(100 * figures.fraction(), 0) + "%");
            double elapsed = Math.floor(figures.elapsedSeconds());
            put(pairs, "elapsed", !known && elapsed >= 1, number(elapsed, 0) + "s");
            put(pairs, "eta", figures.etaSeconds() >= 0, number(Math.ceil(figures.etaSeconds()), 0) + "s");
            if (withLoad && figures.load() != null) {
                load(figures.load(), pairs);
            }
            if (withLoad && figures.checks() != null) {
                int held = figures.checks().held().size();
                pairs.put(
                        "checks", held + "/" + (held + figures.checks().missed().size()));
            }
            pairs.replaceAll((key, value) -> Text.printable(value));
            return pairs;
        }

        private static void load(Load load, Map<String, String> pairs) {
            boolean produces = load.offered() > 0 || load.produced().records() > 0;
            put(pairs, "offered", produces, number(load.offered(), 0));
            put(pairs, "achieved", produces, number(load.produced().records(), 0));
            put(pairs, "MB", produces, number(load.produced().bytes() / 1e6, 2));
            put(
                    pairs,
                    "consumed",
                    load.consumed().records() > 0,
                    number(load.consumed().records(), 0));
            Latencies response = load.response();
            put(pairs, "p50ms", !response.isEmpty(), number(response.percentileMicros(50) / 1e3, 2));
            put(pairs, "p99ms", !response.isEmpty(), number(response.percentileMicros(99) / 1e3, 2));
            put(pairs, "maxms", !response.isEmpty(), number(response.maxMicros() / 1e3, 2));
            pairs.put("errors", String.valueOf(load.errors()));
            put(pairs, "lag", load.lag() != null, String.valueOf(load.lag()));
            pairs.put("cores", number(load.cores(), 2));
        }

        private static void put(Map<String, String> pairs, String key, boolean known, String value) {
            if (known) {
                pairs.put(key, value);
            }
        }

        private static String number(double value, int decimals) {
            return String.format(Locale.ROOT, "%." + decimals + "f", value);
        }

        private static String quoted(String value) {
            boolean plain = !value.isEmpty() && value.chars().noneMatch(c -> c == ' ' || c == '"' || c == '=');
            return plain ? value : "\"" + value.replace("\"", "'") + "\"";
        }
    }
}
