package io.plimsoll.watch;

import io.plimsoll.Daemon;
import io.plimsoll.measure.PeriodicTask;
import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.LinkWatch;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.RawNetwork;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/**
 * Reopens a connection to each broker every second, and sends each broker a metadata request ten times per second on
 * another connection. The responses contain the leaders of the topic's partitions. Thread-safe.
 */
final class WatchedLinks implements AutoCloseable {
    /** Minimum time limit in ns for opening a connection: after a long silence, the operating system retries only once a minute. */
    private static final long OPEN_LIMIT_NANOS = 2_000_000_000L;

    private static final long NAMES_EVERY_NANOS = 1_000_000_000L;
    /** Maximum delay in ms of an attempt; the measured outage can be too short by this time. */
    private static final long POLL_MILLIS = 5;

    private static final long REQUEST_LIMIT_MILLIS = 10_000;
    private static final long CLOSE_LIMIT_MILLIS = 1000;

    private final WatchSettings settings;
    private final Ledger ledger;
    private final BiConsumer<Integer, ClusterView> seen;
    private final Function<Node, InetSocketAddress> names;
    private final Map<Integer, Pair> pairs = new TreeMap<>();
    private final Map<Node, InetSocketAddress> addresses = new ConcurrentHashMap<>();
    private final Thread thread;
    private final PeriodicTask naming;
    private volatile List<Node> wanted = List.of();
    private volatile boolean ended;

    WatchedLinks(WatchSettings settings, Ledger ledger, BiConsumer<Integer, ClusterView> seen) {
        this(settings, ledger, seen, broker -> new InetSocketAddress(broker.host(), broker.port()));
    }

    /** @param names resolves the address of a broker, or returns an unresolved address; can block */
    WatchedLinks(
            WatchSettings settings,
            Ledger ledger,
            BiConsumer<Integer, ClusterView> seen,
            Function<Node, InetSocketAddress> names) {
        this.settings = settings;
        this.ledger = ledger;
        this.seen = seen;
        this.names = names;
        thread = Daemon.start("plimsoll-watch-links", this::run);
        naming = PeriodicTask.each("plimsoll-watch-names", System.nanoTime(), NAMES_EVERY_NANOS, 1, this::lookUp);
    }

    /** Switches to these brokers; waits until the names of new brokers are resolved. */
    void use(List<Node> brokers) {
        brokers.stream()
                .filter(broker -> !addresses.containsKey(broker))
                .forEach(broker -> addresses.put(broker, names.apply(broker)));
        wanted = List.copyOf(brokers);
        addresses.keySet().retainAll(brokers);
    }

    /** Resolves names on a separate thread; until then, brokers keep their last known address. */
    private void lookUp() {
        for (Node broker : wanted) {
            InetSocketAddress found = names.apply(broker);
            if (!found.isUnresolved()) {
                addresses.replace(broker, found);
            }
        }
    }

    private void run() {
        while (!ended) {
            try {
                tend();
            } catch (RuntimeException e) {
                // Recreate the network after a complete failure, in which the requests in flight also failed.
                pairs.values().forEach(Pair::failed);
                pairs.clear();
                Daemon.pause(POLL_MILLIS);
            }
        }
    }

    private void tend() {
        Map<String, Object> client = settings.client("links", Map.of(), Map.of());
        try (RawNetwork network = new RawNetwork(client, settings.topic() + "-links", -1, REQUEST_LIMIT_MILLIS)) {
            while (!ended) {
                follow(network, wanted);
                pairs.values().forEach(pair -> pair.tend(network));
                network.poll(POLL_MILLIS);
            }
            pairs.values().forEach(Pair::drop);
        }
    }

    private void follow(RawNetwork network, List<Node> brokers) {
        for (Pair pair : List.copyOf(pairs.values())) {
            if (!brokers.contains(pair.broker)) {
                pairs.remove(pair.broker.id());
                pair.end(network, brokers.stream().noneMatch(broker -> broker.id() == pair.broker.id()));
            }
        }
        brokers.forEach(broker -> pairs.computeIfAbsent(broker.id(), id -> new Pair(network, broker)));
    }

    private final class Pair {
        private final Node broker;
        private final FreshLink fresh;
        private final StandingLink standing;
        private final RawLink connecting;
        private final RawLink asking;

        Pair(RawNetwork network, Node broker) {
            this.broker = broker;
            // The limit must not end an attempt that can still succeed in time.
            long limitNanos = Math.max(OPEN_LIMIT_NANOS, settings.slow().toNanos() * Signal.CONNECT.patience);
            fresh = new FreshLink(ledger, broker.id(), limitNanos);
            standing = new StandingLink(
                    ledger, broker.id(), limitNanos, this::ask, view -> seen.accept(broker.id(), view));
            connecting = network.link(broker.host(), broker.port(), broker.id(), fresh);
            asking = network.link(broker.host(), broker.port(), broker.id(), standing);
        }

        private void ask(Consumer<ClusterView> answered) {
            ClusterView.ask(asking, List.of(settings.topic()), settings.topic(), answered);
        }

        void tend(RawNetwork network) {
            InetSocketAddress address = addresses.get(broker);
            if (address != null) {
                connecting.leadTo(address);
                asking.leadTo(address);
            }
            if (fresh.turns()) {
                network.reopen(connecting, System.nanoTime());
            }
            if (standing.turns()) {
                network.reopen(asking, System.nanoTime());
            }
        }

        void failed() {
            fresh.over(false);
            standing.ended(null);
        }

        void drop() {
            fresh.drop();
            standing.drop();
        }

        /** @param gone whether the broker left the cluster; otherwise it moved to another address, and its outages continue */
        void end(RawNetwork network, boolean gone) {
            drop();
            network.remove(connecting);
            network.remove(asking);
            if (gone) {
                ledger.forget(broker.id());
            }
        }
    }

    @Override
    public void close() {
        ended = true;
        naming.end();
        Daemon.join(thread, CLOSE_LIMIT_MILLIS);
    }

    /**
     * Reports the state of one connection to the ledger, in running time. The network layer sets no time limit for
     * opening an observed connection, so this class ends such attempts. Owned by one thread.
     */
    abstract static class WatchedLink implements LinkWatch {
        private static final String TIMEOUT = "timeout";

        final Ledger ledger;
        final Signal signal;
        final int broker;
        private final long limitNanos;

        @Nullable
        Attempt attempt;

        enum LinkState {
            /** The state is unknown, or the connection is about to be reopened. */
            UNKNOWN,
            OPENING,
            /** Requests can be sent. */
            READY,
            /** Disconnected, and no reconnect is in progress. */
            LOST
        }

        LinkState state = LinkState.UNKNOWN;

        private long openingNanos;
        private long nextNanos;

        WatchedLink(Ledger ledger, Signal signal, int broker, long limitNanos) {
            this.ledger = ledger;
            this.signal = signal;
            this.broker = broker;
            this.limitNanos = limitNanos;
            nextNanos = ledger.runningNanos();
        }

        /** Whether to start an attempt now because it is due; each due attempt starts only once. */
        final boolean takesTurn() {
            long now = ledger.runningNanos();
            if (attempt != null || now < nextNanos) {
                return false;
            }
            nextNanos += signal.everyNanos;
            if (nextNanos <= now) {
                // Attempts that became due while this one was open were counted with it.
                nextNanos = now + signal.everyNanos;
            }
            return true;
        }

        /** Whether opening the connection has just exceeded its time limit; the caller then reopens the connection. */
        final boolean gaveUp() {
            if (state != LinkState.OPENING || ledger.runningNanos() - openingNanos < limitNanos) {
                return false;
            }
            ended(TIMEOUT);
            return true;
        }

        @Override
        public void begun() {
            state = LinkState.OPENING;
            openingNanos = ledger.runningNanos();
        }

        @Override
        public void reached(Stage stage) {
            if (stage == Stage.READY) {
                state = LinkState.READY;
                ready();
            }
        }

        /** Called when requests can be sent. */
        abstract void ready();

        @Override
        public void ended(@Nullable String error) {
            state = LinkState.LOST;
            ledger.tell(signal, broker, error);
            over(false);
        }

        /** Ends the open attempt, if any. */
        final void over(boolean succeeded) {
            if (attempt != null) {
                ledger.end(signal, broker, attempt, succeeded);
                attempt = null;
            }
        }

        /** Discards the open attempt, because the connection is no longer used. */
        final void drop() {
            if (attempt != null) {
                ledger.drop(signal, broker, attempt);
                attempt = null;
            }
        }
    }

    /** A connection that is reopened for every attempt and otherwise stays open. Owned by one thread. */
    static final class FreshLink extends WatchedLink {
        /** Whether the next attempt is a due one, and not a retry of the network layer after a failure. */
        private boolean due;

        FreshLink(Ledger ledger, int broker, long limitNanos) {
            super(ledger, Signal.CONNECT, broker, limitNanos);
            due = takesTurn();
        }

        /** Whether to reopen the connection now. */
        boolean turns() {
            boolean now = gaveUp();
            if (takesTurn()) {
                due = true;
                now = true;
            }
            return now;
        }

        @Override
        public void begun() {
            super.begun();
            if (attempt == null) {
                attempt = due ? ledger.begin(signal, broker) : ledger.again(signal, broker);
                due = false;
            }
        }

        /** Ends the attempt; a later disconnect counts only for the metadata connection. */
        @Override
        void ready() {
            over(true);
        }
    }

    /** An open connection with one metadata request at a time. Owned by one thread. */
    static final class StandingLink extends WatchedLink {
        private final Consumer<Consumer<@Nullable ClusterView>> question;
        private final Consumer<ClusterView> seen;
        private long lostNanos;

        /** @param question sends a request when the link is ready; passes on the response, or null without a response */
        StandingLink(
                Ledger ledger,
                int broker,
                long limitNanos,
                Consumer<Consumer<@Nullable ClusterView>> question,
                Consumer<ClusterView> seen) {
            super(ledger, Signal.METADATA, broker, limitNanos);
            this.question = question;
            this.seen = seen;
        }

        /** Sends a due request and returns whether to reopen the connection now. */
        boolean turns() {
            boolean gaveUp = gaveUp();
            if (takesTurn()) {
                attempt = ledger.begin(signal, broker);
                if (state == LinkState.READY) {
                    question.accept(this::answered);
                }
            }
            // The network layer waits up to a second before it reconnects, too long to determine the end of an outage.
            boolean late = state == LinkState.LOST && ledger.runningNanos() - lostNanos >= signal.everyNanos;
            if (late) {
                state = LinkState.UNKNOWN;
            }
            return gaveUp || late;
        }

        private void answered(@Nullable ClusterView view) {
            over(view != null);
            if (view != null) {
                seen.accept(view);
            }
        }

        @Override
        void ready() {
            if (attempt != null) {
                // A request was waiting for the connection.
                question.accept(this::answered);
            }
        }

        @Override
        public void ended(@Nullable String error) {
            lostNanos = ledger.runningNanos();
            super.ended(error);
        }
    }
}
