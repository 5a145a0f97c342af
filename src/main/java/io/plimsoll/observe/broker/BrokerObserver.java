package io.plimsoll.observe.broker;

import io.plimsoll.Daemon;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads brokers once a second, on whole seconds of the trial's time, each source in a separate thread, so that a
 * hanging broker does not block other brokers. A failed source is reported once and retried. {@link #begin}, {@link
 * #end} and {@link #close} are called by one thread.
 */
public final class BrokerObserver implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int TRY_AGAIN_SECONDS = 3;
    /** Interval of probes in ns. It does not divide a second evenly, so that periodic events are sampled at all of their phases. */
    private static final long PROBE_NANOS = 97_000_000L;

    private static final int AFTER_FAILURE = 10;

    private final List<BrokerSource> sources;
    private final Consumer<Sentence> problems;
    private final List<Watch> watches = new ArrayList<>();
    /** Index of the first source that reports figures of the broker, by broker, such as {@code broker 1}. */
    private final Map<String, Integer> owners = new ConcurrentHashMap<>();

    /** @param problems receives a sentence about each failed source; called by any thread */
    public BrokerObserver(List<BrokerSource> sources, Consumer<Sentence> problems) {
        this.sources = List.copyOf(sources);
        this.problems = problems;
    }

    /**
     * Connects to all sources concurrently, so that the first second of a trial is observed. A source that fails is
     * retried and reported during the trial.
     */
    public void connect(Duration patience) {
        CountDownLatch connecting = new CountDownLatch(sources.size());
        sources.forEach(
                source -> Daemon.start("plimsoll-connect-" + source.what().replace(' ', '-'), () -> {
                    tryOut(source);
                    connecting.countDown();
                }));
        try {
            connecting.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void tryOut(BrokerSource source) {
        try {
            synchronized (source) {
                source.read();
            }
        } catch (IOException | RuntimeException | InterruptedException e) {
            // The first reading within the trial reports the failure.
        }
    }

    /**
     * Delivers observations to {@code sink} from now on. Failures of a target such as {@code broker 2} are not reported
     * while {@code expected} returns true for it. Several threads call {@code sink}, {@code expected} and {@code
     * incidents}.
     */
    public void begin(
            long startNanos,
            Collection<String> topics,
            Consumer<Observation> sink,
            IncidentSink incidents,
            Predicate<String> expected) {
        sources.forEach(source -> source.topics(topics));
        sources.forEach(source -> watches.add(new Watch(source, startNanos, sink, incidents, expected)));
    }

    /** Ends the observation. No observation is delivered after this method returns; a hanging source is abandoned. */
    public void end() {
        watches.forEach(Watch::stop);
        watches.forEach(watch -> watch.task.end(PATIENCE.toMillis()));
        watches.clear();
    }

    @Override
    public void close() {
        end();
        sources.forEach(BrokerSource::close);
    }

    private final class Watch {
        private final BrokerSource source;
        private final int order;
        private final long startNanos;
        private final Consumer<Observation> sink;
        private final IncidentSink incidents;
        private final Predicate<String> expected;

        private final PeriodicTask task;
        private final PeriodicTask probing;
        private @Nullable Reading before;
        private boolean failed;
        private boolean reported;
        private volatile boolean stopped;

        Watch(
                BrokerSource source,
                long startNanos,
                Consumer<Observation> sink,
                IncidentSink incidents,
                Predicate<String> expected) {
            this.source = source;
            this.order = sources.indexOf(source);
            this.startNanos = startNanos;
            this.sink = sink;
            this.incidents = incidents;
            this.expected = expected;
            this.task = new PeriodicTask(
                    "plimsoll-observe-" + source.what().replace(' ', '-'), startNanos, EVERY_NANOS, 0, this::look);
            this.probing = new PeriodicTask(
                    "plimsoll-probe-" + source.what().replace(' ', '-'), startNanos, PROBE_NANOS, 1, this::probe);
        }

        /** @return number of periods until the next probe; the source's reader reports a failure */
        private int probe() {
            try {
                source.probe(incidents);
                return 1;
            } catch (IOException | RuntimeException e) {
                return AFTER_FAILURE;
            }
        }

        /**
         * The reading, but without the broker's figures if an earlier source reports them: the figures of all sources
         * are summed.
         */
        private Reading ownFigures(Reading reading) {
            return !reading.isOfBroker() || owners.merge(source.what(), order, Math::min) == order
                    ? reading
                    : reading.ofHost();
        }

        /** @return number of seconds until the next reading */
        private int look() throws InterruptedException {
            try {
                synchronized (source) {
                    Reading reading = source.read();
                    Reading own = ownFigures(reading);
                    // A pause without a response belongs to the figures; the downtime of a restart does not.
                    if (before != null && !(failed && reading.isRestarted(before))) {
                        deliver(own.since(before, source.what(), source.kind(), startNanos));
                    }
                    before = reading;
                    failed = false;
                    reported = false;
                }
                return 1;
            } catch (IOException | RuntimeException e) {
                if (!reported && !stopped && !expected.test(source.what())) {
                    reported = true;
                    problems.accept(Sentence.of("observe.cannotBeObserved", source.what(), source.kind(), reason(e)));
                }
                owners.remove(source.what(), order);
                failed = true;
                return TRY_AGAIN_SECONDS;
            }
        }

        private synchronized void deliver(Observation observation) {
            if (!stopped) {
                sink.accept(observation);
            }
        }

        private static Object reason(Exception e) {
            if (e instanceof PlimsollException known) {
                return known.sentence();
            }
            Throwable cause = e;
            while (cause.getCause() != null && cause.getCause() != cause) {
                cause = cause.getCause();
            }
            return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        }

        private synchronized void stop() {
            stopped = true;
            task.end();
            probing.end();
        }
    }
}
