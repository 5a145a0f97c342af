package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.FaultResult;
import io.plimsoll.result.Progress;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.FaultMark;
import io.plimsoll.result.TimelineEvent.FaultState;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fault marks of a certificate rehearsal match the handshakes seen by an independent client of broker 1. */
@Tag("nightly")
@Timeout(300)
class CertificatesTruthTest {
    private static final String LOAD = """
            lab: {brokers: 3, security: SSL}
            topics: [{name: shown, partitions: 3, replication: 3, config: {min.insync.replicas: 2}}]
            producers: [{topic: shown, rate: 300/s, record: {size: 100}, config: {acks: all}}]
            consumers: [{topic: shown}]
            warmup: 2s
            duration: 40s
            audit: true
            faults:
              - {at: 0s, exec: 'echo $PLIMSOLL_BROKER_PORT > %s', on: 1}
              - {at: 6s, %s}
            """;

    @TempDir
    Path out;

    /**
     * One handshake.
     *
     * @param refusal why the client rejected the certificate; null if it did not
     */
    private record Handshake(Instant begun, Instant ended, BigInteger number, Class<?> refusal) {
        boolean within(Instant from, Instant to) {
            return begun.isAfter(from) && ended.isBefore(to);
        }
    }

    private record Outcome(TrialResult trial, List<FaultMark> marks, List<Handshake> seen) {
        Instant at(FaultState state) {
            return marks.stream()
                    .filter(m -> m.state() == state && m.deed().action().endsWith("Certificates"))
                    .filter(m -> state == FaultState.ASKED || m.deed().broker() == 1)
                    .map(FaultMark::at)
                    .findFirst()
                    .orElseThrow();
        }

        List<Handshake> between(Instant from, Instant to) {
            List<Handshake> found =
                    seen.stream().filter(s -> s.within(from, to)).toList();
            assertThat(found).hasSizeGreaterThan(5);
            return found;
        }

        List<FaultResult> faults() {
            return trial.detail().faults().stream()
                    .filter(f -> f.deed().action().endsWith("Certificates"))
                    .toList();
        }

        void assertWhole() {
            assertThat(trial.audit().counts().lost()).isZero();
            assertThat(trial.audit().counts().duplicated()).isZero();
            assertThat(faults()).hasSize(3).allSatisfy(f -> {
                assertThat(f.deed().outcome()).as(f.toString()).isEqualTo("over");
                assertThat(f.effect().errors().byKind()).isEmpty();
                assertThat(f.effect().longestGapSeconds()).isLessThan(2);
            });
        }
    }

    /** Performs handshakes with a broker until stopped. */
    private static final class Witness implements X509TrustManager {
        private X509TrustManager trusting;
        private X509Certificate shown;

        Handshake look(int port) throws Exception {
            Instant begun = Instant.now();
            Throwable refusal = null;
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {this}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 2000);
                socket.setSoTimeout(2000);
                socket.startHandshake();
            } catch (IOException e) {
                for (refusal = e; refusal.getCause() != null; ) {
                    refusal = refusal.getCause();
                }
            }
            return new Handshake(
                    begun, Instant.now(), shown.getSerialNumber(), refusal == null ? null : refusal.getClass());
        }

        /** Trusts only the issuer of the first certificate. */
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String algorithm)
                throws java.security.cert.CertificateException {
            shown = chain[0];
            if (trusting == null) {
                trusting = trusting(chain[1]);
            }
            trusting.checkServerTrusted(chain, algorithm);
        }

        private static X509TrustManager trusting(X509Certificate authority) {
            try {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setCertificateEntry("authority", authority);
                TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
                factory.init(store);
                return (X509TrustManager) factory.getTrustManagers()[0];
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String algorithm) {
            throw new UnsupportedOperationException();
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private Outcome run(String fault, String more) throws Exception {
        Path port = out.resolve("port");
        List<Handshake> seen = new CopyOnWriteArrayList<>();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        Thread looking = new Thread(() -> {
            try {
                Witness witness = new Witness();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.sleep(100);
                    if (Files.exists(port) && Files.size(port) > 2) {
                        seen.add(witness.look(
                                Integer.parseInt(Files.readString(port).strip())));
                    }
                }
            } catch (InterruptedException e) {
                // The load has ended.
            } catch (Exception | AssertionError e) {
                failures.add(e);
            }
        });
        looking.start();
        String yaml = LOAD.formatted(port, fault) + more;
        Run.Finished finished = new Run(
                        Runs.request(ScenarioReader.read(yaml, "test.yaml", List.of(), 1), out.resolve("runs"))
                                .with(draft -> draft.allowExec = true),
                        Progress.NONE)
                .execute();
        looking.interrupt();
        looking.join();
        assertThat(finished.failure()).isNull();
        assertThat(failures).isEmpty();
        try (RunDirectory directory = RunDirectory.open(finished.directory());
                Stream<TimelineEvent> timeline = directory.readTimeline()) {
            List<FaultMark> marks = timeline.filter(FaultMark.class::isInstance)
                    .map(FaultMark.class::cast)
                    .toList();
            return new Outcome(finished.result().trials().get(0), marks, seen);
        }
    }

    private static Set<BigInteger> numbers(List<Handshake> seen) {
        return seen.stream().map(Handshake::number).collect(Collectors.toSet());
    }

    @Test
    void newConnectionsSeeNewCertificateAndExistingOnesStay() throws Exception {
        Outcome outcome = run("rotateCertificates: each", "");
        outcome.assertWhole();
        Instant asked = outcome.at(FaultState.ASKED);
        Instant over = outcome.at(FaultState.OVER);
        List<Handshake> before = outcome.between(Instant.MIN, asked);
        List<Handshake> after = outcome.between(over, over.plusSeconds(8));
        assertThat(numbers(before)).hasSize(1);
        assertThat(numbers(after)).hasSize(1).doesNotContainAnyElementsOf(numbers(before));
        assertThat(outcome.between(Instant.MIN, over.plusSeconds(8)))
                .extracting(Handshake::refusal)
                .containsOnlyNulls();
    }

    @Test
    void newConnectionsAreRefusedDuringExpiryAndExistingOnesStay() throws Exception {
        Outcome outcome =
                run("expireCertificates: each, for: 4s", "connections: [{count: 60, rate: 60/s, churn: 20%/s}]\n");
        outcome.assertWhole();
        assertThat(outcome.trial().detail().figures().get("connect.failures")).isPositive();
        Instant asked = outcome.at(FaultState.ASKED);
        Instant begun = outcome.at(FaultState.IN_EFFECT);
        Instant over = outcome.at(FaultState.OVER);
        assertThat(outcome.between(Instant.MIN, asked))
                .extracting(Handshake::refusal)
                .containsOnlyNulls();
        assertThat(outcome.between(begun, begun.plusSeconds(4)))
                .extracting(Handshake::refusal)
                .containsOnly(CertificateExpiredException.class);
        assertThat(outcome.between(over, over.plusSeconds(4)))
                .extracting(Handshake::refusal)
                .containsOnlyNulls();
    }
}
