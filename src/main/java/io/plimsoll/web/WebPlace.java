package io.plimsoll.web;

import io.plimsoll.Exit;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;

/**
 * Where pages are offered. On the loopback interface they are plain HTTP; elsewhere HTTPS alone, with a certificate that is
 * given or made for the occasion. Immutable.
 *
 * @param host name or address of this machine
 * @param port 0 for any that is free
 * @param pem the certificate; null to make one
 * @param token file with what requests from elsewhere have to show; null for another token each time
 */
public record WebPlace(String host, int port, Pem pem, Path token) {
    /**
     * A certificate with its key, in the form that most servers take.
     *
     * @param certificate file with it, and those of the authorities between
     * @param key file with its key, PKCS #8 without a password
     */
    public record Pem(Path certificate, Path key) {}

    /** On the loopback interface. */
    public static WebPlace local(int port) {
        return new WebPlace("127.0.0.1", port, null, null);
    }

    InetAddress address() {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw Exit.USAGE.because(e, "web.noSuchAddress", host);
        }
    }

    /** How others reach it: all addresses of a machine are none that a browser could open. */
    String reachable() {
        InetAddress address = address();
        try {
            return address.isAnyLocalAddress()
                    ? own().orElse(InetAddress.getLocalHost().getHostName())
                    : host;
        } catch (IOException e) {
            return "localhost";
        }
    }

    /** The address of this machine that others most probably reach. */
    private static Optional<String> own() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .filter(WebPlace::isUp)
                .flatMap(NetworkInterface::inetAddresses)
                .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress())
                .min(Comparator.comparing(a -> a instanceof Inet4Address ? 0 : 1))
                .map(a -> a.getHostAddress().replaceFirst("%.*", ""));
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp() && !network.isLoopback() && !network.isVirtual();
        } catch (SocketException e) {
            return false;
        }
    }

    /** Empty where it is plain HTTP. */
    Optional<WebCertificate> tls() {
        if (pem != null) {
            return Optional.of(WebCertificate.given(pem));
        }
        return address().isLoopbackAddress() ? Optional.empty() : Optional.of(WebCertificate.made(reachable()));
    }
}
