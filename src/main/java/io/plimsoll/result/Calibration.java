package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * What one client of an engine does on one host against a broker that costs it nothing but its own work: one entry of
 * {@link Calibrations}. Immutable. CPU is that of the load generator alone; that of the null broker stands apart. Nested
 * values that JSON does not show lie flat in it.
 */
public record Calibration(
        @JsonUnwrapped Subject subject,
        @JsonUnwrapped Rates rates,
        @JsonUnwrapped Cost cost,
        Breakdown breakdown,
        Instant measuredAt) {

    /**
     * What was calibrated.
     *
     * @param engine such as {@code client}
     * @param side {@code produce} or {@code consume}
     * @param recordBytes of a value, at least 1; there are no keys
     * @param batchBytes at least 1: {@code batch.size} of the producer, or that of the batches that were read
     */
    public record Subject(String engine, String side, int recordBytes, int batchBytes) {}

    /**
     * What it reached.
     *
     * @param recordsPerSecond above 0
     * @param bytesPerSecond of values, above 0
     * @param recordsPerSecondPerCore records per CPU second, above 0
     * @param recordsPerSecondAllCores above 0, computed: what every core would come to if each did as much
     */
    public record Rates(
            double recordsPerSecond,
            double bytesPerSecond,
            double recordsPerSecondPerCore,
            double recordsPerSecondAllCores) {}

    /**
     * What it took.
     *
     * @param cpuMicrosPerRecord above 0
     * @param bound {@code system calls}, {@code copy}, {@code CRC} or {@code code}: what most of the CPU went into
     * @param generatorCores CPU seconds per second, above 0
     * @param nullBrokerCpuMicrosPerRecord what the other end used, which is in no other figure
     */
    public record Cost(
            double cpuMicrosPerRecord, String bound, double generatorCores, double nullBrokerCpuMicrosPerRecord) {}

    public static final String PRODUCE = "produce";
    public static final String CONSUME = "consume";

    /**
     * Where the CPU of a record goes, in µs; together {@code cpuMicrosPerRecord}.
     *
     * @param systemCalls in the kernel, without copying
     * @param copy in the kernel, between the process and the socket, as long as copying takes on this host
     * @param crc as long as a CRC-32C of these bytes takes on this host
     * @param code everything else: the engine, the client library, the JVM
     */
    public record Breakdown(double systemCalls, double copy, double crc, double code) {
        /** The greatest part. */
        public String bound() {
            double most = Math.max(Math.max(systemCalls, copy), Math.max(crc, code));
            if (most == systemCalls) {
                return "system calls";
            }
            return most == copy ? "copy" : most == crc ? "CRC" : "code";
        }
    }
}
