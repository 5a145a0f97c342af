package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.TrialEvidence.orElse;

import io.plimsoll.result.HostBound;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The share of this host's measured throughput that a load uses, and the load that the throughput allows. Each byte of
 * records crosses the network once to its broker, once per further replica and once per consumer group, and is written
 * to the disk of each replica. Pure.
 */
public final class HostBounds {
    private static final double STREAM_CORES = 2;

    /**
     * Facts about this host and the topics of the load, as far as known.
     *
     * @param brokersHere whether all brokers run on this host
     * @param cores of this host
     * @param diskWriteBytesPerSecond of the disk that holds all logs
     * @param loopbackBytesPerSecond of one connection
     * @param linkBytesPerSecond of the fastest network card, in each direction
     * @param copies replicas by topic; 1 for other topics
     * @param readers consumer groups by topic; 0 for other topics
     */
    public record Ground(
            boolean brokersHere,
            int cores,
            @Nullable Double diskWriteBytesPerSecond,
            @Nullable Double loopbackBytesPerSecond,
            @Nullable Double linkBytesPerSecond,
            Map<String, Integer> copies,
            Map<String, Double> readers) {}

    /** @param wire bytes of compressed batches per byte of keys and values */
    private record Load(double bytesPerSecond, double recordsPerSecond, double wire, double copies, double readers) {}

    /** All known limits, in no particular order; empty without producers. */
    public static List<HostBound> of(TrialResult trial, Ground ground) {
        Load load = load(trial, ground);
        List<HostBound> bounds = new ArrayList<>();
        if (load == null) {
            return bounds;
        }
        if (!ground.brokersHere) {
            add(bounds, HostBound.LINK_OUT, ground.linkBytesPerSecond, load.wire, load);
            add(bounds, HostBound.LINK_IN, ground.linkBytesPerSecond, load.wire * load.readers, load);
            return bounds;
        }
        add(bounds, HostBound.DISK, ground.diskWriteBytesPerSecond, load.wire * load.copies, load);
        // A connection keeps one core busy at each end, so connections scale only to half the number of cores.
        Double stream = ground.loopbackBytesPerSecond;
        Double loopback = stream == null ? null : Double.valueOf(stream * Math.max(1, ground.cores / STREAM_CORES));
        add(bounds, HostBound.LOOPBACK, loopback, load.wire * (load.copies + load.readers), load);
        return bounds;
    }

    private static @Nullable Load load(TrialResult trial, Ground ground) {
        TrialResult.Produce p = trial.produce();
        if (p == null) {
            return null;
        }
        double bytes = orElse(p.volume().bytes(), 0);
        double records = orElse(p.volume().records(), 0);
        if (bytes <= 0 || records <= 0) {
            return null;
        }
        double perBatch = orElse(p.wire().recordsPerBatch(), 0);
        Double each = p.wire().bytesPerBatch();
        double wire = each != null && perBatch > 0 ? each / perBatch / (bytes / records) : 1;
        List<PartitionResult> partitions = trial.detail().partitions();
        return new Load(
                orElse(p.volume().bytesPerSecond(), 0),
                orElse(p.volume().recordsPerSecond(), 0),
                wire,
                mean(partitions, topic -> ground.copies.getOrDefault(topic, 1)),
                mean(partitions, topic -> ground.readers.getOrDefault(topic, 0.0)));
    }

    /** Mean over topics, weighted by the produced records of each. */
    private static double mean(List<PartitionResult> partitions, ToDoubleFunction<String> ofTopic) {
        double sum = 0;
        double records = 0;
        for (PartitionResult p : partitions) {
            sum += p.produced() * ofTopic.applyAsDouble(p.topic());
            records += p.produced();
        }
        return records > 0 ? sum / records : ofTopic.applyAsDouble("");
    }

    /** @param each bytes on this resource per byte of keys and values */
    private static void add(List<HostBound> bounds, String resource, @Nullable Double limit, double each, Load load) {
        if (limit == null || limit <= 0 || each <= 0) {
            return;
        }
        double used = each * load.bytesPerSecond;
        double share = used / limit;
        double allows = limit / each;
        double records = load.bytesPerSecond > 0 ? allows / load.bytesPerSecond * load.recordsPerSecond : 0;
        boolean cached = resource.equals(HostBound.DISK) && share > 1;
        Sentence sentence = Sentence.of(
                "diagnose.bound." + resource + (cached ? "Cached" : ""),
                Units.percent(share),
                Units.byteRate(used),
                Units.byteRate(limit),
                Units.byteRate(allows));
        bounds.add(new HostBound(resource, limit, used, share, allows, records, sentence));
    }
}
