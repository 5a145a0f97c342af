package io.plimsoll.load.raw;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.load.BoundedClose;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.RawNetwork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread of the raw engine and what it owns: a network and a view of the cluster. It connects, says that it is ready,
 * and works until it is over or asked to end. Everything it uses belongs to it; other threads only ask and wait.
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

    /** @return true if everything is connected and known that is needed before the start */
    abstract boolean connect(long nowNanos);

    /** Does what is due and waits for what comes next. */
    abstract void step();

    /** True if there is nothing more to do. */
    abstract boolean over();

    /** It could not go on. */
    abstract void failed(Throwable error);

    /** The last that the thread does with what it owns. */
    abstract void end();

    /** Connects in the thread. */
    void prepare() {
        thread.start();
    }

    /**
     * Waits until they are ready.
     *
     * @param what is not there if the time does not suffice
     * @throws PlimsollException what kept one from becoming ready
     */
    static void awaitReady(List<? extends RawThread> threads, String part, Sentence what, long deadlineNanos) {
        for (RawThread waited : threads) {
            try {
                waited.ready.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                String error = waited.cluster.error();
                Sentence why = error == null ? Sentence.NONE : Sentence.of("load.inBrackets", error);
                throw Exit.CLUSTER.because(e, "load.notReady", part, what, why);
            } catch (ExecutionException e) {
                if (e.getCause() instanceof PlimsollException known) {
                    throw known;
                }
                String why = String.valueOf(e.getCause().getMessage());
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

    /** Any thread: something that it looks at has changed. */
    void wakeup() {
        network.wakeup();
        LockSupport.unpark(thread);
    }

    /** Any thread: ends soon. */
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
}
