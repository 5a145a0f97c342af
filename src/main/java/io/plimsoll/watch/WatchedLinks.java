package io.plimsoll.watch;

import io.plimsoll.Daemon;
import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.LinkWatch;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.RawNetwork;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.kafka.common.Node;

/**
 * Opens a connection to each broker anew every second, and asks each for its metadata five times a second on a connection
 * that stands. What the brokers answer says who leads the topic. Any thread.
 */
final class WatchedLinks implements AutoCloseable {
    private static final long CONNECT_EVERY_NANOS = 1_000_000_000L;
    private static final long ASK_EVERY_NANOS = 200_000_000L;
    private static final long POLL_MILLIS = 20;
    private static final long REQUEST_LIMIT_MILLIS = 10_000;
    private static final long CLOSE_LIMIT_MILLIS = 1000;

    private final WatchSettings settings;
    private final Ledger ledger;
    private final Consumer<ClusterView> seen;
    private final Map<Integer, Pair> pairs = new TreeMap<>();
    private final Thread thread;
    private volatile List<Node> wanted = List.of();
    private volatile boolean ended;

    /**
     * Begins at once.
     *
     * @param seen is given each answer
     */
    WatchedLinks(WatchSettings settings, Ledger ledger, Consumer<ClusterView> seen) {
        this.settings = settings;
        this.ledger = ledger;
        this.seen = seen;
        thread = Daemon.start("plimsoll-watch-links", this::run);
    }

    /** From now on these brokers are asked. */
    void use(List<Node> brokers) {
        wanted = List.copyOf(brokers);
    }

    private void run() {
        while (!ended) {
            try {
                tend();
            } catch (RuntimeException e) {
                // A network that has failed as a whole is made anew; what was under way has failed with it.
                pairs.values().forEach(Pair::failed);
                pairs.clear();
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tend() {
        Map<String, Object> client = settings.client("links", Map.of(), Map.of());
        try (RawNetwork network = new RawNetwork(client, settings.topic() + "-links", -1, REQUEST_LIMIT_MILLIS)) {
            while (!ended) {
                List<Node> brokers = wanted;
                pairs.values().removeIf(pair -> !brokers.contains(pair.broker) && pair.end(network));
                brokers.forEach(broker -> pairs.computeIfAbsent(broker.id(), id -> new Pair(network, broker)));
                pairs.values().forEach(pair -> pair.tend(network));
                network.poll(POLL_MILLIS);
            }
        }
    }

    /** The two connections to a broker. */
    private final class Pair {
        private final Node broker;
        private final Anew anew = new Anew();
        private final Standing standing = new Standing();
        private final RawLink connecting;
        private final RawLink asking;
        private long nextConnectNanos = System.nanoTime() + CONNECT_EVERY_NANOS;

        Pair(RawNetwork network, Node broker) {
            this.broker = broker;
            connecting = network.link(broker.host(), broker.port(), broker.id(), anew);
            asking = network.link(broker.host(), broker.port(), broker.id(), standing);
        }

        void tend(RawNetwork network) {
            long now = System.nanoTime();
            if (now >= nextConnectNanos && anew.attempt == null) {
                nextConnectNanos = now + CONNECT_EVERY_NANOS;
                network.reopen(connecting, now);
            }
            standing.ask(now);
            // The network itself waits for up to a second; an outage's end has to be known sooner.
            if (standing.lostNanos != 0 && now - standing.lostNanos >= ASK_EVERY_NANOS) {
                standing.lostNanos = 0;
                network.reopen(asking, now);
            }
        }

        void failed() {
            anew.over(false);
            standing.ended(null);
        }

        boolean end(RawNetwork network) {
            network.remove(connecting);
            network.remove(asking);
            ledger.forget(Signal.CONNECT, broker.id());
            ledger.forget(Signal.METADATA, broker.id());
            return true;
        }

        /** Connects, and stands until it is opened anew. */
        private final class Anew implements LinkWatch {
            private Attempt attempt;

            @Override
            public void begun() {
                if (attempt == null) {
                    attempt = ledger.begin(Signal.CONNECT, broker.id());
                }
            }

            @Override
            public void reached(Stage stage) {
                if (stage == Stage.READY) {
                    over(true);
                }
            }

            @Override
            public void ended(String error) {
                ledger.tell(Signal.CONNECT, broker.id(), error);
                over(false);
            }

            private void over(boolean succeeded) {
                // One that stood and was ended by the broker shows in the connection that is asked.
                if (attempt != null) {
                    ledger.end(Signal.CONNECT, broker.id(), attempt, succeeded);
                    attempt = null;
                }
            }
        }

        /** Is asked, one question after the other. */
        private final class Standing implements LinkWatch {
            private boolean ready;
            private Attempt attempt;
            /** When the connection ended; 0 while there is one, or one is tried. */
            private long lostNanos;

            private long nextNanos;

            void ask(long nowNanos) {
                if (attempt != null || nowNanos < nextNanos) {
                    return;
                }
                nextNanos = nowNanos + ASK_EVERY_NANOS;
                attempt = ledger.begin(Signal.METADATA, broker.id());
                if (ready) {
                    ClusterView.ask(asking, List.of(settings.topic()), settings.topic(), this::answered);
                }
            }

            private void answered(ClusterView view) {
                if (attempt != null) {
                    ledger.end(Signal.METADATA, broker.id(), attempt, view != null);
                    attempt = null;
                }
                if (view != null) {
                    seen.accept(view);
                }
            }

            @Override
            public void begun() {
                lostNanos = 0;
            }

            @Override
            public void reached(Stage stage) {
                ready = stage == Stage.READY;
                if (ready && attempt != null) {
                    // It has waited for the connection.
                    ClusterView.ask(asking, List.of(settings.topic()), settings.topic(), this::answered);
                }
            }

            @Override
            public void ended(String error) {
                ready = false;
                lostNanos = System.nanoTime();
                ledger.tell(Signal.METADATA, broker.id(), error);
                answered(null);
            }
        }
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join(CLOSE_LIMIT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
