package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.Memory;
import io.plimsoll.observe.host.HostInventory.Nic;
import io.plimsoll.observe.host.HostInventory.Virtualisation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.HWDiskStore;
import oshi.hardware.NetworkIF;
import oshi.hardware.PhysicalMemory;

/**
 * The facts that OSHI knows on every operating system. Each question is asked on its own, since OSHI fails in many ways:
 * its native library cannot be unpacked where the temporary directory is mounted noexec, and some answers need
 * privileges. OSHI's list of file systems is never asked for: it waits for every mounted network share.
 */
final class OshiFacts {
    private static final String NO_SPEED = "speed not reported";

    private final SystemInfo system = new SystemInfo();

    /** @param governor what OSHI does not know */
    HostInventory.Cpu cpu(Fact<String> governor) {
        Fact<CentralProcessor> processor =
                ask(() -> Fact.of(system.getHardware().getProcessor()));
        int usable = Runtime.getRuntime().availableProcessors();
        if (!processor.isKnown()) {
            Fact<Long> unknown = Fact.unknown(processor.words());
            return new HostInventory.Cpu(
                    Fact.unknown(processor.words()), unknown, unknown, unknown, usable, unknown, governor);
        }
        CentralProcessor cpu = processor.value();
        return new HostInventory.Cpu(
                ask(() -> Fact.text(cpu.getProcessorIdentifier().getName(), "model not reported")),
                ask(() -> Fact.positive(cpu.getPhysicalPackageCount(), "sockets not reported")),
                ask(() -> Fact.positive(cpu.getPhysicalProcessorCount(), "cores not reported")),
                ask(() -> Fact.positive(cpu.getLogicalProcessorCount(), "threads not reported")),
                usable,
                ask(() -> Fact.positive(cpu.getMaxFreq(), "frequency not reported")),
                governor);
    }

    /** @param modulesMissing why memory modules are not known if OSHI names none */
    Memory memory(String modulesMissing) {
        return new Memory(
                ask(() -> Fact.positive(system.getHardware().getMemory().getTotal(), "size not reported")), ask(() -> {
                    List<String> modules = system.getHardware().getMemory().getPhysicalMemory().stream()
                            .filter(module -> module.getCapacity() > 0)
                            .map(OshiFacts::describe)
                            .toList();
                    return modules.isEmpty() ? Fact.unknown(modulesMissing) : Fact.of(modules);
                }));
    }

    private static String describe(PhysicalMemory module) {
        String type = Fact.text(module.getMemoryType(), "type not reported").show(t -> t);
        String speed = module.getClockSpeed() > 0
                ? String.format(Locale.ROOT, "%,d MT/s", module.getClockSpeed() / 1_000_000)
                : NO_SPEED;
        return HostText.binary(module.getCapacity()) + " " + type + ", " + speed;
    }

    Fact<List<Nic>> nics() {
        return ask(() -> {
            List<Nic> nics = new ArrayList<>();
            for (NetworkIF nic : system.getHardware().getNetworkIFs()) {
                nics.add(new Nic(
                        nic.getName(),
                        nic.getIfOperStatus().name().toLowerCase(Locale.ROOT),
                        Fact.positive(nic.getSpeed(), NO_SPEED),
                        Fact.text(nic.getDisplayName(), "driver not reported")));
            }
            return nics.isEmpty() ? Fact.unknown("no network interface but loopback") : Fact.of(List.copyOf(nics));
        });
    }

    Fact<List<Disk>> disks() {
        return ask(() -> {
            List<Disk> disks = new ArrayList<>();
            for (HWDiskStore disk : system.getHardware().getDiskStores()) {
                disks.add(new Disk(
                        disk.getName(),
                        Fact.text(disk.getModel(), "model not reported"),
                        Fact.positive(disk.getSize(), "size not reported"),
                        Fact.unknown("rotation not reported")));
            }
            return disks.isEmpty() ? Fact.unknown("no disk visible from here") : Fact.of(List.copyOf(disks));
        });
    }

    String osName() {
        return ask(() -> Fact.text(system.getOperatingSystem().toString(), System.getProperty("os.name")))
                .show(name -> name);
    }

    /** Systems without /proc tell a virtual machine by the maker and model of the computer alone. */
    Virtualisation virtualisation() {
        Fact<String> maker = ask(() -> {
            var computer = system.getHardware().getComputerSystem();
            return Fact.text(computer.getManufacturer() + " " + computer.getModel(), "maker not reported");
        });
        Fact<String> by = maker.isKnown() ? LinuxVirtualisation.byFirmware(maker.value()) : Fact.unknown(maker.words());
        return new Virtualisation(
                by.isKnown() ? Fact.of(true) : Fact.unknown("not determined on this operating system"),
                by,
                Fact.unknown("not determined on this operating system"));
    }

    private static <T> Fact<T> ask(Supplier<Fact<T>> question) {
        try {
            return question.get();
        } catch (LinkageError e) {
            return Fact.unknown("not readable: a native library does not load (is the temporary directory noexec?)");
        } catch (RuntimeException e) {
            return Fact.unknown("not readable: " + e.getClass().getSimpleName());
        }
    }
}
