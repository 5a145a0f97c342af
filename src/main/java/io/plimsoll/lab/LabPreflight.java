package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
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
                throw new PlimsollException(
                        Exit.USAGE,
                        "Port " + port + " on " + options.host() + ", meant for broker " + id
                                + ", is taken by another process; give another first port (--port), or none for free"
                                + " ones.");
            }
        }
    }

    static void checkMemory(LabOptions options, OptionalLong availableBytes) {
        long wantedBytes = (long) options.brokers() * options.heapMegabytes() * MEBIBYTE;
        if (availableBytes.isPresent() && wantedBytes > availableBytes.getAsLong()) {
            throw new PlimsollException(
                    Exit.USAGE,
                    options.brokers() + (options.brokers() == 1 ? " broker" : " brokers") + " with a heap of "
                            + options.heapMegabytes() + " MB need more memory than the "
                            + availableBytes.getAsLong() / MEBIBYTE
                            + " MB that this machine has to spare; give a smaller heap (--heap) or fewer brokers.");
        }
    }

    private static void checkDisk(LabOptions options, Path directory) {
        try {
            long usable = Files.getFileStore(directory).getUsableSpace();
            if (usable < options.brokers() * MIN_DISK_BYTES) {
                throw new PlimsollException(
                        Exit.INTERNAL,
                        "Only " + usable / MEGABYTE + " MB are free on the disk of " + directory + "; "
                                + options.brokers() + (options.brokers() == 1 ? " broker needs" : " brokers need")
                                + " at least " + options.brokers() * MIN_DISK_BYTES / MEGABYTE
                                + " MB: free some, or give a directory on another disk.");
            }
        } catch (IOException e) {
            throw new PlimsollException(Exit.USAGE, "The directory " + directory + " cannot be used: " + e, e);
        }
    }

    /** What the system could give to new processes without swapping; empty where it does not say. */
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
