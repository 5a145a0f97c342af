package io.plimsoll.observe.host;

import io.plimsoll.LinuxRoot;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the times at which broker processes on this host were stopped by a signal, were frozen, or did not exist. */
public final class ProcessStops implements IncidentSource {
    /** Interval between calls of {@code ps} in ns, on systems other than Linux. */
    private static final long LISTED_NANOS = 200_000_000;

    /** Number of polls between two checks of whether a process moved to another cgroup. */
    private static final int FREEZERS_EVERY = 20;

    private final LinuxFiles files;
    private final boolean linux;
    private final Supplier<Map<Integer, Long>> brokers;
    private final Map<Integer, State> states = new HashMap<>();
    private final Map<Long, List<String>> freezers = new HashMap<>();
    private int looks;
    private long listedNanos = System.nanoTime() - LISTED_NANOS;

    /** @param sinceNanos time of the poll that first found this state; {@code kind} is null while the process runs */
    private record State(@Nullable Kind kind, long sinceNanos, long errorNanos, long lookNanos) {}

    /**
     * @param brokers returns the IDs of brokers on this host with their process IDs; brokers that have ended can be
     *     missing
     */
    public ProcessStops(Supplier<Map<Integer, Long>> brokers) {
        this(LinuxRoot.PATH, brokers);
    }

    ProcessStops(Path root, Supplier<Map<Integer, Long>> brokers) {
        this.files = new LinuxFiles(root);
        this.linux = files.exists("proc");
        this.brokers = brokers;
    }

    @Override
    public void look(long nowNanos, IncidentSink sink) {
        if (!linux && nowNanos - listedNanos < LISTED_NANOS) {
            return;
        }
        listedNanos = nowNanos;
        if (looks++ % FREEZERS_EVERY == 0) {
            freezers.clear();
        }
        Map<Integer, Long> all = brokers.get();
        Map<Long, String> listed = linux || all.isEmpty() ? Map.of() : LinuxRoot.states(all.values());
        Set<Integer> known = new TreeSet<>(all.keySet());
        known.addAll(states.keySet());
        known.forEach(broker -> {
            Long pid = all.get(broker);
            Kind kind = Kind.BROKER_DOWN;
            if (pid != null) {
                String state = listed.get(pid);
                kind = kind(linux ? files.text("proc/" + pid + "/stat") : state == null ? null : ") " + state);
                kind = kind == null && frozen(pid) ? Kind.PROCESS_PAUSE : kind;
            }
            State before = states.getOrDefault(broker, new State(null, nowNanos, 0, nowNanos));
            long half = (nowNanos - before.lookNanos) / 2;
            if (kind == before.kind) {
                states.put(broker, new State(kind, before.sinceNanos, before.errorNanos, nowNanos));
            } else {
                // The state changed between the two polls.
                report(broker, before, nowNanos - half, Math.max(half, before.errorNanos), sink);
                states.put(broker, new State(kind, nowNanos - half, half, nowNanos));
            }
        });
    }

    /**
     * The kind of stop, from the state of the process; null if it runs. The state follows the name, which is in
     * parentheses and can contain any character.
     */
    private static @Nullable Kind kind(@Nullable String stat) {
        int state = stat == null ? -1 : stat.lastIndexOf(')') + 2;
        if (stat == null || stat.startsWith("Z", state)) {
            return Kind.BROKER_DOWN;
        }
        return stat.startsWith("T", state) || stat.startsWith("t", state) ? Kind.PROCESS_PAUSE : null;
    }

    private boolean frozen(long pid) {
        return freezers.computeIfAbsent(pid, id -> new LinuxCgroups(files, String.valueOf(id)).freezerFiles()).stream()
                .flatMap(file -> files.lines(file).stream())
                .anyMatch(line -> line.equals("FROZEN") || line.equals("frozen 1"));
    }

    private static void report(int broker, State state, long toNanos, long errorNanos, IncidentSink sink) {
        if (state.kind != null) {
            sink.add(state.kind, "broker " + broker, state.sinceNanos, toNanos, errorNanos, null);
        }
    }

    @Override
    public void end(long nowNanos, IncidentSink sink) {
        states.forEach((broker, state) -> report(broker, state, nowNanos, state.errorNanos, sink));
    }
}
