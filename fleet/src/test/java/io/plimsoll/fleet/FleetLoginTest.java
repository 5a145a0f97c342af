package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.fleet.AgentOptions.Permits;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.TestKdc;
import io.plimsoll.lab.TokenIssuer;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.Run;
import io.plimsoll.run.RunRequest;
import io.plimsoll.testing.Runs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents authenticate at the cluster with the coordinator's credentials and do not keep them. */
@Tag("nightly")
class FleetLoginTest {
    private static final String YAML = """
        name: login
        topics: [{name: TOPIC, partitions: 2}]
        producers: [{topic: TOPIC, engine: raw, records: 500, record: {size: 80}}]
        consumers: [{topic: TOPIC}]
        audit: true
        """;

    @TempDir
    Path directory;

    private void assertWorks(Lab lab, Map<String, String> login, Set<String> allowed) {
        AgentOptions options = new AgentOptions(
                new NodeAddress("127.0.0.1", 0),
                List.of(),
                "login",
                Map.of(),
                new Permits(Optional.empty(), allowed),
                SharedFleet.TOKEN,
                "1",
                "test", Duration.ZERO);
        try (Agent agent = Agent.start(options, said -> {});
                Fleet fleet = SharedFleet.find(agent.address(), 1, SharedFleet.anywhere(), "login", "1")) {
            String yaml = YAML.replace("TOPIC", "login-" + UUID.randomUUID());
            RunRequest request = Runs.request(yaml, lab.bootstrapServers(), directory.resolve("runs"))
                    .with(draft -> {
                        draft.cluster = Optional.of(new ClusterConnection(lab.bootstrapServers(), login));
                        draft.workers = fleet;
                    });
            fleet.check(request);
            fleet.claim();
            RunResult result = SharedFleet.result(new Run(request, Progress.NONE).execute());
            assertThat(result.trials().get(0).produce().volume().records()).isEqualTo(500);
            assertThat(result.trials().get(0).audit().counts().lost()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"SASL_SSL,SCRAM-SHA-512,acls", "SSL,mutual,acls", "SASL_SSL,OAUTHBEARER,acls"})
    void sendsContentsOfCredentialFilesToAgent(String security) {
        try (Lab lab = SecuredLab.start(security)) {
            assertWorks(lab, lab.logins().orElseThrow().client(), Set.of());
        }
    }

    @Test
    void sendsKeytabToAgent() throws Exception {
        try (TestKdc kdc = new TestKdc(Files.createDirectory(directory.resolve("kdc")));
                Lab lab = SecuredLab.start("SASL_SSL,acls," + kdc.words())) {
            assertWorks(lab, lab.logins().orElseThrow().client(), Set.of());
        }
    }

    @Test
    void contactsIssuerOnlyIfAgentPermitsIt() throws Exception {
        try (TokenIssuer issuer = new TokenIssuer(null, Duration.ofMinutes(5));
                Lab lab = SecuredLab.start(
                        "SASL_SSL,OAUTHBEARER,acls", issuer.broker(), issuer.client(Map.of(), TokenIssuer.SECRET))) {
            Map<String, String> login = issuer.client(lab.logins().orElseThrow().client(), TokenIssuer.SECRET);
            assertThatThrownBy(() -> assertWorks(lab, login, Set.of()))
                    .hasMessageContaining("sasl.oauthbearer.token.endpoint.url");
            assertWorks(lab, login, Set.of(login.get("sasl.oauthbearer.token.endpoint.url")));
        }
    }
}
