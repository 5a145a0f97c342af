package io.plimsoll.lab;

import io.plimsoll.Exit;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** The certificate that a broker shows to whoever connects now, whether it is to be believed or not. */
record ShownCertificate(LabBroker broker) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CONNECT_MILLIS = 2000;
    private static final long LOOK_MILLIS = 50;
    private static final int IN_A_ROW = 10;

    /**
     * Returns when it is the one with this number, on whichever of the broker's network threads: they get it one by one.
     *
     * @throws io.plimsoll.PlimsollException {@link Exit#CLUSTER} if it is not, for half a minute
     */
    void await(BigInteger number) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        try {
            for (int inARow = 0; inARow < IN_A_ROW; ) {
                if (number.equals(number())) {
                    inARow++;
                } else {
                    Exit.CLUSTER.when(System.nanoTime() > deadline, "lab.otherCertificate", broker.id());
                    inARow = 0;
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "lab.interruptedWaiting");
        }
    }

    /** The number of the certificate; null if it shows none. */
    private BigInteger number() {
        Seen seen = new Seen();
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {seen}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket()) {
                socket.connect(new InetSocketAddress(broker.host(), broker.port()), CONNECT_MILLIS);
                socket.setSoTimeout(CONNECT_MILLIS);
                socket.startHandshake();
            }
        } catch (IOException e) {
            // A broker that asks for a certificate itself ends it, after it has shown its own.
        } catch (GeneralSecurityException e) {
            throw Exit.INTERNAL.because(e, "text.noCertificate", e.getMessage());
        }
        return seen.number;
    }

    /** Believes all, and keeps the number of what was shown. */
    private static final class Seen implements X509TrustManager {
        private BigInteger number;

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String algorithm) {
            number = chain[0].getSerialNumber();
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
}
