package io.plimsoll.lab;

import io.plimsoll.lab.Impairment.State;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One direction of a connection through a {@link BrokerProxy}. The reading thread writes as well as long as nothing is
 * to be delayed; what must wait goes through a queue to a second thread, which is started when first needed.
 */
final class ProxyPipe implements Runnable {
    private static final int READ_BYTES = 1 << 16;
    private static final int LEAST_READ_BYTES = 1 << 10;
    /** A limited rate is kept with at least so many pieces a second, so that it is a flow and not a series of blows. */
    private static final int PIECES_PER_SECOND = 20;

    private static final int MOST_WAITING = 256;
    /** So soon what waits is told that nothing holds it back any more. */
    private static final long LOOK_NANOS = 20_000_000;

    private static final Chunk END = new Chunk(new byte[0], 0, null);

    /** @param way on which it waits: once that is over, it waits no longer */
    private record Chunk(byte[] bytes, long dueNanos, BrokerProxy.Way way) {}

    private final BrokerProxy proxy;
    private final Socket from;
    private final Socket to;
    private final boolean towardsBroker;
    private final BlockingQueue<Chunk> waiting = new LinkedBlockingQueue<>(MOST_WAITING);
    /** Bytes in the queue or being written. */
    private final AtomicInteger unwritten = new AtomicInteger();

    private boolean delays;
    /** Whether the other end takes nothing any more. */
    private volatile boolean gone;

    ProxyPipe(BrokerProxy proxy, Socket from, Socket to, boolean towardsBroker) {
        this.proxy = proxy;
        this.from = from;
        this.to = to;
        this.towardsBroker = towardsBroker;
    }

    @Override
    public void run() {
        byte[] buffer = new byte[READ_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer, 0, readBytes())) {
                BrokerProxy.Way now = proxy.way();
                if (now.impairment().state() == State.OPEN && !gone) {
                    if (now.impairment().passesAtOnce() && unwritten.get() == 0) {
                        write(out, buffer, n);
                    } else {
                        delay(Arrays.copyOf(buffer, n), now, out);
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            // The connection ended.
        }
        finish();
    }

    /** The other end's last bytes may still be on their way; its own direction ends the connection after that. */
    private void write(OutputStream out, byte[] bytes, int length) {
        try {
            out.write(bytes, 0, length);
        } catch (IOException e) {
            gone = true;
        }
    }

    private int readBytes() {
        double rate = proxy.way().impairment().bytesPerSecond();
        return rate == 0
                ? READ_BYTES
                : (int) Math.max(LEAST_READ_BYTES, Math.min(READ_BYTES, rate / PIECES_PER_SECOND));
    }

    private void delay(byte[] bytes, BrokerProxy.Way way, OutputStream out) throws InterruptedException {
        Impairment now = way.impairment();
        long jitter = now.jitter().toNanos();
        long shift = jitter == 0 ? 0 : ThreadLocalRandom.current().nextLong(-jitter, jitter + 1);
        long passed = (towardsBroker ? way.toBroker() : way.fromBroker())
                .reserve(bytes.length, now.bytesPerSecond(), System.nanoTime());
        long due = passed + Math.max(0, now.delay().toNanos() + shift);
        unwritten.incrementAndGet();
        if (!delays) {
            delays = true;
            proxy.daemon(() -> writeLater(out), "late");
        }
        // A stream keeps its order: one that is due earlier than the one before it is written right after that.
        waiting.put(new Chunk(bytes, due, way));
    }

    @SuppressWarnings("ReferenceEquality") // END is that one
    private void writeLater(OutputStream out) {
        try {
            for (Chunk chunk = waiting.take(); chunk != END; chunk = waiting.take()) {
                for (long wait = chunk.dueNanos() - System.nanoTime();
                        wait > 0 && proxy.way().equals(chunk.way()); ) {
                    LockSupport.parkNanos(Math.min(wait, LOOK_NANOS));
                    wait = chunk.dueNanos() - System.nanoTime();
                }
                if (proxy.way().impairment().state() == State.OPEN && !gone) {
                    write(out, chunk.bytes(), chunk.bytes().length);
                }
                unwritten.decrementAndGet();
            }
        } catch (InterruptedException e) {
            // Nobody does that.
        }
        proxy.end(from, to);
    }

    /** Lets arrive what is on its way; then both sides end. */
    private void finish() {
        try {
            if (delays) {
                waiting.put(END);
                return;
            }
        } catch (InterruptedException e) {
            // Nobody does that.
        }
        proxy.end(from, to);
    }
}
