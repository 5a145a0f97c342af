package io.plimsoll.capacity;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.capacity.CapacityPlan.Carries;
import io.plimsoll.capacity.CapacityPlan.Cost;
import io.plimsoll.capacity.CapacityPlan.Need;
import io.plimsoll.capacity.CapacityPlan.Prediction;
import io.plimsoll.capacity.Target.Margin;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Sums;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Derives the number of brokers for a load from a ceiling search and the measured cost of loads. It assumes an even
 * distribution over brokers: each resource saturates at some load of one broker, and the ceiling of the search bounds
 * all resources. Used by one thread.
 */
public final class CapacityPlanner {
    /** Relative precision of a ceiling: a shortfall below this share does not require another broker. */
    private static final double RESOLUTION = 0.05;
    /**
     * If the cost model predicts a ceiling that exceeds the measured one by more than this share, the measured ceiling
     * has another cause.
     */
    private static final double OTHER_CAUSE = 0.25;
    /** Maximum number of brokers in a plan; a larger result is meaningless. */
    private static final double MOST_BROKERS = 10_000;

    private final RunResult result;
    private final Target target;
    private final Margin margin;
    private final BrokerLimits limits;
    private final Costs costs;
    private final Ceiling.Bound bound;
    /** The highest load of the search that passed, in bytes/s. */
    private final double lower;
    /** The lowest load above {@link #lower} that did not pass, in bytes/s; null if unknown. */
    private final @Nullable Double upper;

    private final int measured;
    private final boolean oneHost;
    private final double today;
    private final double needed;

    private CapacityPlanner(RunResult result, Target target, Margin margin, BrokerLimits limits) {
        this.result = result;
        this.target = target;
        this.margin = margin;
        this.limits = limits;
        this.costs = Costs.of(result).orElseThrow(() -> Exit.USAGE.because("capacity.noSearch"));
        this.bound = costs.ceiling().found().decisive();
        this.lower = Sums.orZero(bound.lowerBytesPerSecond());
        Exit.INVALID_MEASUREMENT.when(lower <= 0, "capacity.nothingPassed");
        this.upper = costs.ceiling().course().generatorLimited() ? null : bound.upperBytesPerSecond();
        this.measured = costs.cluster().brokers().size();
        this.oneHost = measured > 1 && (costs.cluster().lab() || costs.brokersHere() > 1);
        Rate.Quantity rate = target.rate();
        boolean records = rate.unit() == Rate.Unit.RECORDS;
        this.today = rate.value() * (records ? costs.bytesPerRecord() : 1);
        Exit.INVALID_MEASUREMENT.when(today <= 0, "capacity.noRecordSize");
        this.needed = margin.load(today);
    }

    /** @throws PlimsollException if the run did not search for a ceiling, or its result is not sufficient */
    public static CapacityPlan plan(RunResult result, Target target, Margin margin, BrokerLimits limits) {
        return new CapacityPlanner(result, target, margin, limits).plan();
    }

    /**
     * Checks a target for a run that was made for another target.
     *
     * @throws PlimsollException if the target has other groups or replicas than the measured load, so that the costs
     *     differ
     */
    public static void requireAlike(RunResult result, Target target) {
        Integer copies = target.replication();
        Integer groups = target.groups();
        Costs.of(result).ifPresent(measured -> {
            boolean alike = (copies == null || measured.replication().orElse(copies) == copies)
                    && (groups == null || measured.groups().orElse(groups) == groups);
            Exit.USAGE.when(!alike, "capacity.otherTarget", target.text());
        });
    }

    private CapacityPlan plan() {
        List<Need> needs = new ArrayList<>(List.of(ceiling()));
        costs.all().forEach((resource, cost) -> needs.add(need(resource, cost)));
        if (target.partitions() != null && limits.get("partitions") != null) {
            needs.add(partitions(limits.get("partitions")));
        }
        needs.sort(Comparator.comparingDouble((Need n) -> n.brokers() == null ? 0 : -n.brokers()));
        CapacityPlan.Measured ground = new CapacityPlan.Measured(
                measured,
                bound,
                result.ceilings().stream()
                        .filter(c -> c.outage() != null)
                        .map(c -> c.found().decisive())
                        .findFirst()
                        .orElse(null),
                costs.trials().size(),
                costs.trials().stream().mapToDouble(Costs::megabytes).max().orElse(0) * Costs.MEGA,
                oneHost,
                costs.requests().orElse(null));
        return new CapacityPlan(
                CapacityPlan.SCHEMA,
                new CapacityPlan.Asked(target.text(), today, margin, needed),
                answer(needs),
                ground,
                needs,
                predictions(),
                assumptions());
    }

    private Need ceiling() {
        double high = upper == null ? Double.POSITIVE_INFINITY : upper;
        double middle = upper == null ? lower : (lower + upper) / 2;
        Ceiling.Cause cause = costs.ceiling().cause();
        Sentence name = cause == null || cause.named().limit() == null
                ? Sentence.of("capacity.ceiling")
                : Sentence.of("capacity.ceilingBy", cause.named().limit());
        return new Need(
                "ceiling", name, Cost.NONE, null, carries(middle, lower, high), needed / (middle / measured), oneHost);
    }

    /** @param load of all measured brokers together, as are {@code low} and {@code high}; may be infinite */
    private Carries carries(double load, double low, double high) {
        boolean extrapolated = load > lower * (1 + RESOLUTION);
        return new Carries(each(load), each(low), each(high), extrapolated);
    }

    private @Nullable Double each(double load) {
        return Double.isInfinite(load) ? null : Double.valueOf(load / measured);
    }

    private Need need(Resource resource, LoadCost found) {
        Double limit = costs.limit(resource, limits, oneHost);
        boolean shared = oneHost && resource.given() != null && limits.get(resource.given()) == null && limit != null;
        double slope = found.slope();
        double fixed = found.at(found.top()) - slope * found.top();
        Cost cost = new Cost(
                resource.unit(), fixed, slope, found.slopeHalf(), found.whole().parts());
        double all = limit == null ? 0 : limit * measured;
        double load = limit == null ? 0 : found.reaches(all, 0) * Costs.MEGA;
        if (load <= 0) {
            return new Need(resource.id(), resource.title(), cost, limit, Carries.UNKNOWN, null, shared);
        }
        Carries carries = carries(load, found.reaches(all, 1) * Costs.MEGA, found.reaches(all, -1) * Costs.MEGA);
        Double brokers = Double.isInfinite(load) ? null : Double.valueOf(needed / (load / measured));
        return new Need(resource.id(), resource.title(), cost, limit, carries, brokers, shared);
    }

    private Need partitions(double limit) {
        double copies = (double) Objects.requireNonNull(target.partitions()) * replication();
        Sentence name = Sentence.of("capacity.partitions");
        return new Need("partitions", name, Cost.NONE, limit, Carries.UNKNOWN, copies / limit, false);
    }

    /** Replicas of each partition: from the target, or the measured topics, or the scenario, in this order. */
    private int replication() {
        Object topics = result.scenario().get("topics");
        int planned = (topics instanceof List<?> all ? all : List.of())
                .stream()
                        .map(t -> t instanceof Map<?, ?> topic && topic.get("replication") instanceof Number n
                                ? n.intValue()
                                : 1)
                        .max(Integer::compare)
                        .orElse(1);
        int most = costs.replication().orElse(planned);
        return Objects.requireNonNullElse(target.replication(), most);
    }

    private CapacityPlan.Answer answer(List<Need> needs) {
        Need binding = needs.get(0);
        Sentence second = needs.size() > 1 && needs.get(1).brokers() != null
                ? needs.get(1).name()
                : null;
        boolean open =
                binding.carries().bytesPerSecond() != null && binding.carries().high() == null;
        Integer least = open ? null : number(needs, n -> at(n, n.carries().high()));
        Integer most = number(needs, n -> at(n, n.carries().low()));
        Integer brokers = number(needs, Need::brokers);
        if (brokers == null) {
            throw Exit.INVALID_MEASUREMENT.because(
                    "capacity.tooMany", Units.count((long) MOST_BROKERS), binding.name());
        }
        Sentence range = least != null && most != null
                ? Sentence.of("capacity.range", least, most)
                : open ? Sentence.of("capacity.orFewer") : Sentence.NONE;
        Ceiling.Cause cause = costs.ceiling().cause();
        Sentence sentence = Sentence.of(
                "capacity.answer",
                target.text(),
                margin.growth() > 0
                        ? Sentence.of("capacity.grown", Units.byteRate(needed * (1 - margin.headroom())))
                        : Sentence.NONE,
                margin.headroom() > 0
                        ? Sentence.of("capacity.withHeadroom", Units.percent(margin.headroom()))
                        : Sentence.NONE,
                margin.survive() > 0 ? Sentence.of("capacity.surviving", margin.survive()) : Sentence.NONE,
                brokers,
                range,
                binding.name(),
                second == null ? Sentence.NONE : Sentence.of("capacity.second", second));
        return new CapacityPlan.Answer(
                brokers, least, most, binding.name(), second, sentence, cause == null ? null : cause.sentence());
    }

    /** Number of brokers required if one broker sustains this load; 0 if one broker sustains any load. */
    private double at(Need need, @Nullable Double each) {
        return need.carries().bytesPerSecond() == null ? need.brokers() : each == null ? 0 : needed / each;
    }

    /**
     * Number of brokers that sustain the load while some of them are down, and that can hold all replicas; null if too
     * many.
     */
    private @Nullable Integer number(List<Need> needs, ToDoubleFunction<Need> brokers) {
        double most = needs.stream()
                .filter(n -> n.brokers() != null)
                .mapToDouble(brokers)
                .max()
                .orElse(1);
        int carrying = (int) Math.max(1, Math.max(Math.floor(most), Math.ceil(most * (1 - RESOLUTION))));
        int copies = replication();
        return most > MOST_BROKERS ? null : Integer.valueOf(Math.max(carrying + margin.survive(), copies));
    }

    private List<Prediction> predictions() {
        List<Prediction> predictions = new ArrayList<>();
        costs.check().ifPresent(check -> costs.all().forEach((resource, cost) -> {
            Double used = resource.used(check.observed().brokers());
            double load = Costs.megabytes(check);
            if (used != null) {
                predictions.add(
                        prediction(resource.title(), resource.unit(), load, cost.at(load), used, cost.atHalf(load)));
            }
        }));
        costs.check()
                .filter(check ->
                        Costs.requests(check) != null && costs.requests().isPresent())
                .map(check -> prediction(
                        Sentence.of("capacity.requests"),
                        "requests/s",
                        Costs.megabytes(check),
                        costs.requests().get().perSecond(Costs.megabytes(check)),
                        Objects.requireNonNull(Costs.requests(check)),
                        null))
                .ifPresent(predictions::add);
        ceilingByCosts().ifPresent(predictions::add);
        return predictions;
    }

    private static Prediction prediction(
            Sentence name, String unit, double load, double predicted, double measured, @Nullable Double half) {
        Double error = measured == 0 ? null : Double.valueOf(predicted / measured - 1);
        return new Prediction(name, unit, load * Costs.MEGA, predicted, measured, error, half);
    }

    /** Compares the load that saturates a resource with the ceiling of the search. */
    private Optional<Prediction> ceilingByCosts() {
        if (upper == null) {
            return Optional.empty();
        }
        double found = (lower + upper) / 2;
        return costs.saturatedAt(limits, oneHost).map(megabytes -> {
            Sentence name = Sentence.of(oneHost ? "capacity.usedUpHere" : "capacity.usedUp");
            return prediction(name, "bytes/s", found / Costs.MEGA, megabytes * Costs.MEGA, found, null);
        });
    }

    private List<Sentence> assumptions() {
        List<Sentence> all = new ArrayList<>(List.of(Sentence.of("capacity.evenly", measured)));
        String end = costs.ceiling().course().end();
        boolean unsure = end.equals(Ceiling.OUT_OF_TIME) || end.equals(Ceiling.STOPPED);
        boolean uncounted = target.partitions() != null && limits.get("partitions") == null;
        Sentence.addIf(oneHost, all, "capacity.oneHost");
        Sentence.addIf(upper == null, all, "capacity.open");
        ceilingByCosts()
                .filter(p -> p.error() != null && p.error() > OTHER_CAUSE)
                .ifPresent(p -> all.add(Sentence.of("capacity.otherCause", Units.byteRate(p.predicted()))));
        Sentence.addIf(unsure, all, "capacity.unsure");
        costs.all().forEach((resource, cost) -> {
            Double limit = costs.limit(resource, limits, oneHost);
            boolean full = limit != null && cost.reaches(limit * measured, 0) <= 0;
            Sentence.addIf(full, all, "capacity.fullWithoutLoad", resource.title());
        });
        Sentence.addIf(limits.get("network") == null, all, "capacity.networkUnknown");
        Sentence.addIf(uncounted, all, "capacity.partitionsUnknown");
        Sentence.addIf(margin.headroom() == 0, all, "capacity.noHeadroom");
        all.add(Sentence.of("capacity.minutes"));
        return all;
    }
}
