package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.lab.LabText;
import io.plimsoll.run.guards.ForeignCluster;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster of a run that is not made.
 *
 * @param brokers their number
 * @param labs what each lab would be that trials describe; empty on a cluster that is there
 * @param present bytes of topics that would be read and are there already
 * @param findings what would be refused, or asked, before it is touched
 */
public record RunPreview(
        int brokers, Map<LabSpec, Sentence> labs, Map<String, Long> present, ForeignCluster.Findings findings) {

    /**
     * What the run would be on; checks the plan as a run does that begins, and touches nothing.
     *
     * @throws PlimsollException as {@link Run#execute()} if the run could not begin
     */
    public static RunPreview of(RunRequest written) {
        RunRequest request = written.lookedUp();
        PlanCheck.check(request);
        if (request.cluster().isEmpty()) {
            Map<LabSpec, Sentence> labs = new LinkedHashMap<>();
            request.labs().forEach(lab -> labs.put(lab, LabText.of(request.labOptions(lab))));
            int brokers = request.labOptions(request.labs().get(0)).brokers();
            return new RunPreview(brokers, labs, Map.of(), ForeignCluster.Findings.NONE);
        }
        try (ClusterSession cluster = ClusterSession.open(request, new Interruption())) {
            return new RunPreview(
                    cluster.brokerIds().size(),
                    Map.of(),
                    cluster.guarded().present(request.plan()),
                    findings(request, cluster, Optional.empty()));
        }
    }

    /** What would be refused, or asked, before a search or a run on a cluster; nothing on one of our own. */
    static ForeignCluster.Findings findings(
            RunRequest request, ClusterSession cluster, Optional<CeilingRequest> ceiling) {
        Rate.Quantity most = ceiling.map(c -> new Rate.Quantity(c.mostRate().orElse(0), c.unit()))
                .orElse(null);
        return cluster.isOwn()
                ? ForeignCluster.Findings.NONE
                : cluster.guarded().look(request.plan(), request.limits(), most);
    }
}
