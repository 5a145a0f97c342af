package io.plimsoll.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP proxy that plants delays of known size: it can block both directions for a time, and delay responses by a fixed
 * time without limiting their rate.
 */
public final class TcpProxy extends LoopbackProxy {
    private static final byte[] END = new byte[0];

    private record Chunk(byte[] bytes, long readNanos) {}

    private final List<SendLog.Stall> stalls = new CopyOnWriteArrayList<>();
    private volatile long delayNanos;
    private volatile long stallUntilNanos;

    public TcpProxy() throws IOException {}

    /** Delays all responses from now on. */
    public void delayResponses(long nanos) {
        delayNanos = nanos;
    }

    /** Blocks both directions until this nanoTime. */
    public void stallUntil(long nanoTime) {
        stallUntilNanos = nanoTime;
        stalls.add(new SendLog.Stall(System.nanoTime(), nanoTime));
    }

    /** All stalls, from the time they were certainly in effect. */
    public List<SendLog.Stall> stalls() {
        return stalls;
    }

    @Override
    void connected(Socket client, Socket broker) {
        pipe(client, broker, false);
        pipe(broker, client, true);
    }

    private void pipe(Socket from, Socket to, boolean response) {
        BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>();
        daemon(() -> read(from, queue), "proxy-read");
        daemon(() -> write(to, queue, response), "proxy-write");
    }

    private static void read(Socket from, BlockingQueue<Chunk> queue) {
        byte[] buffer = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                queue.add(new Chunk(java.util.Arrays.copyOf(buffer, n), System.nanoTime()));
            }
        } catch (IOException e) {
            // the connection ended
        }
        queue.add(new Chunk(END, 0));
    }

    private void write(Socket to, BlockingQueue<Chunk> queue, boolean response) {
        try (to) {
            OutputStream out = to.getOutputStream();
            while (true) {
                Chunk chunk = queue.take();
                if (chunk.bytes() == END) {
                    return;
                }
                waitUntil(response ? chunk.readNanos() + delayNanos : chunk.readNanos());
                while (System.nanoTime() < stallUntilNanos) {
                    waitUntil(stallUntilNanos);
                }
                out.write(chunk.bytes());
            }
        } catch (IOException | InterruptedException e) {
            // the connection ended
        }
    }

    private static void waitUntil(long nanoTime) {
        for (long wait = nanoTime - System.nanoTime(); wait > 0; wait = nanoTime - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
    }
}
