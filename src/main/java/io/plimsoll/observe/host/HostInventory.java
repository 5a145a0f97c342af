package io.plimsoll.observe.host;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.SentenceJson;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The hardware and software of this host, as far as it is readable without privileges. Networks exclude loopback and
 * inactive virtual interfaces. Immutable.
 */
public record HostInventory(
        Fact<String> name,
        Cpu cpu,
        Memory memory,
        Fact<List<Nic>> networks,
        @JsonUnwrapped Storage storage,
        @JsonUnwrapped Software software,
        Virtualisation virtualisation,
        CgroupLimits limits) {
    private static final ObjectMapper JSON = new ObjectMapper().registerModule(new SentenceJson());

    /** The processor: cores that this process may use, its highest reported frequency, and the frequency governor on Linux. */
    public record Cpu(
            Fact<String> model,
            Fact<Long> sockets,
            Fact<Long> physicalCores,
            Fact<Long> logicalCores,
            long usableCores,
            Fact<Long> hertz,
            Fact<String> governor) {}

    /** Main memory; modules are texts, for example "16 GiB DDR5, 4,800 MT/s". */
    public record Memory(Fact<Long> totalBytes, Fact<List<Sentence>> modules) {}

    /** A network interface; {@code state} as the operating system reports it: up, down, ... */
    public record Nic(String name, String state, Fact<Long> bitsPerSecond, Fact<String> driver) {
        static final String VIRTUAL = "virtual";

        /** Whether the interface has no hardware device. */
        public boolean virtual() {
            return driver.isKnown() && driver.value().equals(VIRTUAL);
        }
    }

    /**
     * A disk; the model of an array or volume is its RAID level or kind, with its devices, such as {@code raid1 of
     * sda1, sdb1}.
     */
    public record Disk(String name, Fact<String> model, Fact<Long> sizeBytes, Fact<Boolean> rotational) {}

    /** Block devices with a size, without loop devices and RAM disks, and the file system of the directory. */
    public record Storage(Fact<List<Disk>> disks, FileSystem fileSystem) {}

    /** The operating system and the Java runtime. */
    public record Software(OperatingSystem os, Jvm jvm) {}

    /** The file system that holds a directory. */
    public record FileSystem(
            String directory,
            Fact<String> type,
            Fact<String> device,
            Fact<String> mountPoint,
            Fact<Long> totalBytes,
            Fact<Long> usableBytes) {}

    public record OperatingSystem(String name, String kernel, String architecture) {}

    /** The layers below this process: hypervisor and container, each with the evidence in parentheses. */
    public record Virtualisation(Fact<Boolean> virtualised, Fact<Sentence> by, Fact<String> container) {}

    /** The limits of this process's cgroups: the tightest limit on the path to the root. */
    public record CgroupLimits(Fact<Double> cpuCores, Fact<Long> memoryBytes) {}

    public record Jvm(String version, String name, String collector, long maxHeapBytes) {}

    /**
     * Reads the inventory within tenths of a second; describes the file system of the directory or its nearest existing
     * parent. Usable by any thread.
     */
    public static HostInventory read(Path measuredDirectory) {
        return InventoryReader.read(measuredDirectory);
    }

    /** The inventory as plain maps, lists, numbers and texts for JSON; an unknown value is a text with the reason. */
    public Map<String, Object> toMap() {
        return JSON.convertValue(this, new TypeReference<>() {});
    }
}
