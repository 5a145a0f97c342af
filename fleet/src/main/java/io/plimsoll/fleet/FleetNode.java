package io.plimsoll.fleet;

import io.plimsoll.run.fleet.NodeAddress;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.Hello;
import io.plimsoll.fleet.FleetMessage.Left;
import io.plimsoll.fleet.FleetMessage.Register;
import io.plimsoll.fleet.FleetMessage.Registered;
import io.plimsoll.fleet.Wire.Encoded;
import io.plimsoll.result.Units;
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
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.BootstrapSetup;
import org.apache.pekko.actor.setup.ActorSystemSetup;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorRefResolver;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.remote.artery.tcp.SSLEngineProviderSetup;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * A process of a fleet, an agent or the coordinator of a run, that exchanges messages with other nodes over Pekko's
 * remoting. Agents register with the agents that they join, so a coordinator that queries one agent finds all of them.
 * Thread-safe.
 */
final class FleetNode implements AutoCloseable {
    private static final String SYSTEM = "plimsoll";
    private static final ClassLoader LOADER = FleetNode.class.getClassLoader();
    private static final Config SETTINGS = ConfigFactory.parseResources(LOADER, "io/plimsoll/fleet/fleet.conf");
    /** Maximum size of an encoded message in bytes: smaller than a frame, which also contains addresses. */
    static final int MOST_BYTES = (int) (SETTINGS.getBytes("pekko.remote.artery.advanced.maximum-frame-size") - 2048);

    private static final Duration END_LIMIT = Duration.ofSeconds(3);
    /** Time in ns after which registrations are renewed; they expire after three times as long. */
    private static final long REGISTERED_NANOS = 5_000_000_000L;
    /** Time in ns without an answer from all nodes to join, after which the silence is reported. */
    private static final long SILENCE_NANOS = 20_000_000_000L;

    final ActorSystem<Object> system;
    private final ActorRefResolver resolver;
    /** The address that other nodes use. */
    final String self;

    private final Map<String, ActorRef<Object>> peers = new ConcurrentHashMap<>();
    /** Agents that registered with this node or accepted its registration, with the time of the last message. */
    private final Map<String, Long> members = new ConcurrentHashMap<>();

    private volatile List<String> join = List.of();
    /** Time of the last answer of a node to join; before the first answer, of the call of {@link #join}. */
    private volatile long answeredNanos;
    /** Whether the silence was reported. Only for {@link #renew}. */
    private boolean silent;

    /** Handles a message; calls are serialized and must not block. */
    interface Inbox {
        void received(Envelope envelope);

        /** An agent has ended, or was replaced by another process with the same address. */
        default void left(String address) {}

        /** The node stopped unexpectedly. */
        default void ended() {}

        /** A peer was rejected while it connected. Called by any thread. */
        default void refused(Sentence who) {}
    }

    private final PeerAuthenticator proof;
    private volatile boolean closing;

    private FleetNode(ActorSystem<Object> system, Inbox inbox, CompletableFuture<FleetNode> started) {
        this.system = system;
        this.resolver = ActorRefResolver.get(system);
        this.self = system.address().toString();
        this.proof = new PeerAuthenticator(
                (to, word, message) -> deliver(to, word, null, null, message), FleetNode::isNode, inbox::left);
        started.complete(this);
        system.getWhenTerminated().thenRun(() -> {
            if (!closing) {
                inbox.ended();
            }
        });
    }

    /** Starts the node of an agent, which has few messages per second. */
    static FleetNode start(NodeAddress listen, Certificates certificates, Inbox inbox) {
        return start(listen, certificates, inbox, 1);
    }

    /**
     * @param threads maximum number of threads for messages; never more than the number of cores
     * @throws PlimsollException {@link Exit#USAGE} if the node cannot listen at this address
     */
    static FleetNode start(NodeAddress listen, Certificates certificates, Inbox inbox, int threads) {
        certificates.requireFor(listen, Instant.now());
        // Initialize logging here once; otherwise several Pekko threads would find it partly initialized and report
        // that.
        LoggerFactory.getILoggerFactory();
        Config config = ConfigFactory.parseMap(settings(listen, certificates, threads))
                .withFallback(SETTINGS)
                .withFallback(ConfigFactory.load(LOADER));
        NodeTls tls = new NodeTls(certificates, inbox::refused);
        ActorSystemSetup setup =
                ActorSystemSetup.create(BootstrapSetup.create(config), SSLEngineProviderSetup.create(any -> tls));
        CompletableFuture<FleetNode> started = new CompletableFuture<>();
        try {
            return new FleetNode(ActorSystem.create(actor(inbox, started), SYSTEM, setup), inbox, started);
        } catch (RuntimeException e) {
            throw notStarted(listen, e);
        }
    }

    /** The only actor of a node. Messages are dropped until the node is complete. */
    private static Behavior<Object> actor(Inbox inbox, CompletableFuture<FleetNode> started) {
        return Behaviors.receiveMessage(message -> {
            FleetNode node = started.getNow(null);
            if (node != null && message instanceof Envelope envelope && node.proof.received(envelope)) {
                node.received(envelope, inbox);
            }
            return Behaviors.same();
        });
    }

    private void received(Envelope envelope, Inbox inbox) {
        String from = envelope.from();
        if (envelope.message() instanceof Register) {
            members.put(from, System.nanoTime());
            send(from, null, null, new Registered());
        } else if (envelope.message() instanceof Registered) {
            answeredNanos = System.nanoTime();
            members.put(from, answeredNanos);
        } else if (envelope.message() instanceof Left) {
            members.remove(from);
            inbox.left(from);
        } else {
            inbox.received(envelope);
        }
    }

    /** The error for a node that did not start. Suggests another listen address only if the bind failed. */
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

    private static Map<String, Object> settings(NodeAddress listen, Certificates certificates, int threads) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("pekko.actor.serializers.plimsoll", Wire.class.getName());
        all.put("pekko.actor.serialization-bindings.\"" + Encoded.class.getName() + "\"", "plimsoll");
        all.put("pekko.remote.artery.canonical.hostname", listen.host());
        all.put("pekko.remote.artery.canonical.port", listen.port());
        all.put("pekko.remote.artery.bind.hostname", bound(listen, certificates));
        all.put("pekko.actor.default-dispatcher.fork-join-executor.parallelism-max", threads);
        return all;
    }

    /** The {@code host:port} part of an address. */
    static String place(String address) {
        return address.substring(address.indexOf('@') + 1);
    }

    static String address(NodeAddress place) {
        return "pekko://" + SYSTEM + "@" + place;
    }

    /** Whether this text can be the address of a node. */
    private static boolean isNode(String address) {
        Option<Address> parsed = AddressFromURIString.unapply(address);
        return parsed.isDefined()
                && parsed.get().system().equals(SYSTEM)
                && parsed.get().port().isDefined();
    }

    /** An executor with one daemon thread, for repeated tasks. */
    static ScheduledExecutorService scheduler(String name) {
        return Executors.newSingleThreadScheduledExecutor(Daemon.factory(name));
    }

    /** Registers with these nodes, except with itself; see {@link #renew}. */
    void join(List<NodeAddress> nodes) {
        answeredNanos = System.nanoTime();
        join = nodes.stream()
                .map(FleetNode::address)
                .filter(address -> !address.equals(self))
                .toList();
    }

    /**
     * Renews registrations that are due. Call about once a second, in the same thread.
     * @return a report if all nodes to join have become silent, or if one answers again; null otherwise
     */
    @Nullable
    Sentence renew(long now) {
        for (String address : join) {
            Long last = members.get(address);
            if (last == null || now - last > REGISTERED_NANOS) {
                send(address, null, null, new Register());
            }
        }
        boolean before = silent;
        silent = !join.isEmpty() && now - answeredNanos > SILENCE_NANOS;
        List<String> places = join.stream().map(FleetNode::place).toList();
        return silent == before ? null : Sentence.of(silent ? "fleet.noAnswer" : "fleet.answers", places);
    }

    /** The addresses of the other agents that this node knows. */
    List<String> members() {
        long now = System.nanoTime();
        members.values().removeIf(last -> now - last > 3 * REGISTERED_NANOS);
        return List.copyOf(members.keySet());
    }

    /**
     * Sends a message without waiting for or reporting its delivery. The first message to an address is dropped,
     * because the nodes must exchange tokens first.
     * @return the reason why the message is too large to be sent; null otherwise
     */
    @Nullable
    Sentence send(String to, @Nullable String session, @Nullable String trial, FleetMessage message) {
        String word = proof.wordOf(to);
        return word == null ? null : deliver(to, word, session, trial, message);
    }

    private @Nullable Sentence deliver(
            String to, @Nullable String word, @Nullable String session, @Nullable String trial, FleetMessage message) {
        Encoded encoded = Encoded.of(new Envelope(self, word, session, trial, message));
        int size = encoded.bytes().length;
        if (size > MOST_BYTES) {
            // Pekko would drop it without a report to the sender.
            return Sentence.of(
                    "fleet.tooLarge", message.getClass().getSimpleName(), Units.bytes(size), Units.bytes(MOST_BYTES));
        }
        peers.computeIfAbsent(to, address -> resolver.resolveActorRef(address + "/user"))
                .tell(encoded);
        return null;
    }

    /** Notifies the other agents, and stops listening. */
    @Override
    public void close() {
        closing = true;
        if (!system.getWhenTerminated().toCompletableFuture().isDone()) {
            members().forEach(address -> send(address, null, null, new Left()));
            system.terminate();
            awaitEnd();
        }
    }

    private void awaitEnd() {
        try {
            system.getWhenTerminated().toCompletableFuture().get(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            // There is nothing left to do.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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

    static String canonical() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /**
     * The address to listen on. A host often resolves its own name to a loopback address (127.0.1.1), which other hosts
     * cannot reach. With certificates, the node then listens on all addresses.
     */
    static String bound(NodeAddress listen, Certificates certificates) {
        boolean literal = listen.host().contains(":") || listen.host().matches("[0-9.]+");
        boolean quirk = !literal && !listen.host().equals("localhost") && listen.isLoopback();
        return quirk && !certificates.token() ? "0.0.0.0" : listen.host();
    }

    /** The local address on the route to the other host. In Kubernetes, a pod's name can be resolved only after some time. */
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
            // Sends no packet: the kernel only chooses a route.
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
     * Binds the sender address of a message to the certificate of that host. Each node has a token for each peer, which
     * it sends only to the peer's address. TLS ensures that only the owner of the certificate for that host can read
     * the token. Messages from that address must contain the token; other messages are answered with a {@link Hello}
     * and dropped. Tokens are valid for the lifetime of the node. Thread-safe.
     */
    static final class PeerAuthenticator {
        private static final String ALGORITHM = "HmacSHA256";

        private final SecretKeySpec key;
        private final Post post;
        private final Predicate<String> known;
        private final Consumer<String> restarted;
        /** Tokens received from peers, by address. */
        private final Map<String, String> given = new ConcurrentHashMap<>();

        /** Sends messages without waiting. */
        interface Post {
            /** @param word the token of the recipient; null before it is known */
            void send(String to, @Nullable String word, FleetMessage message);
        }

        /**
         * @param known returns whether an address can be the address of a node; other addresses are ignored
         * @param restarted receives the address of a peer with a new token: another process now uses the address
         */
        PeerAuthenticator(Post post, Predicate<String> known, Consumer<String> restarted) {
            byte[] random = new byte[32];
            new SecureRandom().nextBytes(random);
            this.key = new SecretKeySpec(random, ALGORITHM);
            this.post = post;
            this.known = known;
            this.restarted = restarted;
        }

        /** The token that this peer sent; if it is missing, requests it and returns null. */
        @Nullable
        String wordOf(String peer) {
            String word = given.get(peer);
            if (word == null) {
                hello(peer, null);
            }
            return word;
        }

        private void hello(String peer, @Nullable String word) {
            post.send(peer, word, new Hello(wordFor(peer)));
        }

        /** @return whether the sender is authenticated and the message is not part of this protocol */
        boolean received(Envelope envelope) {
            String from = envelope.from();
            boolean proven = proves(from, envelope.word());
            if (envelope.message() instanceof Hello hello) {
                if (!proven) {
                    // The token is echoed but not stored, because it can be forged. The echo authenticates this node to
                    // the peer, which then sends its hello again.
                    if (known.test(from)) {
                        hello(from, hello.word());
                    }
                } else {
                    String before = given.put(from, hello.word());
                    if (!hello.word().equals(before)) {
                        hello(from, hello.word());
                        if (before != null) {
                            restarted.accept(from);
                        }
                    }
                }
                return false;
            }
            if (!proven && known.test(from)) {
                hello(from, given.get(from));
            }
            return proven;
        }

        private boolean proves(String peer, @Nullable String word) {
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
