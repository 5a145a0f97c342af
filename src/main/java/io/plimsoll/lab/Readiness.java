package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.LoginProperties;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.RawNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/** Waits until each broker of a lab sees all brokers; then topics can be created. */
final class Readiness {
    private static final long POLL_MILLIS = 20;
    private static final int CONNECT_MILLIS = 200;
    private static final int REQUEST_MILLIS = 3_000;
    private static final String CLIENT_ID = "plimsoll-lab";

    private final Map<String, String> clientConfig;
    private final long deadlineNanos;

    Readiness(Map<String, String> clientConfig, Duration patience) {
        this.clientConfig = clientConfig;
        LoginProperties.allow(clientConfig);
        this.deadlineNanos = System.nanoTime() + patience.toNanos();
    }

    /** Waits for all brokers. Throws {@link StartFailure} if a process ends or the time limit passes. */
    void awaitAll(List<BrokerProcess> brokers) throws InterruptedException {
        List<BrokerProcess> serving =
                brokers.stream().filter(b -> b.node().role().serves()).toList();
        Set<Integer> ids = serving.stream().map(broker -> broker.node().id()).collect(Collectors.toSet());
        for (BrokerProcess broker : serving) {
            awaitView(broker, ids, brokers);
        }
    }

    /** Waits until this broker has joined the cluster; for a controller or ZooKeeper, until it accepts connections. */
    void awaitOne(BrokerProcess broker) throws InterruptedException {
        if (broker.node().role().serves()) {
            awaitView(broker, Set.of(broker.node().id()), List.of(broker));
        }
        while (!accepts(broker.node())) {
            pause(List.of(broker), null);
        }
    }

    private void awaitView(BrokerProcess asked, Set<Integer> expected, List<BrokerProcess> guarded)
            throws InterruptedException {
        // Connect first, because the client's own retries back off and notice a started broker late.
        while (!accepts(asked.node())) {
            pause(guarded, null);
        }
        // An admin client could query another broker instead of this one.
        LabNode node = asked.node();
        try (RawNetwork network = client(node, config -> new RawNetwork(config, CLIENT_ID, -1, REQUEST_MILLIS))) {
            RawLink link = network.link(node.host(), node.port(), node.id());
            Set<Integer> seen = Set.of();
            while (!seen.containsAll(expected)) {
                pause(guarded, link.lastError());
                seen = view(network, link);
            }
        }
    }

    /** Ids of the live brokers as seen by this broker; empty without a response. */
    private static Set<Integer> view(RawNetwork network, RawLink link) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REQUEST_MILLIS);
        AtomicReference<Optional<ClusterView>> answer = new AtomicReference<>();
        boolean asked = false;
        while (answer.get() == null && System.nanoTime() - deadline < 0 && (!asked || link.ready())) {
            if (!asked && link.ready()) {
                asked = true;
                ClusterView.ask(link, List.of(), CLIENT_ID, view -> answer.set(Optional.ofNullable(view)));
            }
            network.poll(POLL_MILLIS);
        }
        return answer.get() == null
                ? Set.of()
                : answer.get().map(view -> view.nodes().keySet()).orElse(Set.of());
    }

    /** Properties that the broker does not know: misspelled, or meant for a plug-in. Kafka silently ignores them. */
    Set<String> unknown(BrokerProcess broker, Set<String> properties) throws InterruptedException {
        ConfigResource resource = new ConfigResource(
                ConfigResource.Type.BROKER, Integer.toString(broker.node().id()));
        try (Admin admin = client(broker.node(), Admin::create)) {
            Config config = Objects.requireNonNull(admin.describeConfigs(Set.of(resource))
                    .all()
                    .get(REQUEST_MILLIS, TimeUnit.MILLISECONDS)
                    .get(resource));
            // Listener properties can belong to an authentication plug-in.
            return properties.stream()
                    .filter(name -> !name.startsWith("listener.name."))
                    .filter(name ->
                            config.get(name) == null || config.get(name).type() == ConfigEntry.ConfigType.UNKNOWN)
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (ExecutionException | TimeoutException e) {
            // Without permission to read the configuration, no property is known to be wrong.
            return Set.of();
        }
    }

    private void pause(List<BrokerProcess> brokers, @Nullable String last) throws InterruptedException {
        for (BrokerProcess broker : brokers) {
            if (!broker.isAlive()) {
                throw StartFailure.ended(broker);
            }
        }
        if (System.nanoTime() - deadlineNanos > 0) {
            throw StartFailure.notReady(brokers.get(0), last);
        }
        Thread.sleep(POLL_MILLIS);
    }

    private static boolean accepts(LabNode node) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(node.host(), node.port()), CONNECT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private <T> T client(LabNode node, Function<Map<String, Object>, T> maker) {
        Map<String, Object> config = new HashMap<>(clientConfig);
        config.put("bootstrap.servers", node.host() + ":" + node.port());
        config.put("client.id", CLIENT_ID);
        config.put("request.timeout.ms", REQUEST_MILLIS);
        config.put("default.api.timeout.ms", REQUEST_MILLIS);
        config.put("enable.metrics.push", false);
        try {
            return maker.apply(config);
        } catch (KafkaException e) {
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            String said = Secrets.scrub(String.valueOf(cause.getMessage()), clientConfig);
            throw Exit.USAGE.because(e, "lab.noClient", said);
        }
    }

    /** The reason why a broker did not start: one sentence, then the broker's last log lines. */
    static final class StartFailure extends PlimsollException {
        private static final long serialVersionUID = 1L;
        private static final int SHOWN_LINES = 10;
        private static final int EXIT_KILLED = 137;
        private static final Pattern BIND = Pattern.compile("failed to bind to (\\S+?):?\\s");
        private static final Pattern PROGRESS = Pattern.compile("^\\[[^]]+] INFO ");
        private static final Pattern CONFIG = Pattern.compile("ConfigException: (.+)");

        private final boolean portTaken;

        private StartFailure(Exit exit, Sentence sentence, boolean portTaken) {
            super(exit, sentence);
            this.portTaken = portTaken;
        }

        boolean portTaken() {
            return portTaken;
        }

        /** The failure of a process that ended before it was ready. */
        static StartFailure ended(BrokerProcess broker) throws InterruptedException {
            return explain(broker.node(), broker.exitCode(), broker.lastLines());
        }

        /** The failure of a cluster that did not form in time. */
        static StartFailure notReady(BrokerProcess broker, @Nullable String last) {
            return new StartFailure(
                    Exit.INTERNAL,
                    Sentence.of(
                            "lab.notReadyInTime",
                            last == null ? Sentence.NONE : Sentence.of("lab.lastAnswer", last),
                            broker.node().id(),
                            shown(broker.lastLines())),
                    false);
        }

        /** Derives the reason from the log lines, oldest first. */
        static StartFailure explain(LabNode node, OptionalInt exitCode, List<String> log) {
            String text = String.join("\n", log);
            Matcher config = CONFIG.matcher(text);
            Sentence because;
            Exit exit = Exit.INTERNAL;
            boolean portTaken = text.contains("Address already in use");
            if (portTaken) {
                Matcher bind = BIND.matcher(text);
                because = Sentence.of("lab.start.portTaken", bind.find() ? bind.group(1) : Sentence.of("lab.itsPort"));
            } else if (RunDirectory.saysDiskFull(text)) {
                because = Sentence.of("lab.start.noSpace", node.directory());
            } else if (isAboutMemory(text)) {
                because = Sentence.of("lab.start.noMemory");
                exit = Exit.USAGE;
            } else if (config.find()) {
                because = Sentence.of(
                        "lab.start.badConfig", config.group(1).strip().replaceFirst("\\.$", ""));
                exit = Exit.USAGE;
            } else {
                because = ended(exitCode);
            }
            return new StartFailure(exit, Sentence.of("lab.start.failed", node.id(), because, shown(log)), portTaken);
        }

        private static boolean isAboutMemory(String text) {
            return text.contains("Could not reserve enough space")
                    || text.contains("insufficient memory for the Java Runtime Environment")
                    || text.contains("java.lang.OutOfMemoryError")
                    || text.contains("maximum heap size");
        }

        private static Sentence ended(OptionalInt exitCode) {
            if (exitCode.isEmpty()) {
                return Sentence.of("lab.start.ended");
            }
            return exitCode.getAsInt() == EXIT_KILLED
                    ? Sentence.of("lab.start.killed")
                    : Sentence.of("lab.start.endedWith", exitCode.getAsInt());
        }

        /** The log lines without progress messages, because a failing broker also logs its shutdown. */
        private static Sentence shown(List<String> log) {
            List<String> telling =
                    log.stream().filter(line -> !PROGRESS.matcher(line).find()).toList();
            List<String> lines = telling.isEmpty() ? log : telling;
            if (lines.isEmpty()) {
                return Sentence.of("lab.wroteNothing");
            }
            return Sentence.verbatim(lines.stream()
                    .skip(Math.max(0, lines.size() - SHOWN_LINES))
                    .map(line -> "\n  " + line)
                    .collect(Collectors.joining()));
        }
    }
}
