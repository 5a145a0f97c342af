package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.result.AuditResult.Counts;
import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.AuditResult.Identified;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Warmup;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** Figures of the audit, faults, steadiness, the cost of a cold start, and a guard's probe. */
public final class TrialFigures implements FigureSet {
    static final String PROBE = "probe";

    @Override
    public List<Figure> figures() {
        return Stream.of(audit(), faults(), trial(), cold())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Figure> audit() {
        return List.of(
                counted("acknowledged", Counts::acknowledged),
                counted("read", Counts::read),
                wrong("lost", a -> a.counts().lost()),
                wrong("duplicated", a -> a.counts().duplicated()),
                wrong("reordered", a -> a.counts().reordered()),
                wrong("corrupted", a -> a.counts().corrupted()),
                known("phantom", Identified::phantom),
                known("foreign", Identified::foreign),
                wrong("abortedVisible", a -> a.identified().abortedVisible()),
                wrong("violations", a -> a.identified().violations()),
                counted("unknown", Counts::unknown),
                inGroups("processedTwice", GroupAudit::processedTwice),
                inGroups("skipped", GroupAudit::skipped),
                inGroups("givenUp", GroupAudit::givenUp));
    }

    private static List<Figure> faults() {
        return List.of(
                ofFaults(
                        "silence",
                        f -> f.silenced() == null ? null : f.silenced().longestSeconds()),
                ofFaults("inSync", f -> f.effect().isrFullSeconds()),
                ofFaults(
                        "duration",
                        f -> f.span().over() == null
                                ? null
                                : Double.valueOf(f.span().over() - f.span().asked())),
                ofFaults(
                        "rebalance",
                        f -> f.rebalance() == null ? null : f.rebalance().longestSeconds()));
    }

    /** The longest time in seconds over all faults; null if no fault has this time. */
    private static Figure ofFaults(String name, Function<FaultResult, Double> seconds) {
        return Figure.of("fault." + name, MICROSECONDS).read(trial -> trial.detail().faults().stream()
                .map(seconds)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .map(longest -> longest * 1e6)
                .orElse(null));
    }

    private static List<Figure> trial() {
        return List.of(
                Figure.of("trial.steady", COUNT)
                        .read(trial -> trial.course().steady() == null
                                ? null
                                : Integer.valueOf(trial.course().steady() ? 1 : 0)),
                Figure.of("trial.topicsCreated", MICROSECONDS)
                        .read(trial -> trial.course().topicsSeconds() == null
                                ? null
                                : trial.course().topicsSeconds() * 1e6));
    }

    private static List<Figure> cold() {
        return List.of(
                ofClients("metadata"),
                ofClients("connected"),
                ofClients("firstRecord"),
                ofFirstSecond("throughput", RECORDS_PER_SECOND, second -> second.rates()
                        .produced()),
                ofFirstSecond("p99", MICROSECONDS, second -> second.response().responseP99()),
                Figure.latency(
                                PROBE,
                                trial -> trial.observed().guards().stream()
                                        .map(GuardResult::latency)
                                        .filter(Objects::nonNull)
                                        .findFirst()
                                        .orElse(null),
                                null)
                        .column(6, Statistic.P99));
    }

    private static Figure counted(String name, Function<Counts, Number> where) {
        return of(name, a -> where.apply(a.counts()));
    }

    private static Figure known(String name, Function<Identified, Number> where) {
        return of(name, a -> where.apply(a.identified()));
    }

    /** A count that must be 0; it is known to be 0 only after a complete audit. */
    private static Figure wrong(String name, Function<AuditResult, Long> where) {
        return of(name, a -> {
            Long found = where.apply(a);
            return found == null || (found == 0 && !a.complete()) ? null : found;
        });
    }

    private static Figure of(String name, Function<AuditResult, Number> where) {
        return Figure.of("audit." + name, COUNT)
                .read(trial -> trial.audit() == null ? null : where.apply(trial.audit()));
    }

    /** The sum over all groups; null if the value of any group is unknown. */
    private static Figure inGroups(String name, Function<GroupAudit, Long> figure) {
        return of(name, a -> {
            List<GroupAudit> groups = a.groups() == null ? List.of() : a.groups();
            boolean known = !groups.isEmpty() && groups.stream().map(figure).noneMatch(Objects::isNull);
            return known ? Long.valueOf(groups.stream().mapToLong(figure::apply).sum()) : null;
        });
    }

    private static boolean isCold(TrialResult trial) {
        WarmupResult warmup = trial.course().warmup();
        return warmup != null && Warmup.Until.NONE.word().equals(warmup.until());
    }

    private static Figure ofClients(String name) {
        return Figure.of("cold." + name, MICROSECONDS)
                .read(trial -> !isCold(trial)
                        ? null
                        : trial.observed().clients().values().stream()
                                .map(of -> of.get(name + "Ms"))
                                .filter(Objects::nonNull)
                                .max(Double::compare)
                                .map(millis -> millis * 1e3)
                                .orElse(null))
                .column(12);
    }

    private static Figure ofFirstSecond(String name, Dimension dimension, Function<TrialResult.Second, Number> where) {
        return Figure.of("cold.firstSecond." + name, dimension)
                .read(trial -> isCold(trial) && !trial.detail().seconds().isEmpty()
                        ? where.apply(trial.detail().seconds().get(0))
                        : null)
                .column(12);
    }
}
