package io.plimsoll.observe.broker;

import io.plimsoll.Exit;
import io.plimsoll.observe.broker.BrokerFigures.Beans;
import io.plimsoll.observe.broker.BrokerSource.JmxLogin;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMISocketFactory;
import java.rmi.server.RemoteObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnector;
import javax.management.remote.rmi.RMIServer;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import org.jspecify.annotations.Nullable;

/** The beans of a broker over JMX. One call per bean; missing beans are looked up again from time to time. */
final class JmxBeans implements Beans, AutoCloseable {
    private static final int LOOK_AGAIN = 5;
    private static final String RESPONSE_LIMIT = "sun.rmi.transport.tcp.responseTimeout";
    private static final int LIMIT_MILLIS = 3_000;

    private final JMXConnector connector;
    private final MBeanServerConnection connection;
    private final Set<String> absent = new HashSet<>();
    private final Map<String, List<ObjectName>> found = new HashMap<>();
    private int reads;

    private JmxBeans(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.connection = connector.getMBeanServerConnection();
    }

    static JmxBeans connect(String url, @Nullable JmxLogin login) throws IOException {
        // A connection has no time limit of its own, so a hanging broker could block its observer indefinitely.
        if (System.getProperty(RESPONSE_LIMIT) == null) {
            System.setProperty(RESPONSE_LIMIT, String.valueOf(LIMIT_MILLIS));
        }
        try {
            return new JmxBeans(JmxConnection.to(url, login));
        } catch (SecurityException e) {
            // Without the cause, because observers report the deepest cause, which does not contain the advice.
            throw Exit.CLUSTER.because(
                    login == null ? "observe.wantsCredentials" : "observe.refusesCredentials", e.getMessage());
        }
    }

    /** Drops the values of the last round. Call at the start of each round. */
    void nextRound() {
        reads++;
        if (reads % LOOK_AGAIN == 0) {
            absent.clear();
            found.clear();
        }
    }

    @Override
    public double[] numbers(String bean, String... attributes) throws IOException {
        double[] numbers = new double[attributes.length];
        Arrays.fill(numbers, Double.NaN);
        if (absent.contains(bean)) {
            return numbers;
        }
        try {
            ObjectName name = new ObjectName(bean);
            for (Attribute a : JmxConnection.asking(() -> connection.getAttributes(name, attributes))
                    .asList()) {
                numbers[Arrays.asList(attributes).indexOf(a.getName())] = number(a.getValue());
            }
        } catch (InstanceNotFoundException e) {
            absent.add(bean);
        } catch (JMException e) {
            throw new IOException(bean + ": " + e, e);
        }
        return numbers;
    }

    @Override
    public List<Named> all(String pattern, String attribute) throws IOException {
        List<ObjectName> beans = found.get(pattern);
        if (beans == null) {
            try {
                ObjectName name = new ObjectName(pattern);
                beans = List.copyOf(JmxConnection.asking(() -> connection.queryNames(name, null)));
            } catch (JMException e) {
                throw new IOException(pattern + ": " + e, e);
            }
            found.put(pattern, beans);
        }
        List<Named> all = new ArrayList<>();
        for (ObjectName bean : beans) {
            double number = numbers(bean.toString(), attribute)[0];
            if (!Double.isNaN(number)) {
                all.add(new Named(bean.toString(), number));
            }
        }
        return all;
    }

    /** Requests that can be sent frequently. Usable by any thread. */
    JmxPauses.Requests requests() {
        return new JmxPauses.Requests() {
            @Override
            public long uptime() throws IOException {
                // A JVM answers this request from memory.
                return (Long) Objects.requireNonNull(attribute(ManagementFactory.RUNTIME_MXBEAN_NAME, "Uptime"));
            }

            @Override
            public List<String> collectors() throws IOException {
                try {
                    ObjectName all = new ObjectName(ManagementFactory.GARBAGE_COLLECTOR_MXBEAN_DOMAIN_TYPE + ",*");
                    return JmxConnection.asking(() -> connection.queryNames(all, null)).stream()
                            .map(ObjectName::toString)
                            .toList();
                } catch (JMException e) {
                    throw new IOException(e);
                }
            }

            @Override
            public double number(String bean, String name) throws IOException {
                return JmxBeans.number(attribute(bean, name));
            }

            @Override
            public long @Nullable [] lastCollection(String bean) throws IOException {
                return attribute(bean, "LastGcInfo") instanceof CompositeData info
                        ? new long[] {(Long) info.get("startTime"), (Long) info.get("endTime")}
                        : null;
            }
        };
    }

    /** An attribute of a bean; null if the bean does not exist. */
    private @Nullable Object attribute(String bean, String name) throws IOException {
        try {
            ObjectName of = new ObjectName(bean);
            return JmxConnection.asking(() -> connection.getAttribute(of, name));
        } catch (InstanceNotFoundException e) {
            return null;
        } catch (JMException e) {
            throw new IOException(e);
        }
    }

    private static double number(@Nullable Object value) {
        // The used bytes of a memory usage value.
        Object number =
                value instanceof CompositeData memory && memory.containsKey("used") ? memory.get("used") : value;
        return number instanceof Number n ? n.doubleValue() : Double.NaN;
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }

    /**
     * A connection to an untrusted JMX server: deserializes only classes of metrics, and sends a password only over
     * TLS, unless the user permits otherwise. Usable by any thread.
     */
    private static final class JmxConnection {
        private static final String LOOKED_UP = "/jndi/rmi://";
        private static final String TLS = SslRMIClientSocketFactory.class.getName();

        /** Set while a thread sends a request. */
        private static final ThreadLocal<Boolean> ASKING = ThreadLocal.withInitial(() -> false);

        private static final ThreadLocal<Boolean> NEEDS_TLS = ThreadLocal.withInitial(() -> false);

        private static final ObjectInputFilter FIGURES =
                ObjectInputFilter.Config.createFilter("maxdepth=40;maxrefs=500000;"
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

        @FunctionalInterface
        interface Question<T, E extends Exception> {
            T ask() throws IOException, E;
        }

        static <T, E extends Exception> T asking(Question<T, E> question) throws IOException, E {
            boolean before = ASKING.get();
            ASKING.set(true);
            try {
                return question.ask();
            } finally {
                ASKING.set(before);
            }
        }

        // The address comes from the user or from a broker that this program has started, never from an untrusted peer.
        @SuppressWarnings("BanJNDI")
        static JMXConnector to(String url, @Nullable JmxLogin login) throws IOException {
            JMXServiceURL address = new JMXServiceURL(url);
            Map<String, Object> environment = new HashMap<>();
            // The connector's checker prints to standard error when a broker is down, as in a lab between trials;
            // requests detect the failure anyway.
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

        /**
         * The RMI server in a registry. A broker's registry can be plain or use TLS, independently of the servers that
         * it lists.
         */
        private static RMIServer server(URI at) throws IOException {
            try {
                return find(at, false);
            } catch (IOException plain) {
                if (plain.getCause() instanceof SocketTimeoutException) {
                    throw plain;
                }
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

        /** Whether the RMI registry refers to a TLS server. A forged reference is blocked by {@link Guarded}. */
        private static boolean speaksTls(RMIServer server) {
            return server instanceof RemoteObject object
                    && object.getRef().getRefClass(null).equals("UnicastRef2")
                    && object.getRef().remoteToString().contains(TLS);
        }

        /** Creates connections without TLS; fails in a thread that requires TLS. */
        private static final class Guarded extends RMISocketFactory {
            private final RMISocketFactory plain = RMISocketFactory.getDefaultSocketFactory();

            @Override
            public Socket createSocket(String host, int port) throws IOException {
                if (NEEDS_TLS.get()) {
                    throw new IOException("no TLS");
                }
                // A firewall that discards packets would otherwise block a reading for minutes.
                Socket socket = new Socket();
                try {
                    socket.connect(new InetSocketAddress(host, port), LIMIT_MILLIS);
                    return socket;
                } catch (IOException e) {
                    socket.close();
                    throw e;
                }
            }

            @Override
            public ServerSocket createServerSocket(int port) throws IOException {
                return plain.createServerSocket(port);
            }
        }
    }
}
