package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;

/** The name of a node in its certificate and its listen address. */
final class OwnName {
    private static final String ANY = "0.0.0.0";

    private OwnName() {}

    /**
     * The host by which agents reach a coordinator.
     *
     * @param route the address from which this host reaches them
     * @throws PlimsollException {@link Exit#USAGE} if the certificate is not of this host
     */
    static String ofCoordinator(Certificates certificates, String route) {
        Optional<String> certified = certificates.host();
        if (certified.isEmpty()) {
            return route;
        }
        String name = certified.get();
        if (name.startsWith("*.")) {
            String own = canonical();
            Exit.USAGE.when(!own.endsWith(name.substring(1)), "fleet.certificateOfOther", certificates, name, own);
            return own;
        }
        try {
            InetAddress.getAllByName(name);
            return name;
        } catch (UnknownHostException e) {
            throw Exit.USAGE.because(e, "fleet.certificateLeadsNowhere", certificates, name, route);
        }
    }

    private static String canonical() {
        try {
            return InetAddress.getLocalHost().getCanonicalHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    /**
     * The address to listen on. A host often knows its own name as one of the loopback addresses (127.0.1.1), which
     * is unreachable from other hosts: with certificates, it then listens on all addresses.
     */
    static String bound(NodeAddress listen, Certificates certificates) {
        boolean literal = listen.host().contains(":") || listen.host().matches("[0-9.]+");
        boolean quirk = !literal && !listen.host().equals("localhost") && listen.isLoopback();
        return quirk && !certificates.token() ? ANY : listen.host();
    }

    /** The address of this host from which the other is reached. */
    static String route(NodeAddress other) {
        if (other.isLoopback()) {
            return "127.0.0.1";
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            // Sends nothing: the kernel only chooses a route.
            socket.connect(new InetSocketAddress(other.host(), other.port() == 0 ? 9 : other.port()));
            return socket.getLocalAddress().getHostAddress();
        } catch (SocketException | UncheckedIOException e) {
            throw Exit.CLUSTER.because(e, "fleet.noWay", other);
        }
    }
}
