package io.plimsoll.web;

import com.sun.net.httpserver.HttpExchange;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * Browsers that follow a run by server-sent events. Slow browsers are disconnected, reconnect by themselves, and do not
 * delay other browsers. Thread-safe.
 */
final class Readers {
    private static final int MOST_READERS = 16;
    private static final int MOST_WAITING = 30;
    private static final byte[] END = new byte[0];

    private final List<BlockingQueue<byte[]>> readers = new CopyOnWriteArrayList<>();

    void follow(HttpExchange exchange, java.util.function.Supplier<byte[]> before) throws IOException {
        if (readers.size() >= MOST_READERS) {
            WebServer.tell(exchange, 503, Sentence.of("web.tooMany"));
            return;
        }
        BlockingQueue<byte[]> mine = new ArrayBlockingQueue<>(MOST_WAITING);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(200, 0);
        readers.add(mine);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(before.get());
            out.flush();
            byte[] event = mine.take();
            while (event != END) {
                out.write(event);
                out.flush();
                event = mine.take();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            readers.remove(mine);
        }
    }

    static byte[] event(String name, String data) {
        return ("event: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
    }

    boolean isEmpty() {
        return readers.isEmpty();
    }

    void send(byte[] event) {
        for (BlockingQueue<byte[]> reader : readers) {
            if (!reader.offer(event)) {
                reader.clear();
                reader.offer(END);
            }
        }
    }

    /** Sends a final event and waits for its delivery up to a time limit. */
    void end(byte[] last, long patienceMillis) {
        send(last);
        send(END);
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMillis);
        try {
            while (!readers.isEmpty() && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
