package io.plimsoll.report;

import io.plimsoll.result.RunResult;
import io.plimsoll.result.RunResult.Cluster;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/** Where a run took place, on one line. */
final class EnvironmentText {
    private EnvironmentText() {}

    static Sentence of(RunResult result) {
        List<Sentence> parts = new ArrayList<>();
        if (result.environment() != null && result.environment().cluster() != null) {
            parts.add(cluster(result.environment().cluster()));
        }
        if (result.tool() != null) {
            parts.add(Sentence.verbatim("plimsoll " + result.tool().version()));
            if (result.tool().kafkaClientVersion() != null) {
                parts.add(Sentence.of("report.client", result.tool().kafkaClientVersion()));
                parts.add(Sentence.verbatim("Java " + result.tool().java()));
            }
        }
        if (result.environment() != null) {
            result.environment().selfWarmups().forEach(done -> parts.add(selfWarmup(done)));
        }
        boolean imported = result.tool() != null && result.tool().kafkaClientVersion() == null;
        Sentence.addIf(!imported, parts, "report.seed", result.head().seed());
        return Sentence.of("report.environment", parts);
    }

    private static Sentence selfWarmup(SelfWarmup done) {
        return Sentence.of(
                "report.selfWarmup",
                done.worker().equals("local") ? Sentence.NONE : Sentence.of("report.selfWarmupOf", done.worker()),
                Units.decimals(done.seconds(), 1),
                Units.count(done.records()),
                done.outcome(),
                done.without().isEmpty() ? Sentence.NONE : Sentence.of("report.selfWarmupWithout", done.without()));
    }

    static Sentence cluster(Cluster cluster) {
        int brokers = cluster.brokers().size();
        if (brokers == 0) {
            return Sentence.of("report.noCluster");
        }
        String version = cluster.kafkaVersion() == null ? "Kafka" : "Kafka " + cluster.kafkaVersion();
        return Sentence.of(cluster.lab() ? "report.lab" : "report.cluster", version, brokers);
    }
}
