package io.plimsoll.web;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import io.plimsoll.Daemon;
import io.plimsoll.report.html.LiveModel;
import io.plimsoll.result.Json;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The live page of a run. A separate thread reads the queued events once a second, so that the page never delays the run. */
public final class LivePage extends WebServer implements Progress {
    private static final Logger LOG = LoggerFactory.getLogger(LivePage.class);
    private static final int MOST_WAITING = 20_000;
    private static final long END_PATIENCE_MILLIS = 500;

    private final Readers readers = new Readers();
    private final Runnable stop;
    private final String stopToken = WebToken.random();
    private final ConcurrentLinkedQueue<TimelineEvent> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waitingCount = new AtomicInteger();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(Daemon.factory("plimsoll-web"));
    private volatile Step step = new Step(null, "starting", -1, -1);
    private volatile Checked checks = Checked.NONE;
    private volatile @Nullable Object search;
    private volatile long begunNanos = System.nanoTime();
    private boolean ended;
    /** Guarded by this object. */
    private final LiveModel model = new LiveModel();

    private record Step(@Nullable String trial, String phase, double fraction, double etaSeconds) {}

    /** Checks that passed in the last second, and checks that failed. */
    private record Checked(List<String> held, List<String> missed) {
        private static final Checked NONE = new Checked(List.of(), List.of());
    }

    /** @param stop ends the run as a signal would; called on a separate thread */
    public LivePage(WebPlace place, Runnable stop) {
        super(place);
        this.stop = stop;
        on("/", this::page);
        on("/events", exchange -> readers.follow(exchange, this::soFar));
        on("/stop", this::stop);
        start();
        var unused = clock.scheduleAtFixedRate(this::tell, 1, 1, TimeUnit.SECONDS);
    }

    /**
     * The address with the stop token in its fragment, which browsers do not send. Other users of this machine can
     * therefore open the page but not stop the run.
     */
    @Override
    public String address() {
        return super.address() + "#stop=" + stopToken;
    }

    private void page(HttpExchange exchange) throws IOException {
        ObjectNode page = now();
        page(exchange, language -> LiveModel.html(page, language));
    }

    private byte[] soFar() {
        return Readers.event("page", Json.line(now()));
    }

    /** The state as sent to the page. */
    private Map<String, Object> shown() {
        Step now = step;
        Checked decided = checks;
        return Json.object(
                "trial", now.trial(),
                "phase", now.phase(),
                "fraction", now.fraction(),
                "etaSeconds", now.etaSeconds(),
                "elapsedSeconds", Math.floor((System.nanoTime() - begunNanos) / 1e9),
                "held", decided.held(),
                "missed", decided.missed(),
                "search", search);
    }

    private synchronized ObjectNode now() {
        take();
        ObjectNode page = model.page();
        LiveModel.progress(page, shown());
        return page;
    }

    /** Stops the run. Requires the token and a header, which a forged cross-site request does not have. */
    private void stop(HttpExchange exchange) throws IOException {
        String given = exchange.getRequestHeaders().getFirst("X-Plimsoll-Stop");
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        String host = exchange.getRequestHeaders().getFirst("Host");
        boolean ours = origin == null || origin.equals(scheme + "://" + host);
        if (!exchange.getRequestMethod().equals("POST") || given == null || !ours || !same(given, stopToken)) {
            tell(exchange, 403, Sentence.of("web.notAllowed"));
            return;
        }
        tell(exchange, 202, Sentence.of("web.runEnds"));
        Daemon.start("plimsoll-web-stop", stop);
    }

    private synchronized void take() {
        for (TimelineEvent event = waiting.poll(); event != null; event = waiting.poll()) {
            waitingCount.decrementAndGet();
            model.accept(event);
        }
    }

    private synchronized void tell() {
        if (ended) {
            return;
        }
        try {
            takeAndTell();
        } catch (RuntimeException e) {
            // A failed update must not end the run or block later updates.
            LOG.warn("The live page cannot be brought up to date", e);
        }
    }

    private void takeAndTell() {
        take();
        if (model.takeChanged()) {
            model.news();
            readers.send(soFar());
        } else {
            ObjectNode news = model.news();
            LiveModel.progress(news, shown());
            readers.send(Readers.event("news", Json.line(news)));
        }
    }

    @Override
    public void event(TimelineEvent event) {
        // If this process lags too much, the page drops per-second events, but no other events.
        boolean second = event instanceof TimelineEvent.Measured || event instanceof TimelineEvent.Observed;
        if (!second || waitingCount.get() < MOST_WAITING) {
            waitingCount.incrementAndGet();
            waiting.add(event);
        }
    }

    @Override
    public void phase(@Nullable String trial, String phase, double fraction, double etaSeconds) {
        Step was = step;
        if (!Objects.equals(was.trial(), trial) || !was.phase().equals(phase)) {
            begunNanos = System.nanoTime();
            checks = Checked.NONE;
        }
        step = new Step(trial, phase, fraction, etaSeconds);
    }

    @Override
    public void checks(List<String> held, List<String> missed) {
        checks = new Checked(held, missed);
    }

    @Override
    public void search(SearchView view) {
        search = Json.object(
                "trial", view.trial(),
                "load", finite(view.load()),
                "inBytes", view.inBytes(),
                "lower", finite(view.lower()),
                "upper", finite(view.upper()),
                "objective", view.objective());
    }

    /** A finite load; null for an unknown load and for a closed loop. */
    private static @Nullable Double finite(double load) {
        return Double.isFinite(load) ? load : null;
    }

    /** Sends the final state to connected browsers; takes at most half a second. */
    public void end(RunResult result, String report) {
        synchronized (this) {
            ended = true;
            take();
        }
        if (!readers.isEmpty()) {
            ObjectNode page;
            synchronized (this) {
                page = LiveModel.end(result, model.series());
            }
            page.put("report", report);
            readers.end(Readers.event("end", Json.line(page)), END_PATIENCE_MILLIS);
        }
        close();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        super.close();
    }

    /** Browsers that follow a run with server-sent events; slow ones are disconnected and reconnect. Thread-safe. */
    static final class Readers {
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

        /** Sends a final event, and waits for its delivery within a time limit. */
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
}
