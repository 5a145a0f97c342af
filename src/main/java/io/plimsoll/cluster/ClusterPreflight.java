package io.plimsoll.cluster;

import io.plimsoll.Daemon;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cluster.ClusterPreflight.ListenerProbe.Address;
import io.plimsoll.cluster.ClusterPreflight.ListenerProbe.ListenerAnswer;
import io.plimsoll.cluster.ClusterPreflight.ListenerProbe.ProbeResult;
import io.plimsoll.text.Sentence;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Connects to a cluster for the first time, and explains a failure in one sentence. Used by one thread. */
final class ClusterPreflight {
    private static final long PROBE_SECONDS = 12;
    private static final int DESCRIBE_MILLIS = 15_000;
    private static final int EACH_MILLIS = 5_000;
    private static final Pattern USERNAME = Pattern.compile("username\\s*=\\s*[\"']?([^\"';\\s]+)");

    private final ClusterConnection connection;
    private final List<Address> addresses;
    private final String protocol;

    ClusterPreflight(ClusterConnection connection) {
        this.connection = connection;
        this.addresses = Address.parseAll(connection.bootstrapServers());
        this.protocol = connection
                .properties()
                .getOrDefault("security.protocol", "PLAINTEXT")
                .strip()
                .toUpperCase(Locale.ROOT);
    }

    ClusterDescription run() {
        connection.validate();
        // A client would read a web server's response as a length and allocate a buffer of that size, so probe first.
        Address usable = usableAddress();
        Admin admin = connection.admin(ClusterConnection.within(DESCRIBE_MILLIS, DESCRIBE_MILLIS));
        try {
            ClusterDescription described = describe(admin);
            requireOneCluster(described);
            return described;
        } catch (ExecutionException e) {
            throw describeFailure(KafkaErrors.unwrap(e), usable);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "cluster.interruptedConnecting", usable);
        } finally {
            admin.close(Duration.ofMillis(500));
        }
    }

    /**
     * Fails with {@link Exit#USAGE} if an address belongs to another cluster: a client could query one cluster and
     * modify the other. Advertised addresses belong to the cluster; any other address that responds is queried.
     */
    private void requireOneCluster(ClusterDescription described) throws InterruptedException {
        Set<Address> left = new LinkedHashSet<>(addresses);
        described.brokers().forEach(broker -> left.remove(new Address(broker.host(), broker.port())));
        if (addresses.size() == 1 || left.isEmpty()) {
            return;
        }
        Map<Address, Admin> admins = new LinkedHashMap<>();
        try {
            for (Address address : left) {
                Map<String, Object> own = new HashMap<>(ClusterConnection.within(EACH_MILLIS, EACH_MILLIS));
                own.put("bootstrap.servers", address.toString());
                admins.put(address, connection.admin(own));
            }
            Map<Address, KafkaFuture<String>> ids = new LinkedHashMap<>();
            admins.forEach(
                    (address, admin) -> ids.put(address, admin.describeCluster().clusterId()));
            for (Map.Entry<Address, KafkaFuture<String>> id : ids.entrySet()) {
                try {
                    String other = id.getValue().get();
                    Exit.USAGE.when(
                            !Objects.equals(other, described.clusterId()),
                            "cluster.several",
                            id.getKey(),
                            String.valueOf(other),
                            String.valueOf(described.clusterId()));
                } catch (ExecutionException e) {
                    // A stopped broker is harmless, because clients cannot reach it either.
                }
            }
        } finally {
            admins.values().forEach(admin -> admin.close(Duration.ZERO));
        }
    }

    private ClusterDescription describe(Admin admin) throws ExecutionException, InterruptedException {
        DescribeClusterResult cluster = admin.describeCluster();
        List<ClusterDescription.Broker> brokers = new ArrayList<>();
        List<Address> advertised = new ArrayList<>();
        for (Node node : cluster.nodes().get()) {
            String rack = node.hasRack() ? node.rack() : "";
            brokers.add(new ClusterDescription.Broker(node.id(), node.host(), node.port(), rack));
            advertised.add(new Address(node.host(), node.port()));
        }
        Map<Address, ProbeResult> findings = probe(advertised, ListenerProbe::connect);
        Map<Integer, Sentence> unreachable = new TreeMap<>();
        for (ClusterDescription.Broker broker : brokers) {
            Address at = new Address(broker.host(), broker.port());
            ProbeResult found = Objects.requireNonNull(findings.get(at));
            if (found.answer() != ListenerAnswer.CONNECTED) {
                unreachable.put(broker.id(), Sentence.of("cluster.reasonAt", reason(found), at));
            }
        }
        return new ClusterDescription(cluster.clusterId().get(), brokers, unreachable);
    }

    /** The first bootstrap server with a valid response; throws the error of the first server if none. */
    private Address usableAddress() {
        boolean encrypted = protocol.endsWith("SSL");
        Map<Address, ProbeResult> findings =
                probe(addresses, encrypted ? ListenerProbe::connect : ListenerProbe::speakPlaintext);
        for (Map.Entry<Address, ProbeResult> finding : findings.entrySet()) {
            ListenerAnswer answer = finding.getValue().answer();
            if (answer == ListenerAnswer.KAFKA || answer == ListenerAnswer.CONNECTED) {
                return finding.getKey();
            }
        }
        Sentence first = sentence(addresses.get(0), Objects.requireNonNull(findings.get(addresses.get(0))));
        throw new PlimsollException(
                Exit.CLUSTER,
                addresses.size() == 1 ? first : Sentence.of("cluster.noneUsable", first, addresses.size()));
    }

    /** Probes all addresses in parallel; a timeout counts as no response. */
    private static Map<Address, ProbeResult> probe(List<Address> addresses, Function<Address, ProbeResult> probe) {
        // Daemon threads: name resolution is not interruptible and must not keep the JVM alive.
        ExecutorService threads = Executors.newCachedThreadPool(Daemon.factory("preflight"));
        try {
            List<Callable<ProbeResult>> tasks = new ArrayList<>();
            addresses.forEach(address -> tasks.add(() -> probe.apply(address)));
            Map<Address, ProbeResult> findings = new LinkedHashMap<>();
            Iterator<Address> asked = addresses.iterator();
            for (Future<ProbeResult> future : threads.invokeAll(tasks, PROBE_SECONDS, TimeUnit.SECONDS)) {
                try {
                    findings.put(
                            asked.next(), future.isCancelled() ? new ProbeResult(ListenerAnswer.SILENT) : future.get());
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
            return findings;
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "cluster.interruptedConnecting", addresses.toString());
        } finally {
            threads.shutdownNow();
        }
    }

    private static Sentence reason(ProbeResult finding) {
        return switch (finding.answer()) {
            case UNRESOLVABLE -> Sentence.of("cluster.unknownHost");
            case REFUSED -> Sentence.of("cluster.refused");
            case CONNECT_TIMEOUT, SILENT -> Sentence.of("cluster.silent");
            default -> Sentence.verbatim(String.valueOf(finding.detail()));
        };
    }

    private static Sentence sentence(Address address, ProbeResult finding) {
        return switch (finding.answer()) {
            case UNRESOLVABLE -> Sentence.of("cluster.hostUnresolved", address);
            case REFUSED -> Sentence.of("cluster.nothingListens", address);
            case CONNECT_TIMEOUT -> Sentence.of("cluster.connectTimeout", address, ListenerProbe.TIMEOUT_MILLIS / 1000);
            case TLS -> Sentence.of("cluster.expectsTls", address);
            case HTTP -> Sentence.of("cluster.webServer", address);
            case CLOSED -> Sentence.of("cluster.closesConnection", address);
            case SILENT -> Sentence.of("cluster.doesNotAnswer", address, ListenerProbe.TIMEOUT_MILLIS / 1000);
            case NOT_KAFKA -> Sentence.of("cluster.notKafka", address);
            default -> Sentence.of("cluster.unreachable", address, finding.detail());
        };
    }

    private PlimsollException describeFailure(Throwable cause, Address address) {
        if (cause instanceof AuthenticationException) {
            return authenticationFailure(cause, address);
        }
        if (cause instanceof UnsupportedVersionException) {
            return Exit.CLUSTER.because(cause, "cluster.servesNoClients", address, cause.getMessage());
        }
        if (!(cause instanceof TimeoutException)) {
            return KafkaErrors.explain(cause, "describe the cluster at", address.toString());
        }
        return new PlimsollException(Exit.CLUSTER, timeoutSentence(address), cause);
    }

    private Sentence timeoutSentence(Address address) {
        if (protocol.endsWith("SSL")) {
            return ListenerProbe.speakPlaintext(address).answer() == ListenerAnswer.KAFKA
                    ? noTls(address)
                    : Sentence.of("cluster.noTlsConnection", address);
        }
        if (protocol.equals("PLAINTEXT")) {
            try {
                for (Map.Entry<Address, ProbeResult> finding : probe(
                                ListenerProbe.advertised(address), ListenerProbe::connect)
                        .entrySet()) {
                    if (finding.getValue().answer() != ListenerAnswer.CONNECTED) {
                        return Sentence.of(
                                "cluster.advertisesUnreachable", address, finding.getKey(), reason(finding.getValue()));
                    }
                }
            } catch (EOFException e) {
                return Sentence.of("cluster.asksForSasl", address);
            } catch (IOException e) {
                // No further information here; the general message applies.
            }
        }
        return Sentence.of("cluster.noAnswerWithin", address, DESCRIBE_MILLIS / 1000);
    }

    private static Sentence noTls(Address address) {
        return Sentence.of("cluster.noTls", address);
    }

    private PlimsollException authenticationFailure(Throwable cause, Address address) {
        String said = Secrets.scrub(deepest(cause), connection.properties()).replaceFirst("\\.$", "");
        Sentence sentence;
        if (cause instanceof SslAuthenticationException) {
            sentence = said.contains("unrecognized SSL message") || said.contains("plaintext connection")
                    ? noTls(address)
                    : Sentence.of("cluster.tlsHandshake", address, said);
        } else {
            Map<String, String> properties = connection.properties();
            String mechanism = properties.getOrDefault("sasl.mechanism", "GSSAPI");
            Matcher user = USERNAME.matcher(properties.getOrDefault("sasl.jaas.config", ""));
            Sentence who = user.find() ? Sentence.of("cluster.ofUser", user.group(1)) : Sentence.NONE;
            sentence = Sentence.of("cluster.refusedAuthentication", address, who, mechanism, said);
        }
        return new PlimsollException(Exit.CLUSTER, sentence, cause);
    }

    /** The innermost message, which for TLS is the only one with the reason. */
    private static String deepest(Throwable t) {
        String message = String.valueOf(t.getMessage());
        for (Throwable cause = t; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                message = cause.getMessage();
            }
        }
        return message.strip().replaceAll("\\s+", " ");
    }

    /**
     * Detects with a raw socket which protocol listens at an address. Kafka's client is unsuitable. It retries a
     * refused connection until its timeout. It also reads the start of a TLS or HTTP response as a length of hundreds
     * of megabytes, and allocates a buffer of that size.
     *
     * <p>Every method returns within a few times {@link #TIMEOUT_MILLIS}, except for name resolution.
     */
    static final class ListenerProbe {
        static final int TIMEOUT_MILLIS = 10_000;

        private static final short API_VERSIONS = 18;
        private static final short METADATA = 3;
        private static final int CORRELATION_ID = 0x506c696d;
        /** Upper bound of the size of responses to the two requests, even from a cluster of a thousand brokers. */
        private static final int MAX_RESPONSE_BYTES = 1 << 20;

        enum ListenerAnswer {
            UNRESOLVABLE,
            REFUSED,
            CONNECT_TIMEOUT,
            UNREACHABLE,
            /** The port accepts connections; the protocol was not tested. */
            CONNECTED,
            KAFKA,
            TLS,
            HTTP,
            CLOSED,
            SILENT,
            NOT_KAFKA
        }

        /** @param detail message of the operating system or the peer; can be empty */
        record ProbeResult(ListenerAnswer answer, String detail) {
            ProbeResult(ListenerAnswer answer) {
                this(answer, "");
            }
        }

        static ProbeResult connect(Address address) {
            try (Socket socket = open(address)) {
                return new ProbeResult(ListenerAnswer.CONNECTED);
            } catch (IOException e) {
                return connectFailure(e);
            }
        }

        /** Sends an unencrypted Kafka request; also valid for listeners with SASL but without TLS. */
        static ProbeResult speakPlaintext(Address address) {
            ProbeResult finding;
            try (Socket socket = open(address)) {
                finding = apiVersions(socket);
            } catch (IOException e) {
                return connectFailure(e);
            }
            // Some TLS servers close the connection when they receive invalid bytes.
            return finding.answer == ListenerAnswer.CLOSED && speaksTls(address)
                    ? new ProbeResult(ListenerAnswer.TLS)
                    : finding;
        }

        /** Addresses advertised by a plaintext listener. Throws {@link EOFException} if the listener requires authentication. */
        static List<Address> advertised(Address address) throws IOException {
            try (Socket socket = open(address)) {
                send(socket, METADATA, (short) 1, new byte[4]);
                DataInputStream in = response(socket);
                List<Address> brokers = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    in.readInt();
                    String host = string(in);
                    brokers.add(new Address(host, in.readInt()));
                    string(in);
                }
                return brokers;
            }
        }

        private static Socket open(Address address) throws IOException {
            IOException failure = null;
            // Like the client (client.dns.lookup=use_all_dns_ips): a name can resolve to several addresses.
            for (InetAddress ip : InetAddress.getAllByName(address.host())) {
                Socket socket = new Socket();
                try {
                    socket.setSoTimeout(TIMEOUT_MILLIS);
                    socket.connect(new InetSocketAddress(ip, address.port()), TIMEOUT_MILLIS);
                    return socket;
                } catch (IOException e) {
                    socket.close();
                    failure = e;
                }
            }
            throw failure == null ? new UnknownHostException(address.host()) : failure;
        }

        private static ProbeResult connectFailure(IOException e) {
            String detail = String.valueOf(e.getMessage());
            if (e instanceof UnknownHostException) {
                return new ProbeResult(ListenerAnswer.UNRESOLVABLE, detail);
            }
            if (e instanceof SocketTimeoutException) {
                return new ProbeResult(ListenerAnswer.CONNECT_TIMEOUT, detail);
            }
            boolean refused = e instanceof ConnectException && detail.contains("refused");
            return new ProbeResult(refused ? ListenerAnswer.REFUSED : ListenerAnswer.UNREACHABLE, detail);
        }

        private static ProbeResult apiVersions(Socket socket) {
            try {
                send(socket, API_VERSIONS, (short) 0, new byte[0]);
                byte[] start = socket.getInputStream().readNBytes(4);
                if (start.length == 0) {
                    return new ProbeResult(ListenerAnswer.CLOSED);
                }
                if (start[0] == 0x15 && start.length > 1 && start[1] == 0x03) {
                    return new ProbeResult(ListenerAnswer.TLS);
                }
                if (start.length == 4) {
                    String text = new String(start, StandardCharsets.ISO_8859_1);
                    if (text.equals("HTTP") || text.startsWith("<")) {
                        return new ProbeResult(ListenerAnswer.HTTP);
                    }
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    int length = ByteBuffer.wrap(start).getInt();
                    if (length >= 6 && length <= MAX_RESPONSE_BYTES && in.readInt() == CORRELATION_ID) {
                        return new ProbeResult(ListenerAnswer.KAFKA);
                    }
                }
                return new ProbeResult(ListenerAnswer.NOT_KAFKA);
            } catch (SocketTimeoutException e) {
                return new ProbeResult(ListenerAnswer.SILENT);
            } catch (IOException e) {
                // The connection was reset or the response truncated.
                return new ProbeResult(ListenerAnswer.CLOSED, String.valueOf(e.getMessage()));
            }
        }

        private static boolean speaksTls(Address address) {
            SSLSocketFactory factory = (SSLSocketFactory) SSLSocketFactory.getDefault();
            try (Socket socket = open(address);
                    SSLSocket tls = (SSLSocket) factory.createSocket(socket, address.host(), address.port(), true)) {
                tls.setSoTimeout(TIMEOUT_MILLIS);
                tls.startHandshake();
                return true;
            } catch (SSLException e) {
                // An untrusted certificate or an alert is still TLS.
                return Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                                .anyMatch(CertificateException.class::isInstance)
                        || String.valueOf(e.getMessage()).contains("alert");
            } catch (IOException e) {
                return false;
            }
        }

        /** Request header version 1: API key, API version, correlation id, null client id. */
        private static void send(Socket socket, short apiKey, short apiVersion, byte[] body) throws IOException {
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
            out.writeInt(2 + 2 + 4 + 2 + body.length);
            out.writeShort(apiKey);
            out.writeShort(apiVersion);
            out.writeInt(CORRELATION_ID);
            out.writeShort(-1);
            out.write(body);
            out.flush();
        }

        private static DataInputStream response(Socket socket) throws IOException {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int length = in.readInt();
            if (length < 4 || length > MAX_RESPONSE_BYTES) {
                throw new IOException("not a Kafka response");
            }
            DataInputStream body = new DataInputStream(new ByteArrayInputStream(in.readNBytes(length)));
            if (body.readInt() != CORRELATION_ID) {
                throw new IOException("not a Kafka response");
            }
            return body;
        }

        private static String string(DataInputStream in) throws IOException {
            short length = in.readShort();
            return length < 0 ? "" : new String(in.readNBytes(length), StandardCharsets.UTF_8);
        }

        /** One entry of a bootstrap list. */
        record Address(String host, int port) {
            private static final Pattern HOST_PORT =
                    Pattern.compile("(?:[A-Za-z][A-Za-z0-9_]*://)?(\\[[^\\]]+\\]|[^\\[\\]:/\\s]+):([0-9]{1,6})");

            /** Parses {@code host:port,...}. Throws a usage error that quotes the invalid entry. */
            static List<Address> parseAll(String bootstrapServers) {
                List<Address> addresses = new ArrayList<>();
                for (String entry : bootstrapServers.split(",", -1)) {
                    addresses.add(parse(entry.strip(), bootstrapServers));
                }
                return addresses;
            }

            private static Address parse(String entry, String all) {
                if (entry.isEmpty()) {
                    throw malformed(Sentence.of("cluster.emptyEntry", all));
                }
                Matcher matcher = HOST_PORT.matcher(entry);
                if (!matcher.matches()) {
                    throw malformed(Sentence.of("cluster.notHostPort", entry));
                }
                int port = Integer.parseInt(matcher.group(2));
                if (port < 1 || port > 65535) {
                    throw malformed(Sentence.of("cluster.noSuchPort", entry, port));
                }
                return new Address(matcher.group(1).replaceAll("[\\[\\]]", ""), port);
            }

            private static PlimsollException malformed(Sentence what) {
                return Exit.USAGE.because("cluster.notAnAddress", what);
            }

            @Override
            public String toString() {
                return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
            }
        }
    }
}
