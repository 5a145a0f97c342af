package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.observe.host.HostInventory.CgroupLimits;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The limits of a control group are found in both versions, nested and not. */
class LinuxCgroupsTest {
    private static final String V2 = "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw";

    private FakeLinux linux;

    @BeforeEach
    void layOut(@TempDir Path root) {
        linux = new FakeLinux(root);
    }

    private CgroupLimits limits() {
        return new LinuxCgroups(linux.files(), "self").limits();
    }

    @Test
    void version2TakesTightestLimitOfAncestors() {
        linux.file("proc/self/mountinfo", V2)
                .file("proc/self/cgroup", "0::/system.slice/plimsoll.service")
                .file("sys/fs/cgroup/system.slice/cpu.max", "150000 100000")
                .file("sys/fs/cgroup/system.slice/memory.max", "max")
                .file("sys/fs/cgroup/system.slice/plimsoll.service/cpu.max", "400000 100000")
                .file("sys/fs/cgroup/system.slice/plimsoll.service/memory.max", "536870912");
        assertThat(limits()).isEqualTo(new CgroupLimits(Fact.of(1.5), Fact.of(536_870_912L)));
    }

    @Test
    void version2ReadsMountRootInOwnNamespace() {
        linux.file("proc/self/mountinfo", V2)
                .file("proc/self/cgroup", "0::/")
                .file("sys/fs/cgroup/cpu.max", "50000 100000");
        assertThat(limits()).isEqualTo(new CgroupLimits(Fact.of(0.5), Fact.unknown("observe.no.limit")));
    }

    @Test
    void reportsThrottlingOfInnermostGroupWithQuota() {
        linux.file("proc/self/mountinfo", V2)
                .file("proc/7/cgroup", "0::/outer/lab/idle")
                .file("sys/fs/cgroup/outer/cpu.stat", "usage_usec 9\nnr_periods 900\nnr_throttled 1")
                .file(
                        "sys/fs/cgroup/outer/lab/cpu.stat",
                        "usage_usec 9\nnr_periods 120\nnr_throttled 90\nthrottled_usec 5");
        assertThat(new LinuxCgroups(linux.files(), "7").throttled())
                .hasValueSatisfying(periods -> assertThat(periods).containsExactly(120, 90));
        assertThat(new LinuxCgroups(linux.files(), "self").throttled()).isEmpty();
    }

    @Test
    void version1FindsContainerGroupAtMountRoot() {
        linux.file("proc/self/mountinfo", """
            32 31 0:29 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
            35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\
            """)
                .file("proc/self/cgroup", "4:memory:/docker/abc\n2:cpu,cpuacct:/docker/abc")
                .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "200000")
                .file("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000")
                .file("sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824");
        assertThat(limits()).isEqualTo(new CgroupLimits(Fact.of(2.0), Fact.of(1L << 30)));
    }

    @Test
    void version1RecognizesUnlimitedValues() {
        linux.file(
                        "proc/self/mountinfo",
                        "32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu\n"
                                + "35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory")
                .file("proc/self/cgroup", "4:memory:/\n2:cpu:/")
                .file("cg/cpu/cpu.cfs_quota_us", "-1")
                .file("cg/cpu/cpu.cfs_period_us", "100000")
                .file("cg/memory/memory.limit_in_bytes", "9223372036854771712");
        assertThat(limits())
                .isEqualTo(new CgroupLimits(Fact.unknown("observe.no.limit"), Fact.unknown("observe.no.limit")));
    }

    @Test
    void reportsMissingCgroups() {
        assertThat(limits().cpuCores().words())
                .hasToString(Sentence.of("observe.no.groups").english());
        assertThat(limits().memoryBytes().words())
                .hasToString(Sentence.of("observe.no.groups").english());
    }
}
