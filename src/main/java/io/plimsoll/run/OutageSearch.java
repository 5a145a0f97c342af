package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.lab.LabRehearsal;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.CeilingRequest.Without;
import io.plimsoll.run.faults.ExecFault;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.search.Bounds;
import io.plimsoll.search.Criteria;
import io.plimsoll.search.Criteria.Judgement;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A search with all brokers, followed by a search without some of them. Between these searches, a trial stops the
 * brokers under a moderate load; the second search starts when this load has recovered. Used by one thread.
 */
final class OutageSearch {
    /** Load of the trial that stops the brokers, as a fraction of the load that passed with all brokers. */
    private static final double LOAD = 0.3;

    private static final Warmup WARMUP = Warmup.lasting(Duration.ofSeconds(3));
    /** Time of the fault, late enough to measure response times for five seconds before it. */
    private static final Duration AT = Duration.ofSeconds(6);
    /** Length of the trial, which covers the failover after the session timeout of a dead broker (9 s). */
    private static final Duration LENGTH = Duration.ofSeconds(40);

    private static final Duration SETTLING = Duration.ofSeconds(10);
    private static final int MOST_SETTLING = 6;

    private final Run run;
    private final CeilingRequest request;
    private final Plan.Trial cell;
    private final Without wanted;
    private final OutagePlan plan;

    OutageSearch(Run run, CeilingRequest request, Plan.Trial cell) {
        this.run = run;
        this.request = request;
        this.cell = cell;
        this.wanted = request.extras().without().orElseThrow();
        this.plan = OutagePlan.of(wanted, run.cluster());
    }

    void execute(double seconds) {
        if (plan.away()) {
            search(plan.name(), new Ceiling.Outage(plan.brokers(), null, null, null, null, null, null), seconds);
            return;
        }
        long began = System.nanoTime();
        CellSearch before = search(Ceiling.Outage.NOTHING, null, seconds / 2);
        Bounds bounds = before.decisive().hasLower() ? before.decisive() : before.sustained();
        if (run.interruption.requested()) {
            return;
        }
        if (!bounds.hasLower()) {
            run.warn(Sentence.of("run.outage.nothingBefore", plan.name()));
            return;
        }
        Ceiling.Outage outage = takeAway(bounds.lower() * LOAD);
        if (!run.interruption.requested()) {
            search(plan.name(), outage, seconds - (System.nanoTime() - began) / 1e9);
            run.progress.phase(null, "starting brokers", -1, -1);
            run.interruption.during(run.cluster()::restore);
            if (run.cluster().isLab()) {
                run.observation().moved();
            }
        }
    }

    private CellSearch search(String without, Ceiling.@Nullable Outage outage, double seconds) {
        CellSearch search = new CellSearch(run, request, named(without), true, outage, seconds);
        search.execute();
        return search;
    }

    private Plan.Trial named(String without) {
        Map<String, String> parameters = new LinkedHashMap<>(cell.parameters());
        parameters.put(Ceiling.Outage.PARAMETER, without);
        return new Plan.Trial(
                cell.name() + " " + Ceiling.Outage.PARAMETER + " " + without, parameters, cell.scenario());
    }

    private Ceiling.Outage takeAway(double load) {
        SearchTrials trials = new SearchTrials(named(plan.name()), request, true);
        List<FaultSpec> faults = plan.faults(wanted, AT);
        run.cluster().outage(ClusterSession.Outage.of(plan.gone()));
        TrialResult result = run.searchTrial(trials.faulty(load, 1, LENGTH, WARMUP, faults), true);
        boolean away = run.cluster().outage().faults().brokers().equals(plan.brokers());
        Exit.CLUSTER.when(!away && !run.interruption.requested(), "run.outage.notAway", plan.name());
        Ceiling.Outage outage = outage(result);
        if (outage.backSeconds() == null && !run.interruption.requested()) {
            awaitSettled(trials, load);
        }
        return outage;
    }

    private void awaitSettled(SearchTrials trials, double load) {
        Criteria criteria = new Criteria(List.of());
        boolean contended = false;
        for (int i = 2; i < 2 + MOST_SETTLING && !run.interruption.requested(); i++) {
            TrialResult result = run.searchTrial(trials.faulty(load, i, SETTLING, WARMUP, List.of()), false);
            Judgement judgement = criteria.judge(result);
            if (judgement.sustained()) {
                return;
            }
            contended = judgement.hostContended();
        }
        if (run.interruption.requested()) {
            return;
        }
        run.warn(Sentence.of(contended ? "run.outage.hostTaken" : "run.outage.notSettled", plan.name()));
    }

    /** The effect of the outage; the worst values apply if several brokers stopped. */
    private Ceiling.Outage outage(TrialResult result) {
        List<FaultResult> faults = result.detail().faults();
        FaultResult.Response response = faults.stream()
                .map(FaultResult::response)
                .filter(Objects::nonNull)
                // Delayed requests are in the interval of the broker that stopped last.
                .reduce((first, last) -> last)
                .orElse(new FaultResult.Response(null, null, null, null));
        boolean back = faults.stream().allMatch(f -> f.effect().throughputBackSeconds() != null);
        return new Ceiling.Outage(
                plan.gone(),
                result.name(),
                most(faults, f -> f.silenced() == null ? null : f.silenced().longestSeconds()),
                back ? most(faults, f -> f.effect().throughputBackSeconds()) : null,
                p99(response.before()),
                p99(response.during()),
                p99(response.after()));
    }

    private static @Nullable Double most(List<FaultResult> faults, Function<FaultResult, @Nullable Double> figure) {
        return faults.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    private static @Nullable Long p99(FaultResult.@Nullable Around around) {
        return around == null ? null : around.p99();
    }

    /**
     * The brokers to stop for a search, or the broker that loses a disk.
     * @param name such as {@code broker 3}
     * @param disk whether only the last disk of each broker is lost
     * @param away whether the brokers are already down, so that no comparison is possible
     */
    record OutagePlan(String name, List<Integer> brokers, boolean disk, boolean away) {

        /**
         * @throws PlimsollException {@link Exit#USAGE} if the brokers do not exist, cannot be stopped, or hold all
         *     replicas of a topic
         */
        static OutagePlan of(Without wanted, ClusterSession cluster) {
            Exit.USAGE.when(cluster.comparesLabs(), "run.outage.labs");
            OutagePlan plan = wanted.kind() == Without.Kind.ZONE ? zone(wanted, cluster) : broker(wanted, cluster);
            plan.checkTopics(cluster);
            if (plan.away) {
                return plan;
            }
            boolean reached = cluster.isLab() || wanted.exec().isPresent();
            Exit.USAGE.when(!reached, plan.disk ? "run.outage.onlyInLabs" : "run.outage.notReached", plan.name);
            if (plan.disk) {
                new LabRehearsal(cluster.lab().orElseThrow()).requireSpareDisk(plan.brokers.get(0));
                return plan;
            }
            Exit.USAGE.when(
                    cluster.lab()
                            .filter(lab -> !lab.hasQuorumWithout(plan.brokers))
                            .isPresent(),
                    "run.outage.noQuorum",
                    plan.name);
            return plan;
        }

        private static OutagePlan broker(Without wanted, ClusterSession cluster) {
            List<Integer> there = cluster.brokerIds();
            int id = wanted.which().equals("any")
                    ? there.stream().max(Comparator.naturalOrder()).orElseThrow()
                    : Integer.parseInt(wanted.which());
            boolean away = !there.contains(id);
            Exit.USAGE.when(away && cluster.isLab(), "run.noSuchBroker", id, there.toString());
            boolean disk = wanted.kind() == Without.Kind.DISK;
            return new OutagePlan((disk ? "disk of broker " : "broker ") + id, List.of(id), disk, away && !disk);
        }

        private static OutagePlan zone(Without wanted, ClusterSession cluster) {
            List<ClusterDescription.Broker> there = cluster.description().brokers();
            List<String> zones = there.stream()
                    .map(ClusterDescription.Broker::rack)
                    .filter(rack -> !rack.isEmpty())
                    .distinct()
                    .sorted()
                    .toList();
            String zone =
                    wanted.which().equals("any") && !zones.isEmpty() ? zones.get(zones.size() - 1) : wanted.which();
            Exit.USAGE.when(
                    zones.size() < 2 || !zones.contains(zone),
                    "run.outage.noZone",
                    zone,
                    zones.isEmpty() ? "–" : String.join(", ", zones));
            List<Integer> in = there.stream()
                    .filter(b -> b.rack().equals(zone))
                    .map(ClusterDescription.Broker::id)
                    .sorted()
                    .toList();
            return new OutagePlan("zone " + zone, in, false, false);
        }

        /** The stopped brokers; empty if only a disk is lost. */
        List<Integer> gone() {
            return disk ? List.of() : brokers;
        }

        /** Checks that each topic keeps a replica. */
        private void checkTopics(ClusterSession cluster) {
            List<TopicSpec> specs = cluster.plan().trials().stream()
                    .flatMap(t -> t.scenario().topics().stream())
                    .toList();
            Set<String> existing = specs.stream()
                    .filter(TopicSpec::existing)
                    .map(TopicSpec::name)
                    .collect(Collectors.toSet());
            Optional<String> single = specs.stream()
                    .filter(t -> !t.existing() && t.replication() < 2)
                    .map(TopicSpec::name)
                    .findFirst()
                    .or(() -> cluster.topics().copies(existing).entrySet().stream()
                            .filter(t -> t.getValue().values().stream().anyMatch(brokers::containsAll))
                            .map(t -> t.getKey())
                            .findFirst());
            if (single.isPresent()) {
                throw Exit.USAGE.because("run.outage.oneCopy", single.get(), name);
            }
        }

        List<FaultSpec> faults(Without wanted, Duration at) {
            FaultSpec.Timing once = new FaultSpec.Timing(at, Optional.empty(), Optional.empty());
            Settings commands = wanted.exec().isEmpty()
                    ? Settings.NONE
                    : Settings.NONE.with(ExecFault.EXEC, wanted.exec()).with(ExecFault.UNDO, wanted.undo());
            String deed = wanted.exec().isPresent() ? "exec" : disk ? "loseDisk" : "kill";
            FaultKind kind = Objects.requireNonNull(FaultKind.all().get(deed), deed);
            return brokers.stream()
                    .map(id -> new FaultSpec(kind, new FaultSpec.Target.Broker(id), once, commands))
                    .toList();
        }
    }
}
