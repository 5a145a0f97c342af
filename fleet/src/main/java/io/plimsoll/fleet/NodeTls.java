package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.fleet.FleetNode.PeerAuthenticator;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509CRL;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.pekko.remote.artery.tcp.SSLEngineProvider;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Mutual TLS 1.3 between nodes. A server must present the certificate of its host name. A client can present any
 * certificate of the fleet, because {@link PeerAuthenticator} identifies it. Changes of the revocation list apply to
 * new connections. Thread-safe.
 */
final class NodeTls implements SSLEngineProvider {
    private static final String[] PROTOCOLS = {"TLSv1.3"};
    private static final String[] SUITES = {
        "TLS_AES_256_GCM_SHA384", "TLS_AES_128_GCM_SHA256", "TLS_CHACHA20_POLY1305_SHA256"
    };
    /** Maximum number of rejections to report, because unauthenticated peers can cause any number of them. */
    private static final int MOST_SAID = 100;

    private final Certificates certificates;
    private final Consumer<Sentence> refusals;
    private final Set<Sentence> said = ConcurrentHashMap.newKeySet();

    // Guarded by this object.
    private @Nullable SSLContext context;
    private @Nullable FileTime revokedOf;

    /** @param refusals receives each rejected peer once, with the reason; called by any thread */
    NodeTls(Certificates certificates, Consumer<Sentence> refusals) {
        this.certificates = certificates;
        this.refusals = refusals;
        context();
    }

    private synchronized SSLContext context() {
        FileTime now = changed(certificates.revokedFile());
        if (context == null || !now.equals(revokedOf)) {
            context = made();
            revokedOf = now;
        }
        return context;
    }

    private static FileTime changed(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return FileTime.fromMillis(0);
        }
    }

    private SSLContext made() {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(certificates.keys(), certificates.password());
            SSLContext made = SSLContext.getInstance("TLSv1.3");
            made.init(keys.getKeyManagers(), new TrustManager[] {new Refusing(trust())}, null);
            return made;
        } catch (GeneralSecurityException e) {
            throw Exit.USAGE.because(e, "fleet.cannotReadKeys", certificates, e.getMessage());
        }
    }

    private X509ExtendedTrustManager trust() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        Optional<X509CRL> revoked = certificates.revoked();
        if (revoked.isPresent()) {
            PKIXBuilderParameters path = new PKIXBuilderParameters(certificates.trusted(), new X509CertSelector());
            path.addCertStore(
                    CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of(revoked.get()))));
            path.setRevocationEnabled(true);
            factory.init(new CertPathTrustManagerParameters(path));
        } else {
            factory.init(certificates.trusted());
        }
        return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
    }

    @Override
    public SSLEngine createServerSSLEngine(String host, int port) {
        SSLEngine engine = engine(host, port);
        engine.setUseClientMode(false);
        engine.setNeedClientAuth(true);
        return engine;
    }

    @Override
    public SSLEngine createClientSSLEngine(String host, int port) {
        SSLEngine engine = engine(host, port);
        engine.setUseClientMode(true);
        if (!certificates.token()) {
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            engine.setSSLParameters(parameters);
        }
        return engine;
    }

    private SSLEngine engine(String host, int port) {
        SSLEngine engine = context().createSSLEngine(host, port);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setEnabledCipherSuites(SUITES);
        return engine;
    }

    @Override
    public Option<Throwable> verifyClientSession(String host, SSLSession session) {
        return Option.empty();
    }

    @Override
    public Option<Throwable> verifyServerSession(String host, SSLSession session) {
        return Option.empty();
    }

    private void refused(X509Certificate[] chain, CertificateException reason) {
        String who =
                chain.length == 0 ? "?" : chain[0].getSubjectX500Principal().getName();
        Sentence why = Sentence.of(
                "fleet.refusedPeer",
                who,
                revocation(reason)
                        ? Sentence.of("fleet.peerRevoked")
                        : Sentence.of("fleet.peerUnbelieved", String.valueOf(reason.getMessage()).replaceAll("[\\w.]+Exception: ", "")));
        if (said.size() < MOST_SAID && said.add(why)) {
            refusals.accept(why);
        }
    }

    private static boolean revocation(Throwable reason) {
        for (Throwable each = reason; each != null; each = each.getCause()) {
            if (each instanceof CertPathValidatorException path
                    && path.getReason() == CertPathValidatorException.BasicReason.REVOKED) {
                return true;
            }
        }
        return false;
    }

    /** Delegates to another trust manager and reports rejected peers. */
    private final class Refusing extends X509ExtendedTrustManager {
        private final X509ExtendedTrustManager judge;

        Refusing(X509ExtendedTrustManager judge) {
            this.judge = judge;
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            try {
                judge.checkClientTrusted(chain, type, engine);
            } catch (CertificateException e) {
                refused(chain, e);
                throw e;
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            try {
                judge.checkServerTrusted(chain, type, engine);
            } catch (CertificateException e) {
                refused(chain, e);
                throw e;
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            judge.checkClientTrusted(chain, type, socket);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            judge.checkServerTrusted(chain, type, socket);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            judge.checkClientTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            judge.checkServerTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return judge.getAcceptedIssuers();
        }
    }
}
