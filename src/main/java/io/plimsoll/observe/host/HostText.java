package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.FileSystem;
import io.plimsoll.observe.host.HostInventory.Nic;
import io.plimsoll.observe.host.HostInventory.Virtualisation;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The inventory and the measurements as aligned lines for a terminal, in one language. Pure. */
public final class HostText {
    private final Language language;
    private final List<String> lines = new ArrayList<>();

    private HostText(Language language) {
        this.language = language;
    }

    /** One line per fact; only the first line of a topic begins with the topic's name. */
    public static List<String> inventory(HostInventory host, Language language) {
        HostText text = new HostText(language);
        text.describe(host);
        return List.copyOf(text.lines);
    }

    private void describe(HostInventory host) {
        Virtualisation virtual = host.virtualisation();
        HostInventory.Jvm jvm = host.software().jvm();
        HostInventory.OperatingSystem os = host.software().os();
        lines.add(say("observe.host", text(host.name())));
        rows("cpu", List.of(cpu(host.cpu())));
        rows("memory", List.of(show(host.memory().totalBytes(), HostText::binary)));
        rows(null, show(host.memory().modules(), "observe.modules", all -> all.stream()
                .map(this::say)
                .toList()));
        rows("network", show(host.networks(), null, this::nics));
        rows("disks", show(host.storage().disks(), null, all -> disks(all, virtual)));
        rows("directory", List.of(fileSystem(host.storage().fileSystem())));
        rows("system", List.of(say("observe.system", os.name(), os.kernel(), os.architecture())));
        rows("virtualised", List.of(virtualised(virtual)));
        rows("container", List.of(text(virtual.container())));
        rows(
                "limits",
                List.of(say(
                        "observe.limits",
                        show(host.limits().cpuCores(), cores -> say("observe.limitCores", number(cores, 2))),
                        show(host.limits().memoryBytes(), HostText::binary))));
        rows(
                "jvm",
                List.of(say("observe.jvm", jvm.name(), jvm.version(), jvm.collector(), binary(jvm.maxHeapBytes()))));
    }

    private String say(String key, Object... arguments) {
        return say(Sentence.of(key, arguments));
    }

    private String say(Sentence sentence) {
        return sentence.in(language);
    }

    private <T> String show(Fact<T> fact, Function<T, String> format) {
        return fact.isKnown() ? format.apply(fact.value()) : say(fact.words());
    }

    /** @param unknown key of a sentence that contains the reason; null to show only the reason */
    private <T> List<String> show(Fact<T> fact, @Nullable String unknown, Function<T, List<String>> format) {
        return fact.isKnown()
                ? format.apply(fact.value())
                : List.of(unknown == null ? say(fact.words()) : say(unknown, fact.words()));
    }

    private String text(Fact<?> fact) {
        return show(fact, value -> value instanceof Sentence sentence ? say(sentence) : value.toString());
    }

    private void rows(@Nullable String topic, List<String> texts) {
        String name = topic == null ? "" : say("observe.topic." + topic);
        for (String text : texts) {
            lines.add("  " + name + " ".repeat(Math.max(0, 12 - width(name))) + "  " + text);
            name = "";
        }
    }

    /** Width of a text in terminal columns; Chinese characters are two columns wide. */
    private static int width(String text) {
        return text.codePoints().map(c -> c < 0x2E80 ? 1 : 2).sum();
    }

    private String cpu(HostInventory.Cpu cpu) {
        List<String> parts = new ArrayList<>();
        parts.add(text(cpu.model()));
        parts.add(show(cpu.sockets(), n -> say("observe.sockets", n)));
        parts.add(show(cpu.physicalCores(), n -> say("observe.cores", n)));
        parts.add(show(cpu.logicalCores(), n -> say("observe.threads", n)));
        if (cpu.logicalCores().isKnown() && cpu.logicalCores().value() != cpu.usableCores()) {
            parts.add(say("observe.usable", cpu.usableCores()));
        }
        parts.add(show(cpu.hertz(), hertz -> number(hertz / 1e9, 2) + " GHz"));
        parts.add(show(cpu.governor(), governor -> say("observe.governor", governor)));
        return say("observe.parts", parts);
    }

    private List<String> nics(List<Nic> nics) {
        int width = nics.stream().mapToInt(nic -> nic.name().length()).max().orElse(1);
        return nics.stream()
                .map(nic -> parts(
                        nic.name(), width, nic.state(), show(nic.bitsPerSecond(), HostText::bits), text(nic.driver())))
                .toList();
    }

    private List<String> disks(List<Disk> disks, Virtualisation virtual) {
        int width = disks.stream().mapToInt(disk -> disk.name().length()).max().orElse(1);
        boolean unsure =
                virtual.virtualised().isKnown() && virtual.virtualised().value();
        return disks.stream()
                .map(disk -> parts(
                        disk.name(),
                        width,
                        text(disk.model()),
                        show(disk.sizeBytes(), HostText::decimal),
                        show(disk.rotational(), turns -> say(rotational(turns, unsure)))))
                .toList();
    }

    private String parts(String name, int width, String... parts) {
        return String.format(Locale.ROOT, "%-" + width + "s  ", name) + say("observe.parts", List.of(parts));
    }

    /** The kind of a disk. Hypervisors report a disk as rotational if they do not know its type. */
    private static String rotational(boolean rotational, boolean virtual) {
        return !rotational ? "observe.notRotational" : virtual ? "observe.virtuallyRotational" : "observe.rotational";
    }

    private String fileSystem(FileSystem fileSystem) {
        return say(
                "observe.fileSystem",
                fileSystem.directory(),
                text(fileSystem.type()),
                text(fileSystem.device()),
                text(fileSystem.mountPoint()),
                show(fileSystem.usableBytes(), HostText::decimal),
                show(fileSystem.totalBytes(), HostText::decimal));
    }

    private String virtualised(Virtualisation virtualisation) {
        return show(
                virtualisation.virtualised(), is -> say(is ? "observe.yes" : "observe.no", text(virtualisation.by())));
    }

    /** One line: label, value and unit, how it was measured. */
    public static String measurement(Measurement measurement, Language language) {
        String label = measurement.label().in(language);
        String value = measurement.value().isKnown()
                ? value(measurement.value().value(), measurement.unit())
                : measurement.value().words().in(language);
        String line = "  " + label + " ".repeat(Math.max(0, 22 - width(label))) + " "
                + " ".repeat(Math.max(0, 14 - width(value))) + value;
        return measurement.value().isKnown() ? line + "   " + measurement.how().in(language) : line;
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

    /** A number with one decimal, which is omitted if it is zero. */
    private static String trimmed(double value) {
        String text = number(value, 1);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
