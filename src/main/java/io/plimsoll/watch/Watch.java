package io.plimsoll.watch;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.cluster.SpreadTopic;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.observe.host.HostStalls;
import io.plimsoll.observe.incident.IncidentWatch;
import io.plimsoll.observe.self.SelfObserver;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.SlowMoment;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClusterView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/**
 * Monitors a cluster until it is closed. It writes to and reads from its own topic, in which each broker leads a
 * partition. It commits offsets and joins members in its own groups, sends metadata requests to each broker, and opens
 * new connections to each broker. It changes no other topic or group. Its state is in a directory, from which a later
 * process continues. Thread-safe.
 */
public final class Watch implements AutoCloseable {
    private static final Map<String, String> TOPIC = Map.of("retention.ms", "86400000", "segment.ms", "3600000");
    private static final long LOOK_NANOS = 20_000_000;
    private static final long SAVE_NANOS = 1_000_000_000L;
    private static final long KEEP_NANOS = 10_000_000_000L;
    private static final long LATENCY_MINUTES = 10;
    private static final long PATIENCE_MILLIS = 1000;
    private static final Duration END_LIMIT = Duration.ofMillis(500);
    /** Number of checks before a recovered broker leads again: it can fail again, and each move interrupts the partition. */
    private static final int SETTLED_LOOKS = 3;

    private static final int DAYS = 30;
    private static final int MINUTES = 60;
    /**
     * Window lengths in minutes for burn-rate alerts: a long window and a window of a twelfth of its length (Google,
     * The Site Reliability Workbook, chapter 5).
     */
    private static final List<Map.Entry<String, Integer>> WINDOWS = List.of(
            Map.entry("5m", 5),
            Map.entry("30m", 30),
            Map.entry("1h", 60),
            Map.entry("6h", 6 * 60),
            Map.entry("1d", 24 * 60),
            Map.entry("3d", 3 * 24 * 60),
            Map.entry("30d", DAYS * 24 * 60));

    private final WatchSettings settings;
    private final Listener listener;
    private final WatchClock clock = new WatchClock(LOOK_NANOS);
    private final ClusterDescription cluster;
    private final WatchFiles files;
    private final Admin admin;
    private final SpreadTopic topic;
    private final Ledger ledger;
    private final Refusals refusals;
    private final WatchedMoments moments;
    private final SelfObserver self;
    private final IncidentWatch incidents;
    private final UUID id;
    private final Instant since;
    private final WatchedPartitions partitions;
    private final WatchedLog log;
    private final WatchedLinks links;
    private final WatchedGroups groups;
    private final List<PeriodicTask> tasks;
    private final Map<Integer, Integer> leaders = new ConcurrentHashMap<>();
    private final Map<Integer, Integer> homes = new ConcurrentHashMap<>();
    /** Brokers by ID, each with the last known address. */
    private final Map<Integer, Node> brokers = new ConcurrentHashMap<>();

    /** Number of checks, by partition, at which another broker led it although its preferred broker was in sync. */
    private final Map<Integer, Integer> elsewhere = new HashMap<>();
    /** Missing records per partition at the last check of the topic. */
    private Map<Integer, Long> missing = Map.of();

    private @Nullable String reportedTopic;
    private volatile SpreadTopic.ProvidedBrokers given;

    private long savedMinute;
    private volatile long savedNanos = System.nanoTime();
    private boolean failing;
    private boolean closed;

    /** Receives events; called by several threads. */
    public interface Listener {
        void outage(WatchStatus.Outage outage);

        default void incident(WatchStatus.Incident incident, IncidentNews.State state) {}

        /** Records were slow; called after this period has ended. */
        default void slow(WatchStatus.Slow slow) {}

        void problem(Sentence what);
    }

    /**
     * Starts the watch.
     *
     * @throws PlimsollException ({@link Exit#USAGE}) if the topic or the directory is unusable; also in the cases of
     *     {@link io.plimsoll.cluster.ClusterConnection#check}
     */
    public Watch(WatchSettings settings, Listener listener) {
        this.settings = settings;
        this.listener = listener;
        this.cluster = settings.connection().check();
        this.files = new WatchFiles(settings.state(), listener::problem);
        this.ledger = new Ledger(clock, settings.slow(), settings.outage(), this::happened);
        this.refusals = new Refusals(listener::problem);
        try {
            Optional<WatchFiles.Accounts> earlier = files.accounts();
            earlier.ifPresent(this::checkSame);
            WatchFiles.Audited audited = files.audited();
            id = earlier.map(WatchFiles.Accounts::watch).orElseGet(UUID::randomUUID);
            since = earlier.map(WatchFiles.Accounts::since).orElseGet(clock::now);
            earlier.ifPresent(accounts -> restore(accounts, audited.minutes()));
            moments = moments();
            admin = settings.connection().admin();
            topic = new SpreadTopic(admin, settings.topic(), settings.layout().copies());
            WatchFiles.Audited own = id.equals(audited.watch()) ? audited : WatchFiles.Audited.NONE;
            partitions =
                    new WatchedPartitions(ledger, moments, id, own, clock.now().toEpochMilli());
            given = own.given() == null ? SpreadTopic.ProvidedBrokers.NONE : own.given();
            topic.create(topicConfig(), settings.layout().partitions(), partitions.topicId(), earlier.isPresent());
            topic.keep(given).ifPresent(now -> {
                leaders.putAll(now.leaders());
                homes.putAll(now.homes());
            });
            log = new WatchedLog(settings, ledger, refusals, leaders::get, homes::get, partitions, moments);
        } catch (PlimsollException e) {
            files.close();
            throw e;
        }
        links = new WatchedLinks(settings, ledger, this::seen);
        links.use(List.copyOf(brokers.values()));
        groups = new WatchedGroups(settings, ledger, refusals);
        IncidentNews news = new IncidentNews(ledger.outages(), listener::incident);
        keep();
        self = new SelfObserver(1);
        incidents = new IncidentWatch(
                moments.sink,
                List.of(new HostStalls(Map::of), (nowNanos, sink) -> self.incidents(sink, false)),
                moments::happened);
        long now = System.nanoTime();
        tasks = List.of(
                every("look", now, LOOK_NANOS, () -> {
                    clock.tick();
                    ledger.look();
                    news.look(clock.runningNanos(), ledger.outages());
                }),
                every("slow", now, SAVE_NANOS, () -> moments.look(System.nanoTime())
                        .forEach(this::slow)),
                every("save", now, SAVE_NANOS, () -> save(false)),
                every("keep", now, KEEP_NANOS, this::keep));
    }

    private void restore(WatchFiles.Accounts earlier, List<WatchFiles.Minute> minutes) {
        ledger.restore(earlier, minutes);
        WatchFiles.Latest latest = files.latest();
        if (earlier.watch().equals(latest.watch())) {
            ledger.restore(latest.latencies());
        }
        // Includes brokers that are down, until the topic's metadata is known.
        earlier.brokers()
                .forEach(broker -> brokers.put(broker.id(), new Node(broker.id(), broker.host(), broker.port())));
    }

    private Map<String, String> topicConfig() {
        Map<String, String> config = new HashMap<>(TOPIC);
        config.putAll(settings.layout().config());
        return config;
    }

    private static PeriodicTask every(String name, long now, long everyNanos, Runnable task) {
        return PeriodicTask.each("plimsoll-watch-" + name, now, everyNanos, 1, task);
    }

    /** Collects slow records: records that wait longer than the limit of a success or, if lower, of an outage. */
    private WatchedMoments moments() {
        List<SlowMoment> earlier = files.readable(WatchStatus.class)
                .filter(status -> status.since().equals(since))
                .map(WatchStatus::slowMoments)
                .orElse(List.of());
        long bound = Math.min(settings.slow().toNanos(), settings.outage().toNanos());
        return new WatchedMoments(settings.topic(), nanoTime(since), bound, earlier);
    }

    /** Converts an instant that is not in the future to nanoTime. */
    private long nanoTime(Instant instant) {
        return System.nanoTime()
                - Math.max(0, Duration.between(instant, clock.now()).toNanos());
    }

    private void slow(SlowMoment moment) {
        WatchStatus.Slow slow = WatchStatus.Slow.of(moment, since);
        listener.slow(slow);
        write(slow);
    }

    private void happened(WatchStatus.Outage outage) {
        if (outage.signal() == Signal.METADATA) {
            long from = nanoTime(outage.from());
            moments.down(outage.broker(), from, outage.to() == null ? from : Math.max(from, nanoTime(outage.to())));
        }
        listener.outage(outage);
        write(outage);
    }

    private void write(Object event) {
        try {
            files.event(event);
        } catch (UncheckedIOException e) {
            cannotWrite(e);
        }
    }

    private void cannotWrite(UncheckedIOException e) {
        IOException cause = Objects.requireNonNull(e.getCause());
        listener.problem(Sentence.of("watch.cannotWrite", settings.state(), RunDirectory.reason(cause)));
    }

    private void checkSame(WatchFiles.Accounts earlier) {
        boolean same = earlier.clusterId().equals(cluster.clusterId())
                && earlier.topic().equals(settings.topic());
        Exit.USAGE.when(!same, "watch.otherCluster", settings.state(), earlier.topic(), earlier.clusterId());
    }

    /** Updates the leaders from a broker's view of the topic; {@link #keep} also updates them every ten seconds. */
    private void seen(int broker, ClusterView view) {
        ClusterView.Topic known = view.topics().get(settings.topic());
        if (known != null && known.error() == null) {
            moments.seen(broker, known, System.nanoTime());
            for (int p = 0; p < known.leaders().length; p++) {
                // A partition without a leader counts for its last leader.
                if (known.leaders()[p] >= 0) {
                    leaders.put(p, known.leaders()[p]);
                }
            }
        }
    }

    private void keep() {
        asked(this::keepTopic);
        asked(() -> groups.use(
                brokers.keySet(), topic.groups(settings.topic() + "-"), topic.groups(settings.topic() + "-join-")));
    }

    /** Runs a request. Its failure is visible in the signals, and later requests still run. */
    private void asked(Runnable task) {
        try {
            task.run();
        } catch (PlimsollException e) {
            refusals.report(e);
        }
    }

    private void keepTopic() {
        Optional<SpreadTopic.Kept> found = topic.keep(given);
        if (found.isEmpty()) {
            // Fails if the topic exists but the broker does not know it yet.
            topic.create(topicConfig(), settings.layout().partitions(), partitions.topicId(), true);
            found = topic.keep(given);
        }
        found.filter(now -> !partitions.isOver(now.topicId())).ifPresent(this::use);
    }

    /** Reports a recreated topic; otherwise counts records that have been missing since before the last check as lost. */
    private void recognise(@Nullable String topicId) {
        boolean same = topicId == null || topicId.equals(partitions.topicId());
        if (!same && partitions.topicId() != null && !Objects.equals(topicId, reportedTopic)) {
            reportedTopic = topicId;
            listener.problem(Sentence.of("watch.madeAnew", settings.topic()));
        }
        if (same) {
            partitions.judge(missing);
        }
        missing = same ? partitions.missing() : Map.of();
    }

    private void use(SpreadTopic.Kept now) {
        recognise(now.topicId());
        given = now.given();
        now.problem().ifPresent(problem -> refusals.say(problem.sentence()));
        leaders.keySet().retainAll(now.leaders().keySet());
        leaders.putAll(now.leaders());
        homes.keySet().retainAll(now.homes().keySet());
        homes.putAll(now.homes());
        // A broker that left the cluster still counts while it has a replica.
        now.brokers().forEach(broker -> brokers.put(broker.id(), broker));
        brokers.keySet().removeIf(id -> !now.assigned().contains(id));
        log.use(now.topicId(), now.leaders().keySet());
        ledger.onlyOf(brokers.keySet());
        links.use(List.copyOf(brokers.values()));
        elsewhere.keySet().retainAll(now.elsewhere());
        now.elsewhere().forEach(partition -> elsewhere.merge(partition, 1, Integer::sum));
        Set<Integer> settled = now.elsewhere().stream()
                .filter(partition -> elsewhere.getOrDefault(partition, 0) > SETTLED_LOOKS)
                .collect(Collectors.toSet());
        if (!settled.isEmpty()) {
            log.whileResting(settled, () -> topic.lead(settled));
        }
    }

    private synchronized void save(boolean all) {
        try {
            // Read the ID first: if a new topic's audit is stored with the old ID, the audit merely starts again.
            String topicId = partitions.topicId();
            files.write(new WatchFiles.Audited(
                    WatchStatus.SCHEMA, id, topicId, given, partitions.save(), ledger.minutes()));
            if (all || clock.epochMinute() != savedMinute) {
                files.write(new WatchFiles.Accounts(
                        WatchStatus.SCHEMA,
                        id,
                        since,
                        cluster.clusterId(),
                        settings.topic(),
                        brokers.values().stream()
                                .map(node -> new WatchFiles.Address(node.id(), node.host(), node.port()))
                                .toList(),
                        ledger.counted(),
                        ledger.outages()));
                files.write(status());
                if (all || clock.epochMinute() % LATENCY_MINUTES == 0) {
                    files.write(new WatchFiles.Latest(WatchStatus.SCHEMA, id, ledger.timed()));
                }
                savedMinute = clock.epochMinute();
            }
            savedNanos = System.nanoTime();
            failing = false;
        } catch (UncheckedIOException e) {
            // The write is retried, because disk space can become free before the statistics are needed. At the end, an
            // interrupted write is followed by a last write.
            if (!failing && !(e.getCause() instanceof ClosedByInterruptException)) {
                cannotWrite(e);
            }
            failing = !(e.getCause() instanceof ClosedByInterruptException);
        }
    }

    public WatchStatus status() {
        List<WatchStatus.SignalStatus> signals = new ArrayList<>();
        ledger.read((signal, broker, availability, recent, day) -> {
            if (availability.all().good() + availability.all().bad() > 0) {
                signals.add(new WatchStatus.SignalStatus(
                        signal,
                        broker,
                        availability.all().good(),
                        availability.all().bad(),
                        windows(availability),
                        latency(recent),
                        latency(day),
                        days(availability),
                        minutes(availability)));
            }
        });
        return new WatchStatus(
                WatchStatus.SCHEMA,
                place(),
                since,
                clock.now(),
                settings.objective(),
                leaders.values().stream()
                        .filter(id -> id >= 0)
                        .distinct()
                        .sorted()
                        .toList(),
                signals,
                ledger.outages(),
                IncidentNews.Incidents.of(ledger.outages()),
                moments.last());
    }

    private Map<String, WatchStatus.Window> windows(Availability availability) {
        Map<String, WatchStatus.Window> windows = new LinkedHashMap<>();
        WINDOWS.forEach(window -> {
            double share =
                    availability.last(clock.epochMinute(), window.getValue()).share();
            if (!Double.isNaN(share)) {
                windows.put(window.getKey(), new WatchStatus.Window(share, (1 - share) / (1 - settings.objective())));
            }
        });
        return windows;
    }

    private List<Double> days(Availability availability) {
        List<Double> days = new ArrayList<>();
        long today = clock.epochMinute() / (24 * 60);
        for (long day = today - DAYS + 1; day <= today; day++) {
            long good = 0;
            long bad = 0;
            for (long hour = day * 24; hour < day * 24 + 24; hour++) {
                good += availability.hour(hour).good();
                bad += availability.hour(hour).bad();
            }
            days.add(good + bad == 0 ? null : (double) good / (good + bad));
        }
        return days;
    }

    private List<Double> minutes(Availability availability) {
        List<Double> minutes = new ArrayList<>();
        long now = clock.epochMinute();
        for (long minute = now - MINUTES + 1; minute <= now; minute++) {
            double share = availability.minute(minute).share();
            minutes.add(minute < 0 || Double.isNaN(share) ? null : share);
        }
        return minutes;
    }

    private static WatchStatus.Latency latency(Histogram of) {
        return of.getTotalCount() == 0
                ? new WatchStatus.Latency(null, null, null, null)
                : new WatchStatus.Latency(
                        of.getValueAtPercentile(50) / 1e3,
                        of.getValueAtPercentile(99) / 1e3,
                        of.getValueAtPercentile(99.9) / 1e3,
                        of.getMaxValue() / 1e3);
    }

    /** Decides on missing records before the end, as far as possible; a later process decides on the remaining ones. */
    private void judgeAtTheEnd() {
        Map<Integer, Long> left = partitions.missing();
        if (!left.isEmpty() && topic.topicId(END_LIMIT).equals(Optional.ofNullable(partitions.topicId()))) {
            partitions.judge(left);
        }
    }

    private WatchStatus.Place place() {
        return new WatchStatus.Place(
                cluster.clusterId(),
                settings.topic(),
                partitions.audit(),
                clock.stoodNanos() / 1e9,
                (System.nanoTime() - savedNanos) / 1e9);
    }

    /** Stops all threads and stores the state; takes at most 5 s. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        tasks.forEach(PeriodicTask::end);
        Thread others = Daemon.start("plimsoll-watch-end", () -> {
            groups.close();
            links.close();
        });
        log.close();
        Daemon.join(others, PATIENCE_MILLIS * 2);
        tasks.forEach(task -> task.end(PATIENCE_MILLIS));
        incidents.end();
        self.close();
        asked(this::judgeAtTheEnd);
        save(true);
        admin.close(Duration.ofMillis(PATIENCE_MILLIS));
        files.close();
    }
}
