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
 * The parts of this host, as far as it can be read without privileges. Immutable; reading it may be done on any
 * thread and takes a few tenths of a second, most of it for loading classes.
 *
 * @param name the host's own name
 * @param networks without loopback, and without virtual interfaces that are down
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

    /**
     * The processor.
     *
     * @param usableCores logical cores that this process may use
     * @param hertz the highest frequency that the processor reports
     * @param governor how Linux chooses the frequency
     */
    public record Cpu(
            Fact<String> model,
            Fact<Long> sockets,
            Fact<Long> physicalCores,
            Fact<Long> logicalCores,
            long usableCores,
            Fact<Long> hertz,
            Fact<String> governor) {}

    /**
     * Main memory.
     *
     * @param modules one entry a memory module, for example "16 GiB DDR5, 4,800 MT/s"
     */
    public record Memory(Fact<Long> totalBytes, Fact<List<Sentence>> modules) {}

    /**
     * A network interface.
     *
     * @param state in the words of the operating system: up, down, ...
     */
    public record Nic(String name, String state, Fact<Long> bitsPerSecond, Fact<String> driver) {
        static final String VIRTUAL = "virtual";

        /** Whether no device stands behind it. */
        public boolean virtual() {
            return driver.isKnown() && driver.value().equals(VIRTUAL);
        }
    }

    /**
     * A disk.
     *
     * @param model of an array or a volume: its level or kind and its devices, such as {@code raid1 of sda1, sdb1}
     * @param rotational as the device says; virtual disks often do not know
     */
    public record Disk(String name, Fact<String> model, Fact<Long> sizeBytes, Fact<Boolean> rotational) {}

    /**
     * Where data is kept.
     *
     * @param disks block devices with a size, without loop devices and RAM disks
     * @param fileSystem of the directory that was asked for
     */
    public record Storage(Fact<List<Disk>> disks, FileSystem fileSystem) {}

    /** The operating system and this Java. */
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

    /**
     * The layers between this process and the hardware.
     *
     * @param virtualised whether this is a virtual machine
     * @param by the hypervisor, and in brackets how it was recognised
     * @param container the kind of container this process runs in, and in brackets how it was recognised
     */
    public record Virtualisation(Fact<Boolean> virtualised, Fact<Sentence> by, Fact<String> container) {}

    /** The limits that control groups set this process: the tightest limit on the way to the root. */
    public record CgroupLimits(Fact<Double> cpuCores, Fact<Long> memoryBytes) {}

    public record Jvm(String version, String name, String collector, long maxHeapBytes) {}

    /**
     * Reads the inventory of this host.
     *
     * @param measuredDirectory directory on the described file system; if it does not exist, its nearest existing
     *     parent
     */
    public static HostInventory read(Path measuredDirectory) {
        return InventoryReader.read(measuredDirectory);
    }

    /** Plain maps, lists, numbers and texts for JSON; unknown values are texts. */
    public Map<String, Object> toMap() {
        return JSON.convertValue(this, new TypeReference<>() {});
    }
}
