package io.plimsoll.observe.host;

import io.plimsoll.LinuxRoot;
import io.plimsoll.observe.host.HostInventory.CgroupLimits;
import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.FileSystem;
import io.plimsoll.observe.host.HostInventory.Jvm;
import io.plimsoll.observe.host.HostInventory.Memory;
import io.plimsoll.observe.host.HostInventory.Nic;
import io.plimsoll.observe.host.HostInventory.OperatingSystem;
import io.plimsoll.observe.host.HostInventory.Software;
import io.plimsoll.observe.host.HostInventory.Storage;
import io.plimsoll.observe.host.HostInventory.Virtualisation;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.PhysicalMemory;

/** Assembles the inventory from Linux's own files if available, and from OSHI otherwise. */
final class InventoryReader {
    /** Prefixes of the bean names of garbage collectors. */
    private static final Map<String, String> COLLECTORS =
            Map.of("G1", "G1", "PS ", "Parallel", "Copy", "Serial", "ZGC", "ZGC", "Shenandoah", "Shenandoah");

    static HostInventory read(Path directory) {
        LinuxFiles files = new LinuxFiles(LinuxRoot.PATH);
        boolean linux = LinuxRoot.isHere();
        OshiFacts oshi = new OshiFacts();
        return new HostInventory(
                hostName(files, oshi),
                oshi.cpu(LinuxDevices.governor(files)),
                oshi.memory(modulesMissing(files)),
                linux ? LinuxDevices.nics(files) : oshi.nics(),
                new Storage(linux ? LinuxDevices.disks(files) : oshi.disks(), fileSystem(directory, files)),
                new Software(os(files, oshi), jvm()),
                linux ? new LinuxVirtualisation(files).read() : oshi.virtualisation(),
                linux
                        ? new LinuxCgroups(files, "self").limits()
                        : new CgroupLimits(
                                Fact.unknown("observe.no.groupsHere"), Fact.unknown("observe.no.groupsHere")));
    }

    /** The host name, without the resolver, which can take seconds. */
    private static Fact<String> hostName(LinuxFiles files, OshiFacts oshi) {
        String name = files.text("proc/sys/kernel/hostname");
        return name == null ? oshi.hostName() : Fact.text(name, "name");
    }

    private static Fact<List<Sentence>> modulesMissing(LinuxFiles files) {
        if (!files.exists("proc/self")) {
            return Fact.notReported("modules");
        }
        if (!isRoot()) {
            return Fact.unknown("observe.needsRoot");
        }
        return Fact.unknown(
                files.exists("sys/firmware/dmi/tables/DMI") ? "observe.needsDmidecode" : "observe.firmwareIsSilent");
    }

    private static boolean isRoot() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(LinuxRoot.PATH.resolve("proc/self"), "unix:uid"));
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    static FileSystem fileSystem(Path directory, LinuxFiles files) {
        Path existing = nearestExisting(directory);
        Optional<LinuxFiles.Mount> mount = LinuxFiles.Mount.of(existing, files.mounts());
        String shown = directory.toAbsolutePath().normalize().toString();
        try {
            FileStore store = Files.getFileStore(existing);
            return new FileSystem(
                    shown,
                    Fact.text(store.type(), "type"),
                    Fact.text(mount.map(LinuxFiles.Mount::source).orElse(store.name()), "device"),
                    Fact.text(mount.map(LinuxFiles.Mount::mountPoint).orElse(null), "mountPoint"),
                    Fact.positive(store.getTotalSpace(), "size"),
                    Fact.of(store.getUsableSpace()));
        } catch (IOException | RuntimeException e) {
            return new FileSystem(shown, unreadable(e), unreadable(e), unreadable(e), unreadable(e), unreadable(e));
        }
    }

    private static <T> Fact<T> unreadable(Exception e) {
        return Fact.unknown("observe.notReadable", e.getMessage());
    }

    private static Path nearestExisting(Path directory) {
        Path at = directory.toAbsolutePath().normalize();
        while (at.getParent() != null && !Files.exists(at)) {
            at = at.getParent();
        }
        try {
            return at.toRealPath();
        } catch (IOException e) {
            return at;
        }
    }

    private static OperatingSystem os(LinuxFiles files, OshiFacts oshi) {
        String name = files.lines("etc/os-release").stream()
                .filter(line -> line.startsWith("PRETTY_NAME="))
                .map(line -> line.substring("PRETTY_NAME=".length()).replace("\"", ""))
                .findFirst()
                .orElseGet(oshi::osName);
        return new OperatingSystem(name, System.getProperty("os.version"), System.getProperty("os.arch"));
    }

    private static Jvm jvm() {
        List<String> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList();
        return new Jvm(
                System.getProperty("java.runtime.version"),
                System.getProperty("java.vm.name"),
                collector(collectors),
                Runtime.getRuntime().maxMemory());
    }

    static String collector(List<String> beans) {
        String first = beans.isEmpty() ? "" : beans.get(0);
        return COLLECTORS.entrySet().stream()
                .filter(known -> first.startsWith(known.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(beans.isEmpty() ? "no collector" : String.join(", ", beans));
    }

    /**
     * Facts from OSHI, on every operating system. Each fact is queried separately, since OSHI fails in many ways: its
     * native library needs an executable temporary directory, and some facts need privileges. The list of file systems
     * is never queried, because OSHI waits for every mounted network share.
     */
    private static final class OshiFacts {
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

        /** @param modulesMissing reason if OSHI reports no modules */
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
                    Fact.text(module.getMemoryType(), "type").argument(),
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

        Fact<String> hostName() {
            return ask(() ->
                    Fact.text(system.getOperatingSystem().getNetworkParams().getHostName(), "name"));
        }

        String osName() {
            Fact<String> name = ask(() -> Fact.of(system.getOperatingSystem().toString()));
            return name.isKnown() ? name.value() : System.getProperty("os.name");
        }

        /** Without /proc, only the vendor and model of the computer reveal a virtual machine. */
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
}
