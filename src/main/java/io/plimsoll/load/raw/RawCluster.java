package io.plimsoll.load.raw;

import io.plimsoll.measure.Incident;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.RawNetwork;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Node;
import org.jspecify.annotations.Nullable;

/**
 * A raw client's view of the cluster: leaders and connections. Refreshes its metadata when it is stale, after a lost
 * connection, and every few minutes. Owned by the client's thread.
 */
final class RawCluster {
    private static final long REFRESH_BACKOFF_NANOS = 100_000_000L;
    /** A response after more than this time is reported as an event. */
    private static final long SLOW_NANOS = 20_000_000L;

    private static final long MAX_AGE_NANOS = 300_000_000_000L;
    private static final long BOOTSTRAP_PATIENCE_NANOS = 1_000_000_000L;
    private static final long MOST_BOOTSTRAP_PATIENCE_NANOS = 16_000_000_000L;

    final RawNetwork network;
    final String clientId;
    private final Set<String> topics;
    private final int connections;
    private final Map<Integer, RawLink[]> links = new HashMap<>();
    private @Nullable RawLink bootstrap;
    private int bootstrapAttempt;
    private long bootstrapSinceNanos;
    /** Time limit for a pending bootstrap connection; remote connections with TLS and SASL take seconds. */
    private long bootstrapPatienceNanos = BOOTSTRAP_PATIENCE_NANOS;

    private @Nullable ClusterView view;
    private boolean asking;
    private boolean stale = true;
    private long askedNanos;
    private @Nullable String error;
    /** Set once; read by another thread. */
    private volatile long knownNanos;

    RawCluster(RawNetwork network, String clientId, Set<String> topics, int connections) {
        this.network = network;
        this.clientId = clientId;
        this.topics = topics;
        this.connections = connections;
    }

    @Nullable
    ClusterView view() {
        return view;
    }

    @Nullable
    String error() {
        return error;
    }

    /** Time of the first metadata without an error or a missing leader, in nanoTime; 0 before. Usable by any thread. */
    long knownNanos() {
        return knownNanos;
    }

    void markStale() {
        stale = true;
    }

    /** The connection for a partition's batches, constant while the leader stays the same; null if none. */
    @Nullable
    RawLink link(int leader, int partition) {
        RawLink[] own = links.get(leader);
        return own == null ? null : own[partition % own.length];
    }

    boolean connected() {
        return view != null
                && !links.isEmpty()
                && view.topics().values().stream().allMatch(this::leadersConnected);
    }

    private boolean leadersConnected(ClusterView.Topic topic) {
        return topic.error() == null
                && topic.leaders().length > 0
                && IntStream.of(topic.leaders())
                        .allMatch(l ->
                                links.containsKey(l) && Stream.of(links.get(l)).allMatch(RawLink::ready));
    }

    /** A connection that can take a request; null if none. */
    @Nullable
    RawLink anyIdle() {
        return links.values().stream()
                .flatMap(Stream::of)
                .filter(RawLink::idle)
                .findFirst()
                .orElse(bootstrap != null && bootstrap.idle() ? bootstrap : null);
    }

    void tick(long nowNanos) {
        boolean due = stale || view == null || nowNanos - askedNanos > MAX_AGE_NANOS;
        if (!due || asking || (nowNanos - askedNanos < REFRESH_BACKOFF_NANOS && askedNanos != 0)) {
            return;
        }
        RawLink link = anyIdle();
        if (link == null) {
            keepBootstrap(nowNanos);
            return;
        }
        asking = true;
        askedNanos = nowNanos;
        ClusterView.ask(link, topics, clientId, this::answered);
    }

    private void keepBootstrap(long nowNanos) {
        if (bootstrap != null && bootstrap.lastError() != null) {
            error = bootstrap.lastError();
        }
        boolean slow = bootstrap != null && bootstrap.lastError() == null;
        long patience = slow ? bootstrapPatienceNanos : BOOTSTRAP_PATIENCE_NANOS;
        if (bootstrap == null || nowNanos - bootstrapSinceNanos > patience) {
            if (slow) {
                bootstrapPatienceNanos = Math.min(MOST_BOOTSTRAP_PATIENCE_NANOS, 2 * patience);
            }
            if (bootstrap != null) {
                network.remove(bootstrap);
            }
            bootstrap = network.bootstrap(bootstrapAttempt++);
            bootstrapSinceNanos = nowNanos;
        }
    }

    private void answered(@Nullable ClusterView answer) {
        asking = false;
        long now = System.nanoTime();
        if (view != null && now - askedNanos >= SLOW_NANOS) {
            network.events().add(new Incident(Incident.Kind.METADATA, "cluster", askedNanos, now, 0, null));
        }
        if (answer == null) {
            error = "networkDisconnect";
            return;
        }
        error = answer.topics().values().stream()
                .map(ClusterView.Topic::error)
                .filter(e -> e != null)
                .findFirst()
                .orElse(null);
        // Metadata is requested again if a topic has no leader.
        stale = error != null || answer.topics().values().stream().anyMatch(RawCluster::leaderless);
        if (!stale && knownNanos == 0) {
            knownNanos = now;
        }
        ClusterView merged = merged(answer);
        view = merged;
        connect(merged.nodes());
    }

    private static boolean leaderless(ClusterView.Topic topic) {
        return IntStream.of(topic.leaders()).anyMatch(leader -> leader < 0);
    }

    /**
     * Keeps the current view of topics for which the response reports an error, because a broker that has just started
     * can know less.
     */
    private ClusterView merged(ClusterView answer) {
        if (view == null || error == null) {
            return answer;
        }
        ClusterView before = view;
        Map<String, ClusterView.Topic> known = new HashMap<>(before.topics());
        answer.topics().forEach((name, topic) -> {
            if (topic.error() == null) {
                known.put(name, topic);
            }
        });
        return new ClusterView(answer.nodes().isEmpty() ? before.nodes() : answer.nodes(), known);
    }

    private void connect(Map<Integer, Node> nodes) {
        Map<Integer, RawLink[]> gone = new HashMap<>(links);
        gone.entrySet().removeIf(own -> {
            Node node = nodes.get(own.getKey());
            return node != null && own.getValue()[0].leadsTo(node.host(), node.port());
        });
        links.keySet().removeAll(gone.keySet());
        gone.values().forEach(own -> Stream.of(own).forEach(network::remove));
        nodes.forEach((id, node) -> links.computeIfAbsent(id, i -> open(node)));
        if (bootstrap != null && connected()) {
            network.remove(bootstrap);
            bootstrap = null;
        }
    }

    private RawLink[] open(Node node) {
        return Stream.generate(() -> network.link(node.host(), node.port(), node.id()))
                .limit(connections)
                .toArray(RawLink[]::new);
    }
}
