package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.observe.host.HostInventory.CgroupLimits;
import io.plimsoll.observe.host.HostInventory.Cpu;
import io.plimsoll.observe.host.HostInventory.Disk;
import io.plimsoll.observe.host.HostInventory.FileSystem;
import io.plimsoll.observe.host.HostInventory.Jvm;
import io.plimsoll.observe.host.HostInventory.Memory;
import io.plimsoll.observe.host.HostInventory.Nic;
import io.plimsoll.observe.host.HostInventory.OperatingSystem;
import io.plimsoll.observe.host.HostInventory.Software;
import io.plimsoll.observe.host.HostInventory.Storage;
import io.plimsoll.observe.host.HostInventory.Virtualisation;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The description of a host matches its inventory. */
class HostTextTest {

    @Test
    void listsFullyKnownServer() {
        assertThat(HostText.inventory(server(), Language.EN))
                .containsExactly(
                        "Host kafka-7",
                        "  CPU           Xeon 8488C, 2 sockets, 96 cores, 192 threads, 64 available to this process, 3.80"
                                + " GHz, governor performance",
                        "  Memory        512 GiB",
                        "                32 GiB DDR5, 4,800 MT/s",
                        "                32 GiB DDR5, 4,800 MT/s",
                        "  Network       eno1    up, 25 Gbit/s, mlx5_core",
                        "                enp3s0  down, 100 Mbit/s, e1000e",
                        "  Disks         nvme0n1  SAMSUNG MZQL, 1,920.4 GB, not rotational",
                        "                sda      ST8000NM, 8,001.6 GB, rotational",
                        "  Directory     /data: xfs on /dev/nvme0n1p1, mounted at /data, 950.5 GB free of 1,900 GB",
                        "  System        Debian GNU/Linux 12 (bookworm), kernel 6.1.0, amd64",
                        "  Virtualized   no, no hypervisor detected",
                        "  Container     no container detected",
                        "  Limits        CPU: 2.50 cores; memory: 512 MiB",
                        "  JVM           OpenJDK 64-Bit Server VM 17.0.15+6, G1, heap up to 8 GiB");
    }

    @Test
    void explainsUnknownFacts() {
        HostInventory server = server();
        HostInventory host = new HostInventory(
                server.name(),
                server.cpu(),
                new Memory(Fact.of(1L << 30), Fact.unknown("observe.needsRoot")),
                Fact.of(List.of(new Nic("eth0", "up", Fact.notReported("speed"), Fact.of("virtio_net")))),
                new Storage(
                        Fact.of(List.of(
                                new Disk("vda", Fact.notReported("model"), Fact.of(10_000_000_000L), Fact.of(true)))),
                        server.storage().fileSystem()),
                server.software(),
                new Virtualisation(
                        Fact.of(true),
                        Fact.of(Sentence.of("observe.by.clock", "KVM", "kvm-clock")),
                        Fact.of("Docker (/x)")),
                new CgroupLimits(Fact.unknown("observe.no.limit"), Fact.unknown("observe.no.limit")));
        assertThat(HostText.inventory(host, Language.EN))
                .contains(
                        "                modules requires root",
                        "  Network       eth0  up, speed not reported, virtio_net",
                        "  Disks         vda  model not reported, 10 GB, rotational (reported by the virtual disk)",
                        "  Virtualized   yes, KVM (clock sources kvm-clock)",
                        "  Container     Docker (/x)",
                        "  Limits        CPU: no limit; memory: no limit");
    }

    @Test
    void speaksChinese() {
        assertThat(HostText.inventory(server(), Language.ZH))
                .contains(
                        "主机 kafka-7",
                        "  内存          512 GiB",
                        "  虚拟化        否，未检测到虚拟化",
                        "  限制          CPU：2.50 核；内存：512 MiB");
        Measurement none = Measurement.notMeasured(
                "disk.read.direct", "MB/s", Sentence.of("observe.refusesDirect", "xfs"), Sentence.NONE);
        assertThat(HostText.measurement(none, Language.ZH)).matches("  直接读取 +未测量：文件系统（xfs）拒绝 O_DIRECT");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1234.56   | MB/s | 1,235 MB/s",
                "87.65     | MB/s | 87.7 MB/s",
                "12.34     | us   | 12.3 µs",
                "1500      | us   | 1.50 ms",
                "2250000   | us   | 2.25 s"
            })
    void showsValuesWithUnits(double value, String unit, String shown) {
        Measurement measurement = new Measurement("memory.copy", Fact.of(value), unit, Sentence.verbatim("so"));
        assertThat(HostText.measurement(measurement, Language.EN))
                .startsWith("  memory copy ")
                .contains(" " + shown)
                .endsWith("   so");
    }

    @Test
    void alignsValuesAndReportsMissingMeasurements() {
        Measurement one = Measurement.throughput("disk.write.direct", 2_000_000, 1_000_000, Sentence.verbatim("1 MiB"));
        Measurement two = new Measurement("disk.fsync.p50", Fact.of(81.0), "us", Sentence.verbatim("4 KiB"));
        Measurement none = Measurement.notMeasured(
                "disk.read.direct", "MB/s", Sentence.verbatim("xfs refuses O_DIRECT"), Sentence.verbatim("1 MiB"));
        assertThat(HostText.measurement(one, Language.EN)).isEqualTo("  direct write               2,000 MB/s   1 MiB");
        assertThat(HostText.measurement(two, Language.EN)).isEqualTo("  fsync p50                     81.0 µs   4 KiB");
        assertThat(HostText.measurement(none, Language.EN))
                .isEqualTo("  direct read            not measured: xfs refuses O_DIRECT");
    }

    private static HostInventory server() {
        return new HostInventory(
                Fact.of("kafka-7"),
                new Cpu(
                        Fact.of("Xeon 8488C"),
                        Fact.of(2L),
                        Fact.of(96L),
                        Fact.of(192L),
                        64,
                        Fact.of(3_800_000_000L),
                        Fact.of("performance")),
                new Memory(
                        Fact.of(512L << 30),
                        Fact.of(List.of(
                                Sentence.of("observe.module", "32 GiB", "DDR5", "4,800 MT/s"),
                                Sentence.of("observe.module", "32 GiB", "DDR5", "4,800 MT/s")))),
                Fact.of(List.of(
                        new Nic("eno1", "up", Fact.of(25_000_000_000L), Fact.of("mlx5_core")),
                        new Nic("enp3s0", "down", Fact.of(100_000_000L), Fact.of("e1000e")))),
                new Storage(
                        Fact.of(List.of(
                                new Disk(
                                        "nvme0n1",
                                        Fact.of("SAMSUNG MZQL"),
                                        Fact.of(1_920_383_410_176L),
                                        Fact.of(false)),
                                new Disk("sda", Fact.of("ST8000NM"), Fact.of(8_001_563_222_016L), Fact.of(true)))),
                        new FileSystem(
                                "/data",
                                Fact.of("xfs"),
                                Fact.of("/dev/nvme0n1p1"),
                                Fact.of("/data"),
                                Fact.of(1_900_000_000_000L),
                                Fact.of(950_500_000_000L))),
                new Software(
                        new OperatingSystem("Debian GNU/Linux 12 (bookworm)", "6.1.0", "amd64"),
                        new Jvm("17.0.15+6", "OpenJDK 64-Bit Server VM", "G1", 8L << 30)),
                new Virtualisation(
                        Fact.of(false), Fact.unknown("observe.no.hypervisor"), Fact.unknown("observe.no.container")),
                new CgroupLimits(Fact.of(2.5), Fact.of(512L << 20)));
    }

    /** For example on a physical Mac, on which no source reports virtualization. */
    @Test
    void describesDisksOfHostWithUnknownVirtualization() {
        HostInventory server = server();
        HostInventory host = new HostInventory(
                server.name(),
                server.cpu(),
                server.memory(),
                server.networks(),
                server.storage(),
                server.software(),
                new Virtualisation(
                        Fact.unknown("observe.no.way"), Fact.unknown("observe.no.way"), Fact.unknown("observe.no.way")),
                server.limits());
        assertThat(HostText.inventory(host, Language.EN))
                .contains("                sda      ST8000NM, 8,001.6 GB, rotational");
    }
}
