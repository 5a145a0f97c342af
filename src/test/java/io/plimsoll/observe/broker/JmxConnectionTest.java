package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.observe.broker.BrokerSource.JmxLogin;
import io.plimsoll.testing.Said;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.rmi.NoSuchObjectException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.remote.JMXAuthenticator;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.management.remote.rmi.RMIJRMPServerImpl;
import javax.rmi.ssl.SslRMIClientSocketFactory;
import javax.rmi.ssl.SslRMIServerSocketFactory;
import javax.security.auth.Subject;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A JMX server gets no password without TLS, and only objects needed for figures are instantiated. */
class JmxConnectionTest {
    private static final AtomicInteger MADE = new AtomicInteger();
    private static final String PASSWORD = "hush";

    private final List<String> passwords = new CopyOnWriteArrayList<>();
    private final MBeanServer beans = MBeanServerFactory.newMBeanServer();
    private Registry registry;
    private RMIConnectorServer server;

    /** A malicious object instead of a number. */
    public static final class Evil implements Serializable {
        private static final long serialVersionUID = 1L;

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            MADE.incrementAndGet();
        }
    }

    /** As JMX names such interfaces. */
    public interface BadMBean {
        Object getCount();

        long getGood();
    }

    /** Its attribute is not a number. */
    public static final class Bad implements BadMBean {
        @Override
        public Object getCount() {
            return new Evil();
        }

        @Override
        public long getGood() {
            return 7;
        }
    }

    /** @param onePort whether the server shares the registry's port, a common broker setup */
    private String start(boolean tls, boolean onePort) throws Exception {
        registry = LocateRegistry.createRegistry(0);
        String reference = ((java.rmi.server.RemoteObject) registry).getRef().remoteToString();
        int port = Integer.parseInt(reference.replaceFirst("(?s).*endpoint:\\[[^\\]]*:(\\d+)[,\\]].*", "$1"));
        JMXAuthenticator authenticator = given -> {
            passwords.add(given instanceof String[] words ? words[1] : "none");
            return new Subject();
        };
        Map<String, Object> environment = new HashMap<>();
        environment.put("jmx.remote.authenticator", authenticator);
        RMIJRMPServerImpl made = new RMIJRMPServerImpl(
                onePort ? port : 0,
                tls ? new SslRMIClientSocketFactory() : null,
                tls ? new SslRMIServerSocketFactory() : null,
                environment);
        JMXServiceURL url = new JMXServiceURL("service:jmx:rmi:///jndi/rmi://127.0.0.1:" + port + "/jmxrmi");
        server = new RMIConnectorServer(new JMXServiceURL("rmi", "127.0.0.1", 0), environment, made, beans);
        server.start();
        registry.rebind("jmxrmi", made.toStub());
        return url.toString();
    }

    @AfterEach
    void stop() throws IOException {
        server.stop();
        try {
            UnicastRemoteObject.unexportObject(registry, true);
        } catch (NoSuchObjectException e) {
            // It is gone.
        }
    }

    @Test
    void refusesPasswordWithoutTlsUnlessAllowed() throws Exception {
        String url = start(false, true);
        assertThatThrownBy(() -> JmxBeans.connect(url, new JmxLogin("alice", PASSWORD, false)))
                .message()
                .containsPattern(Said.en("observe.passwordInClear"));
        assertThat(passwords).isEmpty();
        JmxBeans.connect(url, new JmxLogin("alice", PASSWORD, true)).close();
        assertThat(passwords).containsExactly(PASSWORD);
        JmxBeans.connect(url, null).close();
        assertThat(passwords).containsExactly(PASSWORD, "none");
    }

    /** The server's certificate is untrusted, so the handshake fails before the password is sent. */
    @Test
    void sendsNoPasswordToUntrustedServer() throws Exception {
        String url = start(true, false);
        assertThatThrownBy(() -> JmxBeans.connect(url, new JmxLogin("alice", PASSWORD, false)))
                .isInstanceOf(IOException.class)
                .hasRootCauseInstanceOf(javax.net.ssl.SSLException.class);
        assertThat(passwords).isEmpty();
    }

    // The address is the test's own; the careless client proves the attack.
    @SuppressWarnings("BanJNDI")
    @Test
    void deserializesOnlyFigures() throws Exception {
        ObjectName name = new ObjectName("kafka.server:type=Bad");
        beans.registerMBean(new Bad(), name);
        String url = start(false, true);
        try (JmxBeans asked = JmxBeans.connect(url, null)) {
            assertThat(asked.numbers(name.toString(), "Good")).containsExactly(7);
            assertThat(asked.all("kafka.server:type=*", "Good")).hasSize(1);
            assertThatThrownBy(() -> asked.numbers(name.toString(), "Count")).isInstanceOf(IOException.class);
        }
        assertThat(MADE).hasValue(0);
        // Ground truth: a client without a filter instantiates the object.
        try (JMXConnector careless = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
            careless.getMBeanServerConnection().getAttribute(name, "Count");
        }
        assertThat(MADE).hasValue(1);
    }
}
