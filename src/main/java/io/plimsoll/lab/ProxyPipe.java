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
    private static final Chunk END = new Chunk(new byte[0], 0);

    private record Chunk(byte[] bytes, long dueNanos) {}

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

    private long lastDueNanos;

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
                Impairment now = proxy.impairment();
                if (now.state() == State.OPEN && !gone) {
                    if (now.passesAtOnce() && unwritten.get() == 0) {
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
        double rate = proxy.impairment().bytesPerSecond();
        return rate == 0
                ? READ_BYTES
                : (int) Math.max(LEAST_READ_BYTES, Math.min(READ_BYTES, rate / PIECES_PER_SECOND));
    }

    private void delay(byte[] bytes, Impairment now, OutputStream out) throws InterruptedException {
        long read = System.nanoTime();
        long jitter = now.jitter().toNanos();
        long shift = jitter == 0 ? 0 : ThreadLocalRandom.current().nextLong(-jitter, jitter + 1);
        long passed = proxy.throttle(towardsBroker).reserve(bytes.length, now.bytesPerSecond(), read);
        // A stream keeps its order.
        lastDueNanos = Math.max(lastDueNanos, passed + Math.max(0, now.delay().toNanos() + shift));
        unwritten.incrementAndGet();
        if (!delays) {
            delays = true;
            proxy.daemon(() -> writeLater(out), "late");
        }
        waiting.put(new Chunk(bytes, lastDueNanos));
    }

    @SuppressWarnings("ReferenceEquality") // END is that one
    private void writeLater(OutputStream out) {
        try {
            for (Chunk chunk = waiting.take(); chunk != END; chunk = waiting.take()) {
                for (long wait = chunk.dueNanos() - System.nanoTime(); wait > 0; ) {
                    LockSupport.parkNanos(wait);
                    wait = chunk.dueNanos() - System.nanoTime();
                }
                if (proxy.impairment().state() == State.OPEN && !gone) {
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
