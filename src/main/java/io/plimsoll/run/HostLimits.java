package io.plimsoll.run;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.observe.host.HostMeasurements;
import io.plimsoll.observe.host.Measurement;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.Calibrations.CalibratedLimit;
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
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * Upper bounds of the throughput of a scenario's clients on this host, from calibration. Uncalibrated combinations have
 * no bound: compression, transactions, encryption, and different entries at the same time.
 */
public final class HostLimits {
    /** Assumed size in bytes of fetched batches: the default {@code batch.size} of producers. */
    public static final int DEFAULT_BATCH_BYTES = 16_384;

    /** Minimum size of records that can be calibrated. */
    public static final int LEAST_RECORD_BYTES = 16;

    /** Maximum size of records that can be calibrated. */
    public static final int MOST_RECORD_BYTES = 1_000_000;

    /** Minimum {@code batch.size} that can be calibrated. */
    public static final int LEAST_BATCH_BYTES = 1 << 10;

    /** Maximum {@code batch.size} that can be calibrated. */
    public static final int MOST_BATCH_BYTES = 1 << 24;

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

    /** The host rates that a load cannot exceed. Disk throughput is the faster of buffered and direct writes. */
    public static HostRates rates(Optional<Path> directory, List<Measurement> measured) {
        Map<String, Double> disks = new HashMap<>();
        Double write = fastest(measured, Set.of("disk.write.fsync", "disk.write.direct"));
        directory.flatMap(HostMeasurements::device).filter(d -> write != null).ifPresent(d -> disks.put(d, write));
        return new HostRates(disks, fastest(measured, Set.of("loopback.stream.64k", "loopback.stream.1m")));
    }

    /** A producer configuration without a calibration on this host. */
    public record Uncalibrated(String engine, int recordBytes, int batchBytes) {}

    /** The plan's producers that can be calibrated and have not been. */
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
                        && ClientProperties.isPlaintext(context.clientProperties())
                        && batchBytes >= LEAST_BATCH_BYTES
                        && batchBytes <= MOST_BATCH_BYTES;
                if (plain && (limit == null || limit.recordsPerSecond(size) == null)) {
                    wanted.add(new Uncalibrated(spec.engine(), size, batchBytes));
                }
            }
        }
        return List.copyOf(wanted);
    }

    private static boolean isPlain(ProducerConfig config, ProducerSpec spec) {
        return config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG).equals("none")
                && !spec.transactions().enabled();
    }

    private static @Nullable Double fastest(List<Measurement> measured, Set<String> names) {
        return measured.stream()
                .filter(m -> names.contains(m.name()) && m.value().isKnown())
                .map(m -> m.value().value() * 1e6)
                .max(Double::compare)
                .orElse(null);
    }

    /** The limit of the producers. */
    static @Nullable CalibratedLimit producers(Calibrations known, TrialAssignment assignment) {
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
        if (kinds.size() != 1 || !ClientProperties.isPlaintext(context.clientProperties())) {
            return null;
        }
        return known.limit(engine, Calibration.PRODUCE, batchBytes, threads);
    }

    /** The limit of the consumers. */
    static @Nullable CalibratedLimit consumers(Calibrations known, TrialAssignment assignment) {
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
        if (engines.size() != 1
                || !ClientProperties.isPlaintext(assignment.context().clientProperties())) {
            return null;
        }
        return known.limit(engines.iterator().next(), Calibration.CONSUME, DEFAULT_BATCH_BYTES, members);
    }
}
