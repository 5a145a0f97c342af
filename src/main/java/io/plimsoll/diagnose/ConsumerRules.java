package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.ClientRules.text;
import static io.plimsoll.diagnose.TrialEvidence.known;
import static io.plimsoll.diagnose.TrialEvidence.of;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.Units;
import java.util.Map;

/** Consumers that do not keep up with what is produced, and why. */
final class ConsumerRules {
    static final String CONSUMER = "slow consumer";
    static final String FETCH = "fetching";
    static final String CACHE = "page-cache misses";

    private ConsumerRules() {}

    /** The part of what was produced that each group did not read in time; 0 if all was, or nobody reads along. */
    static double behind(TrialEvidence seen) {
        Consume c = seen.trial().consume();
        if (c == null || !seen.produces() || c.groups() == null || c.groups().isEmpty()) {
            return 0;
        }
        double produced =
                seen.trial().produce().volume().recordsPerSecond() * c.groups().size();
        if (produced <= 0
                || c.volume().recordsPerSecond() == null
                || c.reading().backlog() != null) {
            return 0;
        }
        return Math.max(0, 1 - c.volume().recordsPerSecond() / produced);
    }

    static void judge(TrialEvidence seen, SuspectList findings) {
        Consume c = seen.trial().consume();
        if (c == null) {
            return;
        }
        double behind = behind(seen);
        double late = 0.98 * ramp(behind, 0.01, 0.1);
        Map<String, Double> client = seen.trial().observed().clients().entrySet().stream()
                .filter(e -> e.getKey().startsWith("consumers-"))
                .map(Map.Entry::getValue)
                .filter(f -> f.containsKey("pollIdle"))
                .findFirst()
                .orElse(Map.of());
        Double idle = client.get("pollIdle");
        if (idle == null) {
            findings.missing(CONSUMER, "this engine does not say how long its consumers wait");
            return;
        }
        double commit = client.getOrDefault("commitShare", 0.0);
        double working = ramp(1 - idle, 0.4, 0.8);
        String reads = Units.rate(c.volume().recordsPerSecond()) + " records/s read";
        findings.add(
                CONSUMER,
                slowest(c),
                late * Math.max(working, ramp(commit, 0.3, 0.6)),
                "The consumers are too slow: " + Units.percent(behind) + " of what is produced piles up, and "
                        + (commit > 0.3
                                ? Units.percent(commit) + " of their time goes into commits."
                                : "they spend " + Units.percent(1 - idle) + " of their time on records, not waiting."),
                known(
                        reads,
                        Units.percent(behind) + " falls behind",
                        Units.percent(1 - idle) + " of the time outside poll",
                        commit > 0 ? Units.percent(commit) + " in commits" : null));
        cacheAndFetch(seen, findings, late * (1 - Math.max(working, ramp(commit, 0.3, 0.6))), client, reads);
    }

    private static void cacheAndFetch(
            TrialEvidence seen, SuspectList findings, double late, Map<String, Double> client, String reads) {
        double fromDisk = 0;
        double out = 0;
        for (Map<String, Object> b : seen.brokers()) {
            fromDisk += orZero(of(b, "diskReadBytes"));
            out += orZero(of(b, "bytesOut"));
        }
        double misses = out > 0 ? Math.min(1, fromDisk / out) : 0;
        findings.add(
                CACHE,
                null,
                late * ramp(misses, 0.1, 0.5),
                "Consumers read what is no longer in memory: " + Units.percent(misses)
                        + " of what brokers send comes from disk.",
                known(reads, Units.byteRate(fromDisk) + " from disk", Units.byteRate(out) + " sent"));
        findings.add(
                FETCH,
                null,
                0.9 * late * (1 - ramp(misses, 0.1, 0.5)),
                "The consumers wait for data and still fall behind: "
                        + text("a fetch takes %.0f ms", client.get("fetchMs"))
                        + "; larger fetches, or more members, would carry more.",
                known(reads, text("%.1f ms a fetch", client.get("fetchMs"))));
    }

    private static String slowest(Consume c) {
        Group most = null;
        for (Group g : c.groups()) {
            if (g.lagAtEnd() != null && (most == null || g.lagAtEnd() > most.lagAtEnd())) {
                most = g;
            }
        }
        return most == null ? null : "group " + most.id();
    }

    private static double orZero(Double value) {
        return value == null ? 0 : value;
    }
}
