package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.SecuredLab;
import io.plimsoll.lab.Lab;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The engines support TLS and SASL, and report authentication failures as such. */
@Tag("nightly")
class RawSecurityTest {
    private static final String SCENARIO = """
        name: %1$s
        topics: [{name: %1$s, partitions: 2}]
        producers: [{topic: %1$s, records: 30000, clients: 2, record: {size: 500}}]
        consumers: [{topic: %1$s}]
        audit: true
        """;

    @TempDir
    Path out;

    private TrialResult trial(Lab lab, Map<String, String> security, String yaml, String... overrides) {
        RunRequest secured = Runs.request(yaml, lab.bootstrapServers(), out, overrides)
                .with(draft -> draft.cluster = Optional.of(new ClusterConnection(lab.bootstrapServers(), security)));
        Run.Finished finished = new Run(secured, Progress.NONE).execute();
        assertThat(finished.failure()).isNull();
        return finished.result().trials().get(0);
    }

    private static void assertEverythingArrived(TrialResult trial) {
        assertThat(trial.produce().volume().records()).isEqualTo(30_000);
        assertThat(trial.produce().errors().total()).isZero();
        assertThat(trial.consume().volume().records()).isEqualTo(30_000);
        assertThat(trial.consume().times().endToEnd().count()).isEqualTo(30_000);
        assertThat(trial.consume().times().negativeEndToEnd()).isZero();
        assertThat(trial.audit().counts().lost()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"raw, raw", "raw, client", "client, raw"})
    void tls(String writer, String reader) {
        assertEverythingArrived(trial(
                SecuredLab.tls(),
                SecuredLab.tlsProperties(),
                SCENARIO.formatted("tls-" + writer + "-" + reader),
                "producers.engine=" + writer,
                "consumers.engine=" + reader));
    }

    /** The socket refuses the last bytes of a request that TLS has encrypted already, again and again. */
    @Test
    void tlsWithSmallSendBuffer() {
        TrialResult trial = trial(
                SecuredLab.tls(),
                SecuredLab.tlsProperties(),
                SCENARIO.formatted("tls-small-buffer"),
                "producers.engine=raw",
                "producers.record.size=1000",
                "producers.config.batch.size=131072",
                "producers.config.request.timeout.ms=2000",
                "producers.config.send.buffer.bytes=4096");
        assertEverythingArrived(trial);
        assertThat(trial.produce().wire().retries()).isZero();
    }

    /**
     * Records of 30 KB and fetches of megabytes: many TLS records per response, and writes that the socket accepts in
     * parts.
     */
    @Tag("nightly")
    @Test
    void tlsWithLargeRequests() {
        TrialResult trial = trial(
                SecuredLab.tls(),
                SecuredLab.tlsProperties(),
                SCENARIO.formatted("tls-large"),
                "producers.engine=raw",
                "consumers.engine=raw",
                "producers.records=3000",
                "producers.record.size=30000",
                "producers.config.batch.size=900000");
        assertThat(trial.produce().volume().records()).isEqualTo(3000);
        assertThat(trial.consume().volume().records()).isEqualTo(3000);
        assertThat(trial.consume().volume().bytes()).isEqualTo(90_000_000);
        assertThat(trial.consume().errors().total()).isZero();
    }

    /**
     * The client reauthenticates after two seconds on the same connection, between two requests. A client starved at
     * that moment is late, loses its connection as specified, and retries.
     */
    @Test
    void saslReauthenticates() {
        TrialResult trial = trial(
                SecuredLab.sasl(),
                SecuredLab.saslProperties(SecuredLab.ADMIN, SecuredLab.adminPassword()),
                SCENARIO.formatted("sasl-again"),
                "producers.engine=raw",
                "consumers.engine=raw",
                "producers.rate=3000/s");
        assertEverythingArrived(trial);
    }

    @ParameterizedTest
    @CsvSource({"raw, SCRAM-SHA-256", "raw, SCRAM-SHA-512", "client, SCRAM-SHA-512", "raw, PLAIN"})
    void sasl(String engine, String mechanism) throws Exception {
        Map<String, String> security = SecuredLab.saslProperties(SecuredLab.ADMIN, SecuredLab.adminPassword());
        if (!mechanism.equals("PLAIN")) {
            security = SecuredLab.scramProperties(mechanism);
        }
        assertEverythingArrived(trial(
                SecuredLab.sasl(),
                security,
                SCENARIO.formatted("sasl-" + engine + "-" + mechanism.toLowerCase(Locale.ROOT)),
                "producers.engine=" + engine,
                "consumers.engine=" + engine));
    }
}
