package io.plimsoll.lab;

import io.plimsoll.Exit;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Finds out before any process is started that a lab cannot work here. */
final class LabPreflight {
    private static final long MEGABYTE = 1_000_000;
    private static final long MEBIBYTE = 1 << 20;
    private static final long MIN_DISK_BYTES = 100 * MEGABYTE;
    private static final Path MEMINFO = Path.of("/proc/meminfo");

    private LabPreflight() {}

    static void check(LabOptions options, Path directory) {
        checkMemory(options, availableMemoryBytes());
        checkDisk(options, directory);
        for (int id = 1; options.port() > 0 && id <= options.brokers(); id++) {
            int port = options.port() + id - 1;
            if (!Ports.isFree(options.host(), port)) {
                throw Exit.USAGE.because("lab.portTaken", port, options.host(), id);
            }
        }
    }

    static void checkMemory(LabOptions options, OptionalLong availableBytes) {
        long wantedBytes = (long) options.brokers() * options.heapMegabytes() * MEBIBYTE;
        if (availableBytes.isPresent() && wantedBytes > availableBytes.getAsLong()) {
            throw Exit.USAGE.because(
                    "lab.notEnoughMemory",
                    options.brokers(),
                    options.heapMegabytes(),
                    availableBytes.getAsLong() / MEBIBYTE);
        }
    }

    private static void checkDisk(LabOptions options, Path directory) {
        try {
            long usable = Files.getFileStore(directory).getUsableSpace();
            if (usable < options.brokers() * MIN_DISK_BYTES) {
                throw Exit.INTERNAL.because(
                        "lab.notEnoughDisk",
                        usable / MEGABYTE,
                        directory,
                        options.brokers(),
                        options.brokers() * MIN_DISK_BYTES / MEGABYTE);
            }
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.unusableDirectory", directory, e);
        }
    }

    /** The memory that the system could give to new processes without swapping; empty where it does not say. */
    private static OptionalLong availableMemoryBytes() {
        try {
            long available = Files.readAllLines(MEMINFO).stream()
                    .filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
            // A container may have less than its host; the JVM knows.
            if (ManagementFactory.getOperatingSystemMXBean()
                    instanceof com.sun.management.OperatingSystemMXBean system) {
                available = Math.min(available, system.getTotalMemorySize());
            }
            return OptionalLong.of(available);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
