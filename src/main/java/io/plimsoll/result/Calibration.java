package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;

/**
 * Throughput of one client of an engine on one host against a null broker: one entry of {@link Calibrations}.
 * Immutable. CPU figures cover only the load generator, not the null broker. In JSON, fields of records marked as
 * unwrapped are fields of this object.
 */
public record Calibration(
        @JsonUnwrapped Subject subject,
        @JsonUnwrapped Rates rates,
        @JsonUnwrapped Cost cost,
        Breakdown breakdown,
        Instant measuredAt) {

    /**
     * The calibrated client.
     *
     * @param engine such as {@code client}
     * @param side {@code produce} or {@code consume}
     * @param recordBytes size of a value, at least 1; records have no keys
     * @param batchBytes at least 1: {@code batch.size} of the producer, or the size of the batches read
     */
    public record Subject(String engine, String side, int recordBytes, int batchBytes) {}

    /**
     * Throughput reached.
     *
     * @param recordsPerSecond above 0
     * @param bytesPerSecond of values, above 0
     * @param recordsPerSecondPerCore records per CPU second, above 0
     * @param recordsPerSecondAllCores above 0, computed: throughput if every core had the same throughput
     */
    public record Rates(
            double recordsPerSecond,
            double bytesPerSecond,
            double recordsPerSecondPerCore,
            double recordsPerSecondAllCores) {}

    /**
     * CPU time of the load generator.
     *
     * @param cpuMicrosPerRecord above 0
     * @param bound {@code system calls}, {@code copy}, {@code CRC} or {@code code}: where most of the CPU was spent
     * @param generatorCores CPU seconds per second, above 0
     * @param nullBrokerCpuMicrosPerRecord CPU of the null broker, not contained in any other figure
     */
    public record Cost(
            double cpuMicrosPerRecord, String bound, double generatorCores, double nullBrokerCpuMicrosPerRecord) {}

    public static final String PRODUCE = "produce";
    public static final String CONSUME = "consume";

    /**
     * Parts of the CPU time of a record in µs; their sum is {@code cpuMicrosPerRecord}.
     *
     * @param systemCalls time in the kernel, without copying
     * @param copy time to copy these bytes between process and socket on this host
     * @param crc time of a CRC-32C of these bytes on this host
     * @param code everything else: the engine, the client library, the JVM
     */
    public record Breakdown(double systemCalls, double copy, double crc, double code) {
        /** Name of the largest part. */
        public String bound() {
            double most = Math.max(Math.max(systemCalls, copy), Math.max(crc, code));
            if (most == systemCalls) {
                return "system calls";
            }
            return most == copy ? "copy" : most == crc ? "CRC" : "code";
        }
    }
}
