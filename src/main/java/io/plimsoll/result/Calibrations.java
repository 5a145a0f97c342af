package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Calibrated maximum of the load generator on one host, schema {@code plimsoll.calibration/1} (published as {@code
 * /schema/plimsoll.calibration-1.json} on the class path). Immutable.
 *
 * @param host facts about the host: processor, cores, Java, version of Plimsoll
 * @param rates throughput of its disks and its loopback interface; null if not measured
 */
public record Calibrations(
        String schema,
        String host,
        List<Calibration> calibrations,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable HostRates rates) {
    public static final String SCHEMA = "plimsoll.calibration/1";

    /**
     * Maximum factor by which a record size can be outside of the calibrated sizes; between these, rates are
     * interpolated.
     */
    static final double REACH = 1.25;

    public Calibrations {
        calibrations = List.copyOf(calibrations);
    }

    public static Calibrations of(String host, List<Calibration> calibrations) {
        return new Calibrations(SCHEMA, host, calibrations, null);
    }

    /** A copy with newer figures, which replace older ones with the same settings. */
    public Calibrations with(List<Calibration> newer) {
        List<Calibration> all = new ArrayList<>(calibrations);
        all.removeIf(old -> newer.stream().anyMatch(c -> c.subject().equals(old.subject())));
        all.addAll(newer);
        return new Calibrations(schema, host, all, rates);
    }

    Calibrations with(HostRates newer) {
        return new Calibrations(schema, host, calibrations, (rates == null ? HostRates.NONE : rates).with(newer));
    }

    /** The limit of this number of sending or reading threads; null if this engine, side and batch size were not calibrated. */
    public @Nullable CalibratedLimit limit(String engine, String side, int batchBytes, int clients) {
        List<CalibratedLimit.Point> points = calibrations.stream()
                .filter(c -> c.subject().engine().equals(engine)
                        && c.subject().side().equals(side)
                        && c.subject().batchBytes() == batchBytes)
                .sorted(Comparator.comparingInt(c -> c.subject().recordBytes()))
                .map(c -> new CalibratedLimit.Point(
                        c.subject().recordBytes(),
                        Math.min(
                                clients * c.rates().recordsPerSecond(),
                                c.rates().recordsPerSecondAllCores())))
                .toList();
        return points.isEmpty() || clients < 1 ? null : new CalibratedLimit(points);
    }

    /** Calibrated maximum of a trial's producers or consumers on their host, by ascending record size. Immutable. */
    public record CalibratedLimit(List<Point> points) {
        private static final double CREDIBLE = 1.25;

        public record Point(int recordBytes, double recordsPerSecond) {}

        public CalibratedLimit {
            points = List.copyOf(points);
        }

        /** Throughput for a record size, from the interpolated time per record; null if no measured size is close enough. */
        public @Nullable Double recordsPerSecond(double recordBytes) {
            Point first = points.get(0);
            Point last = points.get(points.size() - 1);
            if (!(recordBytes >= first.recordBytes() / Calibrations.REACH
                    && recordBytes <= last.recordBytes() * Calibrations.REACH)) {
                return null;
            }
            if (points.size() == 1 || recordBytes <= first.recordBytes()) {
                return first.recordsPerSecond();
            }
            long smaller =
                    points.stream().filter(p -> p.recordBytes < recordBytes).count();
            int above = (int) Math.min(points.size() - 1, smaller);
            Point from = points.get(above - 1);
            Point to = points.get(above);
            double share = (recordBytes - from.recordBytes()) / (to.recordBytes() - from.recordBytes());
            double secondsPerRecord = (1 - share) / from.recordsPerSecond() + share / to.recordsPerSecond();
            // Beyond the largest size, a noisy slope can be misleading; a larger record is never cheaper.
            return Math.min(
                    1 / Math.max(secondsPerRecord, 1e-12), Math.max(from.recordsPerSecond(), to.recordsPerSecond()));
        }

        /**
         * The total limit of several hosts; null if a limit is unknown, or the hosts were calibrated with different
         * record sizes.
         */
        public static @Nullable CalibratedLimit sum(List<@Nullable CalibratedLimit> hosts) {
            if (hosts.isEmpty()
                    || hosts.contains(null)
                    || hosts.stream().map(CalibratedLimit::sizes).distinct().count() > 1) {
                return null;
            }
            Map<Integer, Double> rates = new TreeMap<>();
            hosts.forEach(h -> h.points.forEach(p -> rates.merge(p.recordBytes, p.recordsPerSecond, Double::sum)));
            return new CalibratedLimit(rates.entrySet().stream()
                    .map(e -> new Point(e.getKey(), e.getValue()))
                    .toList());
        }

        private List<Integer> sizes() {
            return points.stream().map(Point::recordBytes).toList();
        }

        /**
         * Work done ÷ calibrated maximum; null if unknown, or if it is clearly above 1, which means that another host
         * was calibrated.
         */
        static @Nullable Double share(@Nullable CalibratedLimit limit, TrialResult.Volume done) {
            Double recordsPerSecond = done.recordsPerSecond();
            Double bytesPerRecord = Sums.ratio(done.bytesPerSecond(), recordsPerSecond);
            if (limit == null || recordsPerSecond == null || bytesPerRecord == null) {
                return null;
            }
            Double most = limit.recordsPerSecond(bytesPerRecord);
            return most == null || most <= 0 || recordsPerSecond > CREDIBLE * most ? null : recordsPerSecond / most;
        }
    }
}
