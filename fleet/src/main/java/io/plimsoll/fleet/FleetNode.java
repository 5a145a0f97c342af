package io.plimsoll.fleet;

import io.plimsoll.run.fleet.NodeAddress;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.Hello;
import io.plimsoll.text.Sentence;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.ClusterEvent.ClusterDomainEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberEvent;
import org.apache.pekko.cluster.ClusterEvent.MemberExited;
import org.apache.pekko.cluster.ClusterEvent.MemberRemoved;
import org.apache.pekko.cluster.ClusterEvent.MemberUp;
import org.apache.pekko.cluster.ClusterEvent.UnreachableMember;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Down;
import org.apache.pekko.cluster.typed.JoinSeedNodes;
import org.apache.pekko.cluster.typed.Leave;
import org.apache.pekko.cluster.typed.Subscribe;
import org.apache.pekko.remote.artery.ThisActorSystemQuarantinedEvent;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import org.slf4j.LoggerFactory;

/** A process in the cluster of a fleet: an agent, or the coordinator of a run. Thread-safe. */
final class FleetNode implements AutoCloseable {
    static final String AGENT = "agent";
    static final String COORDINATOR = "coordinator";

    private static final String SYSTEM = "plimsoll";
    private static final ClassLoader LOADER = FleetNode.class.getClassLoader();
    private static final Duration END_LIMIT = Duration.ofSeconds(3);

    final ActorSystem<Object> system;
    private final Cluster cluster;
    private final ActorRefResolver resolver;
    /** The address that other nodes use. */
    final String self;

    private final Map<String, ActorRef<Object>> peers = new ConcurrentHashMap<>();

    /** Handles a message; calls are serialized and must not block. */
    interface Inbox {
        void received(Envelope envelope);

        void agentUp(String address);

        /** The agent left or became unreachable. */
        void agentLeft(String address);

        /** The cluster removed this node for good. */
        default void removed() {}

        /** The node stopped listening unexpectedly. */
        default void ended() {}

        /** A peer was rejected on connecting. Any thread. */
        default void refused(Sentence who) {}
    }

    private final PeerAuthenticator proof;
    private volatile boolean closing;

    private FleetNode(ActorSystem<Object> system, Inbox inbox, CompletableFuture<PeerAuthenticator> proven) {
        this.system = system;
        this.cluster = Cluster.get(system);
        this.resolver = ActorRefResolver.get(system);
        this.self = address().toString();
        this.proof =
                new PeerAuthenticator((to, word, message) -> deliver(to, word, null, null, message), this::isMember);
        proven.complete(proof);
        system.getWhenTerminated().thenRun(() -> {
            if (closing) {
                return;
            }
            var reason = CoordinatedShutdown.get(system.classicSystem()).getShutdownReason();
            if (reason.filter(CoordinatedShutdown.clusterDowningReason()::equals)
                    .isPresent()) {
                inbox.removed();
            } else {
                inbox.ended();
            }
        });
    }

    /** @throws PlimsollException {@link Exit#USAGE} if it cannot listen there */
    static FleetNode start(NodeAddress listen, String role, Certificates certificates, Inbox inbox) {
        certificates.requireFor(listen, Instant.now());
        // Once, here: otherwise several Pekko threads would each find logging partly initialized and report it.
        LoggerFactory.getILoggerFactory();
        Config config = ConfigFactory.parseMap(settings(listen, role, certificates))
                .withFallback(ConfigFactory.parseResources(LOADER, "io/plimsoll/fleet/fleet.conf"))
                .withFallback(ConfigFactory.load(LOADER));
        NodeTls tls = new NodeTls(certificates, inbox::refused);
        ActorSystemSetup setup =
                ActorSystemSetup.create(BootstrapSetup.create(config), SSLEngineProviderSetup.create(any -> tls));
        CompletableFuture<PeerAuthenticator> proven = new CompletableFuture<>();
        try {
            return new FleetNode(ActorSystem.create(actor(inbox, proven), SYSTEM, setup), inbox, proven);
        } catch (RuntimeException e) {
            throw notStarted(listen, e);
        }
    }

    /**
     * The only actor of a node. It removes unreachable nodes: nodes share no state, so the halves of a split cluster
     * can continue separately. Messages wait until the authenticator of their senders exists.
     */
    private static Behavior<Object> actor(Inbox inbox, CompletableFuture<PeerAuthenticator> proof) {
        return Behaviors.setup(context -> {
            Cluster cluster = Cluster.get(context.getSystem());
            cluster.subscriptions().tell(Subscribe.create(context.getSelf().narrow(), ClusterDomainEvent.class));
            Class<?> quarantined = ThisActorSystemQuarantinedEvent.class;
            context.getSystem()
                    .classicSystem()
                    .eventStream()
                    .subscribe(Adapter.toClassic(context.getSelf()), quarantined);
            return Behaviors.receiveMessage(message -> {
                if (message instanceof Envelope envelope) {
                    PeerAuthenticator known = proof.getNow(null);
                    if (known != null && known.received(envelope)) {
                        inbox.received(envelope);
                    }
                } else if (message instanceof ThisActorSystemQuarantinedEvent) {
                    inbox.removed();
                } else if (message instanceof MemberUp up && up.member().hasRole(AGENT)) {
                    inbox.agentUp(up.member().address().toString());
                } else if (message instanceof UnreachableMember gone) {
                    cluster.manager().tell(new Down(gone.member().address()));
                    left(inbox, cluster, gone.member());
                } else if (message instanceof MemberRemoved || message instanceof MemberExited) {
                    left(inbox, cluster, ((MemberEvent) message).member());
                }
                return Behaviors.same();
            });
        });
    }

    private static void left(Inbox inbox, Cluster cluster, Member member) {
        if (member.address().equals(cluster.selfMember().address())) {
            if (member.status() == MemberStatus.removed()) {
                inbox.removed();
            }
        } else if (member.hasRole(AGENT)) {
            inbox.agentLeft(member.address().toString());
        }
    }

    /** Suggests another listen address only if the bind failed. */
    static PlimsollException notStarted(NodeAddress listen, Throwable failure) {
        Throwable cause = failure;
        boolean place = false;
        while (true) {
            place |= cause instanceof SocketException
                    || cause instanceof UnresolvedAddressException
                    || cause instanceof UnknownHostException;
            if (cause.getCause() == null) {
                break;
            }
            cause = cause.getCause();
        }
        String reason = String.valueOf(cause.getMessage());
        return place
                ? Exit.USAGE.because(failure, "fleet.cannotListen", listen, reason)
                : Exit.INTERNAL.because(
                        failure,
                        "fleet.notStarted",
                        listen,
                        reason.lines().findFirst().orElse(""));
    }

    private static Map<String, Object> settings(NodeAddress listen, String role, Certificates certificates) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("pekko.actor.serializers.plimsoll", Wire.class.getName());
        all.put("pekko.actor.serialization-bindings.\"" + Envelope.class.getName() + "\"", "plimsoll");
        all.put("pekko.remote.artery.canonical.hostname", listen.host());
        all.put("pekko.remote.artery.canonical.port", listen.port());
        all.put("pekko.remote.artery.bind.hostname", bound(listen, certificates));
        all.put("pekko.cluster.roles", List.of(role));
        return all;
    }

    /** {@code host:port} of an address. */
    static String place(String address) {
        return address.substring(address.indexOf('@') + 1);
    }

    private static Address address(NodeAddress place) {
        return new Address("pekko", SYSTEM, place.host(), place.port());
    }

    /** A daemon thread that repeats a task. */
    static ScheduledExecutorService scheduler(String name) {
        return Executors.newSingleThreadScheduledExecutor(Daemon.factory(name));
    }

    private boolean isMember(String address) {
        for (Member member : cluster.state().getMembers()) {
            if (member.address().toString().equals(address)) {
                return true;
            }
        }
        return false;
    }

    /** Joins the cluster of the first of these nodes that is available; retries until it succeeds. */
    void join(List<NodeAddress> nodes) {
        cluster.manager()
                .tell(new JoinSeedNodes(nodes.stream().map(FleetNode::address).toList()));
    }

    void found() {
        cluster.manager().tell(org.apache.pekko.cluster.typed.Join.create(address()));
    }

    private Address address() {
        return cluster.selfMember().address();
    }

    /**
     * Neither waits nor reports delivery; the first message to an address is dropped, because the nodes must exchange
     * tokens first.
     */
    void send(String to, String session, String trial, FleetMessage message) {
        String word = proof.wordOf(to);
        if (word != null) {
            deliver(to, word, session, trial, message);
        }
    }

    private void deliver(String to, String word, String session, String trial, FleetMessage message) {
        peers.computeIfAbsent(to, address -> resolver.resolveActorRef(address + "/user"))
                .tell(new Envelope(self, word, session, trial, message));
    }

    /** Leaves the cluster cleanly, if that succeeds within seconds. */
    @Override
    public void close() {
        closing = true;
        if (system.getWhenTerminated().toCompletableFuture().isDone()) {
            return;
        }
        cluster.manager().tell(Leave.create(address()));
        if (!ends()) {
            // Other nodes do not respond; terminate, because the port is released only with the actor system.
            system.terminate();
            ends();
        }
    }

    private boolean ends() {
        try {
            system.getWhenTerminated().toCompletableFuture().get(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            // It terminated with a failure; nothing is left to clean up.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return true;
    }

    /**
     * The host name at which agents reach a coordinator: from its certificate, or the address of the route. Fails with
     * {@link Exit#USAGE} if the certificate is for another host.
     */
    static String coordinatorHost(Certificates certificates, String route) {
        Optional<String> certified = certificates.host();
        if (certified.isEmpty()) {
            return route;
        }
        String name = certified.get();
        if (name.startsWith("*.")) {
            String own = canonical();
            Exit.USAGE.when(!own.endsWith(name.substring(1)), "fleet.certificateOfOther", certificates, name, own);
            return own;
        }
        try {
            InetAddress.getAllByName(name);
            return name;
        } catch (UnknownHostException e) {
            throw Exit.USAGE.because(e, "fleet.certificateLeadsNowhere", certificates, name, route);
        }
    }

    private static String canonical() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /**
     * The address to listen on. A host often knows its own name as one of the loopback addresses (127.0.1.1), which
     * is unreachable from other hosts: with certificates, it then listens on all addresses.
     */
    static String bound(NodeAddress listen, Certificates certificates) {
        boolean literal = listen.host().contains(":") || listen.host().matches("[0-9.]+");
        boolean quirk = !literal && !listen.host().equals("localhost") && listen.isLoopback();
        return quirk && !certificates.token() ? "0.0.0.0" : listen.host();
    }

    /** The local address on the route to the other host. In Kubernetes, the name of a pod resolves only after a while. */
    static String route(NodeAddress other, Duration patience) {
        if (other.isLoopback()) {
            return "127.0.0.1";
        }
        long deadline = System.nanoTime() + patience.toNanos();
        InetSocketAddress to;
        do {
            to = new InetSocketAddress(other.host(), other.port() == 0 ? 9 : other.port());
        } while (to.isUnresolved() && System.nanoTime() < deadline && pause());
        try (DatagramSocket socket = new DatagramSocket()) {
            // Sends nothing: the kernel only chooses a route.
            socket.connect(to);
            return socket.getLocalAddress().getHostAddress();
        } catch (SocketException | UncheckedIOException e) {
            throw Exit.CLUSTER.because(e, "fleet.noWay", other);
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(200);
            return true;
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "fleet.interruptedLooking");
        }
    }

    /**
     * Binds the sender address of a message to the certificate of that host. Each node has a token for each peer, which it sends
     * only to the peer's address: TLS ensures that only the holder of the certificate for that host can read it. Messages from
     * that address must carry the token; all other messages are answered with a {@link Hello} and dropped. Tokens are valid for the lifetime
     * of the node. Thread-safe.
     */
    static final class PeerAuthenticator {
        private static final String ALGORITHM = "HmacSHA256";

        private final SecretKeySpec key;
        private final Post post;
        private final Predicate<String> known;
        /** Tokens received from peers, by address. */
        private final Map<String, String> given = new ConcurrentHashMap<>();

        /** Sends without waiting. */
        interface Post {
            /** @param word the token of the recipient; null before it is known */
            void send(String to, String word, FleetMessage message);
        }

        /** @param known whether an address belongs to the cluster; other addresses are ignored */
        PeerAuthenticator(Post post, Predicate<String> known) {
            byte[] random = new byte[32];
            new SecureRandom().nextBytes(random);
            this.key = new SecretKeySpec(random, ALGORITHM);
            this.post = post;
            this.known = known;
        }

        /** The token that this peer sent; without one, requests it. */
        String wordOf(String peer) {
            String word = given.get(peer);
            if (word == null) {
                hello(peer, null);
            }
            return word;
        }

        private void hello(String peer, String word) {
            post.send(peer, word, new Hello(wordFor(peer)));
        }

        /** @return whether the sender is authenticated and the message is not part of this protocol */
        boolean received(Envelope envelope) {
            String from = envelope.from();
            boolean proven = proves(from, envelope.word());
            if (envelope.message() instanceof Hello hello) {
                if (!proven) {
                    // Echoed, not stored: the token may be forged. The echo authenticates this node to the peer, which
                    // sends
                    // its
                    // hello again.
                    if (known.test(from)) {
                        hello(from, hello.word());
                    }
                } else if (!hello.word().equals(given.put(from, hello.word()))) {
                    hello(from, hello.word());
                }
                return false;
            }
            if (!proven && known.test(from)) {
                hello(from, given.get(from));
            }
            return proven;
        }

        private boolean proves(String peer, String word) {
            return word != null
                    && MessageDigest.isEqual(
                            word.getBytes(StandardCharsets.UTF_8), wordFor(peer).getBytes(StandardCharsets.UTF_8));
        }

        private String wordFor(String peer) {
            try {
                Mac mac = Mac.getInstance(ALGORITHM);
                mac.init(key);
                byte[] made = mac.doFinal(peer.getBytes(StandardCharsets.UTF_8));
                return Base64.getUrlEncoder().withoutPadding().encodeToString(made);
            } catch (GeneralSecurityException e) {
                throw new AssertionError("every Java has " + ALGORITHM, e);
            }
        }
    }
}
