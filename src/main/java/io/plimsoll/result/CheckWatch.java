package io.plimsoll.result;

import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Checks.SecondFigures;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects during a trial that a check can no longer be met: a count or maximum exceeds its limit, or too many seconds
 * have failed. Percentiles and rates of the whole trial are undecided until the trial ends. Covers one trial; used by
 * one thread.
 */
public final class CheckWatch {
    /** The label of the clients that the checks concern; null for all clients. */
    private final @Nullable String label;

    private final List<CheckWatch> ofLabels;
    private final List<Check> checks;
    private final SecondFigures figures;
    private final double plannedSeconds;
    private final Map<Check, Integer> missed = new LinkedHashMap<>();
    private final Map<String, Long> counts = new LinkedHashMap<>();
    /** The last second of the measured window; empty if the last snapshot was outside of it. */
    private Optional<TrialResult.Second> latest = Optional.empty();

    /** @param plannedSeconds planned length of the measured window; 0 if unknown */
    public CheckWatch(List<Check> checks, double plannedSeconds) {
        this(checks, plannedSeconds, null);
    }

    private CheckWatch(List<Check> all, double plannedSeconds, @Nullable String label) {
        this.label = label;
        this.checks = all.stream().filter(c -> Objects.equals(c.label(), label)).toList();
        this.figures = new SecondFigures(checks, true);
        this.plannedSeconds = plannedSeconds;
        this.ofLabels = label != null
                ? List.of()
                : all.stream()
                        .map(Check::label)
                        .filter(Objects::nonNull)
                        .distinct()
                        .map(one -> new CheckWatch(all, plannedSeconds, one))
                        .toList();
    }

    /** @return the failed check with its value so far */
    public Optional<Sentence> accept(Snapshot all) {
        List<Optional<Sentence>> broken =
                ofLabels.stream().map(watch -> watch.accept(all)).toList();
        return own(label == null ? all : all.of(label))
                .or(() -> broken.stream().flatMap(Optional::stream).findFirst());
    }

    private Optional<Sentence> own(Snapshot snapshot) {
        count(snapshot);
        latest = snapshot.phase() == Phase.MEASURE ? SecondsFold.second(snapshot, figures) : Optional.empty();
        return checks.stream().flatMap(check -> broken(check).stream()).findFirst();
    }

    /** Reports the checks as of the last second of the measured window; counts and maxima cover the window up to this second. */
    public void report(Progress progress) {
        if (latest.isPresent() || ofLabels.stream().anyMatch(watch -> watch.latest.isPresent())) {
            List<String> held = new ArrayList<>();
            List<String> missed = new ArrayList<>();
            Stream.concat(Stream.of(this), ofLabels.stream()).forEach(watch -> watch.sort(held, missed));
            progress.checks(held, missed);
        }
    }

    private void sort(List<String> held, List<String> missed) {
        latest.ifPresent(second -> checks.forEach(check -> {
            Number grown = counts.get(check.figure());
            Number value = grown == null ? Checks.value(second, check) : grown;
            if (value != null) {
                (check.op().holds(value.doubleValue(), check.limit()) ? held : missed).add(check.text());
            }
        }));
    }

    private Optional<Sentence> broken(Check check) {
        Double least = check.ofSeconds();
        Optional<Sentence> how = least != null ? seconds(check, least) : grown(check);
        return how.map(broken -> Sentence.of("result.brokenBy", check.text(), broken));
    }

    /** Updates the figures of the checks: counts are added up; for a distribution, the maximum is kept. */
    private void count(Snapshot s) {
        Sums sums = Sums.of(s.withClockError(null), s.measured().plus(s.whole()));
        checks.stream().map(Check::figure).distinct().forEach(figure -> {
            FigureCatalogue.Named named = FigureCatalogue.named(figure);
            Long more = named.figure().grownBy(sums, named.statistic());
            if (more != null) {
                counts.merge(figure, more, named.statistic() == null ? Long::sum : Math::max);
            }
        });
    }

    /**
     * Whether too many seconds have failed. Assumes one second more than planned, because the boundaries of seconds
     * vary.
     */
    private Optional<Sentence> seconds(Check check, double least) {
        if (latest.isPresent() && Checks.isKnown(latest.get(), check) && !Checks.holds(latest.get(), check)) {
            missed.merge(check, 1, Integer::sum);
        }
        int misses = missed.getOrDefault(check, 0);
        double allowed = (1 - least) * (plannedSeconds + 1);
        return plannedSeconds > 0 && misses > allowed
                ? Optional.of(Sentence.of("result.secondsFailed", misses, Units.decimals(plannedSeconds, 0)))
                : Optional.empty();
    }

    private Optional<Sentence> grown(Check check) {
        Long value = counts.get(check.figure());
        if (value == null || check.op().holds(value, check.limit())) {
            return Optional.empty();
        }
        boolean upper = check.op() == Operator.LESS || check.op() == Operator.LESS_OR_EQUAL;
        boolean beyond = check.op() == Operator.EQUAL && value > check.limit();
        return upper || beyond
                ? Optional.of(Sentence.of("result.already", Units.figure(value, Units.of(check.dimension()))))
                : Optional.empty();
    }
}
