package io.plimsoll.observe.broker;

import io.plimsoll.Daemon;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Reads brokers once a second, on whole seconds of the trial's time, each source in a thread of its own, so that a broker
 * that hangs holds up nobody. A source that fails is named once, and tried again. {@link #begin}, {@link #end} and
 * {@link #close} are called by one thread.
 */
public final class BrokerObserver implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int TRY_AGAIN_SECONDS = 3;
    /** No divisor of a second: what happens once a second is met at each of its moments. */
    private static final long PROBE_NANOS = 97_000_000L;

    private static final int AFTER_FAILURE = 10;

    private final List<BrokerSource> sources;
    private final Consumer<Sentence> problems;
    private final List<Watch> watches = new ArrayList<>();

    /** @param problems told in a sentence what cannot be observed; called by any thread */
    public BrokerObserver(List<BrokerSource> sources, Consumer<Sentence> problems) {
        this.sources = List.copyOf(sources);
        this.problems = problems;
    }

    /**
     * Connects to all sources at once, so that the first second of a trial is seen, too. A source that cannot be read within
     * the patience is tried again while the trial runs, and named then.
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
            // The first look within the trial says so.
        }
    }

    /**
     * @param startNanos of the trial, {@link System#nanoTime}
     * @param topics whose figures are read beside those of the brokers
     * @param sink takes what was seen; called by several threads
     * @param expected whether it is no news that one cannot be observed now, such as {@code broker 2}; called likewise
     */
    public void begin(
            long startNanos, Collection<String> topics, Consumer<Observation> sink, Predicate<String> expected) {
        sources.forEach(source -> source.topics(topics));
        sources.forEach(source -> watches.add(new Watch(source, startNanos, sink, expected)));
    }

    /** Nothing comes any more when this returns; a source that hangs is left to itself. */
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
        private final long startNanos;
        private final Consumer<Observation> sink;
        private final Predicate<String> expected;

        private final PeriodicTask task;
        private final PeriodicTask probing;
        private Reading before;
        private boolean told;
        private volatile boolean stopped;

        Watch(BrokerSource source, long startNanos, Consumer<Observation> sink, Predicate<String> expected) {
            this.source = source;
            this.startNanos = startNanos;
            this.sink = sink;
            this.expected = expected;
            this.task = new PeriodicTask(
                    "plimsoll-observe-" + source.what().replace(' ', '-'), startNanos, EVERY_NANOS, 0, this::look);
            this.probing = new PeriodicTask(
                    "plimsoll-probe-" + source.what().replace(' ', '-'), startNanos, PROBE_NANOS, 1, this::probe);
        }

        /** @return how many periods later to ask again; a source that fails is named by whoever reads it */
        private int probe() {
            try {
                source.probe();
                return 1;
            } catch (IOException | RuntimeException e) {
                return AFTER_FAILURE;
            }
        }

        /** @return how many seconds later it is to be read again */
        private int look() throws InterruptedException {
            try {
                synchronized (source) {
                    Reading reading = source.read();
                    if (before != null) {
                        deliver(reading.since(before, source.what(), source.kind(), startNanos));
                    }
                    before = reading;
                    told = false;
                }
                return 1;
            } catch (IOException | RuntimeException e) {
                if (!told && !stopped && !expected.test(source.what())) {
                    told = true;
                    problems.accept(Sentence.of("observe.cannotBeObserved", source.what(), source.kind(), reason(e)));
                }
                before = null;
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
