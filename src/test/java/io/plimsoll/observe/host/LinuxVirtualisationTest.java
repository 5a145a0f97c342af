package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.observe.host.HostInventory.Virtualisation;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Containers and virtual machines are detected from Linux files. */
class LinuxVirtualisationTest {
    private static final String CLOCKS = "sys/devices/system/clocksource/clocksource0/available_clocksource";
    private FakeLinux linux;

    @BeforeEach
    void layOut(@TempDir Path root) {
        linux = new FakeLinux(root);
    }

    private Virtualisation read() {
        return new LinuxVirtualisation(linux.files()).read();
    }

    @Test
    void physicalServerShowsNoHypervisor() {
        linux.file("proc/cpuinfo", "flags\t\t: fpu vme sse2")
                .file("sys/class/dmi/id/sys_vendor", "Dell Inc.")
                .file("sys/class/dmi/id/product_name", "PowerEdge R760")
                .file(CLOCKS, "tsc hpet acpi_pm");
        assertThat(read())
                .isEqualTo(new Virtualisation(
                        Fact.of(false), Fact.unknown("observe.no.hypervisor"), Fact.unknown("observe.no.container")));
    }

    @Test
    void cloudBareMetalIsNotVirtual() {
        linux.file("proc/cpuinfo", "flags\t\t: fpu vme sse2")
                .file("sys/class/dmi/id/sys_vendor", "Amazon EC2")
                .file("sys/class/dmi/id/product_name", "m5.metal");
        assertThat(read().virtualised()).isEqualTo(Fact.of(false));
    }

    @Test
    void firmwareNamesTheHypervisor() {
        linux.file("proc/cpuinfo", "flags\t\t: fpu hypervisor sse2")
                .file("sys/class/dmi/id/sys_vendor", "Microsoft Corporation")
                .file("sys/class/dmi/id/product_name", "Virtual Machine");
        assertThat(read().virtualised()).isEqualTo(Fact.of(true));
        assertThat(read().by().value())
                .hasToString(Sentence.of("observe.by.firmware", "Hyper-V", "Microsoft Corporation Virtual Machine")
                        .english());
    }

    @Test
    void unknownFirmwareCountsWithTheHypervisorFlag() {
        linux.file("proc/cpuinfo", "flags\t\t: fpu hypervisor sse2")
                .file("sys/class/dmi/id/sys_vendor", "Amazon EC2")
                .file("sys/class/dmi/id/product_name", "m5.large");
        assertThat(read().by().value())
                .hasToString(
                        Sentence.of("observe.by.flag", "Amazon EC2 m5.large").english());
    }

    @Test
    void clockSourceNamesHypervisorWithoutFirmware() {
        linux.file("proc/cpuinfo", "flags\t\t: fpu vme hypervisor").file(CLOCKS, "tsc kvm-clock");
        assertThat(read().by().value()).hasToString("KVM (clock sources tsc kvm-clock)");
    }

    @Test
    void reportsUnnamedHypervisor() {
        linux.file("proc/cpuinfo", "flags\t\t: fpu vme hypervisor");
        assertThat(read().virtualised()).isEqualTo(Fact.of(true));
        assertThat(read().by().words())
                .hasToString(Sentence.of("observe.no.name").english());
    }

    @Test
    void detectsContainers() {
        linux.file("proc/self/cgroup", "0::/kubepods/besteffort/pod1");
        assertThat(read().container()).isEqualTo(Fact.of("kubepods (/proc/self/cgroup)"));
        linux.file(".dockerenv", "");
        assertThat(read().container()).isEqualTo(Fact.of("Docker (/.dockerenv)"));
    }
}
