package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.FileSystem;
import io.plimsoll.observe.host.HostInventory.Nic;
import io.plimsoll.observe.host.HostInventory.Virtualisation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The inventory and the measurements as aligned lines for a terminal. Pure. */
public final class HostText {
    private HostText() {}

    /** One line a fact; a topic's name stands before its first line only. */
    public static List<String> inventory(HostInventory host) {
        List<String> lines = new ArrayList<>();
        lines.add("Host " + host.name().show(name -> name));
        row(lines, "CPU", cpu(host.cpu()));
        row(lines, "Memory", host.memory().totalBytes().show(HostText::binary));
        rows(
                lines,
                "",
                host.memory().modules().isKnown()
                        ? host.memory().modules().value()
                        : List.of("modules " + host.memory().modules().words()));
        rows(
                lines,
                "Network",
                host.networks().isKnown()
                        ? nics(host.networks().value())
                        : List.of(host.networks().words()));
        rows(
                lines,
                "Disks",
                host.storage().disks().isKnown()
                        ? disks(
                                host.storage().disks().value(),
                                Boolean.TRUE.equals(
                                        host.virtualisation().virtualised().value()))
                        : List.of(host.storage().disks().words()));
        row(lines, "Directory", fileSystem(host.storage().fileSystem()));
        row(
                lines,
                "System",
                host.software().os().name() + ", kernel " + host.software().os().kernel() + ", "
                        + host.software().os().architecture());
        row(lines, "Virtualised", virtualised(host.virtualisation()));
        row(lines, "Container", host.virtualisation().container().show(name -> name));
        row(
                lines,
                "Limits",
                "CPU: " + host.limits().cpuCores().show(cores -> number(cores, 2) + " cores") + "; memory: "
                        + host.limits().memoryBytes().show(HostText::binary));
        row(
                lines,
                "JVM",
                host.software().jvm().name() + " " + host.software().jvm().version() + ", "
                        + host.software().jvm().collector() + ", heap up to "
                        + binary(host.software().jvm().maxHeapBytes()));
        return List.copyOf(lines);
    }

    private static void row(List<String> lines, String topic, String text) {
        lines.add(String.format(Locale.ROOT, "  %-12s  %s", topic, text));
    }

    private static void rows(List<String> lines, String topic, List<String> texts) {
        for (int i = 0; i < texts.size(); i++) {
            row(lines, i == 0 ? topic : "", texts.get(i));
        }
    }

    private static String cpu(HostInventory.Cpu cpu) {
        List<String> parts = new ArrayList<>();
        parts.add(cpu.model().show(model -> model));
        parts.add(cpu.sockets().show(n -> count(n, "socket")));
        parts.add(cpu.physicalCores().show(n -> count(n, "core")));
        parts.add(cpu.logicalCores().show(n -> count(n, "thread")));
        if (cpu.logicalCores().isKnown() && cpu.logicalCores().value() != cpu.usableCores()) {
            parts.add(cpu.usableCores() + " usable by this process");
        }
        parts.add(cpu.hertz().show(hertz -> number(hertz / 1e9, 2) + " GHz"));
        parts.add(cpu.governor().show(governor -> "governor " + governor));
        return String.join(", ", parts);
    }

    private static List<String> nics(List<Nic> nics) {
        int width = nics.stream().mapToInt(nic -> nic.name().length()).max().orElse(1);
        return nics.stream()
                .map(nic -> String.format(
                        Locale.ROOT,
                        "%-" + width + "s  %s, %s, %s",
                        nic.name(),
                        nic.state(),
                        nic.bitsPerSecond().show(HostText::bits),
                        nic.driver().show(driver -> driver)))
                .toList();
    }

    private static List<String> disks(List<Disk> disks, boolean virtual) {
        int width = disks.stream().mapToInt(disk -> disk.name().length()).max().orElse(1);
        return disks.stream()
                .map(disk -> String.format(
                        Locale.ROOT,
                        "%-" + width + "s  %s, %s, %s",
                        disk.name(),
                        disk.model().show(model -> model),
                        disk.sizeBytes().show(HostText::decimal),
                        disk.rotational().show(rotational -> rotational(rotational, virtual))))
                .toList();
    }

    /** Hypervisors call a disk rotational when they do not know what it is. */
    private static String rotational(boolean rotational, boolean virtual) {
        return !rotational ? "not rotational" : virtual ? "rotational (says the virtual disk)" : "rotational";
    }

    private static String fileSystem(FileSystem fileSystem) {
        return fileSystem.directory() + ": " + fileSystem.type().show(type -> type) + " on "
                + fileSystem.device().show(device -> device) + ", mounted at "
                + fileSystem.mountPoint().show(mount -> mount) + ", "
                + fileSystem.usableBytes().show(HostText::decimal) + " free of "
                + fileSystem.totalBytes().show(HostText::decimal);
    }

    private static String virtualised(Virtualisation virtualisation) {
        String by = virtualisation.by().show(name -> name);
        return virtualisation.virtualised().isKnown()
                ? (virtualisation.virtualised().value() ? "yes, " : "no, ") + by
                : virtualisation.virtualised().words();
    }

    /** One line: label, value and unit, how it was measured. */
    public static String measurement(Measurement measurement) {
        String value = measurement.value().isKnown()
                ? value(measurement.value().value(), measurement.unit())
                : measurement.value().words();
        String line = String.format(Locale.ROOT, "  %-22s %14s", measurement.label(), value);
        return measurement.value().isKnown() ? line + "   " + measurement.how() : line;
    }

    private static String value(double value, String unit) {
        if (!unit.equals(Measurement.MICROSECONDS)) {
            return number(value, value < 100 ? 1 : 0) + " " + unit;
        }
        return value < 1e3
                ? number(value, 1) + " µs"
                : value < 1e6 ? number(value / 1e3, 2) + " ms" : number(value / 1e6, 2) + " s ";
    }

    private static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static String bits(long bitsPerSecond) {
        return bitsPerSecond < 1_000_000_000
                ? number(bitsPerSecond / 1e6, 0) + " Mbit/s"
                : trimmed(bitsPerSecond / 1e9) + " Gbit/s";
    }

    /** A size in powers of 1000, as disks are sold. */
    static String decimal(long bytes) {
        return bytes < 1_000_000_000 ? trimmed(bytes / 1e6) + " MB" : trimmed(bytes / 1e9) + " GB";
    }

    /** A size in powers of 1024, as memory is sold. */
    static String binary(long bytes) {
        return bytes < 1L << 30
                ? trimmed(bytes / (double) (1 << 20)) + " MiB"
                : trimmed(bytes / (double) (1 << 30)) + " GiB";
    }

    /** One decimal, and none if it is zero. */
    private static String trimmed(double value) {
        String text = number(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
