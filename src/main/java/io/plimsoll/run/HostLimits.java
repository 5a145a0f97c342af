package io.plimsoll.run;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.observe.host.HostMeasurements;
import io.plimsoll.observe.host.Measurement;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.CalibratedLimit;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.HostRates;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * Says what a scenario's producers and consumers could do on this host at most, by its calibration. Nothing is said of what
 * was not measured: compression, transactions, encrypted connections, entries of different kinds beside each other.
 */
public final class HostLimits {
    /** Batches of what is read are as the producer's default makes them, unless somebody knows better. */
    public static final int DEFAULT_BATCH_BYTES = 16_384;

    /** The bounds of what can be calibrated. */
    private static final int LEAST_RECORD_BYTES = 16;

    private static final int MOST_RECORD_BYTES = 1_000_000;
    private static final int LEAST_BATCH_BYTES = 1 << 10;

    private HostLimits() {}

    /** The figures of this host, with this Java and this version of the tool. */
    public static CalibrationCache cache(HostInventory host, String toolVersion) {
        String key = String.join(
                "; ",
                String.valueOf(host.name().plain()),
                String.valueOf(host.cpu().model().plain()),
                Runtime.getRuntime().availableProcessors() + " cores",
                "Java " + Runtime.version(),
                "plimsoll " + toolVersion);
        return new CalibrationCache(CalibrationCache.directory(System.getenv()), key);
    }

    /**
     * The rates among these measurements that a load must not exceed. Writing to a disk is the faster of through the page cache and
     * around it.
     *
     * @param directory on the disk that was measured; empty if none was
     */
    public static HostRates rates(Optional<Path> directory, List<Measurement> measured) {
        Map<String, Double> disks = new HashMap<>();
        Double write = fastest(measured, Set.of("disk.write.fsync", "disk.write.direct"));
        directory.flatMap(HostMeasurements::device).filter(d -> write != null).ifPresent(d -> disks.put(d, write));
        return new HostRates(disks, fastest(measured, Set.of("loopback.stream.64k", "loopback.stream.1m")));
    }

    /** Producers of which nobody has measured what they make at most on this host. */
    public record Uncalibrated(String engine, int recordBytes, int batchBytes) {}

    /** Finds those of the plan's producers that a calibration can say something of, and none does yet. */
    public static List<Uncalibrated> uncalibrated(Calibrations known, RunRequest request) {
        Map<String, Object> properties = new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:9092"));
        request.cluster().ifPresent(c -> properties.putAll(c.clientProperties()));
        LoadContext context = new LoadContext(properties, "plimsoll", 1, request.seed(), note -> {});
        Set<Uncalibrated> wanted = new LinkedHashSet<>();
        for (Plan.Trial trial : request.plan().trials()) {
            for (ProducerSpec spec : trial.scenario().producers()) {
                ProducerConfig config = ClientProperties.config(context, spec, "producers");
                int batchBytes = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
                int size = Math.max(
                        LEAST_RECORD_BYTES,
                        Math.min(
                                MOST_RECORD_BYTES,
                                PayloadSource.sized(spec.record()).size()));
                CalibratedLimit limit = known.limit(spec.engine(), Calibration.PRODUCE, batchBytes, 1);
                boolean plain = LoadKind.of(spec.engine()).calibrated()
                        && isPlain(config, spec)
                        && isPlain(context)
                        && batchBytes >= LEAST_BATCH_BYTES;
                if (plain && (limit == null || limit.recordsPerSecond(size) == null)) {
                    wanted.add(new Uncalibrated(spec.engine(), size, batchBytes));
                }
            }
        }
        return List.copyOf(wanted);
    }

    /** Neither compressed nor in transactions. */
    private static boolean isPlain(ProducerConfig config, ProducerSpec spec) {
        return config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG).equals("none")
                && !spec.transactions().enabled();
    }

    private static Double fastest(List<Measurement> measured, Set<String> names) {
        return measured.stream()
                .filter(m -> names.contains(m.name()) && m.value().isKnown())
                .map(m -> m.value().value() * 1e6)
                .max(Double::compare)
                .orElse(null);
    }

    /** Null if unknown. */
    static CalibratedLimit producers(Calibrations known, TrialAssignment assignment) {
        LoadContext context = assignment.context();
        Set<String> kinds = new TreeSet<>();
        int threads = 0;
        String engine = "";
        int batchBytes = 0;
        int entry = 0;
        for (ProducerSpec spec : assignment.scenario().producers()) {
            int clients = assignment.producers().get(entry++).count();
            if (clients == 0) {
                continue;
            }
            ProducerConfig config = ClientProperties.config(context, spec, "producers");
            if (!isPlain(config, spec)) {
                return null;
            }
            batchBytes = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
            kinds.add(spec.engine() + " " + batchBytes);
            threads += clients * spec.threads();
            engine = spec.engine();
        }
        if (kinds.size() != 1 || !isPlain(context)) {
            return null;
        }
        return known.limit(engine, Calibration.PRODUCE, batchBytes, threads);
    }

    /** Null if unknown. */
    static CalibratedLimit consumers(Calibrations known, TrialAssignment assignment) {
        Set<String> engines = new TreeSet<>();
        int members = 0;
        int entry = 0;
        for (ConsumerSpec spec : assignment.scenario().consumers()) {
            int here = assignment.consumers().get(entry++).count();
            if (here > 0) {
                engines.add(spec.engine());
                members += here;
            }
        }
        if (engines.size() != 1 || !isPlain(assignment.context())) {
            return null;
        }
        return known.limit(engines.iterator().next(), Calibration.CONSUME, DEFAULT_BATCH_BYTES, members);
    }

    private static boolean isPlain(LoadContext context) {
        Object protocol = context.clientProperties().get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        return protocol == null || protocol.toString().equalsIgnoreCase("PLAINTEXT");
    }
}
