package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.ClientRules.text;
import static io.plimsoll.diagnose.TrialEvidence.known;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.TrialResult.Generator;
import io.plimsoll.result.Units;
import java.util.List;
import java.util.Map;

/** Whether the load generator, or the host it runs on, was the limit. */
final class GeneratorRules {
    static final String GENERATOR = "load generator";
    /** As in the verdict of a trial: more late wake-ups, or a thread as busy as this, are the generator's own doing. */
    private static final double LATE = 0.05;

    private static final double BUSY_THREAD = 0.95;
    /** Shares of the calibrated maximum: from where it may be the limit, and from where it is. */
    private static final double NEAR = 0.7;

    private static final double REACHED = 0.95;
    static final String SHARED_HOST = "CPU of this host";
    static final String PAUSES = "garbage collection";

    private GeneratorRules() {}

    static void judge(TrialEvidence seen, SuspectList findings) {
        Generator g = seen.trial().observed().generator();
        if (g == null) {
            findings.missing(GENERATOR, "it was not observed");
            return;
        }
        thread(seen, g, findings);
        host(seen, findings);
        double seconds = seen.trial().course().measuredSeconds();
        double share = seconds > 0 ? g.gcSeconds() / seconds : 0;
        findings.add(
                PAUSES,
                GENERATOR,
                ramp(share, 0.05, 0.25),
                "The load generator spent " + Units.percent(share) + " of its time collecting garbage.",
                known("collections took " + Units.percent(share)));
    }

    /** How near the busiest thread of the generator is to all the CPU that it can get. */
    static double threadBusy(TrialEvidence seen) {
        Generator g = seen.trial().observed().generator();
        return g == null || g.cpu().busiestThread() == null
                ? 0
                : ramp(g.cpu().busiestThread().share() / seen.fairShare(), 0.7, 0.92);
    }

    /**
     * How near the producers' network threads are to having no time left. Requests are then under way for as long as that
     * takes, whatever brokers and network do. 0 if unknown.
     */
    static double networkThreadBusy(TrialEvidence seen) {
        Double idle = seen.entry("ioIdle", Math::min);
        return idle == null ? 0 : ramp(1 - idle, 0.7, 0.9);
    }

    /** Whether anything of ours wants more CPU than it gets: a thread of the generator, or those of a broker here. */
    static double hungry(TrialEvidence seen) {
        double brokers = 0;
        for (Map<String, Object> b : seen.brokers()) {
            for (String idle : List.of("handlerIdle", "networkIdle")) {
                Double share = TrialEvidence.of(b, idle);
                brokers = Math.max(brokers, share == null ? 0 : ramp(1 - share, 0.4, 0.8));
            }
        }
        Double stalled = seen.host("cpuStall");
        double waits = stalled == null ? 0 : ramp(stalled, 0.4, 0.8);
        return Math.max(Math.max(threadBusy(seen), waits), seen.brokerCores() > 0 ? brokers : 0);
    }

    /** 0 to 1: this host has no CPU left for what wants it, so that times say little of where they were spent. */
    static double hostFull(TrialEvidence seen) {
        Double busy = seen.hostBusy();
        return busy == null ? 0 : ramp(busy, 0.85, 0.98) * hungry(seen);
    }

    private static void thread(TrialEvidence seen, Generator g, SuspectList findings) {
        double network = networkThreadBusy(seen);
        double busy = Math.max(threadBusy(seen), network) * seen.heldBack();
        double room = seen.busiest() == null ? 0.8 : 1 - 0.6 * ramp(seen.busiest(), 0.5, 0.9) * (1 - network);
        double late = g.wakeUps().ticks() > 0
                ? (double) g.wakeUps().lateTicks() / g.wakeUps().ticks()
                : 0;
        double share =
                g.cpu().busiestThread() == null ? 0 : g.cpu().busiestThread().share();
        boolean shows = late > LATE || share >= BUSY_THREAD;
        Double calibrated = g.calibratedShare();
        // Near its calibrated limit alone says that it might be the generator, the more the nearer it is.
        double near = calibrated == null ? 0 : ramp(calibrated, NEAR, REACHED);
        double limited = !g.limited() ? 0 : shows ? 1 : near;
        findings.add(
                GENERATOR,
                null,
                Math.max(busy * room, 0.9 * limited * seen.heldBack()),
                "The load generator was the limit, not the cluster: " + reason(seen, g, late)
                        + ". Give it more threads or clients, or another host.",
                known(
                        g.cpu().busiestThread() == null
                                ? null
                                : g.cpu().busiestThread().name() + " " + Units.percent(share) + " of a core",
                        text("%.2f cores in all", g.cpu().cpuCores()),
                        network == 0
                                ? null
                                : "network thread busy " + Units.percent(1 - seen.entry("ioIdle", Math::min))
                                        + " of the time",
                        calibrated == null ? null : Units.percent(calibrated) + " of its calibrated maximum",
                        late > 0 ? Units.percent(late) + " of wake-ups late" : null));
    }

    /** The one of the generator's figures that says so; a thread that had time to spare is not blamed. */
    private static String reason(TrialEvidence seen, Generator g, double late) {
        if (g.cpu().busiestThread() != null && threadBusy(seen) > 0) {
            return "its thread " + g.cpu().busiestThread().name() + " used "
                    + Units.percent(g.cpu().busiestThread().share()) + " of a core";
        }
        if (networkThreadBusy(seen) > 0) {
            return "its network thread was busy " + Units.percent(1 - seen.entry("ioIdle", Math::min)) + " of the time";
        }
        if (late > LATE || g.calibratedShare() == null) {
            return Units.percent(late) + " of its wake-ups were late";
        }
        return "it did " + Units.percent(g.calibratedShare()) + " of what it can do on this host";
    }

    /** Brokers, generator and whatever else runs here share one host: it is full, and the greatest part is named. */
    private static void host(TrialEvidence seen, SuspectList findings) {
        Double busy = seen.hostBusy();
        if (busy == null) {
            findings.missing(SHARED_HOST, "its use is not known here");
            return;
        }
        double cores = seen.host("cores");
        double brokers = seen.brokerCores() / cores;
        double generator = seen.generatorCores() / cores;
        double others = Math.max(0, busy - brokers - generator);
        double full = hostFull(seen) * seen.heldBack();
        String figures = (brokers > 0 ? "brokers " + Units.percent(brokers) + ", " : "") + "load generator "
                + Units.percent(generator) + ", others " + Units.percent(others);
        Double stalled = seen.host("cpuStall");
        String who = generator >= brokers && generator >= others
                ? "the load generator"
                : brokers >= others ? "brokers" : "other programs";
        findings.add(
                SHARED_HOST,
                who,
                0.75 * full,
                "The CPU of " + seen.hostName() + " is used up (" + figures
                        + "): what runs here shares it, so that this is no" + " limit of the cluster alone.",
                known(
                        Units.percent(busy) + " of " + Math.round(cores) + " cores",
                        figures,
                        stalled == null
                                ? null
                                : "something waited for a CPU " + Units.percent(stalled) + " of the time"));
    }
}
