package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.GroupLag;
import io.plimsoll.cluster.GroupWatch;
import io.plimsoll.cluster.GroupWatch.Members;
import io.plimsoll.cluster.GroupWatch.Position;
import io.plimsoll.cluster.GroupWatch.Progress;
import io.plimsoll.cluster.GroupWatch.Unread;
import io.plimsoll.cluster.Groups;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.result.RebalanceFold;
import io.plimsoll.result.Units;
import io.plimsoll.run.faults.ExecFault;
import io.plimsoll.scenario.ObserveSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * Watches consumer groups of others while loads go on. What is known of the moments of their commits stays from one trial to
 * the next. {@link #begin}, {@link #end}, {@link #ready} and {@link #close} are called by one thread at a time.
 */
public final class ForeignGroups implements AutoCloseable {
    private static final long LOOK_NANOS = 250_000_000L;
    private static final int LOOKS_A_SECOND = 4;
    /** Of many groups each is looked at less often: a cluster of others is asked so often at the most. */
    private static final long SPREAD_NANOS = 10_000_000L;

    private static final Duration CLOSING = Duration.ofSeconds(1);
    private static final long STATE_NANOS = 20_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Duration SCALING = Duration.ofMinutes(5);
    /** An application that is scaled starts members one after the other. */
    private static final int STABLE_LOOKS = 20;

    private static final Duration CATCHING_UP = Duration.ofMinutes(10);
    /** What is as young as this is on its way, and no backlog. */
    private static final long YOUNG_MILLIS = 2_000;

    private final ClusterConnection connection;
    /** Of all of them; null until there is one. */
    private Admin admin;

    private final Map<String, Watched> watched = new TreeMap<>();
    private final List<PeriodicTask> looking = new ArrayList<>();
    private List<String> groups = List.of();
    private volatile PlimsollException failure;
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

        /** Looks once; every so many looks there is something to tell. */
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
            Unread unread = watch.firstUnread(progress);
            observed = unread.progress();
            lag.accept(nanos, observed);
            return lag.observation(startNanos, nowMillis, unread.firstMillis(), members);
        }

        @Override
        public void close() {
            watch.close();
        }
    }

    /**
     * Begins to look, four times a second.
     *
     * @param sink told once a second what each of them does
     */
    void begin(long startNanos, Consumer<Observation> sink) {
        begin(startNanos, groups, sink);
    }

    /** The same with these groups. */
    public void begin(long startNanos, List<String> groups, Consumer<Observation> sink) {
        for (int i = 0; i < groups.size(); i++) {
            String group = groups.get(i);
            Watched one = of(group);
            long first = startNanos + i * SPREAD_NANOS;
            looking.add(PeriodicTask.each("plimsoll-observe-" + group, first, lookNanos(groups.size()), 1, () -> {
                try {
                    one.look(startNanos).ifPresent(sink);
                } catch (PlimsollException e) {
                    // A broker that is down in mid-run: the figure is absent until it answers again.
                    failure = e;
                }
            }));
        }
    }

    private static long lookNanos(int groups) {
        return Math.max(LOOK_NANOS, groups * SPREAD_NANOS);
    }

    /** From one observation of so many groups to the next. */
    public static Duration every(int groups) {
        return Duration.ofNanos(lookNanos(groups) * LOOKS_A_SECOND);
    }

    /** The consumer groups of the cluster, without share groups and others that commit no offsets. */
    public List<String> all() {
        return new Groups(admin()).consuming();
    }

    /**
     * The topics that a group reads.
     *
     * @throws PlimsollException if it reads none, or is not there
     */
    public Set<String> topics(String group) {
        return of(group).watch.topics();
    }

    /** The partitions of a group whose ends no leader told at the last look. After {@link #end}. */
    public List<String> untold(String group) {
        return of(group).watch.untold();
    }

    /** The same of where a group was when it was observed last, by partition. */
    public Map<TopicPartition, Position> observed(String group) {
        return of(group).observed.positions();
    }

    /** Reads what a group had not read when it was observed last, as far as that is little, and corrects the gauges of then. */
    public Map<String, Double> counted(String group) {
        Watched one = of(group);
        return GroupLag.counted(one.observed, one.watch.withoutRecord(one.observed));
    }

    /** Begins to ask for the state of groups of ours, whose members a fault will hit. */
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
                                RebalanceFold.COORDINATED + group,
                                "admin",
                                last[0] - startNanos,
                                now - startNanos,
                                Map.of(RebalanceFold.UNSTABLE, (now - last[0]) / 1e9),
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

    /** Why the last look that failed did; empty if none has. */
    public Optional<PlimsollException> failure() {
        return Optional.ofNullable(failure);
    }

    /** Nothing comes any more when this returns. */
    public void end() {
        PeriodicTask.endAll(looking, PATIENCE.toMillis());
    }

    /**
     * Before a trial: scales the application if that was asked for, and waits until no group has a backlog of the trial
     * before.
     *
     * @param stopped whether to wait no longer
     * @param note told that there is something to wait for, and what could not be waited for
     */
    void ready(ObserveSpec asked, BooleanSupplier stopped, Consumer<Sentence> note) {
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

    /** @param stableLooks so many looks one after the other have to see the same members, with all their partitions */
    private void await(String group, int stableLooks, BooleanSupplier stopped, Consumer<Sentence> note)
            throws InterruptedException {
        GroupWatch watch = of(group).watch;
        long untilNanos = System.nanoTime() + CATCHING_UP.toNanos();
        Optional<Members> before = Optional.empty();
        for (int looks = 0, same = 0; !stopped.getAsBoolean(); looks++) {
            Optional<Members> now = watch.members();
            same = now.equals(before) && now.map(Members::settled).orElse(false) ? same + 1 : 0;
            before = now;
            long millis = System.currentTimeMillis();
            long oldest = watch.firstUnread(watch.progress()).firstMillis().values().stream()
                    .mapToLong(first -> millis - first)
                    .max()
                    .orElse(0);
            boolean late = System.nanoTime() > untilNanos;
            if ((oldest <= YOUNG_MILLIS && same >= stableLooks) || late) {
                if (late) {
                    note.accept(Sentence.of("run.groupStillBehind", group, Units.duration(oldest / 1e3)));
                }
                return;
            }
            if (looks == 0) {
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
