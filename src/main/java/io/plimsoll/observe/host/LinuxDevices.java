package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.Nic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Network interfaces and disks from {@code /sys}, because OSHI rounds link speeds, reports unknown speeds as 0, does
 * not know the rotational flag, and needs udev for a disk's model.
 */
final class LinuxDevices {
    private static final int SECTOR_BYTES = 512;

    static Fact<List<Nic>> nics(LinuxFiles files) {
        List<Nic> nics = new ArrayList<>();
        for (String name : files.names("sys/class/net")) {
            String at = "sys/class/net/" + name + "/";
            String state = files.text(at + "operstate");
            boolean device = files.exists(at + "device");
            boolean loopback = files.number(at + "type", 0) == 772;
            if (state == null || loopback || (!device && state.equals("down"))) {
                continue;
            }
            long megabits = files.number(at + "speed", -1);
            String driver = files.linkName(at + "device/driver");
            nics.add(new Nic(
                    name,
                    state,
                    Fact.positive(megabits * 1_000_000, "speed"),
                    device ? Fact.text(driver, "driver") : Fact.of(Nic.VIRTUAL)));
        }
        return nics.isEmpty() ? Fact.unknown("observe.no.network") : Fact.of(List.copyOf(nics));
    }

    static Fact<List<Disk>> disks(LinuxFiles files) {
        List<Disk> disks = new ArrayList<>();
        for (String name : files.names("sys/block")) {
            String at = "sys/block/" + name + "/";
            long sectors = files.number(at + "size", 0);
            if (sectors <= 0 || name.matches("(loop|ram|zram|sr|fd)\\d+")) {
                continue;
            }
            long rotational = files.number(at + "queue/rotational", -1);
            String made = made(files, name);
            disks.add(new Disk(
                    name,
                    Fact.text(made == null ? model(files, at + "device/") : made, "model"),
                    Fact.of(sectors * SECTOR_BYTES),
                    rotational < 0 ? Fact.notReported("rotation") : Fact.of(rotational == 1)));
        }
        return disks.isEmpty() ? Fact.unknown("observe.no.disk") : Fact.of(List.copyOf(disks));
    }

    /** Whether a line of {@code /proc/diskstats} is a whole disk, which includes its partitions, volumes and arrays. */
    static boolean isDisk(LinuxFiles files, String[] words) {
        return words.length >= 14
                && !words[2].matches("(loop|ram|zram|dm-|md)\\d.*")
                && files.exists("sys/block/" + words[2]);
    }

    /** Description of an array or volume with its devices. */
    private static @Nullable String made(LinuxFiles files, String name) {
        String at = "sys/block/" + name + "/";
        String level = files.text(at + "md/level");
        String kind = level == null ? files.text(at + "dm/uuid") : level;
        List<String> parts = files.names(at + "slaves");
        return kind == null || parts.isEmpty()
                ? null
                : kind.replaceFirst("-.*", "") + " of " + String.join(", ", parts);
    }

    /**
     * The model of a disk. The vendor is informative only for SCSI disks; otherwise it is absent, "ATA", or a PCI
     * number such as 0x1af4.
     */
    private static @Nullable String model(LinuxFiles files, String at) {
        String model = files.text(at + "model");
        String vendor = files.text(at + "vendor");
        if (model == null || vendor == null || vendor.equals("ATA") || vendor.startsWith("0x")) {
            return model;
        }
        return vendor + " " + model;
    }

    static Fact<String> governor(LinuxFiles files) {
        String governor = files.text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        return Fact.text(governor == null ? null : governor.toLowerCase(Locale.ROOT), "governor");
    }
}
