package io.plimsoll.observe.host;

import io.plimsoll.observe.host.HostInventory.Virtualisation;
import io.plimsoll.text.Sentence;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Detects virtual machines and containers from world-readable files of Linux. */
record LinuxVirtualisation(LinuxFiles files) {
    /** Parts of a firmware's vendor or model, in lower case, that only virtual machines have. */
    private static final Map<String, String> FIRMWARE = Map.of(
            "qemu", "QEMU",
            "kvm", "KVM",
            "vmware", "VMware",
            "virtualbox", "VirtualBox",
            "innotek", "VirtualBox",
            "bochs", "Bochs",
            "parallels", "Parallels",
            "virtual machine", "Hyper-V",
            "xen", "Xen",
            "google compute engine", "Google Compute Engine");

    private static final Map<String, String> CLOCKS = Map.of("kvm-clock", "KVM", "hyperv", "Hyper-V", "xen", "Xen");

    Virtualisation read() {
        Fact<Sentence> by = hypervisor();
        boolean known = by.isKnown() || hypervisorFlag();
        boolean visible = known || files.text("proc/cpuinfo") != null;
        return new Virtualisation(visible ? Fact.of(known) : Fact.unknown("observe.no.view"), by, container());
    }

    private boolean hypervisorFlag() {
        return files.lines("proc/cpuinfo").stream()
                .anyMatch(line -> line.startsWith("flags") && (line + " ").contains(" hypervisor "));
    }

    private Fact<Sentence> hypervisor() {
        String release = String.valueOf(files.text("proc/sys/kernel/osrelease")).toLowerCase(Locale.ROOT);
        if (release.contains("microsoft")) {
            return Fact.of(Sentence.of("observe.by.wsl"));
        }
        String firmware = firmware();
        Fact<Sentence> known = byFirmware(firmware);
        if (known.isKnown()) {
            return known;
        }
        if (hypervisorFlag() && !firmware.isEmpty()) {
            return Fact.of(Sentence.of("observe.by.flag", firmware));
        }
        String clocks = files.text("sys/devices/system/clocksource/clocksource0/available_clocksource");
        String clock = clocks == null ? null : find(CLOCKS, clocks);
        if (clock != null) {
            return Fact.of(Sentence.of("observe.by.clock", clock, clocks));
        }
        if (files.text("sys/hypervisor/type") != null) {
            return Fact.of(Sentence.verbatim(files.text("sys/hypervisor/type") + " (/sys/hypervisor/type)"));
        }
        if (!files.names("sys/bus/virtio/devices").isEmpty()) {
            return Fact.of(Sentence.of("observe.by.virtio"));
        }
        return Fact.unknown(hypervisorFlag() ? "observe.no.name" : "observe.no.hypervisor");
    }

    /** @param firmware vendor and model of the computer, from its firmware */
    static Fact<Sentence> byFirmware(String firmware) {
        String known = find(FIRMWARE, firmware.toLowerCase(Locale.ROOT));
        return known == null
                ? Fact.unknown("observe.no.hypervisor")
                : Fact.of(Sentence.of("observe.by.firmware", known, firmware));
    }

    private String firmware() {
        String vendor = files.text("sys/class/dmi/id/sys_vendor");
        String product = files.text("sys/class/dmi/id/product_name");
        return ((vendor == null ? "" : vendor) + " " + (product == null ? "" : product)).strip();
    }

    private static @Nullable String find(Map<String, String> names, String text) {
        return names.entrySet().stream()
                .filter(entry -> text.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .sorted()
                .findFirst()
                .orElse(null);
    }

    private Fact<String> container() {
        if (files.exists(".dockerenv")) {
            return Fact.of("Docker (/.dockerenv)");
        }
        if (files.exists("run/.containerenv")) {
            return Fact.of("Podman (/run/.containerenv)");
        }
        if (files.exists("run/secrets/kubernetes.io")) {
            return Fact.of("Kubernetes (/run/secrets/kubernetes.io)");
        }
        String cgroups = String.valueOf(files.text("proc/self/cgroup"));
        for (String mark : new String[] {"kubepods", "docker", "libpod", "lxc", "containerd"}) {
            if (cgroups.contains("/" + mark)) {
                return Fact.of(mark + " (/proc/self/cgroup)");
            }
        }
        return Fact.unknown("observe.no.container");
    }
}
