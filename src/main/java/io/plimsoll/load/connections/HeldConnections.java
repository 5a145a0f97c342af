package io.plimsoll.load.connections;

import com.sun.management.UnixOperatingSystemMXBean;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.load.Connections;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.Connected;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.ErrorCounts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.LatencyRecorder;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.LinkWatch;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.RawNetwork;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/** The connections of one entry, spread over a few threads, because login is CPU-bound. */
final class HeldConnections implements Connections {
    private static final int MOST_THREADS = 4;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final LoadContext context;
    private final String part;
    private final List<ConnectionThread> threads;
    private final Map<String, Long> failed = new TreeMap<>();

    private HeldConnections(LoadContext context, ConnectionSpec spec, Slice slice, String part, List<Node> brokers) {
        this.context = context;
        this.part = part;
        int count = Math.min(
                slice.count(), Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors()));
        this.threads = IntStream.range(0, count)
                .mapToObj(i -> new ConnectionThread(context, spec, slice, part + "-" + i, brokers, i, count))
                .toList();
    }

    /** Factory for the service loader. */
    public static final class Maker implements Connections.Maker {
        /** Estimated number of other open files of a run: libraries, journals, client connections. */
        private static final long OTHER_FILES = 300;

        @Override
        public Connections create(
                LoadContext context, ConnectionSpec spec, Slice slice, String part, List<Node> brokers) {
            return new HeldConnections(context, spec, slice, part, brokers);
        }

        @Override
        public void check(long connections) {
            if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                    && connections + OTHER_FILES > system.getMaxFileDescriptorCount()) {
                throw Exit.USAGE.because(
                        "load.tooFewFiles", connections, system.getMaxFileDescriptorCount(), connections + OTHER_FILES);
            }
        }
    }

    @Override
    public void start(TrialClock clock) {
        threads.forEach(thread -> thread.start(clock));
    }

    @Override
    public void read(Counts.Sum into) {
        Counts.Sum sum = Counts.Sum.overTime();
        threads.forEach(thread -> thread.read(sum));
        Counts counts = sum.total();
        counts.get(Connected.COUNTS).forEach((name, n) -> {
            if (name.startsWith(Connected.FAILED)) {
                failed.merge(name.substring(Connected.FAILED.length()), n, Long::sum);
            }
        });
        into.add(counts);
    }

    @Override
    public void stop() {
        threads.forEach(ConnectionThread::askEnd);
    }

    @Override
    public void close() {
        stop();
        BoundedClose.join(threads.stream().map(t -> t.thread).toList(), CLOSE_LIMIT);
        if (!failed.isEmpty()) {
            long all = failed.values().stream().mapToLong(Long::longValue).sum();
            String stages = failed.entrySet().stream()
                    .map(stage -> stage.getKey() + " " + stage.getValue())
                    .collect(Collectors.joining(", "));
            String last = threads.stream()
                    .flatMap(thread -> Stream.ofNullable(thread.lastError()))
                    .findFirst()
                    .orElse(Connected.TIMEOUT);
            context.notes().accept(Sentence.of("load.connectionsFailed", part, all, stages, last));
            failed.clear();
        }
    }

    /**
     * A thread with every n-th connection of an entry. The thread opens connections when they are due, keeps them open,
     * and reopens connections that a broker closed. Another thread reads its counters.
     */
    static final class ConnectionThread {
        private static final long TIMEOUT_NANOS = 30_000_000_000L;
        private static final long LOOK_EVERY_NANOS = 1_000_000_000L;
        private static final long LONGEST_POLL_NANOS = 10_000_000L;

        private final LoadContext context;
        private final ConnectionSpec spec;
        private final Slice slice;
        private final List<Node> brokers;
        private final int first;
        private final int step;
        private final String clientId;
        final Thread thread;
        private final Map<String, LatencyRecorder> recorders = new HashMap<>();
        private final ErrorCounts counts = new ErrorCounts();
        private final List<Standing> all = new ArrayList<>();

        @SuppressWarnings("NullAway.Init") // Set by run(), before the first connection.
        private RawNetwork network;

        private int standing;
        private long churned;
        private int nextToChurn;
        private int wave;
        private long nextLookNanos;

        @SuppressWarnings("NullAway.Init") // Set by start(), before run().
        private TrialClock clock;

        private volatile boolean endAsked;
        private volatile @Nullable String lastError;

        ConnectionThread(
                LoadContext context,
                ConnectionSpec spec,
                Slice slice,
                String part,
                List<Node> brokers,
                int index,
                int threads) {
            this.context = context;
            this.spec = spec;
            this.slice = slice;
            this.brokers = brokers;
            this.first = index;
            this.step = threads;
            this.clientId = context.runTag() + "-" + part + "-" + index;
            this.thread = Daemon.thread(clientId, this::run);
            Connected.STAGES.forEach(name -> recorders.put(name, new LatencyRecorder()));
        }

        void start(TrialClock trialClock) {
            clock = trialClock;
            thread.start();
        }

        void askEnd() {
            endAsked = true;
        }

        @Nullable
        String lastError() {
            return lastError;
        }

        private void record(String stage, long nanos) {
            Objects.requireNonNull(recorders.get(stage)).recordNanos(nanos);
        }

        void read(Counts.Sum into) {
            Map<String, Latencies> taken = new HashMap<>();
            recorders.forEach((name, recorder) -> {
                Latencies times = recorder.drain();
                if (!times.isEmpty()) {
                    taken.put(name, times);
                }
            });
            into.add(Connected.COUNTS, counts.drain()).add(Connected.TIMES, taken);
        }

        private void run() {
            try (RawNetwork own = new RawNetwork(context.clientProperties(), clientId, -1, TIMEOUT_NANOS / 1_000_000)) {
                network = own;
                while (!endAsked && System.nanoTime() < clock.measureStartNanos()) {
                    // The end of the window may not be known yet.
                    network.poll(LONGEST_POLL_NANOS / 1_000_000);
                }
                connect(clock.measureStartNanos());
            } catch (RuntimeException | Error e) {
                lastError = String.valueOf(e.getMessage());
                counts.add(Connected.FAILED + Connected.TCP, 1);
            }
        }

        private void connect(long start) {
            long before = System.nanoTime();
            while (!endAsked) {
                long elapsed = System.nanoTime() - start;
                // Open no new connections while the load is throttled, or after the window.
                boolean held = context.throttle().halvings() > 0 || elapsed >= clock.windowNanos();
                long next = held
                        ? Long.MAX_VALUE
                        : Math.min(open(elapsed), Math.min(churn(elapsed), waves(start, elapsed)));
                network.poll(Math.max(1, Math.min(LONGEST_POLL_NANOS, next - elapsed) / 1_000_000));
                long now = System.nanoTime();
                // The end can be noticed late, so connections after the window do not count in its average.
                counts.add(
                        Connected.STANDING_NANOS,
                        standing * (clock.measuredBefore(now) - clock.measuredBefore(before)));
                before = now;
                if (now >= nextLookNanos) {
                    nextLookNanos = now + LOOK_EVERY_NANOS;
                    all.forEach(one -> one.giveUp(now));
                }
            }
            long end = System.nanoTime();
            all.forEach(one -> one.settle(end));
        }

        /** Opens the due connections of the first wave; returns the due time of the next connection. */
        private long open(long elapsed) {
            while (first + all.size() * step < slice.count()) {
                int number = first + all.size() * step;
                long due = opens(number, 0);
                if (due > elapsed) {
                    return due;
                }
                all.add(new Standing(number));
            }
            return Long.MAX_VALUE;
        }

        private long opens(int number, int of) {
            return spec.opens(slice.turn(number, spec.count()), of);
        }

        private long churn(long elapsed) {
            for (; churns() <= elapsed; churned++) {
                for (int tried = 0; tried < all.size(); tried++) {
                    Standing one = all.get(nextToChurn++ % all.size());
                    if (one.up) {
                        one.close(System.nanoTime());
                        break;
                    }
                }
            }
            return churns();
        }

        private long churns() {
            return spec.churns(slice.turn(first + churned * step, spec.count()));
        }

        private long waves(long start, long elapsed) {
            while (spec.ends(wave) <= elapsed) {
                wave++;
                all.forEach(one -> one.close(start + opens(one.number, wave)));
            }
            return spec.ends(wave);
        }

        private final class Standing implements LinkWatch {
            private final int number;
            private final RawLink link;
            private boolean up;
            /** Whether the connection was established before. */
            private boolean opened;
            /** The pending stage of the connection; empty if it is established or closed. */
            private String doing = "";

            private long begunNanos;
            private long stageNanos;
            /** Time of an unexpected close; 0 if the connection is open. */
            private long lostNanos;
            /** Time from which the connection should be open. */
            private long wantedNanos = System.nanoTime();

            Standing(int number) {
                this.number = number;
                Node broker = brokers.get((slice.from() + number) % brokers.size());
                this.link = network.link(broker.host(), broker.port(), broker.id(), this);
            }

            void close(long againNanos) {
                down();
                lostNanos = 0;
                wantedNanos = againNanos;
                network.reopen(link, againNanos);
            }

            private void down() {
                standing -= up ? 1 : 0;
                up = false;
                doing = "";
            }

            void giveUp(long now) {
                if (!doing.isEmpty() && now - begunNanos >= TIMEOUT_NANOS) {
                    counts.add(Connected.FAILED + Connected.TIMEOUT, 1);
                    down();
                    network.reopen(link, now);
                }
            }

            /** Counts connections that are missing at the end, and charges lost connections with their waiting time. */
            void settle(long now) {
                firstOpen(now);
                counts.add(Connected.MISSING, up || now - wantedNanos < LOOK_EVERY_NANOS ? 0 : 1);
                if (lostNanos != 0) {
                    record(Connected.BACK, now - lostNanos);
                }
            }

            @Override
            public void begun() {
                begunNanos = System.nanoTime();
                stageNanos = begunNanos;
                doing = Connected.TCP;
            }

            @Override
            public void reached(Stage stage) {
                switch (stage) {
                    case TCP -> done(network.tls() ? Connected.TLS : afterTls());
                    case TLS -> done(afterTls());
                    case LOGIN -> done(Connected.METADATA);
                    case READY -> ClusterView.ask(link, List.of(), clientId, this::answered);
                }
            }

            private String afterTls() {
                return network.sasl() ? Connected.LOGIN : Connected.METADATA;
            }

            private void done(String next) {
                long now = System.nanoTime();
                record(doing, now - stageNanos);
                stageNanos = now;
                doing = next;
            }

            private void answered(@Nullable ClusterView view) {
                if (view == null) {
                    return;
                }
                done("");
                up = true;
                standing++;
                counts.add(Connected.OPENED, 1);
                record(Connected.WHOLE, stageNanos - begunNanos);
                firstOpen(stageNanos);
                if (lostNanos != 0) {
                    record(Connected.BACK, stageNanos - lostNanos);
                    lostNanos = 0;
                }
            }

            private void firstOpen(long now) {
                if (!opened) {
                    opened = true;
                    record(Connected.FIRST_OPEN, now - clock.measureStartNanos());
                }
            }

            @Override
            public void ended(String error) {
                lastError = error;
                counts.add(up ? Connected.DROPPED : Connected.FAILED + doing, 1);
                lostNanos = up ? System.nanoTime() : lostNanos;
                down();
            }
        }
    }
}
