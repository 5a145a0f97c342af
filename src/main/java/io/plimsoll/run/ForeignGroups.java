package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.GroupLag;
import io.plimsoll.cluster.GroupWatch;
import io.plimsoll.cluster.GroupWatch.FirstUnread;
import io.plimsoll.cluster.GroupWatch.Members;
import io.plimsoll.cluster.GroupWatch.Position;
import io.plimsoll.cluster.GroupWatch.Progress;
import io.plimsoll.cluster.Groups;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.result.GroupsFold;
import io.plimsoll.result.Units;
import io.plimsoll.run.faults.ExecFault;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Observes consumer groups of other applications during loads. Knowledge of their commit times is kept across trials.
 * {@link #begin}, {@link #end}, {@link #ready} and {@link #close} are called by one thread at a time.
 */
public final class ForeignGroups implements AutoCloseable {
    private static final long LOOK_NANOS = 250_000_000L;
    private static final int LOOKS_A_SECOND = 4;
    /** Minimum time in ns between requests; with many groups, each group is polled less often. */
    private static final long SPREAD_NANOS = 10_000_000L;

    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final long STATE_NANOS = 20_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration SCALING = Duration.ofMinutes(5);
    /**
     * Number of identical polls after which a group is stable: an application that scales out starts its members one
     * after the other.
     */
    private static final int STABLE_LOOKS = 20;

    private static final Duration CATCHING_UP = Duration.ofMinutes(10);
    /** Age in ms up to which unread records count as in flight, not as backlog. */
    private static final long YOUNG_MILLIS = 2_000;

    private final ClusterConnection connection;
    /** Admin client shared by all groups; null until first needed. */
    private @Nullable Admin admin;

    private final Map<String, Watched> watched = new TreeMap<>();
    private final List<PeriodicTask> looking = new ArrayList<>();
    private List<String> groups = List.of();
    /** The error of the last failed poll by group. */
    private final Map<String, PlimsollException> failures = new ConcurrentHashMap<>();

    private int replicas;

    public ForeignGroups(ClusterConnection connection) {
        this.connection = connection;
    }

    private static final class Watched implements AutoCloseable {
        private final GroupWatch watch;
        private final GroupLag lag;
        private int looks;
        private Progress observed = new Progress(Map.of());

        Watched(GroupWatch watch, String group) {
            this.watch = watch;
            this.lag = new GroupLag(group);
        }

        Optional<Observation> look(long startNanos) {
            if (++looks % LOOKS_A_SECOND > 0) {
                Progress progress = watch.glance();
                lag.accept(System.nanoTime(), progress);
                return Optional.empty();
            }
            Optional<Members> members = watch.members();
            members.ifPresent(lag::accept);
            Progress progress = watch.progress();
            long nowMillis = System.currentTimeMillis();
            long nanos = System.nanoTime();
            FirstUnread unread = watch.firstUnread(progress);
            observed = unread.progress();
            lag.accept(nanos, observed);
            return lag.observation(startNanos, nowMillis, unread.firstMillis(), members);
        }

        @Override
        public void close() {
            watch.close();
        }
    }

    /** Starts to poll four times a second; the sink receives one observation per group and second. */
    void begin(long startNanos, Consumer<Observation> sink) {
        begin(startNanos, groups, sink, false);
    }

    /** As for a run, but many groups keep no connections between their readings. */
    public void begin(long startNanos, List<String> groups, Consumer<Observation> sink) {
        begin(startNanos, groups, sink, lookNanos(groups.size()) > LOOK_NANOS);
    }

    private void begin(long startNanos, List<String> groups, Consumer<Observation> sink, boolean releases) {
        for (int i = 0; i < groups.size(); i++) {
            String group = groups.get(i);
            Watched one = of(group);
            long first = startNanos + i * SPREAD_NANOS;
            looking.add(PeriodicTask.each("plimsoll-observe-" + group, first, lookNanos(groups.size()), 1, () -> {
                try {
                    one.look(startNanos).ifPresent(sink);
                } catch (PlimsollException e) {
                    // A broker is down, so the figure is absent until it responds again.
                    if (e.exit() != Exit.INTERRUPTED) {
                        failures.put(group, e);
                    }
                } finally {
                    if (releases) {
                        one.watch.release();
                    }
                }
            }));
        }
    }

    private static long lookNanos(int groups) {
        return Math.max(LOOK_NANOS, groups * SPREAD_NANOS);
    }

    /** The interval between observations for this number of groups. */
    public static Duration every(int groups) {
        return Duration.ofNanos(lookNanos(groups) * LOOKS_A_SECOND);
    }

    /** Time until each of this number of groups has two observations, if the brokers respond at once. */
    public static Duration observedTwice(int groups) {
        return every(groups).multipliedBy(2).plusNanos(groups * SPREAD_NANOS);
    }

    /** The consumer groups of the cluster that commit offsets, excluding share groups. */
    public List<String> all() {
        return new Groups(admin()).consuming();
    }

    /** Topics that a group reads. Throws {@link PlimsollException} if the group does not exist or reads no topic. */
    public Set<String> topics(String group) {
        return of(group).watch.topics();
    }

    /** Partitions of a group without a known end offset at the last poll. Call after {@link #end}. */
    public List<String> withoutEndOffset(String group) {
        return of(group).watch.withoutEndOffset();
    }

    /** Positions of a group at its last observation, by partition. Call after {@link #end}. */
    public Map<TopicPartition, Position> observed(String group) {
        return of(group).observed.positions();
    }

    /**
     * Counts the actual records between the position and the end offset of the last observation if they are few, and
     * corrects that observation's gauges. Without time left, all offsets count as records.
     */
    public Map<String, Double> counted(String group, Duration left) {
        Watched one = of(group);
        if (left.isNegative()) {
            // Its last reading can still use the consumers.
            return GroupLag.counted(one.observed, Map.of());
        }
        try {
            return GroupLag.counted(one.observed, one.watch.withoutRecord(one.observed, left));
        } finally {
            one.watch.release();
        }
    }

    /** Starts polling the coordinator state of the run's own groups that a fault will affect. */
    void beginCoordinated(long startNanos, Collection<String> ids, Consumer<Observation> sink) {
        for (String group : ids) {
            GroupWatch watch = of(group).watch;
            long[] last = {startNanos};
            looking.add(PeriodicTask.each("plimsoll-coordinator-" + group, startNanos, STATE_NANOS, 1, () -> {
                try {
                    boolean stable = watch.members().map(Members::stable).orElse(true);
                    long now = System.nanoTime();
                    if (!stable) {
                        sink.accept(new Observation(
                                GroupsFold.COORDINATED + group,
                                "admin",
                                last[0] - startNanos,
                                now - startNanos,
                                Map.of(GroupsFold.UNSTABLE, (now - last[0]) / 1e9),
                                Map.of()));
                    }
                    last[0] = now;
                } catch (PlimsollException e) {
                    last[0] = System.nanoTime();
                }
            }));
        }
    }

    private Watched of(String group) {
        return watched.computeIfAbsent(group, id -> new Watched(new GroupWatch(connection, admin(), id), id));
    }

    private Admin admin() {
        admin = admin == null ? connection.admin() : admin;
        return admin;
    }

    /** The error of the last failed poll of a group; empty if none failed. */
    public Optional<PlimsollException> failure(String group) {
        return Optional.ofNullable(failures.get(group));
    }

    /** Stops polling. No observation is delivered after this method returns. */
    public void end() {
        PeriodicTask.endAll(looking, PATIENCE.toMillis());
    }

    /** Scales the application if requested, then waits until its groups have drained the previous trial's backlog. */
    void ready(Scenario.Observe asked, BooleanSupplier stopped, Consumer<Sentence> note) {
        groups = asked.groups();
        try {
            boolean scaled = asked.replicas() > 0 && asked.replicas() != replicas;
            if (scaled) {
                String command = asked.scaleWith().orElseThrow().replace("{n}", Integer.toString(asked.replicas()));
                ExecFault.run(command, Map.of(), SCALING, process -> {});
                replicas = asked.replicas();
            }
            for (String group : groups) {
                await(group, scaled ? STABLE_LOOKS : 0, stopped, note);
            }
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "run.interrupted");
        }
    }

    /** @param stableLooks number of consecutive polls that must see the same members and a complete assignment */
    private void await(String group, int stableLooks, BooleanSupplier stopped, Consumer<Sentence> note)
            throws InterruptedException {
        GroupWatch watch = of(group).watch;
        long untilNanos = System.nanoTime() + CATCHING_UP.toNanos();
        Optional<Members> before = Optional.empty();
        TreeMap<Long, Progress> recent = new TreeMap<>();
        for (int looks = 0, same = 0; !stopped.getAsBoolean(); looks++) {
            Optional<Members> now = watch.members();
            same = now.equals(before) && now.map(Members::settled).orElse(false) ? same + 1 : 0;
            before = now;
            long millis = System.currentTimeMillis();
            FirstUnread unread = watch.firstUnread(watch.progress());
            long oldest = unread.firstMillis().values().stream()
                    .mapToLong(first -> millis - first)
                    .max()
                    .orElse(0);
            // Mirrored records keep old timestamps, but a record is younger than any poll that did not see it.
            recent.headMap(millis - YOUNG_MILLIS).clear();
            boolean upToDate =
                    oldest <= YOUNG_MILLIS || recent.values().stream().anyMatch(unread.progress()::hasRead);
            recent.put(millis, unread.progress());
            boolean late = System.nanoTime() > untilNanos;
            if ((upToDate && same >= stableLooks) || late) {
                if (late) {
                    note.accept(Sentence.of("run.groupStillBehind", group, Units.duration(oldest / 1e3)));
                }
                return;
            }
            if (looks == 1) {
                note.accept(Sentence.of("run.waitingForGroup", group, Units.duration(oldest / 1e3)));
            }
            Thread.sleep(LOOK_NANOS / 1_000_000);
        }
    }

    @Override
    public void close() {
        end();
        watched.values().forEach(Watched::close);
        watched.clear();
        if (admin != null) {
            admin.close(CLOSING);
            admin = null;
        }
    }
}
