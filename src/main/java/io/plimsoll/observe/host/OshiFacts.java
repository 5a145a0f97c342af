package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.Memory;
import io.plimsoll.observe.host.HostInventory.Nic;
import io.plimsoll.observe.host.HostInventory.Virtualisation;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.PhysicalMemory;

/**
 * The facts that OSHI knows on every operating system. Each question is asked on its own, since OSHI fails in many ways:
 * its native library cannot be unpacked where the temporary directory is mounted noexec, and some answers need
 * privileges. OSHI's list of file systems is never asked for: it waits for every mounted network share.
 */
final class OshiFacts {
    private final SystemInfo system = new SystemInfo();

    HostInventory.Cpu cpu(Fact<String> governor) {
        Supplier<CentralProcessor> cpu = () -> system.getHardware().getProcessor();
        return new HostInventory.Cpu(
                ask(() -> Fact.text(cpu.get().getProcessorIdentifier().getName(), "model")),
                ask(() -> Fact.positive(cpu.get().getPhysicalPackageCount(), "sockets")),
                ask(() -> Fact.positive(cpu.get().getPhysicalProcessorCount(), "cores")),
                ask(() -> Fact.positive(cpu.get().getLogicalProcessorCount(), "threads")),
                Runtime.getRuntime().availableProcessors(),
                ask(() -> Fact.positive(cpu.get().getMaxFreq(), "frequency")),
                governor);
    }

    /** @param modulesMissing why memory modules are not known if OSHI names none */
    Memory memory(Fact<List<Sentence>> modulesMissing) {
        return new Memory(
                ask(() -> Fact.positive(system.getHardware().getMemory().getTotal(), "size")), ask(() -> {
                    List<Sentence> modules = system.getHardware().getMemory().getPhysicalMemory().stream()
                            .filter(module -> module.getCapacity() > 0)
                            .map(OshiFacts::describe)
                            .toList();
                    return modules.isEmpty() ? modulesMissing : Fact.of(modules);
                }));
    }

    private static Sentence describe(PhysicalMemory module) {
        return Sentence.of(
                "observe.module",
                HostText.binary(module.getCapacity()),
                Fact.text(module.getMemoryType(), "type").told(),
                module.getClockSpeed() > 0
                        ? String.format(Locale.ROOT, "%,d MT/s", module.getClockSpeed() / 1_000_000)
                        : Sentence.of("observe.notReported.speed"));
    }

    Fact<List<Nic>> nics() {
        return ask(() -> {
            List<Nic> nics = system.getHardware().getNetworkIFs().stream()
                    .map(nic -> new Nic(
                            nic.getName(),
                            nic.getIfOperStatus().name().toLowerCase(Locale.ROOT),
                            Fact.positive(nic.getSpeed(), "speed"),
                            Fact.text(nic.getDisplayName(), "driver")))
                    .toList();
            return nics.isEmpty() ? Fact.unknown("observe.no.network") : Fact.of(nics);
        });
    }

    Fact<List<Disk>> disks() {
        return ask(() -> {
            List<Disk> disks = system.getHardware().getDiskStores().stream()
                    .map(disk -> new Disk(
                            disk.getName(),
                            Fact.text(disk.getModel(), "model"),
                            Fact.positive(disk.getSize(), "size"),
                            Fact.notReported("rotation")))
                    .toList();
            return disks.isEmpty() ? Fact.unknown("observe.no.disk") : Fact.of(disks);
        });
    }

    String osName() {
        Fact<String> name = ask(() -> Fact.of(system.getOperatingSystem().toString()));
        return name.isKnown() ? name.value() : System.getProperty("os.name");
    }

    /** Systems without /proc tell a virtual machine by the maker and model of the computer alone. */
    Virtualisation virtualisation() {
        Fact<String> maker = ask(() -> {
            var computer = system.getHardware().getComputerSystem();
            return Fact.text(computer.getManufacturer() + " " + computer.getModel(), "maker");
        });
        Fact<Sentence> by =
                maker.isKnown() ? LinuxVirtualisation.byFirmware(maker.value()) : new Fact<>(null, maker.words());
        return new Virtualisation(
                by.isKnown() ? Fact.of(true) : Fact.unknown("observe.no.way"), by, Fact.unknown("observe.no.way"));
    }

    private static <T> Fact<T> ask(Supplier<Fact<T>> question) {
        try {
            return question.get();
        } catch (LinkageError e) {
            return Fact.unknown("observe.notReadable", Sentence.of("observe.noNativeLibrary"));
        } catch (RuntimeException e) {
            return Fact.unknown("observe.notReadable", e.getClass().getSimpleName());
        }
    }
}
