package io.plimsoll.run;

import io.plimsoll.diagnose.HostBounds;
import io.plimsoll.diagnose.HostBounds.Ground;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.result.Ceiling.Cause;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.HostBound;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.Units;
import io.plimsoll.run.CellSearch.Done;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Rate;
import io.plimsoll.search.Answer;
import io.plimsoll.search.Bounds;
import io.plimsoll.search.Goal;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Builds the result of a search from its answer and its trials.
 *
 * @param stopped reason if the search was aborted; null otherwise
 * @param throttled whether quotas of the cluster throttled the producers
 */
record CeilingResult(
        Plan.Trial cell,
        List<Check> slo,
        CeilingRequest request,
        List<Done> done,
        Answer answer,
        Sentence stopped,
        boolean throttled) {
    private static final double WIDER = 1.02;

    private boolean inBytes() {
        return request.unit() != Rate.Unit.RECORDS;
    }

    /** Mean payload bytes of all trials so far; 0 without acknowledgements. */
    static double bytesPerRecord(List<Done> done) {
        List<Produce> produced = done.stream()
                .map(d -> d.result().produce())
                .filter(p -> p != null && p.volume().records() > 0)
                .toList();
        double records =
                produced.stream().mapToDouble(p -> p.volume().records()).sum();
        return records == 0
                ? 0
                : produced.stream().mapToDouble(p -> p.volume().bytes()).sum() / records;
    }

    /**
     * @param cause null if unknown
     * @param ground host limits that apply to the load
     * @param outage outage during the search; null if none
     */
    Ceiling ceiling(Cause cause, Ground ground, Ceiling.Outage outage) {
        Bounds sustained = answer.bounds().get(Goal.SUSTAINED);
        Bounds within = answer.bounds().get(Goal.WITHIN_SLO);
        boolean irregular = answer.bounds().values().stream().anyMatch(Bounds::irregular);
        return new Ceiling(
                cell.parameters(),
                new Ceiling.Found(
                        slo.isEmpty() ? null : slo.stream().map(Check::text).collect(Collectors.joining(", ")),
                        bound(sustained),
                        within == null ? null : bound(within)),
                new Ceiling.Course(
                        irregular,
                        answer.bounds().values().stream().anyMatch(Bounds::generatorLimited),
                        end(),
                        answer.confirmed() && !request.lengths().confirm().isZero()),
                cause,
                curve(),
                remarks(within == null ? sustained : within, irregular, outage),
                bounds(within == null ? sustained : within, ground),
                outage);
    }

    /** Host bounds of the longest trial at the highest passed load. */
    private List<HostBound> bounds(Bounds decisive, Ground ground) {
        return at(decisive.lower()).stream()
                .max(Comparator.comparingDouble(d -> d.step().seconds()))
                .map(d -> HostBounds.of(d.result(), ground))
                .orElse(List.of());
    }

    private Bound bound(Bounds b) {
        return new Bound(
                b.hasLower() ? records(b.lower()) : null,
                b.hasUpper() ? records(b.upper()) : null,
                b.hasLower() ? bytes(b.lower()) : null,
                b.hasUpper() ? bytes(b.upper()) : null,
                b.trials(),
                b.classified());
    }

    /** Null if the record size is unknown. */
    private Double records(double load) {
        double each = bytesPerRecord(done);
        return !inBytes() ? Double.valueOf(load) : each > 0 ? load / each : null;
    }

    private Double bytes(double load) {
        double each = bytesPerRecord(done);
        return inBytes() ? Double.valueOf(load) : each > 0 ? load * each : null;
    }

    private String end() {
        if (answer.end() == null) {
            return Ceiling.STOPPED;
        }
        return switch (answer.end()) {
            case FOUND -> Ceiling.FOUND;
            case MOST_REACHED -> Ceiling.MOST_REACHED;
            case NOTHING_PASSES -> Ceiling.NOTHING_PASSES;
            case GENERATOR_LIMITED -> Ceiling.GENERATOR_LIMITED;
            case OUT_OF_TIME -> Ceiling.OUT_OF_TIME;
        };
    }

    private List<CurvePoint> curve() {
        TreeMap<Double, List<Done>> byLoad = new TreeMap<>();
        done.stream().filter(d -> !Double.isInfinite(d.step().load())).forEach(d -> byLoad.computeIfAbsent(
                        d.step().load(), load -> new ArrayList<>())
                .add(d));
        return byLoad.values().stream().map(this::point).toList();
    }

    /** The longest trial among those with the majority verdict of the longer ones. */
    private CurvePoint point(List<Done> atLoad) {
        double longest =
                atLoad.stream().mapToDouble(d -> d.step().seconds()).max().orElse(0);
        List<Done> weighty = deciding(
                atLoad.stream().filter(d -> d.step().seconds() > longest / 2).toList());
        long passed = weighty.stream().filter(d -> d.judgement().withinSlo()).count();
        boolean passes = 2 * passed > weighty.size();
        Done typical = weighty.stream()
                .filter(d -> d.judgement().withinSlo() == passes)
                .max(Comparator.comparingDouble(d -> d.step().seconds()))
                .orElseThrow();
        Produce p = typical.result().produce();
        return new CurvePoint(
                orZero(records(typical.step().load())),
                orZero(bytes(typical.step().load())),
                p == null ? 0 : p.volume().recordsPerSecond(),
                p == null ? 0 : p.volume().bytesPerSecond(),
                p == null ? null : p.times().responseTime().percentiles().p50(),
                p == null ? null : p.times().responseTime().percentiles().p99(),
                passes,
                typical.judgement().reasons());
    }

    /** Trials with a verdict on the load; all trials if none has one. */
    private static List<Done> deciding(List<Done> trials) {
        List<Done> decided =
                trials.stream().filter(d -> d.judgement().decidedWithinSlo()).toList();
        return decided.isEmpty() ? trials : decided;
    }

    private static double orZero(Double value) {
        return value == null ? 0 : value;
    }

    private List<Sentence> remarks(Bounds decisive, boolean irregular, Ceiling.Outage outage) {
        List<Sentence> remarks = new ArrayList<>();
        if (outage != null) {
            outage.told().ifPresent(remarks::add);
        }
        Sentence.addIf(stopped != null, remarks, "run.givenUp", stopped);
        if (decisive.hasUpper()) {
            typical(decisive.upper())
                    .ifPresent(d -> remarks.add(Sentence.of(
                            "run.failedAt",
                            load(decisive.upper()),
                            d.judgement().reasons())));
        }
        Sentence.addIf(irregular, remarks, "run.irregular");
        boolean wide = decisive.hasLower()
                && decisive.hasUpper()
                && (decisive.upper() - decisive.lower()) / decisive.upper() > request.width() * WIDER;
        Sentence.addIf(wide && decisive.classified(), remarks, "run.wideBounds", Units.percent(request.width()));
        long contradictory = contradictoryLoads();
        Sentence.addIf(!decisive.classified() && contradictory > 1, remarks, "run.contradictory", contradictory);
        if (decisive.hasLower() && decisive.classified() && !answer.confirmed()) {
            remarks.add(Sentence.of("run.unconfirmed", load(decisive.lower())));
        }
        if (decisive.hasLower() && isUnsteady(decisive.lower())) {
            remarks.add(Sentence.of("run.unsteadyAt", load(decisive.lower())));
        }
        Sentence.addIf(throttled, remarks, "run.quotas");
        return remarks;
    }

    /** Number of loads with repeated trials and contradictory verdicts. */
    private long contradictoryLoads() {
        return done.stream()
                .filter(d ->
                        !Double.isInfinite(d.step().load()) && d.judgement().decidedWithinSlo())
                .collect(Collectors.groupingBy(
                        d -> d.step().load(),
                        Collectors.mapping(d -> d.judgement().withinSlo(), Collectors.toSet())))
                .values()
                .stream()
                .filter(answers -> answers.size() > 1)
                .count();
    }

    private Optional<Done> typical(double load) {
        return deciding(at(load)).stream()
                .filter(d -> !d.judgement().reasons().isEmpty())
                .max(Comparator.comparingDouble(d -> d.step().seconds()));
    }

    private boolean isUnsteady(double load) {
        List<TrialResult> judged = at(load).stream()
                .map(Done::result)
                .filter(r -> r.course().steady() != null)
                .toList();
        return 2 * judged.stream().filter(r -> !r.course().steady()).count() > judged.size();
    }

    private List<Done> at(double load) {
        return done.stream().filter(d -> d.step().load() == load).toList();
    }

    private Sentence load(double load) {
        return load(load, inBytes());
    }

    static Sentence load(double load, boolean inBytes) {
        return inBytes ? Sentence.verbatim(Units.byteRate(load)) : Sentence.of("run.records", Units.about(load));
    }
}
