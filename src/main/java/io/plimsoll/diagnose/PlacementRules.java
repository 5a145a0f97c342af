package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.ClientRules.text;
import static io.plimsoll.diagnose.TrialEvidence.known;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.diagnose.TrialEvidence.Link;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One broker that is slower than the others, or one partition that has more to do. */
final class PlacementRules {
    static final String SLOW_BROKER = "one slow broker";
    static final String HOT_PARTITION = "one hot partition";

    private PlacementRules() {}

    static void judge(TrialEvidence seen, SuspectList findings) {
        if (seen.produces()) {
            slowBroker(seen, findings);
            hotPartition(seen, findings);
        }
    }

    private static void slowBroker(TrialEvidence seen, SuspectList findings) {
        List<Link> links = seen.links();
        if (links.size() < 2) {
            if (seen.requestMs() == null) {
                findings.missing(SLOW_BROKER, "this engine does not say how long requests to each broker take");
            }
            return;
        }
        Link slow =
                links.stream().max(Comparator.comparingDouble(Link::requestMs)).orElseThrow();
        List<Link> others = links.stream().filter(l -> !l.equals(slow)).toList();
        double usual = others.stream().mapToDouble(Link::requestMs).average().orElse(0);
        double ratio = slow.requestMs() / Math.max(1, usual);
        double bytes = links.stream().mapToDouble(Link::bytesPerSecond).sum();
        double share = bytes > 0 ? slow.bytesPerSecond() / bytes : 0;
        // Who gets more than its part has reason to take longer.
        double fair = 1 - ramp(share * links.size(), 1.3, 2);
        findings.add(
                SLOW_BROKER,
                "broker " + slow.broker(),
                0.97 * ramp(ratio, 1.7, 3.5) * fair * Math.max(0.3, seen.heldBack()),
                text("Broker " + slow.broker() + " is slow: its requests take %.0f ms", slow.requestMs())
                        + text(", those of the other brokers %.0f ms", usual)
                        + "; what waits for it fills the producers' memory.",
                known(
                        text("%.1f ms a request", slow.requestMs()),
                        text("%.1f ms on the others", usual),
                        Units.percent(share) + " of the bytes go there",
                        slow.inFlightUse() == null
                                ? null
                                : "requests under way there " + Units.percent(slow.inFlightUse())
                                        + " of max.in.flight"));
    }

    private static void hotPartition(TrialEvidence seen, SuspectList findings) {
        Map<String, Double> totals = new HashMap<>();
        Map<String, Integer> counts = new HashMap<>();
        for (PartitionResult p : seen.trial().detail().partitions()) {
            totals.merge(p.topic(), (double) p.produced(), Double::sum);
            counts.merge(p.topic(), Math.max(p.partition() + 1, 1), Math::max);
        }
        PartitionResult hot = seen.trial().detail().partitions().stream()
                .max(Comparator.comparingLong(PartitionResult::produced))
                .orElse(null);
        if (hot == null || totals.get(hot.topic()) <= 0) {
            return;
        }
        int count = counts.get(hot.topic());
        double share = hot.produced() / totals.get(hot.topic());
        double fair = 1.0 / count;
        if (count < 2) {
            return;
        }
        findings.add(
                HOT_PARTITION,
                hot.topic() + "-" + hot.partition(),
                0.95 * ramp((share - fair) / (1 - fair), 0.1, 0.5) * seen.heldBack(),
                "Partition " + hot.topic() + "-" + hot.partition() + " takes " + Units.percent(share)
                        + " of the records of a topic with " + count
                        + " partitions, so that its leader works while others wait; the keys are the reason.",
                known(
                        Units.percent(share) + " of the records",
                        Units.percent(fair) + " would be its part",
                        hot.leader() == null ? null : "led by broker " + hot.leader()));
    }
}
