package io.plimsoll.observe.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stalls of a host and stops of its processes are found from Linux's counters, with their times. */
class HostStallsTest {
    private static final long MILLI = 1_000_000;
    private static final long START = 1_000 * MILLI;

    @TempDir
    Path root;

    private final IncidentSink sink = new IncidentSink(START, 0);
    private FakeLinux linux;

    @BeforeEach
    void host() {
        linux = new FakeLinux(root)
                .file("proc/diskstats", "8 0 sda 1 0 8 4 1 0 8 4 0 0 8")
                .directory("sys/block/sda");
        pressure(0);
    }

    private void pressure(long totalMillis) {
        linux.file("proc/pressure/io", "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + 1_000 * totalMillis);
    }

    private Incident incident(
            Kind kind, String where, long fromMillis, long toMillis, long errorMillis, String detail) {
        return new Incident(kind, where, fromMillis * MILLI, toMillis * MILLI, errorMillis * MILLI, detail);
    }

    @Test
    void findsPeriodOfIoPressure() {
        HostStalls stalls = new HostStalls(root, Map::of);
        long[] totals = {0, 0, 30, 130, 230, 250, 250, 251, 300};
        for (int i = 0; i < totals.length; i++) {
            pressure(totals[i]);
            stalls.look(START + i * 100L * MILLI, sink);
        }
        assertThat(sink.take()).containsExactly(incident(Kind.IO_PRESSURE, "host", 170, 420, 100, null));
    }

    @Test
    void reportsDiskBusyForAtLeastTwoHundredMillis() {
        HostStalls stalls = new HostStalls(root, Map::of);
        long[] ticks = {0, 100, 110, 210, 310, 410, 420};
        for (int i = 0; i < ticks.length; i++) {
            linux.file("proc/diskstats", "8 0 sda 1 0 8 4 1 0 8 4 0 " + ticks[i] + " 8");
            stalls.look(START + i * 100L * MILLI, sink);
        }
        assertThat(sink.take()).containsExactly(incident(Kind.DISK_BUSY, "host", 200, 500, 100, "sda"));
    }

    @Test
    void findsThrottlingByQuotaAddedLater() {
        linux.file("proc/self/mountinfo", "35 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw")
                .file("proc/77/cgroup", "0::/free")
                .file("sys/fs/cgroup/free/cpu.stat", "nr_periods 0\nthrottled_usec 0");
        HostStalls stalls = new HostStalls(root, () -> Map.of(2, 77L));
        for (int i = 0; i < 20; i++) {
            if (i == 5) {
                linux.file("proc/77/cgroup", "0::/small");
            }
            int throttled = Math.min(10, Math.max(0, i - 5));
            linux.file("sys/fs/cgroup/small/cpu.stat", "nr_periods 9\nthrottled_usec " + 90_000 * throttled);
            stalls.look(START + i * 100L * MILLI, sink);
        }
        assertThat(sink.take()).containsExactly(incident(Kind.CGROUP_THROTTLE, "broker 2", 500, 1_500, 100, null));
    }

    /** On two cores, a broker that may not run for 1.5 s of a long period; the counter grows at its end. */
    @Test
    void backdatesThrottlingLongerThanAPoll() {
        linux.file("proc/stat", "cpu 1 0 0\ncpu0 1 0 0\ncpu1 1 0 0\nintr 0")
                .file("proc/self/mountinfo", "35 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw")
                .file("proc/77/cgroup", "0::/small");
        HostStalls stalls = new HostStalls(root, () -> Map.of(2, 77L));
        for (int i = 0; i < 30; i++) {
            linux.file("sys/fs/cgroup/small/cpu.stat", "nr_periods 9\nthrottled_usec " + (i < 20 ? 0 : 3_000_000));
            stalls.look(START + i * 100L * MILLI, sink);
        }
        assertThat(sink.take()).containsExactly(incident(Kind.CGROUP_THROTTLE, "broker 2", 500, 2_000, 100, null));
    }

    /** Sixteen cores that each lose 4 % lose no time together; a core that does not run for 400 ms does. */
    @Test
    void findsStealOfSingleCore() {
        HostStalls stalls = new HostStalls(root, Map::of);
        for (int i = 0; i < 20; i++) {
            StringBuilder stat = new StringBuilder("cpu 0 0 0 0 0 0 0 " + 16 * 4 * i / 10 + " 0 0\n");
            for (int core = 0; core < 16; core++) {
                long stolen = 4L * i / 10 + (core == 7 ? 10L * Math.min(4, Math.max(0, i - 10)) : 0);
                stat.append("cpu" + core + " 0 0 0 0 0 0 0 " + stolen + " 0 0\n");
            }
            linux.file("proc/stat", stat.toString());
            stalls.look(START + i * 100L * MILLI, sink);
        }
        assertThat(sink.take())
                .extracting(Incident::kind, Incident::fromNanos, Incident::toNanos)
                .containsExactly(tuple(Kind.STEAL, 990 * MILLI, 1_410 * MILLI));
    }

    @Test
    void toleratesSingleRetransmission() {
        HostStalls stalls = new HostStalls(root, Map::of);
        long[] segments = {100, 101, 107};
        for (int i = 0; i < segments.length; i++) {
            linux.file("proc/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: " + 100 * (i + 1) + " " + segments[i]);
            stalls.look(START + i * 100L * MILLI, sink);
        }
        assertThat(sink.take()).containsExactly(incident(Kind.RETRANSMIT, "host", 100, 200, 100, "6"));
    }

    /** A socket of each kind: the broker's own, a client's of both families, and one of another program. */
    @Test
    void findsBrokerWithUnacknowledgedSegments() {
        UnansweredSegments segments = new UnansweredSegments(root);
        segments.add(2, "127.0.0.1", 9092);
        segments.add(3, "10.1.2.3", 9093);
        String port = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "0100007F:2384" : "7F000001:2384";
        linux.file("proc/net/sockstat", "sockets: used 9\nTCP: inuse 4 orphan 0 tw 1 alloc 5 mem 1");
        for (int i = 0; i < 6; i++) {
            String waits = i == 2 || i == 3 ? "00000001" : "00000000";
            // A timeout retransmits once; nothing is sent again until the next.
            timeouts(i < 2 ? 7 : 8);
            linux.file(
                    "proc/net/tcp",
                    socket(port, "0100007F:9000", "00000000") + socket("0100007F:9001", "0100007F:22B8", "00000009"));
            linux.file("proc/net/tcp6", socket("0000000000000000FFFF00000100007F:9000", mapped(port), waits));
            segments.look(START + i * 100L * MILLI, sink);
        }
        assertThat(sink.take()).containsExactly(incident(Kind.RETRANSMIT, "broker 2", 100, 300, 100, null));
    }

    @Test
    void skipsSocketsOfHostWithTooMany() {
        UnansweredSegments segments = new UnansweredSegments(root);
        segments.add(2, "127.0.0.1", 9092);
        linux.file("proc/net/sockstat", "TCP: inuse 4 orphan 0 tw 1999 alloc 5 mem 1");
        timeouts(8);
        linux.file("proc/net/tcp", socket("0100007F:2384", "0100007F:9000", "00000001"));
        for (int i = 0; i < 3; i++) {
            segments.look(START + i * 100L * MILLI, sink);
        }
        segments.end(START + 300 * MILLI, sink);
        assertThat(sink.take()).isEmpty();
    }

    /** Probes for a late acknowledgment retransmit many times a second on a busy host. */
    @Test
    void readsSocketsOnlyAfterTimeout() {
        UnansweredSegments segments = new UnansweredSegments(root);
        segments.add(2, "127.0.0.1", 9092);
        String port = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "0100007F:2384" : "7F000001:2384";
        linux.file("proc/net/tcp", socket(port, "0100007F:9000", "00000001"));
        for (int i = 0; i < 6; i++) {
            linux.file("proc/net/snmp", "Tcp: OutSegs RetransSegs\nTcp: 100 " + i);
            timeouts(i < 4 ? 0 : 1);
            segments.look(START + i * 100L * MILLI, sink);
        }
        segments.end(START + 600 * MILLI, sink);
        assertThat(sink.take()).containsExactly(incident(Kind.RETRANSMIT, "broker 2", 300, 500, 100, null));
    }

    private void timeouts(int total) {
        linux.file("proc/net/netstat", "TcpExt: SyncookiesSent TCPTimeouts\nTcpExt: 5 " + total);
    }

    private static String mapped(String address) {
        return "0000000000000000" + (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? "FFFF0000" : "0000FFFF")
                + address;
    }

    private static String socket(String local, String remote, String retransmits) {
        String timer = retransmits.equals("00000000") ? "00:00000000" : "01:00000014";
        return "   0: " + local + " " + remote + " 01 00000000:00000000 " + timer + " " + retransmits + " 0 0 1 1\n";
    }

    /** As {@code docker pause} does; the state of the process does not show it. */
    private void assertPausedWhile(String file, String frozen, String thawed) {
        linux.file("proc/77/stat", "77 (java) D 1 1");
        ProcessStops stops = new ProcessStops(root, () -> Map.of(2, 77L));
        for (int i = 0; i < 6; i++) {
            linux.file(file, i == 2 || i == 3 ? frozen : thawed);
            stops.look(START + i * 20L * MILLI, sink);
        }
        assertThat(sink.take()).containsExactly(incident(Kind.PROCESS_PAUSE, "broker 2", 30, 70, 10, null));
    }

    @Test
    void findsFrozenProcessInCgroupV2() {
        linux.file("proc/self/mountinfo", "35 25 0:30 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw")
                .file("proc/77/cgroup", "0::/box");
        assertPausedWhile("sys/fs/cgroup/box/cgroup.events", "populated 1\nfrozen 1", "populated 1\nfrozen 0");
    }

    @Test
    void findsFrozenProcessInCgroupV1() {
        linux.file("proc/self/mountinfo", "35 25 0:30 / /sys/fs/cgroup/freezer rw - cgroup cgroup rw,freezer")
                .file("proc/77/cgroup", "4:freezer:/box");
        assertPausedWhile("sys/fs/cgroup/freezer/box/freezer.state", "FROZEN", "THAWED");
    }

    /** Without a lab, a broker that ended is missing until its next process is found. */
    @Test
    void missingBrokerIsDownUntilItsNextProcess() {
        List<Map<Integer, Long>> present =
                List.of(Map.of(2, 77L), Map.of(2, 77L), Map.of(), Map.of(), Map.of(2, 78L), Map.of(2, 78L));
        AtomicInteger look = new AtomicInteger();
        ProcessStops stops = new ProcessStops(root, () -> present.get(look.get()));
        linux.file("proc/77/stat", "77 (java) S 1 1").file("proc/78/stat", "78 (java) S 1 1");
        for (int i = 0; i < present.size(); i++) {
            look.set(i);
            stops.look(START + i * 20L * MILLI, sink);
        }
        stops.end(START + 200 * MILLI, sink);
        assertThat(sink.take()).containsExactly(incident(Kind.BROKER_DOWN, "broker 2", 30, 70, 10, null));
    }

    @Test
    void findsStoppedAndTerminatedProcess() throws java.io.IOException {
        ProcessStops stops = new ProcessStops(root, () -> Map.of(2, 77L));
        String[] states = {"S", "R", "T", "T", "S", "gone", "S"};
        for (int i = 0; i < states.length; i++) {
            if (states[i].equals("gone")) {
                Files.delete(root.resolve("proc/77/stat"));
            } else {
                linux.file("proc/77/stat", "77 (java (x) S) " + states[i] + " 1 1");
            }
            stops.look(START + i * 20L * MILLI, sink);
        }
        assertThat(sink.take())
                .containsExactly(
                        incident(Kind.PROCESS_PAUSE, "broker 2", 30, 70, 10, null),
                        incident(Kind.BROKER_DOWN, "broker 2", 90, 110, 10, null));
    }
}
