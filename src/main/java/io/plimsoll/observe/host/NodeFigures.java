package io.plimsoll.observe.host;

import io.plimsoll.LinuxRoot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Counters of this host under the names of Prometheus' node exporter. Empty on systems other than Linux. Usable by any
 * thread.
 */
public final class NodeFigures {
    private static final double HERTZ = 100;
    private static final List<String> MODES =
            List.of("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal");
    private static final Set<String> MEMORY =
            Set.of("MemTotal", "MemFree", "MemAvailable", "Cached", "Dirty", "Writeback");
    private static final List<Column> DISK = List.of(
            new Column(3, "reads_completed", 1),
            new Column(5, "read_bytes", 512),
            new Column(6, "read_time_seconds", 1e-3),
            new Column(7, "writes_completed", 1),
            new Column(9, "written_bytes", 512),
            new Column(10, "write_time_seconds", 1e-3),
            new Column(12, "io_time_seconds", 1e-3),
            new Column(13, "io_time_weighted_seconds", 1e-3));
    private static final List<Column> LINK =
            List.of(new Column(0, "receive_bytes", 1), new Column(8, "transmit_bytes", 1));

    private static final Pattern DISKS = Pattern.compile("(dm-|md|loop|ram|zram)\\d.*");
    /**
     * Network interfaces that are counted elsewhere. The interfaces inside a container do not match: they are named
     * like network cards and carry all of its traffic.
     */
    private static final Pattern LINKS =
            Pattern.compile("lo|(bond|br|dummy|ifb|podman|sit|team|tun|tunl|vlan|vmbr|vnet|wg)\\d+"
                    + "|(antrea|azv|br-|cali|cilium|cni|docker|eni[0-9a-f]|flannel|genev|gke|kube-|lxc|lxd|ovn|ovs"
                    + "|veth|virbr|vxlan|weave).*|.+[.]\\d+");

    private final LinuxFiles files;
    private final List<Sample> samples = new ArrayList<>();

    /** A number in a line of a kernel file. */
    private record Column(int at, String name, double factor) {}

    /** One value; the exported name of a counter ends in {@code _total}. */
    public record Sample(String name, boolean counter, Map<String, String> labels, double value) {}

    private NodeFigures(LinuxFiles files) {
        this.files = files;
    }

    /**
     * Whether the bytes of a disk or network interface are already counted on other devices, or use no device: bridges,
     * bonds and tunnels use network cards, arrays and volumes use disks.
     */
    public static boolean isCountedElsewhere(String device) {
        return DISKS.matcher(device).matches() || LINKS.matcher(device).matches();
    }

    /** The samples; samples with the same name are adjacent. */
    public static List<Sample> read() {
        return read(LinuxRoot.PATH);
    }

    static List<Sample> read(Path root) {
        NodeFigures figures = new NodeFigures(new LinuxFiles(root));
        figures.cpu();
        figures.memory();
        figures.disks();
        figures.links();
        return List.copyOf(figures.samples);
    }

    private void cpu() {
        for (String line : files.lines("proc/stat")) {
            String[] words = line.split("\\s+");
            if (words[0].matches("cpu\\d+")) {
                for (int i = 0; i < MODES.size() && i + 1 < words.length; i++) {
                    Map<String, String> labels = Map.of("cpu", words[0].substring(3), "mode", MODES.get(i));
                    counter("node_cpu_seconds", labels, HostWatch.number(words[i + 1]) / HERTZ);
                }
            }
        }
    }

    private void memory() {
        for (String line : files.lines("proc/meminfo")) {
            String[] words = line.split(":?\\s+");
            if (MEMORY.contains(words[0])) {
                String name = "node_memory_" + words[0] + "_bytes";
                samples.add(new Sample(name, false, Map.of(), HostWatch.number(words[1]) * 1024));
            }
        }
    }

    private void disks() {
        Map<String, String[]> disks = new TreeMap<>();
        for (String line : files.lines("proc/diskstats")) {
            String[] words = line.strip().split("\\s+");
            if (LinuxDevices.isDisk(files, words)) {
                disks.put(words[2], words);
            }
        }
        table("node_disk_", DISK, disks);
    }

    private void links() {
        Map<String, String[]> links = new TreeMap<>();
        for (String line : files.lines("proc/net/dev")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                links.put(
                        line.substring(0, colon).strip(),
                        line.substring(colon + 1).strip().split("\\s+"));
            }
        }
        table("node_network_", LINK, links);
    }

    private void table(String prefix, List<Column> columns, Map<String, String[]> devices) {
        for (Column column : columns) {
            devices.forEach((device, words) -> {
                if (column.at < words.length) {
                    double value = HostWatch.number(words[column.at]) * column.factor;
                    counter(prefix + column.name, Map.of("device", device), value);
                }
            });
        }
    }

    private void counter(String name, Map<String, String> labels, double value) {
        samples.add(new Sample(name, true, new TreeMap<>(labels), value));
    }
}
