package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.CgroupLimits;
import io.plimsoll.observe.host.HostInventory.FileSystem;
import io.plimsoll.observe.host.HostInventory.Jvm;
import io.plimsoll.observe.host.HostInventory.OperatingSystem;
import io.plimsoll.observe.host.HostInventory.Software;
import io.plimsoll.observe.host.HostInventory.Storage;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Assembles the inventory from Linux's own files if available, and from OSHI otherwise. */
final class InventoryReader {
    /** How the names of a collector's beans begin. */
    private static final Map<String, String> COLLECTORS =
            Map.of("G1", "G1", "PS ", "Parallel", "Copy", "Serial", "ZGC", "ZGC", "Shenandoah", "Shenandoah");

    private InventoryReader() {}

    static HostInventory read(Path directory) {
        LinuxFiles files = new LinuxFiles(Path.of("/"));
        boolean linux = System.getProperty("os.name").equals("Linux");
        OshiFacts oshi = new OshiFacts();
        return new HostInventory(
                hostName(files),
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

    /** Never asks the resolver, which may take seconds. */
    private static Fact<String> hostName(LinuxFiles files) {
        String name = files.text("proc/sys/kernel/hostname");
        if (name == null) {
            name = System.getenv("COMPUTERNAME");
        }
        return Fact.text(name == null ? System.getenv("HOSTNAME") : name, "name");
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
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
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
}
