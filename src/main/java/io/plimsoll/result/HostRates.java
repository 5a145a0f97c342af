package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Measured throughput of this host in bytes per second. Immutable.
 *
 * @param diskWriteBytesPerSecond write throughput of each measured disk, by device name
 * @param loopbackBytesPerSecond throughput of one TCP connection; null if it was not measured
 */
public record HostRates(
        @JsonSetter(nulls = AS_EMPTY) Map<String, Double> diskWriteBytesPerSecond,
        @Nullable Double loopbackBytesPerSecond) {
    public static final HostRates NONE = new HostRates(Map.of(), null);

    /** Both sets of rates; newer values take precedence. */
    public HostRates with(HostRates newer) {
        Map<String, Double> disks = new TreeMap<>(diskWriteBytesPerSecond);
        disks.putAll(newer.diskWriteBytesPerSecond);
        Double loopback = newer.loopbackBytesPerSecond;
        return new HostRates(disks, loopback == null ? loopbackBytesPerSecond : loopback);
    }
}
