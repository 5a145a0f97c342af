package io.plimsoll.observe.host;

import io.plimsoll.LinuxRoot;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import io.plimsoll.observe.incident.Stretch;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds brokers with a connection to this host that waits for an acknowledgment after a retransmission timeout, from
 * column {@code retrnsmt} of {@code /proc/net/tcp}. Finds none on other systems, and none on a host with so many
 * connections that the list takes long to read.
 */
public final class UnansweredSegments implements IncidentSource {
    private static final double MOST_SOCKETS = 2_000;
    private static final int RETRANSMITS = 6;
    private static final String NO_RETRANSMIT = "00000000";
    /** Column {@code tr} of a socket with a retransmission timer. */
    private static final String TIMER = " 01:";
    /** Beginning of an IPv4 address in a socket for both families. */
    private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1};

    private final LinuxFiles files;
    private final Map<String, Stretch> brokers = new HashMap<>();
    private long beforeNanos = -1;
    private long timeouts;
    private Set<Stretch> waiting = Set.of();

    public UnansweredSegments() {
        this(LinuxRoot.PATH);
    }

    UnansweredSegments(Path root) {
        files = new LinuxFiles(root);
    }

    /** Adds a broker. A name that cannot be resolved is ignored. */
    public void add(int broker, String host, int port) {
        Stretch stretch = new Stretch(Kind.RETRANSMIT, "broker " + broker, 0);
        try {
            for (InetAddress address : InetAddress.getAllByName(host)) {
                byte[] bytes = address.getAddress();
                brokers.put(printed(bytes, port), stretch);
                if (bytes.length == Integer.BYTES) {
                    byte[] mapped = ByteBuffer.allocate(MAPPED.length + bytes.length)
                            .put(MAPPED)
                            .put(bytes)
                            .array();
                    brokers.put(printed(mapped, port), stretch);
                }
            }
        } catch (UnknownHostException e) {
            // No connection to it can exist.
        }
    }

    /** An address as Linux prints it: words in the byte order of the machine. */
    private static String printed(byte[] address, int port) {
        ByteBuffer words = ByteBuffer.wrap(address).order(ByteOrder.nativeOrder());
        StringBuilder printed = new StringBuilder();
        while (words.hasRemaining()) {
            printed.append("%08X".formatted(words.getInt()));
        }
        return printed.append(":%04X".formatted(port)).toString();
    }

    @Override
    public int every() {
        return 5;
    }

    @Override
    public void look(long nowNanos, IncidentSink sink) {
        long fromNanos = beforeNanos < 0 ? nowNanos : beforeNanos;
        beforeNanos = nowNanos;
        // The list is read only after a retransmission timeout, because Linux walks its whole table of sockets for it,
        // which takes milliseconds. Other retransmissions, such as probes for a late acknowledgment, are frequent.
        long before = timeouts;
        timeouts = LinuxFiles.counter(files.network("netstat", "TcpExt"), "TCPTimeouts");
        if (timeouts != before || !waiting.isEmpty()) {
            waiting = waiting();
        }
        Set.copyOf(brokers.values())
                .forEach(broker -> broker.look(
                        fromNanos, nowNanos, waiting.contains(broker) ? nowNanos - fromNanos : 0, null, sink));
    }

    private Set<Stretch> waiting() {
        Set<Stretch> found = new HashSet<>();
        if (sockets() <= MOST_SOCKETS) {
            Stream.of("proc/net/tcp", "proc/net/tcp6")
                    .flatMap(list -> files.lines(list).stream())
                    .filter(line -> line.contains(TIMER))
                    .map(line -> line.strip().split("\\s+"))
                    .filter(words -> words.length > RETRANSMITS && !words[RETRANSMITS].equals(NO_RETRANSMIT))
                    .forEach(words -> {
                        // The sockets of a broker on this host are listed, too, with the broker's address as the local
                        // one.
                        found.add(brokers.get(words[1]));
                        found.add(brokers.get(words[2]));
                    });
        }
        found.remove(null);
        return found;
    }

    /** Number of TCP sockets, closed connections included. */
    private double sockets() {
        return Stream.of("proc/net/sockstat", "proc/net/sockstat6")
                .flatMap(list -> files.lines(list).stream())
                .filter(line -> line.startsWith("TCP"))
                .map(line -> line.split("\\s+"))
                .mapToDouble(words -> HostWatch.number(words[2]) + (words.length > 6 ? HostWatch.number(words[6]) : 0))
                .sum();
    }

    @Override
    public void end(long nowNanos, IncidentSink sink) {
        Set.copyOf(brokers.values()).forEach(broker -> broker.end(sink));
    }
}
