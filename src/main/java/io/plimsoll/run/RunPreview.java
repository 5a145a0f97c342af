package io.plimsoll.run;

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
 * The cluster of a run that is not made.
 *
 * @param plan in which values of files and templates have the sizes that these give them; of a search its cells alone
 * @param warnings of the plan, which a run would show before it begins
 * @param brokers their number
 * @param labs what each lab would be that trials describe; empty on a cluster that is there
 * @param present bytes of topics that would be read and are there already
 * @param findings what would be refused, or asked, before it is touched
 */
public record RunPreview(
        Plan plan,
        List<Sentence> warnings,
        int brokers,
        Map<LabSpec, Sentence> labs,
        Map<String, Long> present,
        ForeignCluster.Findings findings) {

    /**
     * What the run would be on; checks the plan as a run does that begins, and touches nothing.
     *
     * @param ceiling of a search, whose load is not that of the plan
     * @throws PlimsollException as {@link Run#execute()} if the run could not begin
     */
    public static RunPreview of(RunRequest written, Optional<CeilingRequest> ceiling) {
        RunRequest request = written.lookedUp();
        List<Sentence> warnings = warnings(request, ceiling);
        Plan sized = request.sized();
        Plan plan =
                ceiling.isEmpty() ? sized : sized.with(SearchTrials.cells(sized).cells());
        if (request.cluster().isEmpty()) {
            Map<LabSpec, Sentence> labs = new LinkedHashMap<>();
            request.labs().forEach(lab -> labs.put(lab, request.labOptions(lab).told()));
            int brokers = request.labOptions(request.labs().get(0)).brokers();
            return new RunPreview(plan, warnings, brokers, labs, Map.of(), ForeignCluster.Findings.NONE);
        }
        try (ClusterSession cluster = ClusterSession.open(request, new Interruption())) {
            ClusterFit.check(cluster.plan(), cluster);
            return new RunPreview(
                    plan,
                    warnings,
                    cluster.brokerIds().size(),
                    Map.of(),
                    cluster.guarded().present(request.plan()),
                    findings(request, cluster, ceiling));
        }
    }

    /** Checks the plan. @return what the user should know before the run begins */
    static List<Sentence> warnings(RunRequest request, Optional<CeilingRequest> ceiling) {
        List<Sentence> warnings = new ArrayList<>(PlanCheck.check(request));
        if (ceiling.isEmpty()) {
            warnings.addAll(PlanCheck.slowReaders(request.sized()));
        }
        return warnings;
    }

    /** What would be refused, or asked, before a search or a run on a cluster; nothing on one of our own. */
    static ForeignCluster.Findings findings(
            RunRequest request, ClusterSession cluster, Optional<CeilingRequest> ceiling) {
        Rate.Quantity most = ceiling.map(c -> new Rate.Quantity(c.mostRate().orElse(0), c.unit()))
                .orElse(null);
        return cluster.isOwn()
                ? ForeignCluster.Findings.NONE
                : cluster.guarded().look(request.sized(), request.limits(), most);
    }
}
