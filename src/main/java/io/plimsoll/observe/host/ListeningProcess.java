package io.plimsoll.observe.host;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import oshi.SystemInfo;
import oshi.software.os.InternetProtocolStats.IPConnection;
import oshi.software.os.InternetProtocolStats.TcpState;

/** The Java process of this host, other than this one, that listens at an address. Thread-safe. */
public final class ListeningProcess {
    /** The process ID; empty if the process is on another host, not Java (such as a proxy for another host), hidden, or unknown. */
    public static OptionalLong at(String host, int port) {
        if (!isHere(host)) {
            return OptionalLong.empty();
        }
        try {
            return new SystemInfo()
                    .getOperatingSystem().getInternetProtocolStats().getConnections().stream()
                            .filter(c -> c.getState() == TcpState.LISTEN && c.getLocalPort() == port)
                            .mapToLong(IPConnection::getowningProcessId)
                            .filter(pid ->
                                    pid > 0 && pid != ProcessHandle.current().pid() && isJava(pid))
                            .findFirst();
        } catch (RuntimeException | LinkageError e) {
            // Values that OSHI cannot read are unknown.
            return OptionalLong.empty();
        }
    }

    /** Whether an address belongs to this host; even then, a tunnel or proxy can listen at it. */
    public static boolean isHere(String host) {
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isJava(long pid) {
        Optional<String> command = ProcessHandle.of(pid).flatMap(p -> p.info().command());
        return command.filter(c -> Path.of(c).getFileName().toString().startsWith("java"))
                .isPresent();
    }
}
