package io.plimsoll.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.rmi.server.RMIServerSocketFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import jdk.jfr.Recording;

/**
 * Main class of a broker process: formats new storage, then calls Kafka's main. Both run in one JVM, which saves a
 * second JVM start per broker.
 *
 * <p>Kafka's two command-line classes are called by name, as its shell scripts do, so the broker is not a compile-time
 * dependency. This class is loaded alone and can use only the JDK.
 *
 * <p>Arguments: cluster id, properties file, {@code bound} (end with the parent process) or {@code free}, and the node
 * type ({@link #FORMATTED} and similar). A bound process reads a pipe held open by its parent; end of input means that
 * the parent is gone, even after SIGKILL. The parent writes to the pipe only to request metrics: the process then
 * starts a JMX server on the loopback address and writes the server's address to a file beside the properties.
 */
public final class BrokerMain {
    static final String JMX_ADDRESS = "jmx-address";
    /** Directory of credentials, beside the directories of the properties files. */
    static final String SECURITY = "security";
    /** Name of the file in {@link #SECURITY} with SCRAM credentials for new storage, one per line. */
    static final String SCRAM = "scram";

    /** Node type: format new storage before the start. */
    static final String FORMATTED = "formatted";
    /** Node type: a ZooKeeper-based broker, without formatting. */
    static final String UNFORMATTED = "unformatted";
    /** Node type: ZooKeeper. */
    static final String ZOOKEEPER = "zookeeper";

    /**
     * System property: the broker writes events that can delay records to a recording below the directory for temporary
     * files.
     */
    static final String FLIGHT = "plimsoll.broker.flight";

    /** Recorded flight recorder events, with their minimum duration in milliseconds. */
    private static final Map<String, Integer> RECORDED = Map.of(
            "jdk.GCPhasePause", 10,
            "jdk.SafepointStateSynchronization", 10,
            "jdk.ExecuteVMOperation", 10,
            "jdk.FileForce", 10,
            "jdk.FileWrite", 10,
            "jdk.FileRead", 10,
            "jdk.JavaMonitorEnter", 20,
            "jdk.ThreadPark", 20);

    private static final Duration RECORDED_FOR = Duration.ofMinutes(1);

    private static final String LOOPBACK = "127.0.0.1";
    private static final int PARENT_GONE = 143;

    public static void main(String[] args) throws Exception {
        String clusterId = args[0];
        String properties = args[1];
        if (args[2].equals("bound")) {
            Path address = Path.of(properties).resolveSibling(JMX_ADDRESS);
            Thread watch = new Thread(() -> haltWhenParentIsGone(address), "plimsoll-parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
        if (Boolean.getBoolean(FLIGHT)) {
            // In a separate thread, because the start of the broker also waits for other processes.
            Thread recording = new Thread(BrokerMain::record, "plimsoll-flight");
            recording.setDaemon(true);
            recording.start();
        }
        try {
            if (args[3].equals(FORMATTED)) {
                format(clusterId, properties);
            }
            String main =
                    args[3].equals(ZOOKEEPER) ? "org.apache.zookeeper.server.quorum.QuorumPeerMain" : "kafka.Kafka";
            Class.forName(main).getMethod("main", String[].class).invoke(null, (Object) new String[] {properties});
        } catch (InvocationTargetException e) {
            e.getTargetException().printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void record() {
        try {
            Recording recording = new Recording();
            RECORDED.forEach((event, millis) -> recording
                    .enable(event)
                    .withThreshold(Duration.ofMillis(millis))
                    .withoutStackTrace());
            recording.setToDisk(true);
            recording.setMaxAge(RECORDED_FOR);
            recording.start();
        } catch (RuntimeException | LinkageError e) {
            System.err.println("No flight recording could be started: " + e);
        }
    }

    private static void format(String clusterId, String properties) throws ReflectiveOperationException, IOException {
        List<String> arguments = new ArrayList<>(
                List.of("format", "--cluster-id", clusterId, "--config", properties, "--ignore-formatted"));
        Path scram = Objects.requireNonNull(Path.of(properties).getParent())
                .resolveSibling(SECURITY)
                .resolve(SCRAM);
        if (Files.exists(scram)) {
            // Read from a file, because command lines are visible to all users.
            for (String credential : Files.readAllLines(scram)) {
                arguments.addAll(List.of("--add-scram", credential));
            }
        }
        if (execute(Class.forName("kafka.tools.StorageTool"), arguments.toArray(new String[0])) != 0) {
            Runtime.getRuntime().halt(1);
        }
    }

    private static int execute(Class<?> tool, String[] arguments) throws ReflectiveOperationException {
        try {
            return (int)
                    tool.getMethod("execute", String[].class, PrintStream.class).invoke(null, arguments, System.out);
        } catch (NoSuchMethodException e) {
            return exitOf(tool, arguments);
        }
    }

    /** Runs the tool and returns its exit code. Before 3.9, the tool ends the JVM through a replaceable exit procedure. */
    private static int exitOf(Class<?> tool, String[] arguments) throws ReflectiveOperationException {
        Class<?> exit = Class.forName("org.apache.kafka.common.utils.Exit");
        Class<?> procedure = Class.forName("org.apache.kafka.common.utils.Exit$Procedure");
        int[] status = {0};
        Object end =
                Proxy.newProxyInstance(procedure.getClassLoader(), new Class<?>[] {procedure}, (proxy, of, with) -> {
                    status[0] = (int) with[0];
                    throw new CancellationException();
                });
        exit.getMethod("setExitProcedure", procedure).invoke(null, end);
        try {
            tool.getMethod("main", String[].class).invoke(null, (Object) arguments);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof CancellationException)) {
                throw e;
            }
        } finally {
            exit.getMethod("resetExitProcedure").invoke(null);
        }
        return status[0];
    }

    private static void haltWhenParentIsGone(Path address) {
        try {
            while (System.in.read() >= 0) {
                offerFigures(address);
            }
        } catch (IOException e) {
            System.err.println("The pipe from the parent broke: " + e);
        }
        // exit() would start a controlled shutdown, which contacts the other brokers that are also ending.
        Runtime.getRuntime().halt(PARENT_GONE);
    }

    private static void offerFigures(Path address) {
        try {
            // Address in remote stubs; the default is a network address.
            System.setProperty("java.rmi.server.hostname", LOOPBACK);
            RMIServerSocketFactory loopback = port -> new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
            JMXConnectorServer server = JMXConnectorServerFactory.newJMXConnectorServer(
                    new JMXServiceURL("rmi", LOOPBACK, 0),
                    Map.of(RMIConnectorServer.RMI_SERVER_SOCKET_FACTORY_ATTRIBUTE, loopback),
                    ManagementFactory.getPlatformMBeanServer());
            server.start();
            Path draft = address.resolveSibling(JMX_ADDRESS + ".new");
            Files.writeString(draft, server.getAddress().toString());
            Files.move(draft, address, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            System.err.println("No JMX server could be started: " + e);
        }
    }
}
