package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.lab.TestKdc;
import io.plimsoll.lab.TokenIssuer;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both engines authenticate by every supported method and reauthenticate after expiry. */
@Order(1)
class LoginsTest {
    private static final String SCENARIO = """
        name: %1$s
        topics: [{name: %1$s, partitions: 2}]
        producers: [{topic: %1$s, engine: %2$s, records: 12000, clients: 2, record: {size: 300}%4$s}]
        consumers: [{topic: %1$s, engine: %3$s}]
        audit: true
        """;

    @TempDir
    Path out;

    private Run.Finished run(String servers, Map<String, String> login, String writer, String reader, String more) {
        String yaml = SCENARIO.formatted("logins-" + writer + "-" + reader, writer, reader, more);
        RunRequest request = Runs.request(yaml, servers, out)
                .with(draft -> draft.cluster = Optional.of(new ClusterConnection(servers, login)));
        return new Run(request, Progress.NONE).execute();
    }

    /** The reason why a run did not start. */
    private PlimsollException refusal(Lab lab, Map<String, String> login, String engine) {
        try {
            return run(lab.bootstrapServers(), login, engine, engine, "").failure();
        } catch (PlimsollException e) {
            return e;
        }
    }

    private void assertEverythingArrives(
            Lab lab, Map<String, String> login, String writer, String reader, String more) {
        Run.Finished finished = run(lab.bootstrapServers(), login, writer, reader, more);
        assertThat(finished.failure()).isNull();
        TrialResult trial = finished.result().trials().get(0);
        assertThat(trial.produce().volume().records())
                .as("%s %s", trial.judgement().warnings(), trial.produce())
                .isEqualTo(12_000);
        assertThat(trial.produce().errors().total()).isZero();
        assertThat(trial.consume().volume().records()).isEqualTo(12_000);
        assertThat(trial.audit().counts().read()).isEqualTo(12_000);
        assertThat(trial.audit().counts().lost()).isZero();
    }

    private void bothEngines(Lab lab, Map<String, String> login) {
        assertEverythingArrives(lab, login, "raw", "client", "");
        assertEverythingArrives(lab, login, "client", "raw", "");
    }

    private static Map<String, String> admin(Lab lab) {
        return lab.logins().orElseThrow().client();
    }

    /** The most common setup in production: SASL_SSL with SCRAM, and ACLs. */
    @Test
    void authenticatesByScramOverTlsAndRespectsAcls() {
        Lab lab = SecuredLab.saslOverTls();
        bothEngines(lab, admin(lab));
        Map<String, String> nobody = lab.logins().orElseThrow().client(LabLogins.USER, "SCRAM-SHA-512");
        for (String engine : new String[] {"client", "raw"}) {
            PlimsollException refused = refusal(lab, nobody, engine);
            assertThat(refused.exit()).isEqualTo(Exit.CLUSTER);
            assertThat(refused).hasMessageContaining("not authorized");
        }
    }

    /**
     * Responses in flight arrive among reauthentication responses, several per TLS record: a missed one waits for the
     * request timeout of 30 s and is retried.
     */
    @Test
    void receivesInFlightResponsesDuringReauthentication() {
        Lab lab = SecuredLab.saslOverTls();
        String yaml = """
            name: renewed
            topics: [{name: renewed, partitions: 2}]
            producers: [{topic: renewed, engine: raw, clients: 2, record: {size: 1KB}}]
            warmup: 0s
            duration: 6s
            """;
        RunRequest request = Runs.request(yaml, lab.bootstrapServers(), out)
                .with(draft -> draft.cluster = Optional.of(new ClusterConnection(lab.bootstrapServers(), admin(lab))));
        TrialResult.Produce produce = new Run(request, Progress.NONE)
                .execute()
                .result()
                .trials()
                .get(0)
                .produce();
        assertThat(produce.volume().records()).isPositive();
        assertThat(produce.errors().total()).isZero();
        assertThat(produce.schedule().unacknowledged()).isZero();
        assertThat(produce.times().serviceTime().max() / 1e6)
                .as("%d sent again", produce.wire().retries())
                .isLessThan(15);
    }

    /** Sessions expire after two seconds, in a load of five seconds. */
    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "SASL_SSL,PLAIN,acls,reauth=2s",
                "SASL_SSL,SCRAM-SHA-256,reauth=2s",
                "SASL_SSL,OAUTHBEARER,acls,reauth=2s",
                "SASL_PLAINTEXT,OAUTHBEARER"
            })
    void authenticatesByEveryMechanism(String security) {
        try (Lab lab = SecuredLab.start(security)) {
            bothEngines(lab, admin(lab));
            assertEverythingArrives(lab, admin(lab), "raw", "raw", ", rate: 2400/s");
        }
    }

    @Tag("nightly")
    @Test
    void authenticatesByMutualTls() {
        try (Lab lab = SecuredLab.start("SSL,mutual,acls")) {
            bothEngines(lab, admin(lab));
            Map<String, String> trusting = new HashMap<>(admin(lab));
            trusting.keySet().removeIf(name -> name.startsWith("ssl.keystore"));
            PlimsollException refused = refusal(lab, trusting, "raw");
            assertThat(refused.exit()).isEqualTo(Exit.CLUSTER);
            assertThat(refused).hasMessageContaining("ssl.keystore");
        }
    }

    @Tag("nightly")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void authenticatesByTokensFromIssuer(boolean tls) throws Exception {
        Path own = Files.createDirectory(out.resolve("issuer"));
        try (TokenIssuer issuer = new TokenIssuer(tls ? own : null, Duration.ofSeconds(6));
                Lab lab = SecuredLab.start(
                        "SASL_SSL,OAUTHBEARER,acls", issuer.broker(), issuer.client(Map.of(), TokenIssuer.SECRET))) {
            Map<String, String> login = issuer.client(admin(lab), TokenIssuer.SECRET);
            assertEverythingArrives(lab, login, "client", "client", "");
            int before = issuer.issued.get();
            assertThat(before).isPositive();
            assertThat(issuer.keysAsked.get()).isPositive();
            // Longer than the validity of a token: another token is fetched, and presented on the existing connections.
            assertEverythingArrives(lab, login, "raw", "raw", ", rate: 1200/s");
            assertThat(issuer.issued.get()).isGreaterThan(before + 1);

            PlimsollException refused = refusal(lab, issuer.client(admin(lab), "wrongHush"), "raw");
            assertThat(refused.getMessage()).contains("401").doesNotContain("Hush");
        }
    }

    @Tag("nightly")
    @Test
    void authenticatesByKerberos() throws Exception {
        try (TestKdc kdc = new TestKdc(Files.createDirectory(out.resolve("kdc")));
                Lab lab = SecuredLab.start("SASL_SSL,acls,reauth=2s," + kdc.words())) {
            bothEngines(lab, admin(lab));
            assertEverythingArrives(lab, admin(lab), "raw", "raw", ", rate: 2400/s");
            Map<String, String> stranger = new HashMap<>(admin(lab));
            stranger.replace(
                    "sasl.jaas.config",
                    stranger.get("sasl.jaas.config").replace("principal=\"admin@", "principal=\"eve@"));
            assertThat(refusal(lab, stranger, "raw").exit()).isEqualTo(Exit.USAGE);
        }
    }
}
