package io.plimsoll.capacity;

import io.plimsoll.result.Ceiling;
import io.plimsoll.result.HostBound;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.Sums;
import io.plimsoll.result.TrialResult;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a load per resource, from trials well below the ceiling, where queues do not add the cost of waiting.
 * @param ceiling of the brokers
 * @param brokers number of measured brokers
 * @param all costs by resource, for all brokers together; only resources that every broker reported
 * @param trials from which the costs are derived
 */
record Costs(
        Ceiling ceiling,
        RunResult.Cluster cluster,
        List<Map<String, Object>> brokers,
        Map<Resource, LoadCost> all,
        List<TrialResult> trials,
        Optional<TrialResult> check) {
    static final double MEGA = 1e6;

    static Optional<Costs> of(RunResult result) {
        Optional<Ceiling> whole =
                result.ceilings().stream().filter(c -> c.outage() == null).findFirst();
        RunResult.Cluster cluster = result.cluster();
        if (whole.isEmpty() || cluster == null) {
            return Optional.empty();
        }
        List<TrialResult> trials = result.trials().stream()
                .filter(t -> isKind(t, CapacityPlan.COST) || isKind(t, CapacityPlan.FULLER))
                .filter(t -> t.course().complete() && seenWhole(t, cluster))
                .toList();
        Map<Resource, LoadCost> all = new EnumMap<>(Resource.class);
        for (Resource resource : Resource.values()) {
            cost(trials, t -> resource.used(t.observed().brokers())).ifPresent(cost -> all.put(resource, cost));
        }
        return Optional.of(new Costs(
                whole.get(),
                cluster,
                trials.isEmpty() ? List.of() : trials.get(0).observed().brokers(),
                all,
                trials,
                result.trials().stream()
                        .filter(t -> isKind(t, CapacityPlan.CHECK) && t.course().complete() && seenWhole(t, cluster))
                        .findFirst()));
    }

    /** Whether no broker or every broker was observed; a subset would not represent all brokers. */
    private static boolean seenWhole(TrialResult trial, RunResult.Cluster cluster) {
        int seen = trial.observed().brokers().size();
        return seen == 0 || seen == cluster.brokers().size();
    }

    private static Optional<LoadCost> cost(List<TrialResult> trials, Function<TrialResult, Double> used) {
        return LoadCost.of(trials.stream()
                .filter(t -> used.apply(t) != null)
                .map(t -> new LoadCost.Point(megabytes(t), requests(t), used.apply(t), isKind(t, CapacityPlan.COST)))
                .toList());
    }

    /** Number of consumer groups that read the load; empty if unknown. */
    OptionalInt groups() {
        return trials.stream()
                .mapToInt(t -> t.consume() == null ? 0 : t.consume().groups().size())
                .max();
    }

    /** Largest number of replicas of the topics; empty if unknown. */
    OptionalInt replication() {
        return trials.stream()
                .map(t -> t.detail()
                        .setup()
                        .getOrDefault(TrialResult.DURABILITY, Map.of())
                        .getOrDefault("replication", ""))
                .flatMap(replicas -> Stream.of(replicas.split("\\D+")))
                .filter(number -> !number.isEmpty())
                .mapToInt(Integer::parseInt)
                .max();
    }

    /** Bytes per request; empty if the number of requests is unknown. */
    Optional<CapacityPlan.Requests> requests() {
        return all.values().stream()
                .map(cost -> cost.whole().requests())
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Requests of producers, consumers and followers, as counted by brokers or, if unknown there, by clients. */
    static @Nullable Double requests(TrialResult trial) {
        Double seen = Resource.requests(trial.observed().brokers());
        Double produced =
                trial.produce() == null ? null : trial.produce().wire().requestsPerSecond();
        double fetched = trial.consume() == null
                ? 0
                : Sums.orZero(trial.consume().fetches().requestsPerSecond());
        return seen != null || produced == null ? seen : Double.valueOf(produced + fetched);
    }

    /**
     * The lowest load in MB/s at which the use of a resource reaches its limit. On a shared host, only the CPU limit is
     * known.
     */
    Optional<Double> saturatedAt(BrokerLimits known, boolean oneHost) {
        if (oneHost) {
            Double cores = least("processors");
            return cost(trials, Costs::busy)
                    .filter(cost -> cores != null && cost.slope() > 0)
                    .map(cost -> cost.reaches(Objects.requireNonNull(cores), 0));
        }
        return all.entrySet().stream()
                .filter(e ->
                        limit(e.getKey(), known, false) != null && e.getValue().slope() > 0)
                .map(e -> e.getValue()
                        .reaches(Objects.requireNonNull(limit(e.getKey(), known, false)) * brokers.size(), 0))
                .min(Double::compare);
    }

    /** Busy cores of the load generator's host, without spin waits, which disappear on a saturated host. */
    private static @Nullable Double busy(TrialResult trial) {
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

    /** MB/s written by producers. */
    static double megabytes(TrialResult trial) {
        return Sums.orZero(trial.volume().bytesPerSecond()) / MEGA;
    }

    long brokersHere() {
        return brokers.stream()
                .filter(b -> b.get("sources") instanceof List<?> sources && sources.contains("proc"))
                .count();
    }

    /** Mean record size in bytes in these trials or, if they have none, at the ceiling; 0 if unknown. */
    double bytesPerRecord() {
        Ceiling.Bound bound = ceiling.found().decisive();
        double records = Sums.orZero(bound.lowerRecordsPerSecond());
        return trials.stream()
                .map(t -> t.volume().bytesPerRecord())
                .filter(Objects::nonNull)
                .mapToDouble(each -> each)
                .average()
                .orElse(records <= 0 ? 0 : Sums.orZero(bound.lowerBytesPerSecond()) / records);
    }

    @Nullable
    Double limit(Resource resource, BrokerLimits known, boolean oneHost) {
        Double given = resource.given() == null ? Double.valueOf(1) : known.get(resource.given());
        if (given != null) {
            return given;
        }
        Double cores = resource == Resource.CPU ? least("processors") : null;
        // Brokers on a shared host are assumed to share its cores equally.
        return cores != null
                ? Double.valueOf(cores / (oneHost ? brokers.size() : 1))
                : resource == Resource.DISK_WRITE ? disk(oneHost) : null;
    }

    private @Nullable Double least(String figure) {
        return brokers.stream()
                .map(b -> Resource.number(b, figure))
                .filter(n -> n != null && n > 0)
                .min(Double::compare)
                .orElse(null);
    }

    private @Nullable Double disk(boolean oneHost) {
        return ceiling.bounds().stream()
                .filter(b -> oneHost && b.resource().equals(HostBound.DISK))
                .map(b -> b.limitBytesPerSecond() / brokers.size())
                .findFirst()
                .orElse(null);
    }
}
