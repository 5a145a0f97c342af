package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Calibrated maximum of the load generator on one host, schema {@code plimsoll.calibration/1} (published as {@code
 * /schema/plimsoll.calibration-1.json} on the class path). Immutable.
 *
 * @param host facts about the host: processor, cores, Java, version of the tool
 * @param rates throughput of its disks and its loopback interface; null if not measured
 */
public record Calibrations(
        String schema,
        String host,
        List<Calibration> calibrations,
        @JsonInclude(JsonInclude.Include.NON_NULL) HostRates rates) {
    public static final String SCHEMA = "plimsoll.calibration/1";

    /** Maximum factor between a calibrated and an actual record size; sizes in between are interpolated. */
    static final double REACH = 1.25;

    public Calibrations {
        calibrations = List.copyOf(calibrations);
    }

    public static Calibrations of(String host, List<Calibration> calibrations) {
        return new Calibrations(SCHEMA, host, calibrations, null);
    }

    /** Newer figures replace older ones of the same settings. */
    public Calibrations with(List<Calibration> newer) {
        List<Calibration> all = new ArrayList<>(calibrations);
        all.removeIf(old -> newer.stream().anyMatch(c -> c.subject().equals(old.subject())));
        all.addAll(newer);
        return new Calibrations(schema, host, all, rates);
    }

    Calibrations with(HostRates newer) {
        return new Calibrations(schema, host, calibrations, (rates == null ? HostRates.NONE : rates).with(newer));
    }

    /**
     * The limit of clients of one kind.
     *
     * @param clients threads that send or read
     * @return null if this kind was never measured here
     */
    public CalibratedLimit limit(String engine, String side, int batchBytes, int clients) {
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
}
