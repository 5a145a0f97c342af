package io.plimsoll.load.raw;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.measure.Counter;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.RawNetwork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * A thread of the raw engine with its own network and view of the cluster. The thread connects, reports that it is
 * ready, and works until it is done or asked to end. It owns its state; other threads only send requests to it and
 * wait.
 */
abstract class RawThread {
    private static final long CONNECT_POLL_MILLIS = 5;

    final RawNetwork network;
    final RawCluster cluster;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    final Thread thread;
    private volatile boolean endAsked;

    RawThread(RawCluster cluster) {
        this.network = cluster.network;
        this.cluster = cluster;
        this.thread = Daemon.thread("plimsoll-raw-" + cluster.clientId, this::run);
    }

    /** Whether all connections and metadata for the start are available. */
    abstract boolean connect(long nowNanos);

    abstract void step();

    abstract boolean over();

    abstract void failed(Throwable error);

    abstract void end();

    void prepare() {
        thread.start();
    }

    /**
     * @param condition for the timeout message
     * @throws PlimsollException with the reason why a thread is not ready
     */
    static void awaitReady(List<? extends RawThread> threads, String part, Sentence condition, long deadlineNanos) {
        for (RawThread waited : threads) {
            try {
                waited.ready.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                String error = waited.cluster.error();
                Sentence why = error == null ? Sentence.NONE : Sentence.of("load.inBrackets", error);
                throw Exit.CLUSTER.because(e, "load.notReady", part, condition, why);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof PlimsollException known) {
                    throw known;
                }
                String why = String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
                throw Exit.CLUSTER.because(e, "load.rawCannotConnect", part, why);
            } catch (InterruptedException e) {
                throw Exit.interrupted(e, "load.interruptedConnecting");
            }
        }
    }

    private void run() {
        try {
            while (!endAsked && !connect(System.nanoTime())) {
                network.poll(CONNECT_POLL_MILLIS);
            }
            if (!endAsked) {
                ready.complete(null);
            }
            while (!endAsked && !over()) {
                step();
            }
        } catch (RuntimeException | Error e) {
            if (!ready.completeExceptionally(e)) {
                failed(e);
            }
        } finally {
            endAsked = true;
            ready.completeExceptionally(Exit.CLUSTER.because("load.rawEndedEarly"));
            try {
                end();
            } finally {
                network.close();
            }
        }
    }

    boolean endAsked() {
        return endAsked;
    }

    void wakeup() {
        network.wakeup();
        LockSupport.unpark(thread);
    }

    void askEnd() {
        endAsked = true;
        wakeup();
    }

    boolean ended() {
        return !thread.isAlive();
    }

    static void end(List<? extends RawThread> threads, Duration patience) {
        threads.forEach(RawThread::askEnd);
        BoundedClose.join(threads.stream().map(t -> t.thread).toList(), patience);
    }

    /**
     * Durations of the requests of one raw client by broker. Written by the client's thread; {@link #read} is for one
     * other thread.
     */
    static final class RoundTrips {
        private final Map<Integer, Broker> brokers = new ConcurrentHashMap<>();

        private static final class Broker {
            private final Counter answers = new Counter();
            private final Counter nanos = new Counter();
            private final Counter bytes = new Counter();
            private final Counter throttledMillis = new Counter();
        }

        /**
         * Answered requests.
         * @param millis total time from sending to response
         * @param bytes total size of their batches
         * @param throttledMillis throttle time requested by the broker
         */
        record Trips(long answers, double millis, long bytes, long throttledMillis) {}

        void answered(int broker, long nanos, long bytes, int throttledMillis) {
            Broker to = brokers.computeIfAbsent(broker, b -> new Broker());
            // The count is written last, so that its reader sees the other values.
            to.nanos.add(nanos);
            to.bytes.add(bytes);
            to.throttledMillis.add(throttledMillis);
            to.answers.add(1);
        }

        void read(BiConsumer<Integer, Trips> taker) {
            brokers.forEach((id, of) -> taker.accept(
                    id,
                    new Trips(
                            of.answers.drain(), of.nanos.drain() / 1e6, of.bytes.drain(), of.throttledMillis.drain())));
        }
    }
}
