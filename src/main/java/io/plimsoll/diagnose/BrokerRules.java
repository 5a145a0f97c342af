package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.Words.cores;
import static io.plimsoll.diagnose.Words.ms;
import static io.plimsoll.diagnose.Words.percent;

import io.plimsoll.result.Units;
import java.util.List;

/** Rules for what brokers are short of: threads, CPU, pauses of their virtual machine, and followers that keep up. */
final class BrokerRules {
    private static final double NOTABLY = 3;
    private static final Rule<BrokerEvidence> HANDLERS = Rule.named("handlers", e -> e.least("handlerIdle"))
            .most(0.95)
            .heldBack()
            .lowered(0.4, "they wait for a flush to disk", (e, b) -> b.flushShare())
            .lowered(0.4, "the brokers' own host has no CPU left", BrokerRules::crowded)
            .lowered(0.5, Pressure.TINY_BATCHES, Pressure.RECOMPRESSES)
            .lowered(0.6, Pressure.STANDS_STILL)
            .lowered(0.5, Pressure.DOWN_CONVERTS, Pressure.OTHERS)
            .provedBy(Perturbations.BATCH_SIZE)
            .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
            .judged((e, b) -> Sign.at(b.name(), Pressure.HANDLERS_BUSY.in(e))
                    .explains(e.slowness("requestQueueMs"))
                    .says("diagnose.says.handlers", b.name(), percent(1 - b.get("handlerIdle")))
                    .with("diagnose.idle", percent(b.get("handlerIdle")))
                    .with("diagnose.inRequestQueue", ms(b.get("requestQueueMs")))
                    .with("diagnose.toAppend", ms(b.get("localMs")))
                    .with("diagnose.cores", cores(b.get("cpu"))));

    private static final Rule<BrokerEvidence> NETWORK_THREADS = Rule.named(
                    "networkThreads", e -> e.least("networkIdle"))
            .most(0.9)
            .heldBack()
            .lowered(0.5, Pressure.TINY_BATCHES, Pressure.DOWN_CONVERTS, Pressure.OTHERS)
            .provedBy(Perturbations.BATCH_SIZE)
            .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
            .judged((e, b) -> Sign.at(b.name(), networkBusy(b))
                    .explains(e.slowness("responseQueueMs", "responseSendMs"))
                    .says("diagnose.says.networkThreads", b.name(), percent(1 - b.get("networkIdle")))
                    .with("diagnose.idle", percent(b.get("networkIdle")))
                    .with("diagnose.inResponseQueue", ms(b.get("responseQueueMs")))
                    .with("diagnose.toSend", ms(b.get("responseSendMs"))));

    private static final Rule<BrokerEvidence> CPU = Rule.named("brokerCpu", e -> e.most("cpu"))
            .most(0.85)
            .heldBack()
            .lowered(0.5, Pressure.TINY_BATCHES, Pressure.RECOMPRESSES)
            .lowered(0.5, Pressure.DOWN_CONVERTS, Pressure.OTHERS, Pressure.ROLLS)
            .lowered(0.6, Pressure.FLUSHES)
            .provedBy(Perturbations.BATCH_SIZE, Perturbations.CONSUMERS)
            .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
            .judged((e, busiest) -> {
                Double cores = e.host("cores");
                if (cores == null || e.brokerCores() == 0) {
                    // Elsewhere, how many cores there are is not known.
                    return null;
                }
                double share = e.brokerCores() / cores;
                double full = ramp(orElse(e.hostBusy(), share), 0.85, 0.98);
                return Sign.at(e.brokers().size() == 1 ? busiest.name() : null, full * ramp(share, 0.5, 0.85))
                        .says("diagnose.says.brokerCpu", cores(e.brokerCores()), Math.round(cores))
                        .with("diagnose.cores", cores(e.brokerCores()))
                        .with("diagnose.ofHost", percent(share));
            });

    private static final Rule<BrokerEvidence> QUOTA = Rule.named("cpuQuota", e -> e.most("cpuThrottled"))
            .silently()
            .most(0.96)
            .heldBack()
            .judged((e, b) -> Sign.at(b.name(), ramp(b.get("cpuThrottled"), 0.2, 0.6))
                    .explains(ramp(b.get("cpuThrottled"), 0.2, 0.6) * e.slowness(PlacementRules.ON_THE_WAY))
                    .says("diagnose.says.cpuQuota", b.name(), percent(b.get("cpuThrottled")), cores(b.get("cpu")))
                    .with("diagnose.throttledPeriods", percent(b.get("cpuThrottled")))
                    .with("diagnose.cores", cores(b.get("cpu"))));

    private static final Rule<BrokerEvidence> PAUSES = Rule.named("gc", e -> e.most("gcShare"))
            .provedBy(Perturbations.ENGINE)
            .judged((e, b) -> Sign.at(b.name(), ramp(b.get("gcShare"), 0.05, 0.25))
                    .says("diagnose.says.gc", b.name(), percent(b.get("gcShare")))
                    .with("diagnose.collections", percent(b.get("gcShare"))));

    /** With {@code acks=all} an answer waits until the followers in sync have the records. */
    private static final Rule<Double> REPLICATION = Rule.named("replication", e -> e.perRequest("remoteMs"))
            .where(e -> e.produces() && orElse(e.entry("acks", Math::min), -1) < 0)
            .most(0.96)
            .lowered(0.5, Pressure.OTHERS, Pressure.ROLLS)
            .lowered(0.6, Pressure.FLUSHES)
            .provedBy(Perturbations.ACKS, Perturbations.ONE_COPY)
            .easedBy(Remedy.ACKS)
            .judged(BrokerRules::replication);

    /** Its observer asks for next to nothing, and needs neither disk nor request threads: who does not answer it stands still. */
    private static final Rule<BrokerEvidence> STANDSTILL = Rule.named("standstill", e -> e.most("stillShare"))
            .silently()
            .most(0.94)
            .heldBack()
            .lowered(0.6, Pressure.CPU_QUOTA)
            .lowered(0.8, Pressure.HOST_FULL)
            .lowered(
                    1,
                    "collections account for it",
                    (e, b) -> Math.min(1, b.get("gcShare", 0) / Math.max(1e-3, b.get("stillShare"))))
            .judged((e, b) -> Sign.at(b.name(), ramp(b.get("stillShare"), 0.1, 0.4))
                    .explains(e.latencyAsked() ? ramp(b.get("stillShare"), 0, 0.1) : 0)
                    .says("diagnose.says.standstill", b.name(), percent(b.get("stillShare")))
                    .with("diagnose.still", percent(b.get("stillShare")))
                    .with("diagnose.cores", cores(b.get("cpu")))
                    .with("diagnose.collections", percent(b.get("gcShare"))));

    /** Consumers of a time before Kafka 0.11 are given records in the format of that time, which brokers make for each fetch. */
    private static final Rule<BrokerEvidence> DOWN_CONVERSION = Rule.named(
                    "downConversion", e -> e.most("fetchConvertingSeconds"))
            .where(e -> e.most("fetchConversions") != null)
            .silently()
            .most(0.98)
            .heldBack()
            .judged((e, b) -> {
                double busy = Math.max(Pressure.HANDLERS_BUSY.in(e), networkBusy(b));
                return Sign.at(b.name(), downConverting(b) * Math.max(busy, full(e)))
                        .explains(downConverting(b) * e.slowness("requestQueueMs", "responseQueueMs", "responseSendMs"))
                        .says(
                                "diagnose.says.downConversion",
                                b.name(),
                                Units.rate(b.get("fetchConversions", 0)),
                                cores(b.get("fetchConvertingSeconds")))
                        .with("diagnose.downConverted", Units.rate(b.get("fetchConversions", 0)))
                        .with("diagnose.converting", cores(b.get("fetchConvertingSeconds")))
                        .with("diagnose.cores", cores(b.get("cpu")));
            });

    static final List<Rule<?>> RULES =
            List.of(DOWN_CONVERSION, HANDLERS, NETWORK_THREADS, CPU, QUOTA, PAUSES, REPLICATION, STANDSTILL);

    private BrokerRules() {}

    static double networkBusy(BrokerEvidence b) {
        return ramp(1 - b.get("networkIdle", 1), 0.65, 0.9);
    }

    /** Whether converting for consumers makes a large part of what a broker does, from 0 to 1. */
    static double downConverting(BrokerEvidence b) {
        return ramp(b.get("fetchConvertingSeconds", 0) / Math.max(0.1, b.get("cpu", 0)), 0.15, 0.5);
    }

    /** The degree to which the host of brokers that run here has no CPU left. */
    static double full(TrialEvidence e) {
        return e.brokerCores() > 0 ? ramp(orElse(e.hostBusy(), 0), 0.85, 0.98) : 0;
    }

    /** Threads that wait for a CPU are not what is short; nor are those that wait for the disk, which count already. */
    private static double crowded(TrialEvidence e, BrokerEvidence b) {
        return full(e) * (1 - b.flushShare());
    }

    private static Sign replication(TrialEvidence e, double remote) {
        Double request = e.requestMs();
        double total = Math.max(1e-9, orElse(e.perRequest("totalMs"), remote));
        double onBroker = request == null || request <= 0 ? 1 : Math.min(1, e.dueToBroker() / request);
        double strength = ramp(remote / total * onBroker, 0.3, 0.7)
                * ramp(remote, 2, 20)
                * Math.max(e.heldBack(), ramp(remote, 50, 200));
        BrokerEvidence behind = behind(e);
        Sign sign = behind == null
                ? Sign.of(strength).says("diagnose.says.followers", Words.wholeMs(remote))
                : Sign.at(behind.name(), strength).says("diagnose.says.follower", Words.wholeMs(remote), behind.name());
        sign.explains(e.slowness("remoteMs"));
        double lag = behind == null ? 0 : behind.get("followerLag", 0);
        double shrinks = e.sum("isrShrinks");
        return sign.with("diagnose.forFollowers", ms(remote))
                .with("diagnose.ofOnBroker", ms(total))
                .with("diagnose.aRequest", ms(request))
                .with("diagnose.recordsBehind", lag > 0 ? Units.count(Math.round(lag)) : null)
                .with("diagnose.isrShrinks", shrinks > 0 ? Math.round(shrinks) : null);
    }

    /**
     * The broker whose followers are late: the one that is furthest behind; else the one whose own partitions do not wait
     * while those of the others do; else the only one that leads none. Null if that does not tell.
     */
    private static BrokerEvidence behind(TrialEvidence e) {
        BrokerEvidence late = e.most("followerLag");
        if (late != null && late.get("followerLag") > 0) {
            return late;
        }
        List<BrokerEvidence> leading = e.brokers().stream()
                .filter(b -> b.get("remoteMs") != null && b.get("produceRequests", 0) > 0)
                .toList();
        List<BrokerEvidence> idle =
                e.brokers().stream().filter(b -> !leading.contains(b)).toList();
        if (idle.size() == 1) {
            return idle.get(0);
        }
        if (!idle.isEmpty() || leading.size() < 3) {
            return null;
        }
        BrokerEvidence least = e.least("remoteMs");
        boolean alone = leading.stream()
                .allMatch(b -> b.equals(least) || b.get("remoteMs") > NOTABLY * Math.max(1, least.get("remoteMs")));
        return alone ? least : null;
    }
}
