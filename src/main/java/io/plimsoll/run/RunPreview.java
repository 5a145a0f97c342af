package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.run.guards.ForeignCluster;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The setup of a run that is not executed.
 *
 * @param plan with actual sizes of value files and templates; for a search, only the cells
 * @param asked the same trials, with records as the user wrote them
 * @param labs summary of each lab that trials describe; empty on a given cluster
 * @param present size in bytes of existing topics that would be read
 * @param copies number of replicas of existing topics that would be written
 */
public record RunPreview(
        Plan plan,
        Plan asked,
        List<Sentence> warnings,
        int brokers,
        Map<LabSpec, Sentence> labs,
        Map<String, Long> present,
        Map<String, Integer> copies,
        ForeignCluster.Findings findings) {

    /**
     * Checks the plan as a run does, without any change to the cluster. The load of a search replaces the plan's load.
     *
     * @throws PlimsollException as {@link Run#execute()} if the run could not start
     */
    public static RunPreview of(RunRequest written, Optional<CeilingRequest> ceiling) {
        RunRequest request = written.lookedUp();
        List<Sentence> warnings = warnings(request, ceiling);
        Plan plan = trials(request.sized(), ceiling);
        Plan asked = trials(written.plan(), ceiling);
        if (request.cluster().isEmpty()) {
            Map<LabSpec, Sentence> labs = new LinkedHashMap<>();
            request.labs().forEach(lab -> labs.put(lab, request.labOptions(lab).description()));
            int brokers = request.labOptions(request.labs().get(0)).brokers();
            return new RunPreview(
                    plan, asked, warnings, brokers, labs, Map.of(), Map.of(), ForeignCluster.Findings.NONE);
        }
        try (ClusterSession cluster = new ClusterSession(request, new Interruption())) {
            PlanCheck.ClusterFit.check(cluster.plan(), cluster);
            return new RunPreview(
                    plan,
                    asked,
                    warnings,
                    cluster.brokerIds().size(),
                    Map.of(),
                    cluster.guarded().present(request.plan()),
                    cluster.guarded().copies(request.plan()),
                    findings(request, cluster, ceiling));
        }
    }

    private static Plan trials(Plan plan, Optional<CeilingRequest> ceiling) {
        return ceiling.isEmpty() ? plan : plan.with(SearchTrials.cells(plan).cells());
    }

    /** Checks the plan. Returns warnings to show before the run. */
    static List<Sentence> warnings(RunRequest request, Optional<CeilingRequest> ceiling) {
        List<Sentence> warnings = new ArrayList<>(PlanCheck.check(request));
        ceiling.filter(c -> c.extras().costs()).ifPresent(c -> {
            int cells = SearchTrials.cells(request.plan()).cells().size();
            Exit.USAGE.when(cells > 1, "run.severalCosts", cells);
        });
        ceiling.flatMap(CeilingRequest::slo).ifPresent(slo -> PlanCheck.labels(request.plan(), slo));
        if (ceiling.isEmpty()) {
            warnings.addAll(PlanCheck.slowReaders(request.sized()));
        }
        return warnings;
    }

    /** Refusals, and reasons to ask for consent. In a lab, only schemas that the run registers require consent. */
    static ForeignCluster.Findings findings(
            RunRequest request, ClusterSession cluster, Optional<CeilingRequest> ceiling) {
        ForeignCluster.Findings registered = ForeignCluster.Findings.registrations(request.plan());
        if (cluster.isOwn()) {
            return registered;
        }
        Plan plan = ceiling.map(c -> SearchTrials.largest(request.sized(), c)).orElseGet(request::sized);
        ForeignCluster.Search search = ceiling.map(c ->
                        new ForeignCluster.Search(new Rate.Quantity(c.mostRate().orElse(0), c.unit()), c.maxDuration()))
                .orElse(null);
        return cluster.guarded().look(plan, request.limits(), search).and(registered);
    }
}
