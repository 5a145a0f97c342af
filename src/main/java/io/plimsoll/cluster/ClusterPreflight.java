package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.cluster.ListenerProbe.ListenerAnswer;
import io.plimsoll.cluster.ListenerProbe.ProbeResult;
import io.plimsoll.text.Sentence;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterResult;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** Connects to a cluster for the first time and says in one sentence why that failed. Used by one thread. */
final class ClusterPreflight {
    private static final long PROBE_SECONDS = 4;
    private static final int DESCRIBE_MILLIS = 5_000;
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
        // Before there is a client: it connects as soon as it exists, and would allocate what a web server's answer
        // asks.
        Address usable = usableAddress();
        Admin admin = connection.admin(quick());
        try {
            return describe(admin);
        } catch (ExecutionException e) {
            throw describeFailure(KafkaErrors.unwrap(e), usable);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PlimsollException(Exit.INTERRUPTED, Sentence.of("cluster.interruptedConnecting", usable), e);
        } finally {
            admin.close(Duration.ofMillis(500));
        }
    }

    private static Map<String, Object> quick() {
        return Map.of(
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                DESCRIBE_MILLIS,
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                DESCRIBE_MILLIS);
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
        Map<Integer, String> unreachable = new TreeMap<>();
        List<ProbeResult> findings = probe(advertised, ListenerProbe::connect);
        for (int i = 0; i < findings.size(); i++) {
            if (findings.get(i).answer() != ListenerAnswer.CONNECTED) {
                unreachable.put(brokers.get(i).id(), reason(findings.get(i)) + " at " + advertised.get(i));
            }
        }
        return new ClusterDescription(cluster.clusterId().get(), brokers, unreachable);
    }

    /** The first bootstrap server that answers as it should; the failure of the first one when none does. */
    private Address usableAddress() {
        boolean encrypted = protocol.endsWith("SSL");
        List<ProbeResult> findings =
                probe(addresses, encrypted ? ListenerProbe::connect : ListenerProbe::speakPlaintext);
        for (int i = 0; i < findings.size(); i++) {
            ListenerAnswer answer = findings.get(i).answer();
            if (answer == ListenerAnswer.KAFKA || answer == ListenerAnswer.CONNECTED) {
                return addresses.get(i);
            }
        }
        String others = addresses.size() == 1
                ? ""
                : " (none of the " + addresses.size() + " bootstrap servers can be used; this is the first)";
        throw new PlimsollException(Exit.CLUSTER, sentence(addresses.get(0), findings.get(0)) + others);
    }

    private interface Probe {
        ProbeResult ask(Address address);
    }

    /** Asks all addresses at once; one that does not answer in time counts as silent. */
    private static List<ProbeResult> probe(List<Address> addresses, Probe probe) {
        // Daemon threads: the resolver of a host name cannot be interrupted, and must not keep the JVM alive.
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "preflight");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Callable<ProbeResult>> tasks = new ArrayList<>();
            addresses.forEach(address -> tasks.add(() -> probe.ask(address)));
            List<ProbeResult> findings = new ArrayList<>();
            for (Future<ProbeResult> future : threads.invokeAll(tasks, PROBE_SECONDS, TimeUnit.SECONDS)) {
                try {
                    findings.add(future.get());
                } catch (CancellationException e) {
                    findings.add(new ProbeResult(ListenerAnswer.SILENT));
                } catch (ExecutionException e) {
                    throw new IllegalStateException(e.getCause());
                }
            }
            return findings;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PlimsollException(Exit.INTERRUPTED, Sentence.of("cluster.interruptedConnecting", addresses), e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static String reason(ProbeResult finding) {
        return switch (finding.answer()) {
            case UNRESOLVABLE -> "unknown host name";
            case REFUSED -> "connection refused";
            case CONNECT_TIMEOUT, SILENT -> "no answer";
            default -> finding.detail();
        };
    }

    private static String sentence(Address address, ProbeResult finding) {
        return switch (finding.answer()) {
            case UNRESOLVABLE ->
                "the host name of bootstrap server " + address
                        + " cannot be resolved; correct the name, or see to it that this host can look it up";
            case REFUSED ->
                "nothing listens at bootstrap server " + address
                        + " (connection refused); start the broker or correct the address";
            case CONNECT_TIMEOUT ->
                "bootstrap server " + address + " does not accept a connection within "
                        + ListenerProbe.TIMEOUT_MILLIS / 1000 + " s; check the address, the route and the firewalls";
            case TLS ->
                "bootstrap server " + address
                        + " expects TLS, but the client is set to speak without; set security.protocol=SSL or SASL_SSL"
                        + " (client property, for example in the file given with --command-config)";
            case HTTP ->
                "bootstrap server " + address
                        + " is a web server (it answers in HTTP), not a Kafka broker; correct the address";
            case CLOSED ->
                "bootstrap server " + address
                        + " closes the connection on a Kafka request; check that it is a listener for Kafka clients and"
                        + " which security.protocol it expects";
            case SILENT ->
                "bootstrap server " + address
                        + " accepts a connection but does not answer a Kafka request within "
                        + ListenerProbe.TIMEOUT_MILLIS / 1000 + " s; check that it is a Kafka broker, and not hung";
            case NOT_KAFKA -> "bootstrap server " + address + " does not speak the Kafka protocol; correct the address";
            default ->
                "bootstrap server " + address + " cannot be reached (" + finding.detail()
                        + "); check the address and the network";
        };
    }

    private PlimsollException describeFailure(Throwable cause, Address address) {
        if (cause instanceof AuthenticationException) {
            return authenticationFailure(cause, address);
        }
        if (cause instanceof UnsupportedVersionException) {
            String text = address + " does not serve clients (" + cause.getMessage()
                    + "); name a broker as bootstrap server, not a controller";
            return new PlimsollException(Exit.CLUSTER, text, cause);
        }
        if (!(cause instanceof TimeoutException)) {
            return KafkaErrors.explain(cause, "describe the cluster at", address.toString());
        }
        return new PlimsollException(Exit.CLUSTER, timeoutSentence(address), cause);
    }

    private String timeoutSentence(Address address) {
        if (protocol.endsWith("SSL")) {
            return ListenerProbe.speakPlaintext(address).answer() == ListenerAnswer.KAFKA
                    ? noTls(address)
                    : "bootstrap server " + address + " does not complete a TLS connection; check that it is a TLS"
                            + " listener of Kafka and the ssl.* properties of the client";
        }
        if (protocol.equals("PLAINTEXT")) {
            try {
                List<Address> advertised = ListenerProbe.advertised(address);
                List<ProbeResult> findings = probe(advertised, ListenerProbe::connect);
                for (int i = 0; i < findings.size(); i++) {
                    if (findings.get(i).answer() != ListenerAnswer.CONNECTED) {
                        return "bootstrap server " + address + " answers, but sends clients to " + advertised.get(i)
                                + ", which fails from here (" + reason(findings.get(i))
                                + "); correct advertised.listeners of that broker or make the address reachable";
                    }
                }
            } catch (EOFException e) {
                return "bootstrap server " + address
                        + " closes the connection on the first request; it probably asks for authentication: set"
                        + " security.protocol=SASL_PLAINTEXT, sasl.mechanism and sasl.jaas.config";
            } catch (IOException e) {
                // Nothing more is to be learnt here: the general sentence below says what is known.
            }
        }
        return "the cluster at " + address + " did not answer within " + DESCRIBE_MILLIS / 1000
                + " s; check that its brokers run and can be reached at the addresses they advertise";
    }

    private static String noTls(Address address) {
        return "bootstrap server " + address
                + " does not use TLS, but the client is set to; set security.protocol=PLAINTEXT or SASL_PLAINTEXT";
    }

    private PlimsollException authenticationFailure(Throwable cause, Address address) {
        String said = Secrets.scrub(deepest(cause), connection.properties()).replaceFirst("\\.$", "");
        String text;
        if (cause instanceof SslAuthenticationException) {
            text = said.contains("unrecognized SSL message") || said.contains("plaintext connection")
                    ? noTls(address)
                    : "the TLS handshake with " + address + " failed: " + said
                            + "; check ssl.truststore.* (whom the client trusts) and ssl.keystore.* (who it is)";
        } else {
            Map<String, String> properties = connection.properties();
            String mechanism = properties.getOrDefault("sasl.mechanism", "GSSAPI");
            Matcher user = USERNAME.matcher(properties.getOrDefault("sasl.jaas.config", ""));
            String who = user.find() ? " of user '" + user.group(1) + "'" : "";
            text = "the cluster at " + address + " refused the authentication" + who + " (sasl.mechanism=" + mechanism
                    + "): " + said + "; check security.protocol, sasl.mechanism and sasl.jaas.config";
        }
        return new PlimsollException(Exit.CLUSTER, text, cause);
    }

    /** The innermost message, since for TLS only that one names the reason. */
    private static String deepest(Throwable t) {
        String message = String.valueOf(t.getMessage());
        for (Throwable cause = t; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null) {
                message = cause.getMessage();
            }
        }
        return message.strip().replaceAll("\\s+", " ");
    }
}
