package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.greatest;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;
import static io.plimsoll.diagnose.TrialEvidence.total;
import static io.plimsoll.diagnose.Words.ms;
import static io.plimsoll.diagnose.Words.percent;
import static io.plimsoll.diagnose.Words.whole;

import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import java.util.List;
import java.util.Map;

/** Rules for what writing to logs costs. */
final class DiskRules {
    private static final String QUEUE = "requestQueueMs";
    private static final String APPENDING = "localMs";
    private static final String AGE = "segment.ms";
    private static final String SIZE = "segment.bytes";
    /** Bytes in a segment from which on its roll costs little for what it holds, and up to which it costs far more. */
    private static final double LARGE_SEGMENT = 4e6;

    private static final double SMALL_SEGMENT = 5e5;

    private static final Rule<BrokerEvidence> FLUSH = Rule.each("flush", DiskRules::flushers)
            .silently()
            .most(0.95)
            .heldBack()
            .lowered(0.6, Pressure.STANDS_STILL)
            .lowered(0.8, Pressure.ROLLS)
            .provedBy(Perturbations.BATCH_SIZE)
            .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
            .judged((e, b) -> Sign.at(b.name(), slow(e, b) * ramp(b.flushShare(), 0.2, 0.6))
                    .explains(e.slowness(QUEUE, APPENDING) * b.flushShare() + e.slowness("remoteMs") * flushing(e))
                    .says("diagnose.says.flush", b.id(), whole(b.get("flushes")), ms(b.get("flushMs")))
                    .with("diagnose.flushes", whole(b.get("flushes")))
                    .with("diagnose.aFlush", ms(b.get("flushMs")))
                    .with("diagnose.flushShare", percent(b.flushShare()))
                    .with("diagnose.toAppend", ms(b.get("localMs"))));

    private static final Rule<BrokerEvidence> APPEND = Rule.each("append", DiskRules::appending)
            .most(0.8)
            .heldBack()
            .lowered(0.6, Pressure.CPU_QUOTA)
            .lowered(0.5, Pressure.HANDLERS_BUSY)
            .lowered(0.6, Pressure.STANDS_STILL)
            .lowered(0.8, Pressure.RECOMPRESSES)
            .lowered(0.6, Pressure.ROLLS)
            .provedBy(Perturbations.BATCH_SIZE, Perturbations.PARTITIONS)
            .easedBy(Remedy.BATCH_SIZE, Remedy.PARTITIONS)
            .judged((e, b) -> Sign.at(b.name(), slow(e, b) * (1 - ramp(b.flushShare(), 0.2, 0.6)))
                    .explains(e.slowness(APPENDING) * (1 - b.flushShare()))
                    .says("diagnose.says.append", b.id(), ms(b.get("localMs")))
                    .with("diagnose.toAppend", ms(b.get("localMs")))
                    .with("diagnose.ofOnBroker", ms(b.get("totalMs"))));

    private static final Rule<Double> DISK = Rule.named("disk", e -> e.brokerCores() == 0 ? null : e.host("diskBusy"))
            .most(0.85)
            .heldBack()
            .easedBy(Remedy.COMPRESSION)
            .judged((e, busy) -> Sign.at(e.hostName(), ramp(busy, 0.8, 0.97))
                    .says("diagnose.says.disk", e.hostName(), percent(busy))
                    .with("diagnose.busy", percent(busy))
                    .with("diagnose.aRequest", ms(e.host("diskAwaitMs")))
                    .with("diagnose.written", Words.byteRate(e.host("diskWriteBytes"))));

    /** Where topics have a codec of their own, brokers pack each batch anew that comes in another one, before they append it. */
    private static final Rule<BrokerEvidence> RECOMPRESSION = Rule.each("recompression", DiskRules::appending)
            .where(e -> e.produces() && e.recompresses() != null)
            .silently()
            .most(0.97)
            .heldBack()
            .lowered(0.6, Pressure.STANDS_STILL)
            .provedBy(Perturbations.TOPIC_CODEC)
            .easedBy(Remedy.TOPIC_CODEC)
            .judged((e, b) -> Sign.at(
                            b.name(),
                            share(e, b) * ramp(b.get("localMs"), 0.2, 1) * (1 - ramp(b.flushShare(), 0.2, 0.6)))
                    .explains(e.slowness(QUEUE, APPENDING) * (1 - b.flushShare()))
                    .says("diagnose.says.recompression", b.id(), e.recompresses(), ms(b.get("localMs")))
                    .with("diagnose.topicCodec", e.recompresses())
                    .with("diagnose.toAppend", ms(b.get("localMs")))
                    .with("diagnose.ofOnBroker", ms(b.get("totalMs")))
                    .with("diagnose.cores", Words.cores(b.get("cpu"))));

    /** Where a topic's records have an older format than clients send, brokers write each of them anew before they append it. */
    private static final Rule<BrokerEvidence> FORMAT = Rule.each("format", DiskRules::appending)
            .where(e -> e.produces() && e.recompresses() == null && e.most("conversions") != null)
            .silently()
            .most(0.97)
            .heldBack()
            .lowered(0.6, Pressure.STANDS_STILL)
            .provedBy(Perturbations.TOPIC_FORMAT)
            .judged((e, b) -> {
                double converted = ramp(b.get("conversions", 0) / Math.max(1, b.get("messagesIn", 0)), 0.1, 0.5);
                return Sign.at(b.name(), converted * share(e, b) * ramp(b.get("localMs"), 0.2, 1))
                        .explains(converted * e.slowness(QUEUE, APPENDING) * (1 - b.flushShare()))
                        .says("diagnose.says.format", b.id(), Units.rate(b.get("conversions", 0)), ms(b.get("localMs")))
                        .with("diagnose.converted", Units.rate(b.get("conversions", 0)))
                        .with("diagnose.toAppend", ms(b.get("localMs")))
                        .with("diagnose.converting", Words.cores(b.get("convertingSeconds")))
                        .with("diagnose.cores", Words.cores(b.get("cpu")));
            });

    /** A segment that ends makes three files and closes three, and is written to disk, on each replica. */
    private static final Rule<Double> ROLLS = Rule.named("rolls", DiskRules::rolls)
            .where(TrialEvidence::produces)
            .silently()
            .most(0.97)
            .heldBack()
            .judged((e, rolls) -> {
                BrokerEvidence slowest = e.most(APPENDING);
                double slow = slowest == null ? 0 : ramp(slowest.get(APPENDING), 0.5, 2);
                double strength = Pressure.ROLLS.in(e) * Math.max(slow, Pressure.HOST_FULL.in(e));
                return Sign.of(strength)
                        .explains(strength * e.slowness(PlacementRules.ON_THE_WAY))
                        .says("diagnose.says.rolls", whole(rolls))
                        .with("diagnose.flushes", slowest == null ? null : whole(slowest.get("flushes")))
                        .with("diagnose.toAppend", slowest == null ? null : ms(slowest.get(APPENDING)));
            });

    static final List<Rule<?>> RULES = List.of(RECOMPRESSION, FORMAT, ROLLS, FLUSH, APPEND, DISK);

    private DiskRules() {}

    /** The degree to which brokers wait for their disks to have written what was appended, 0 to 1. */
    static double flushing(TrialEvidence e) {
        return greatest(e.brokers(), b -> b.flushShare() * ramp(b.get("flushes", 0) * b.get("flushMs", 0), 100, 500));
    }

    /**
     * Segments that end in a second by what topics are set to, of all partitions: by their age, but no more often than records
     * come, and by their bytes; null if no topic sets either.
     */
    private static Double rolls(TrialEvidence e) {
        boolean set = e.setup("topic ").anyMatch(topic -> topic.containsKey(AGE) || topic.containsKey(SIZE));
        List<PartitionResult> partitions = e.partitions();
        double all = partitions.stream().mapToLong(PartitionResult::produced).sum();
        if (!set || !e.produces() || all == 0) {
            return null;
        }
        return total(partitions, p -> rolls(e, p, p.produced() / all));
    }

    private static double rolls(TrialEvidence e, PartitionResult partition, double share) {
        Map<String, String> topic = e.topic(partition.topic());
        double byAge = topic.containsKey(AGE) ? 1e3 / Double.parseDouble(topic.get(AGE)) : 0;
        double bySize = topic.containsKey(SIZE) ? share * bytes(e) / Double.parseDouble(topic.get(SIZE)) : 0;
        double records = share * orElse(e.produce().volume().recordsPerSecond(), 0);
        return Math.min(records, Math.max(byAge, bySize));
    }

    private static double bytes(TrialEvidence e) {
        return orElse(e.produce().volume().bytesPerSecond(), 0);
    }

    /** The degree to which segments end all the time with next to nothing in them: a roll costs what writing some megabytes does. */
    static double rolling(TrialEvidence e) {
        Double rolls = rolls(e);
        return rolls == null || rolls == 0
                ? 0
                : ramp(rolls, 2, 20) * ramp(-bytes(e) / rolls, -LARGE_SEGMENT, -SMALL_SEGMENT);
    }

    /** The brokers that say how long they take to append; null if none does. */
    private static List<BrokerEvidence> appending(TrialEvidence e) {
        return e.most("localMs") == null
                ? null
                : e.brokers().stream()
                        .filter(b -> b.get("localMs") != null && b.get("totalMs", 0) > 0)
                        .toList();
    }

    /** Those that flush while they append; null if that is not known. */
    private static List<BrokerEvidence> flushers(TrialEvidence e) {
        List<BrokerEvidence> all = appending(e);
        return all == null ? null : all.stream().filter(b -> b.flushShare() > 0).toList();
    }

    /** The part of a request that appending makes, with the wait of others for it, as a score from 0 to 1. */
    private static double slow(TrialEvidence e, BrokerEvidence b) {
        return share(e, b) * ramp(b.get("localMs"), 0.5, 2);
    }

    private static double share(TrialEvidence e, BrokerEvidence b) {
        double local = b.get("localMs");
        double total = b.get("totalMs");
        double share = (local + b.get("requestQueueMs", 0)) / total;
        Double request = e.requestMs();
        share *= request == null || request <= 0 ? 1 : Math.min(1, total * e.inFlight() / request);
        return ramp(share, 0.2, 0.6);
    }
}
