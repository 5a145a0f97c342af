package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.fleet.AgentOptions.Permits;
import io.plimsoll.run.fleet.FleetSupport.Credentials;
import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.testing.Runs;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Membership in a fleet requires its certificate. */
@Order(1)
class FleetTlsTest {
    private static final String SECRET = "Fj3kd8Wq1z";
    private static final String YAML = """
        name: tls
        topics: [{name: TOPIC}]
        producers: [{topic: TOPIC, records: 100, record: {size: 50}}]
        audit: true
        """;

    private final List<String> said = Collections.synchronizedList(new ArrayList<>());

    @TempDir
    Path directory;

    private AgentOptions agent(NodeAddress listen, Credentials credentials) {
        return new AgentOptions(listen, List.of(), "a", Map.of(), Permits.NONE, credentials, "1", "test", Duration.ZERO);
    }

    private static Fleet find(NodeAddress agent, Credentials credentials, int seconds) {
        return Fleet.find(new Wanted(
                List.of(agent),
                1,
                Duration.ofSeconds(seconds),
                credentials,
                new FleetRules(Map.of(), Map.of(), false),
                "tls",
                "1"));
    }

    /**
     * Looks for an agent without success, until the reason is known. That takes less than two seconds, but more on a
     * busy host.
     */
    private static PlimsollException refusal(
            Agent agent, Credentials credentials, Predicate<PlimsollException> explained) {
        int seconds = 2;
        while (true) {
            int patience = seconds;
            PlimsollException refused = catchThrowableOfType(
                    PlimsollException.class, () -> find(agent.address(), credentials, patience).close());
            assertThat(refused)
                    .hasMessageFindingMatch(
                            Said.en("fleet.agentsMissing", 0, 1).pattern());
            if (explained.test(refused) || seconds > 10) {
                return refused;
            }
            seconds *= 3;
        }
    }

    @Test
    void admitsOnlyPeersWithValidFleetCertificate() throws Exception {
        CompletableFuture<Path> others = CompletableFuture.supplyAsync(
                () -> new CertificateMaker(directory.resolve("strangers"), 9).host("127.0.0.1"));
        CertificateMaker maker = new CertificateMaker(directory.resolve("fleet"), 9);
        Path fleet = maker.host("127.0.0.1");
        Credentials ours = new Credentials(fleet, null);
        Credentials desk = new Credentials(Files.move(maker.host("localhost"), directory.resolve("desk")), null);
        Credentials strangers = new Credentials(others.join(), null);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(fleet)))
                .isEqualTo("rwx------");
        assertThat(fleet).isDirectoryNotContaining(file -> file.toString().contains("authority"));
        try (Agent agent =
                Agent.start(agent(new NodeAddress("127.0.0.1", 0), ours), sentence -> said.add(sentence.english()))) {
            try (Fleet found = find(agent.address(), desk, 60)) {
                RunRequest request = withSecret(found);
                found.check(request);
                found.claim();
                RunResult result = SharedFleet.result(new Run(request, Progress.NONE).execute());
                assertThat(result.trials().get(0).produce().volume().records()).isEqualTo(100);
            }
            secretIsNowhere();
            assertThat(said).anyMatch(text -> Said.en("fleet.certificateEnds", "this host")
                    .matcher(text)
                    .find());
            Pattern unbelieved = Said.en("fleet.peerUnbelieved");
            assertThat(refusal(agent, SharedFleet.TOKEN, e -> unbelieved.matcher(e.getMessage()).find()))
                    .hasMessageFindingMatch(
                            Said.en("fleet.refusedPeer", "CN=127.0.0.1").pattern())
                    .hasMessageFindingMatch(unbelieved.pattern());
            refusal(agent, strangers, e -> true);
            // Its own directory is elsewhere and does not get the list.
            maker.revoke(List.of("localhost"));
            String revoked = Sentence.of("fleet.refusedPeer", "CN=localhost", Sentence.of("fleet.peerRevoked"))
                    .english();
            refusal(agent, desk, e -> said.contains(revoked));
            assertThat(said).contains(revoked);
            find(agent.address(), ours, 60).close();
        }
    }

    /** A client that needs no password has it anyway. */
    private RunRequest withSecret(Fleet fleet) {
        RunRequest plain = Runs.request(
                YAML.replace("TOPIC", "tls-" + UUID.randomUUID()), "127.0.0.1:1", directory.resolve("runs"));
        ClusterConnection cluster = new ClusterConnection(
                SharedLab.oneBroker().bootstrapServers(),
                Map.of(
                        "sasl.mechanism",
                        "PLAIN",
                        "sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"u\" password=\""
                                + SECRET + "\";"));
        return plain.with(draft -> {
            draft.cluster = Optional.of(cluster);
            draft.workers = fleet;
        });
    }

    /** Not in the run directory, the agent's output, or its files. */
    private void secretIsNowhere() throws Exception {
        assertThat(said).noneMatch(said -> said.contains(SECRET));
        int looked = 0;
        try (var files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                looked++;
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(SECRET);
            }
        }
        assertThat(looked).isGreaterThan(8);
    }

    @Test
    void refusesToListenRemotelyWithoutCertificates() {
        // Addresses reserved for documentation; the agent must not try to bind them.
        for (String host : new String[] {"192.0.2.1", "0.0.0.0", "2001:db8::1"}) {
            assertThatThrownBy(() -> Agent.start(agent(new NodeAddress(host, 0), SharedFleet.TOKEN), said -> {}))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.USAGE))
                    .hasMessageContaining("plimsoll fleet certs DIR HOST");
        }
    }

    @Test
    void localAgentAdmitsOnlyPeersWithToken() {
        Credentials own = new Credentials(null, directory.resolve("own"));
        try (Agent agent =
                Agent.start(agent(new NodeAddress("127.0.0.1", 0), own), sentence -> said.add(sentence.english()))) {
            find(agent.address(), own, 60).close();
            assertThatThrownBy(() -> find(agent.address(), SharedFleet.TOKEN, 2))
                    .hasMessageFindingMatch(
                            Said.en("fleet.agentsMissing", 0, 1).pattern());
        }
    }

    @Test
    void namesMissingCertificateFile() {
        assertThatThrownBy(() -> Certificates.in(directory))
                .hasMessageContaining(directory.resolve("host.p12").toString());
    }
}
