package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.Nic;
import java.nio.file.Path;
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
    void readsLinkSpeedsExactlyAndSaysWhereThereIsNone() {
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
    void leavesOutLoopbackAndVirtualInterfacesThatAreDown() {
        linux.file("sys/class/net/lo/operstate", "unknown")
                .file("sys/class/net/lo/type", "772")
                .file("sys/class/net/ifb0/operstate", "down");
        assertThat(LinuxDevices.nics(linux.files())).isEqualTo(Fact.unknown("observe.no.network"));
    }

    @Test
    void readsDisksAndLeavesOutLoopDevicesAndEmptyDrives() {
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
    void findsTheMountOfADirectoryEvenIfItHasABlankInItsName() {
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
}
