package io.plimsoll.observe.broker;

import io.plimsoll.Exit;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;

/** The beans of a broker over JMX. One call per bean; missing beans are looked up again from time to time. */
final class JmxBeans implements Beans, AutoCloseable {
    private static final int LOOK_AGAIN = 5;
    private static final String RESPONSE_LIMIT = "sun.rmi.transport.tcp.responseTimeout";
    private static final String RESPONSE_LIMIT_MILLIS = "3000";

    private final JMXConnector connector;
    private final MBeanServerConnection connection;
    private final Set<String> absent = new HashSet<>();
    private final Map<String, List<ObjectName>> found = new HashMap<>();
    private int reads;

    private JmxBeans(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.connection = connector.getMBeanServerConnection();
    }

    /** @param login null for none */
    static JmxBeans connect(String url, JmxLogin login) throws IOException {
        // A hanging broker must not block its observer indefinitely; a single connection has no such limit.
        if (System.getProperty(RESPONSE_LIMIT) == null) {
            System.setProperty(RESPONSE_LIMIT, RESPONSE_LIMIT_MILLIS);
        }
        try {
            return new JmxBeans(JmxConnection.to(url, login));
        } catch (SecurityException e) {
            // Without the cause: observers report the deepest one, which does not contain the advice.
            throw Exit.CLUSTER.because(
                    login == null ? "observe.wantsCredentials" : "observe.refusesCredentials", e.getMessage());
        }
    }

    /** Drops the values of the last round; called at the start of each round. */
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

    /** Requests the uptime, which a JVM answers from memory. Any thread. */
    void uptime() throws IOException {
        try {
            ObjectName runtime = new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME);
            JmxConnection.asking(() -> connection.getAttribute(runtime, "Uptime"));
        } catch (JMException e) {
            throw new IOException(e);
        }
    }

    private static double number(Object value) {
        // Of a use of memory, how much is used.
        Object told = value instanceof CompositeData memory && memory.containsKey("used") ? memory.get("used") : value;
        return told instanceof Number n ? n.doubleValue() : Double.NaN;
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
