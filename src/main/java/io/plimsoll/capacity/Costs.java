package io.plimsoll.capacity;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.HostBound;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TrialResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a load costs of each resource, from trials far below the ceiling: beyond it queues grow, and what waits costs too.
 *
 * @param ceiling that bounds it
 * @param brokers that were measured
 * @param all by resource, of all brokers together; those that every broker told of
 * @param trials they were made from
 */
record Costs(
        Ceiling ceiling,
        List<Map<String, Object>> brokers,
        Map<Resource, LoadCost> all,
        List<TrialResult> trials,
        Optional<TrialResult> check) {
    static final double MEGA = 1e6;

    static Optional<Costs> of(RunResult result) {
        Optional<Ceiling> whole =
                result.ceilings().stream().filter(c -> c.outage() == null).findFirst();
        if (whole.isEmpty()) {
            return Optional.empty();
        }
        List<TrialResult> trials = result.trials().stream()
                .filter(t -> isKind(t, CapacityPlan.COST) || isKind(t, CapacityPlan.FULLER))
                .filter(t -> t.course().complete() && seenWhole(t, result))
                .toList();
        Map<Resource, LoadCost> all = new EnumMap<>(Resource.class);
        for (Resource resource : Resource.values()) {
            cost(trials, t -> resource.used(t.observed().brokers())).ifPresent(cost -> all.put(resource, cost));
        }
        return Optional.of(new Costs(
                whole.get(),
                trials.isEmpty() ? List.of() : trials.get(0).observed().brokers(),
                all,
                trials,
                result.trials().stream()
                        .filter(t -> isKind(t, CapacityPlan.CHECK) && seenWhole(t, result))
                        .findFirst()));
    }

    /** Whether none of the brokers, or each, was observed: what some use is not what all use. */
    private static boolean seenWhole(TrialResult trial, RunResult result) {
        int seen = trial.observed().brokers().size();
        return seen == 0 || seen == result.environment().cluster().brokers().size();
    }

    private static Optional<LoadCost> cost(List<TrialResult> trials, Function<TrialResult, Double> used) {
        return LoadCost.of(trials.stream()
                .filter(t -> used.apply(t) != null)
                .map(t -> new LoadCost.Point(megabytes(t), requests(t), used.apply(t), isKind(t, CapacityPlan.COST)))
                .toList());
    }

    /** How much a request holds; empty if it is not known how many there were. */
    Optional<CapacityPlan.Requests> requests() {
        return all.values().stream()
                .map(cost -> cost.whole().requests())
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Of producers, consumers and followers, as brokers count them, or else as the clients do; null if unknown. */
    static Double requests(TrialResult trial) {
        Double seen = Resource.requests(trial.observed().brokers());
        Double produced = trial.produce().wire().requestsPerSecond();
        boolean told = trial.consume() != null && trial.consume().fetches().requestsPerSecond() != null;
        Double fetched = told ? trial.consume().fetches().requestsPerSecond() : Double.valueOf(0);
        return seen != null || produced == null ? seen : Double.valueOf(produced + fetched);
    }

    /**
     * The least load in megabytes per second at which all that brokers have of something is used up, by its cost. On a host that
     * they share with the load generator its processors are all that is known.
     */
    Optional<Double> usedUp(BrokerLimits known, boolean oneHost) {
        if (oneHost) {
            Double cores = least("processors");
            return cost(trials, Costs::busy)
                    .filter(cost -> cores != null && cost.slope() > 0)
                    .map(cost -> cost.reaches(cores, 0));
        }
        return all.entrySet().stream()
                .filter(e ->
                        limit(e.getKey(), known, false) != null && e.getValue().slope() > 0)
                .map(e -> e.getValue().reaches(limit(e.getKey(), known, false) * brokers.size(), 0))
                .min(Double::compare);
    }

    /**
     * Cores that all processes of the load generator's host keep busy with work; null if unknown. The generator spins only where a
     * core is free, so that nothing of it is left where the host is full.
     */
    private static Double busy(TrialResult trial) {
        Double cores = Resource.number(trial.observed().host(), "cpu");
        Double steal = Resource.number(trial.observed().host(), "steal");
        double spun = trial.observed().generator() == null
                ? 0
                : trial.observed().generator().wakeUps().spunCores();
        return cores == null ? null : Double.valueOf(Math.max(0, cores + (steal == null ? 0 : steal) - spun));
    }

    private static boolean isKind(TrialResult trial, String kind) {
        return kind.equals(trial.detail().parameters().get("trial")) && trial.produce() != null;
    }

    /** What producers wrote per second. */
    static double megabytes(TrialResult trial) {
        return trial.produce().volume().bytesPerSecond() / MEGA;
    }

    long brokersHere() {
        return brokers.stream()
                .filter(b -> b.get("sources") instanceof List<?> sources && sources.contains("proc"))
                .count();
    }

    /** Of these trials, or else at the ceiling; 0 if neither tells. */
    double bytesPerRecord() {
        Ceiling.Bound bound = ceiling.found().decisive();
        Double records = bound == null ? null : bound.lowerRecordsPerSecond();
        return trials.stream()
                .filter(t -> t.produce().volume().records() > 0)
                .mapToDouble(t -> (double) t.produce().volume().bytes()
                        / t.produce().volume().records())
                .average()
                .orElse(records == null || records <= 0 ? 0 : bound.lowerBytesPerSecond() / records);
    }

    /** The most that one broker of the measured has of it; null if unknown. */
    Double limit(Resource resource, BrokerLimits known, boolean oneHost) {
        if (resource.given() == null || known.get(resource.given()) != null) {
            return resource.given() == null ? Double.valueOf(1) : known.get(resource.given());
        }
        return resource == Resource.CPU ? cores(oneHost) : resource == Resource.DISK_WRITE ? disk(oneHost) : null;
    }

    /** Of a host that all share, each has its part. */
    private Double cores(boolean oneHost) {
        Double least = least("processors");
        return least == null ? null : Double.valueOf(least / (oneHost ? brokers.size() : 1));
    }

    private Double least(String figure) {
        return brokers.stream()
                .map(b -> Resource.number(b, figure))
                .filter(n -> n != null && n > 0)
                .min(Double::compare)
                .orElse(null);
    }

    private Double disk(boolean oneHost) {
        return ceiling.bounds().stream()
                .filter(b -> oneHost && b.resource().equals(HostBound.DISK))
                .map(b -> b.limitBytesPerSecond() / brokers.size())
                .findFirst()
                .orElse(null);
    }
}
