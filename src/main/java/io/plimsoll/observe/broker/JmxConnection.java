package io.plimsoll.observe.broker;

import io.plimsoll.Exit;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.RemoteObject;
import java.util.HashMap;
import java.util.Map;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnector;
import javax.management.remote.rmi.RMIServer;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/**
 * A connection to an untrusted JMX server: only classes of metrics and their names are deserialized, and a password is
 * sent over TLS only, unless the user allows otherwise. Any thread.
 */
final class JmxConnection {
    private static final String LOOKED_UP = "/jndi/rmi://";
    private static final String TLS = SslRMIClientSocketFactory.class.getName();

    /** Set while a thread sends a request. */
    private static final ThreadLocal<Boolean> ASKING = ThreadLocal.withInitial(() -> false);

    private static final ThreadLocal<Boolean> NEEDS_TLS = ThreadLocal.withInitial(() -> false);

    private static final ObjectInputFilter FIGURES = ObjectInputFilter.Config.createFilter("maxdepth=40;maxrefs=500000;"
            + "maxarray=200000;maxbytes=100000000;!javax.management.BadAttributeValueExpException;java.lang.*;"
            + "java.util.*;java.io.IOException;java.rmi.*;java.rmi.dgc.*;java.rmi.server.ObjID;java.rmi.server.UID;"
            + "java.rmi.server.RemoteObject;java.rmi.server.RemoteStub;javax.management.*;javax.management.openmbean.*;"
            + "javax.management.remote.rmi.*;" + TLS + ";!*");

    static {
        if (ObjectInputFilter.Config.getSerialFilter() == null) {
            ObjectInputFilter.Config.setSerialFilter(
                    info -> ASKING.get() ? FIGURES.checkInput(info) : ObjectInputFilter.Status.UNDECIDED);
        }
        try {
            RMISocketFactory.setSocketFactory(new Guarded());
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private JmxConnection() {}

    /** Something that a server is asked. */
    @FunctionalInterface
    interface Question<T, E extends Exception> {
        T ask() throws IOException, E;
    }

    /** Sends a request with deserialization limited to metrics. */
    static <T, E extends Exception> T asking(Question<T, E> question) throws IOException, E {
        boolean before = ASKING.get();
        ASKING.set(true);
        try {
            return question.ask();
        } finally {
            ASKING.set(before);
        }
    }

    /** @param login null for none */
    // Where to connect is said by the user or by a broker that this program has started, never by a stranger.
    @SuppressWarnings("BanJNDI")
    static JMXConnector to(String url, JmxLogin login) throws IOException {
        JMXServiceURL address = new JMXServiceURL(url);
        Map<String, Object> environment = new HashMap<>();
        // The connector's checker prints on standard error when a broker is down, as in a lab between trials; requests
        // notice anyway.
        environment.put("jmx.remote.x.client.connection.check.period", 0L);
        if (login != null) {
            environment.put(JMXConnector.CREDENTIALS, new String[] {login.user(), login.password()});
        }
        boolean needsTls = login != null && !login.inClear();
        return asking(() -> {
            if (!address.getURLPath().startsWith(LOOKED_UP)) {
                require(!needsTls, address);
                return JMXConnectorFactory.connect(address, environment);
            }
            RMIServer server = server(URI.create(address.getURLPath().substring("/jndi/".length())));
            require(!needsTls || speaksTls(server), address);
            NEEDS_TLS.set(needsTls);
            try {
                JMXConnector connector = new RMIConnector(server, environment);
                connector.connect();
                return connector;
            } finally {
                NEEDS_TLS.remove();
            }
        });
    }

    private static void require(boolean holds, JMXServiceURL address) {
        Exit.CLUSTER.when(!holds, "observe.passwordInClear", address.toString());
    }

    /** Registries of brokers can be plain or use TLS, independently of the servers in them. */
    private static RMIServer server(URI at) throws IOException {
        try {
            return find(at, false);
        } catch (IOException plain) {
            try {
                return find(at, true);
            } catch (IOException e) {
                plain.addSuppressed(e);
                throw plain;
            }
        }
    }

    private static RMIServer find(URI at, boolean tls) throws IOException {
        try {
            var factory = tls ? new SslRMIClientSocketFactory() : null;
            Remote found = LocateRegistry.getRegistry(at.getHost(), at.getPort(), factory)
                    .lookup(at.getPath().substring(1));
            if (found instanceof RMIServer server) {
                return server;
            }
            throw new IOException("no JMX server: " + found);
        } catch (NotBoundException e) {
            throw new IOException(e);
        }
    }

    /** As the reference says that the registry has handed out; a false one meets {@link Guarded}. */
    private static boolean speaksTls(RMIServer server) {
        return server instanceof RemoteObject object
                && object.getRef().getRefClass(null).equals("UnicastRef2")
                && object.getRef().remoteToString().contains(TLS);
    }

    /** Makes the connections without TLS, but none for a thread that needs it. */
    private static final class Guarded extends RMISocketFactory {
        private final RMISocketFactory plain = RMISocketFactory.getDefaultSocketFactory();

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            if (NEEDS_TLS.get()) {
                throw new IOException("no TLS");
            }
            return plain.createSocket(host, port);
        }

        @Override
        public ServerSocket createServerSocket(int port) throws IOException {
            return plain.createServerSocket(port);
        }
    }
}
