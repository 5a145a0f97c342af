package io.plimsoll.run.fleet;

import io.plimsoll.Exit;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Address of a node. IPv6 addresses are without brackets; port 0 means any free port. */
public record NodeAddress(String host, int port) {
    /** The default port of agents. */
    public static final int DEFAULT_PORT = 7654;

    /** Parses {@code host:port}, {@code host} or {@code [address]:port}. The {@link Exit#USAGE} error names the option. */
    public static NodeAddress parse(String text, String option) {
        String trimmed = text.strip();
        int colon = trimmed.lastIndexOf(':');
        boolean bracketed = trimmed.startsWith("[");
        boolean hasPort = colon >= 0 && (!bracketed || trimmed.indexOf(']') < colon);
        String host = hasPort ? trimmed.substring(0, colon) : trimmed;
        host = host.replaceAll("^\\[|]$", "");
        try {
            int port = hasPort ? Integer.parseInt(trimmed.substring(colon + 1)) : DEFAULT_PORT;
            if (!host.isEmpty() && port >= 0 && port <= 65535) {
                return new NodeAddress(host, port);
            }
        } catch (NumberFormatException e) {
            // The error is thrown below.
        }
        throw Exit.USAGE.because("fleet.notHostPort", option, text, DEFAULT_PORT);
    }

    /** Several addresses, separated by commas. */
    public static List<NodeAddress> parseAll(String text, String option) {
        return Arrays.stream(text.split(",", -1))
                .map(each -> parse(each, option))
                .toList();
    }

    /** Whether only processes on this machine can reach the address. */
    public boolean isLoopback() {
        try {
            return Arrays.stream(InetAddress.getAllByName(host)).allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            return false;
        }
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
