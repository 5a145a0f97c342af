package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Observation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Host activity is the difference of kernel counters. */
class HostWatchTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path root;

    private void file(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** @param n elapsed seconds on this host with three cores, one of them busy */
    private void host(int n) throws IOException {
        file(
                "proc/stat",
                "cpu  %d 0 %d %d %d 0 0 %d 0 0\n".formatted(60 * n, 20 * n, 100 * n, 10 * n, 10 * n)
                        + "cpu0 %d 0 %d 0 0 0 0 %d 0 0\n".formatted(60 * n, 20 * n, 10 * n)
                        + "cpu1 0 0 0 %d %d 0 0 0 0 0\n".formatted(90 * n, 10 * n)
                        + "cpu2 0 0 0 0 0 0 0 0 0 0\n"
                        + "procs_running 4\n");
        file("proc/meminfo", "MemTotal: 100 kB\nMemAvailable:   50 kB\nDirty: 3 kB\nWriteback: 1 kB\n");
        Files.createDirectories(root.resolve("sys/block/sda"));
        file(
                "proc/diskstats",
                "   8  0 sda %d 0 %d %d %d 0 %d %d 0 %d 0\n"
                                .formatted(10 * n, 100 * n, 20 * n, 30 * n, 2000 * n, 180 * n, 400 * n)
                        + "   8  1 sda1 %d 0 99999 0 0 0 0 0 0 0 0\n".formatted(99 * n));
        file(
                "proc/net/dev",
                ("Inter-|   Receive\n face |bytes\n  eth0: %1$d 0 0 0 0 0 0 0 %2$d 0 0\n    lo: %3$d 0 0 0 0 0 0 0 7 0\n"
                                + "docker0: %1$d 0 0 0 0 0 0 0 %2$d 0 0\nvethab: %2$d 0 0 0 0 0 0 0 %1$d 0 0\n")
                        .formatted(1_000_000 * n, 25_000_000 * n, 7 * n));
        file("sys/class/net/eth0/speed", "1000\n");
        Files.createDirectories(root.resolve("sys/class/net/eth0/device"));
        file("sys/class/net/docker0/speed", "10\n");
        file("proc/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: %d %d\n".formatted(1000 * n, 20 * n));
        file("proc/pressure/io", "some avg10=0.00 total=%d\nfull avg10=0.00 total=1\n".formatted(300_000 * n));
    }

    /** Bytes received since boot are not evidence about current traffic. */
    @Test
    void usesCurrentlyBusierLinkDirection() throws IOException {
        String device = "  eth0: %d 0 0 0 0 0 0 0 %d 0 0\n";
        file("sys/class/net/eth0/speed", "10000\n");
        Files.createDirectories(root.resolve("sys/class/net/eth0/device"));
        file("proc/net/dev", device.formatted(500_000_000_000L, 20_000_000_000L));
        HostWatch watch = new HostWatch(root);
        watch.begin(0);
        file("proc/net/dev", device.formatted(500_010_000_000L, 21_250_000_000L));
        Observation seen = watch.since(SECOND, 0);
        assertThat(seen.gauges().get("busiestLink")).isCloseTo(1, within(1e-9));
    }

    /** The interface of a container states 10 Gbit/s, and is not limited to it. */
    @Test
    void ignoresSpeedOfInterfaceWithoutDevice() throws IOException {
        String link = "  eth0: %d 0 0 0 0 0 0 0 0 0 0\n";
        file("sys/class/net/eth0/speed", "10000\n");
        file("proc/net/dev", link.formatted(0));
        HostWatch watch = new HostWatch(root);
        watch.begin(0);
        file("proc/net/dev", link.formatted(1_375_000_000));
        Observation seen = watch.since(SECOND, 0);
        assertThat(seen.gauges()).doesNotContainKey("busiestLink");
        assertThat(seen.sums()).containsEntry("networkInBytes", 1.375e9);
    }

    @Test
    void measuresTimeBetweenReadings() throws IOException {
        host(5);
        HostWatch watch = new HostWatch(root);
        watch.begin(100 * SECOND);
        host(7);
        Observation seen = watch.since(102 * SECOND, 99 * SECOND);

        assertThat(seen.fromNanos()).isEqualTo(SECOND);
        assertThat(seen.toNanos()).isEqualTo(3 * SECOND);
        assertThat(seen.sums())
                .containsEntry("seconds", 2.0)
                .containsEntry("diskReads", 20.0)
                .containsEntry("diskReadBytes", 200.0 * 512)
                .containsEntry("diskWriteBytes", 4000.0 * 512)
                .containsEntry("networkOutBytes", 50e6)
                .containsEntry("networkInBytes", 2e6)
                .containsEntry("loopbackInBytes", 14.0)
                .containsEntry("segmentsRetransmitted", 40.0)
                .doesNotContainKey("cpuStallSeconds");
        assertThat(seen.gauges())
                .containsEntry("memoryAvailableBytes", 50.0 * 1024)
                .containsEntry("runnable", 3.0)
                .containsEntry("cores", 3.0);
        assertThat(seen.sums().get("cpuSeconds")).isCloseTo(1.6, within(1e-9));
        assertThat(seen.sums().get("stealSeconds")).isCloseTo(0.2, within(1e-9));
        assertThat(seen.sums().get("diskWaitMs")).isCloseTo(400, within(1e-9));
        assertThat(seen.sums().get("ioStallSeconds")).isCloseTo(0.6, within(1e-9));
        assertThat(seen.gauges().get("busiestCore")).isCloseTo(0.9, within(1e-9));
        assertThat(seen.gauges().get("busiestDisk")).isCloseTo(0.4, within(1e-9));
        assertThat(seen.gauges().get("busiestLink")).isCloseTo(0.2, within(1e-9));
    }

    /** CPU time counts in ticks of ten milliseconds: of a shorter time, it would be nothing or everything. */
    @Test
    void mergesBriefProcessIntervalIntoTheNext() throws IOException {
        HostWatch.ProcessWatch watch = new HostWatch.ProcessWatch(root, "broker 1");
        file("proc/7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 0 0 100 20 0 0 20 0");
        watch.begin(7, 0);
        file("proc/7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 0 0 101 20 0 0 20 0");
        assertThat(watch.since(SECOND / 400, 0).sums()).isEmpty();
        file("proc/7/stat", "7 (java) S 1 1 1 0 -1 0 0 0 0 0 150 20 0 0 20 0");
        Observation seen = watch.since(SECOND, 0);
        assertThat(seen.fromNanos()).isZero();
        assertThat(seen.sums().get("process.cpuSeconds")).isCloseTo(0.5, within(1e-9));
        assertThat(seen.sums().get("process.seconds")).isCloseTo(1, within(1e-9));
    }

    @Test
    void reportsNothingWithoutLinux() {
        HostWatch watch = new HostWatch(root);
        watch.begin(0);
        assertThat(watch.since(SECOND, 0).sums()).containsOnlyKeys("seconds");
    }
}
