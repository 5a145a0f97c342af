package io.plimsoll.fleet;

import io.plimsoll.fleet.FleetMessage.Calibrated;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibration;
import io.plimsoll.result.Calibrations;
import io.plimsoll.run.HostLimits;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

/**
 * The facts that an agent knows of its host beyond its cores.
 *
 * @param networkCard the fastest that is up, such as {@code eth0 10000 Mbit/s}; null if none says its speed
 * @param calibrated rate of all cores at the best record size, by engine; empty if not calibrated
 * @param calibrations the underlying calibrations
 */
record HostFacts(String networkCard, Map<String, Calibrated> calibrated, Calibrations calibrations) {

    /** Takes a few tenths of a second. */
    static HostFacts read(Path data, String version) {
        HostInventory host = HostInventory.read(data);
        Map<String, Calibrated> calibrated = new TreeMap<>();
        Calibrations known = HostLimits.cache(host, version).read(note -> {});
        known.calibrations().stream()
                .filter(c -> c.subject().side().equals(Calibration.PRODUCE))
                .forEach(c -> calibrated.merge(
                        c.subject().engine(),
                        new Calibrated(
                                c.rates().recordsPerSecondAllCores(),
                                c.subject().recordBytes()),
                        BinaryOperator.maxBy(Comparator.comparingDouble(Calibrated::recordsPerSecond))));
        return new HostFacts(card(host), calibrated, known);
    }

    private static String card(HostInventory host) {
        return Stream.ofNullable(host.networks().value())
                .flatMap(List::stream)
                .filter(n -> n.bitsPerSecond().value() != null)
                .max(Comparator.comparingLong(n -> n.bitsPerSecond().value()))
                .map(n -> n.name() + " " + n.bitsPerSecond().value() / 1_000_000 + " Mbit/s")
                .orElse(null);
    }
}
