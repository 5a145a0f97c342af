package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** CPU that other programs used on the load generator's host, and its effect on the figures. Pure. */
final class BusyHost {
    /** Share of a host's cores below which the CPU use of other programs is normal noise. */
    private static final double LEAST_SHARE = 0.1;

    /** Share of a host's cores at or above which other programs can be the reason why a load was not sustained. */
    private static final double GOOD_PART = 0.25;

    private static final double WAITED = 0.1;
    private static final double FULL = 0.9;
    /** Share of the response time at or above which send delay affects it noticeably. */
    private static final double SHOWS = 0.1;

    /**
     * Cores used by programs other than the load generator and the brokers on its host, including steal time; null if
     * unknown.
     */
    static @Nullable Double others(TrialResult trial) {
        Double used = used(trial);
        Double generator = generator(trial);
        if (used == null || generator == null) {
            return null;
        }
        double brokers = ownBrokers(trial).mapToDouble(b -> number(b, "cpu")).sum();
        return Math.max(0, used - generator - brokers);
    }

    /**
     * Whether other programs limited the brokers ({@link #tookCpu}), and the load was not sustained or was a closed
     * loop.
     */
    static boolean leftNoMore(TrialResult trial) {
        return bound(trial.produce()) && tookCpu(trial);
    }

    /**
     * Whether other programs can have slowed the brokers: the brokers run on this host, its CPU was exhausted, other
     * programs used a large share of it, and the trial had no faults.
     */
    static boolean tookCpu(TrialResult trial) {
        Double others = others(trial);
        Double used = used(trial);
        double cores = number(trial.observed().host(), "cores");
        return others != null
                && used != null
                && cores > 0
                && others >= GOOD_PART * cores
                && used >= FULL * cores
                && ownBrokers(trial).findAny().isPresent()
                && trial.detail().faults().isEmpty();
    }

    private static boolean bound(TrialResult.@Nullable Produce p) {
        Double achieved = p == null ? null : ProduceFigures.achieved(p);
        return p != null
                && (Boolean.TRUE.equals(p.schedule().closedLoop())
                        || (achieved != null && achieved < GeneratorLimit.ACHIEVED));
    }

    private static Stream<Map<String, Object>> ownBrokers(TrialResult trial) {
        return trial.observed().brokers().stream()
                .filter(b -> b.get("sources") instanceof List<?> from && from.contains("proc"));
    }

    /** The remark as a list of one sentence; empty if other programs used little CPU. */
    static List<Sentence> of(TrialResult trial) {
        Double others = others(trial);
        Map<String, Object> host = trial.observed().host();
        double cores = number(host, "cores");
        if (others == null || cores <= 0 || others < LEAST_SHARE * cores) {
            return List.of();
        }
        double stolen = number(host, "steal");
        List<Sentence> touched = touched(trial, cores);
        return List.of(Sentence.of(
                "result.busyHost",
                Units.decimals(others, 2),
                Math.round(cores),
                stolen < LEAST_SHARE ? Sentence.NONE : Sentence.of("result.stolen", Units.decimals(stolen, 2)),
                touched.isEmpty() ? Sentence.of("result.busyNowhere") : Sentence.of("result.busyWhere", touched)));
    }

    private static List<Sentence> touched(TrialResult trial, double cores) {
        List<Sentence> touched = new ArrayList<>();
        TrialResult.Produce p = trial.produce();
        Number delay = p == null ? null : Statistic.P99.of(p.times().sendDelay());
        Number response = p == null ? null : Statistic.P99.of(p.times().responseTime());
        if (delay != null && response != null && delay.doubleValue() >= SHOWS * response.doubleValue()) {
            String late = Units.micros(delay.doubleValue());
            touched.add(Sentence.of("result.busyDelay", late, Units.micros(response.doubleValue())));
        }
        double waited = number(trial.observed().host(), "cpuStall");
        if (waited >= WAITED) {
            touched.add(Sentence.of("result.busyWaits", Units.percent(waited)));
        }
        double full = Sums.orZero(used(trial)) / cores;
        if (bound(p) && full >= FULL) {
            touched.add(Sentence.of("result.busyThroughput", Units.percent(Math.min(1, full))));
        }
        return touched;
    }

    private static @Nullable Double used(TrialResult trial) {
        Map<String, Object> host = trial.observed().host();
        return host.get("cpu") instanceof Number cpu ? Double.valueOf(cpu.doubleValue() + number(host, "steal")) : null;
    }

    /** Cores used by the load generator; with several hosts, on the host that the figures describe. */
    private static @Nullable Double generator(TrialResult trial) {
        Object worker = trial.observed().host().get("worker");
        Generator own = trial.observed().generator();
        return trial.observed().workers().stream()
                .filter(w -> worker != null && worker.equals(w.name()))
                .findFirst()
                .map(w -> Double.valueOf(w.usage().cpuCores()))
                .orElseGet(() -> own == null ? null : Double.valueOf(own.cpu().cpuCores()));
    }

    private static double number(Map<String, Object> figures, String name) {
        return figures.get(name) instanceof Number n ? n.doubleValue() : 0;
    }
}
