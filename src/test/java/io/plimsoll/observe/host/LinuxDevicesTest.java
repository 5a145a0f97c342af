package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.Nic;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks and network cards are found behind partitions, volumes and bonds. */
class LinuxDevicesTest {
    private FakeLinux linux;

    @BeforeEach
    void layOut(@TempDir Path root) {
        linux = new FakeLinux(root);
    }

    @Test
    void readsLinkSpeedsAndMarksMissingOnes() {
        linux.file("sys/class/net/eno1/operstate", "up")
                .file("sys/class/net/eno1/speed", "25000")
                .link("sys/class/net/eno1/device/driver", "../../bus/pci/drivers/mlx5_core")
                .file("sys/class/net/eth0/operstate", "up")
                .file("sys/class/net/eth0/speed", "-1")
                .directory("sys/class/net/eth0/device")
                .file("sys/class/net/veth1/operstate", "up");
        assertThat(LinuxDevices.nics(linux.files()).value())
                .containsExactly(
                        new Nic("eno1", "up", Fact.of(25_000_000_000L), Fact.of("mlx5_core")),
                        new Nic("eth0", "up", Fact.notReported("speed"), Fact.notReported("driver")),
                        new Nic("veth1", "up", Fact.notReported("speed"), Fact.of("virtual")));
    }

    @Test
    void omitsLoopbackAndInactiveVirtualInterfaces() {
        linux.file("sys/class/net/lo/operstate", "unknown")
                .file("sys/class/net/lo/type", "772")
                .file("sys/class/net/ifb0/operstate", "down");
        assertThat(LinuxDevices.nics(linux.files())).isEqualTo(Fact.unknown("observe.no.network"));
    }

    @Test
    void listsDisksWithoutLoopDevicesAndEmptyDrives() {
        linux.file("sys/block/nvme0n1/size", "3750748848")
                .file("sys/block/nvme0n1/queue/rotational", "0")
                .file("sys/block/nvme0n1/device/model", "SAMSUNG MZQL21T9")
                .file("sys/block/sda/size", "2048")
                .file("sys/block/sda/queue/rotational", "1")
                .file("sys/block/sda/device/vendor", "SEAGATE")
                .file("sys/block/sda/device/model", "ST8000NM")
                .file("sys/block/vda/size", "2048")
                .file("sys/block/vda/device/vendor", "0x1af4")
                .file("sys/block/loop0/size", "100")
                .file("sys/block/zram0/size", "100")
                .file("sys/block/nbd0/size", "0");
        assertThat(LinuxDevices.disks(linux.files()).value())
                .containsExactly(
                        new Disk("nvme0n1", Fact.of("SAMSUNG MZQL21T9"), Fact.of(1_920_383_410_176L), Fact.of(false)),
                        new Disk("sda", Fact.of("SEAGATE ST8000NM"), Fact.of(1_048_576L), Fact.of(true)),
                        new Disk("vda", Fact.notReported("model"), Fact.of(1_048_576L), Fact.notReported("rotation")));
    }

    @Test
    void namesMembersOfArraysAndVolumes() {
        linux.file("sys/block/md0/size", "4096")
                .file("sys/block/md0/md/level", "raid10")
                .directory("sys/block/md0/slaves/sda1")
                .directory("sys/block/md0/slaves/sdb1")
                .file("sys/block/dm-0/size", "2048")
                .file("sys/block/dm-0/dm/uuid", "LVM-y6Xh9")
                .directory("sys/block/dm-0/slaves/md0")
                .file("sys/block/sda/size", "8192")
                .file("sys/block/sda/device/model", "PERC H755");
        assertThat(LinuxDevices.disks(linux.files()).value())
                .extracting(Disk::name, disk -> disk.model().value())
                .containsExactly(
                        tuple("dm-0", "LVM of md0"), tuple("md0", "raid10 of sda1, sdb1"), tuple("sda", "PERC H755"));
    }

    /** Otherwise every write to an array of two disks would count three times. */
    @Test
    void countsDisksButNotPartitionsOrArrays() {
        linux.directory("sys/block/sda")
                .directory("sys/block/md0")
                .file("proc/diskstats", """
                    8 0 sda 10 0 100 2000 20 0 200 4000 0 1500 6000 0 0
                    8 1 sda1 10 0 100 2000 20 0 200 4000 0 1500 6000 0 0
                    9 0 md0 10 0 100 2000 20 0 200 4000 0 1500 6000 0 0\
                    """)
                .file("proc/net/dev", "Inter-| Receive\n face |bytes\n eth0: 11 0 0 0 0 0 0 0 22 0 0\n")
                .file("proc/stat", "cpu  1 1 1 1 1 1 1 1\ncpu0 100 0 50 900 25 0 0 5 0 0\nprocs_running 4")
                .file("proc/meminfo", "MemTotal:  100 kB\nMemAvailable:   50 kB\nHugePages_Total: 7");
        assertThat(NodeFigures.read(linux.root()))
                .extracting(s -> s.name() + s.labels(), NodeFigures.Sample::value)
                .contains(
                        tuple("node_disk_reads_completed{device=sda}", 10.0),
                        tuple("node_disk_read_bytes{device=sda}", 51_200.0),
                        tuple("node_disk_read_time_seconds{device=sda}", 2.0),
                        tuple("node_disk_written_bytes{device=sda}", 102_400.0),
                        tuple("node_disk_write_time_seconds{device=sda}", 4.0),
                        tuple("node_disk_io_time_seconds{device=sda}", 1.5),
                        tuple("node_disk_io_time_weighted_seconds{device=sda}", 6.0),
                        tuple("node_network_receive_bytes{device=eth0}", 11.0),
                        tuple("node_network_transmit_bytes{device=eth0}", 22.0),
                        tuple("node_cpu_seconds{cpu=0, mode=user}", 1.0),
                        tuple("node_cpu_seconds{cpu=0, mode=idle}", 9.0),
                        tuple("node_memory_MemAvailable_bytes{}", 51_200.0))
                .hasSize(8 + 2 + 8 + 2);
    }

    @Test
    void findsMountOfDirectoryEvenWithBlankInName() {
        linux.file("proc/self/mountinfo", """
            27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
            28 27 8:1 / /data rw - ext3 /dev/sda1 rw
            29 27 8:2 / /data rw - xfs /dev/sda2 rw
            30 27 8:3 / /data/my\\040disk rw shared:1 - btrfs /dev/sdb rw
            31 27 0:21 / /proc rw,relatime - proc proc rw\
            """);
        var mounts = linux.files().mounts();
        assertThat(LinuxFiles.Mount.of(Path.of("/database"), mounts)
                        .orElseThrow()
                        .source())
                .isEqualTo("/dev/vda");
        assertThat(LinuxFiles.Mount.of(Path.of("/data/x"), mounts).orElseThrow().source())
                .isEqualTo("/dev/sda2");
        assertThat(LinuxFiles.Mount.of(Path.of("/data/my disk/x"), mounts)
                        .orElseThrow()
                        .source())
                .isEqualTo("/dev/sdb");
    }

    @Test
    void recognizesDevicesCountedElsewhereByName() {
        assertThat(List.of(
                        "lo",
                        "docker0",
                        "br-1f",
                        "br0",
                        "vethab",
                        "eni3f1c2a9b7d4",
                        "gke1a2b3c",
                        "azv9f8e7",
                        "virbr0",
                        "bond0",
                        "eth0.100",
                        "dm-0",
                        "md127",
                        "loop3"))
                .allMatch(NodeFigures::isCountedElsewhere);
        assertThat(List.of(
                        "", "eth0", "eno1", "enp3s0", "enx0", "ens5", "bnxt0", "lan1", "sda", "nvme0n1", "vda",
                        "mmcblk0"))
                .noneMatch(NodeFigures::isCountedElsewhere);
    }
}
