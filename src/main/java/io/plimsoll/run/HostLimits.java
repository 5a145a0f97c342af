package io.plimsoll.run;

import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.client.ClientProperties;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.CalibratedLimit;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * What a scenario's producers and consumers could do on this host at most, by its calibration. Nothing is said of what
 * was not measured: compression, transactions, encrypted connections, entries of different kinds beside each other.
 */
public final class HostLimits {
    /** Batches of what is read are as the producer's default makes them, unless somebody knows better. */
    public static final int DEFAULT_BATCH_BYTES = 16_384;

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

    /** Null if unknown. */
    static CalibratedLimit producers(Calibrations known, TrialAssignment assignment) {
        EngineContext context = assignment.context();
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
            ProducerConfig config =
                    ClientProperties.parseProducer(ClientProperties.of(context, spec, "producers", 0), "producers");
            String compression = config.getString(ProducerConfig.COMPRESSION_TYPE_CONFIG);
            if (!compression.equals("none") || spec.transactions().enabled()) {
                return null;
            }
            batchBytes = config.getInt(ProducerConfig.BATCH_SIZE_CONFIG);
            kinds.add(name(spec.engine()) + " " + batchBytes);
            threads += clients * spec.threads();
            engine = name(spec.engine());
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
            int groups = assignment.consumers().get(entry++).count();
            if (groups > 0) {
                engines.add(name(spec.engine()));
                members += groups * spec.members();
            }
        }
        if (engines.size() != 1 || !isPlain(assignment.context())) {
            return null;
        }
        return known.limit(engines.iterator().next(), Calibration.CONSUME, DEFAULT_BATCH_BYTES, members);
    }

    private static boolean isPlain(EngineContext context) {
        Object protocol = context.clientProperties().get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG);
        return protocol == null || protocol.toString().equalsIgnoreCase("PLAINTEXT");
    }

    private static String name(Enum<?> engine) {
        return engine.name().toLowerCase(Locale.ROOT);
    }
}
