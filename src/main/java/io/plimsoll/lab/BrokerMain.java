package io.plimsoll.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;

/**
 * The main class of a broker's process: formats the storage if it is new, then becomes Kafka's own main. Doing both in
 * one JVM saves a second start for each broker.
 *
 * <p>Kafka is called by the names of its two command-line classes, as its shell scripts do; nothing here is compiled
 * against the broker. This class may use nothing but the JDK, because it is loaded alone.
 *
 * <p>Arguments: cluster id, properties file, and whether the process shall end with its parent ({@code bound}) or
 * not ({@code free}). A bound process reads a pipe that its parent holds open and never writes to; its end means that
 * the parent is gone, even if it was killed and could not say so.
 */
public final class BrokerMain {
    private static final int PARENT_GONE = 143;

    private BrokerMain() {}

    public static void main(String[] args) throws Exception {
        String clusterId = args[0];
        String properties = args[1];
        if (args[2].equals("bound")) {
            Thread watch = new Thread(BrokerMain::haltWhenParentIsGone, "plimsoll-parent-watch");
            watch.setDaemon(true);
            watch.start();
        }
        try {
            format(clusterId, properties);
            Class.forName("kafka.Kafka").getMethod("main", String[].class).invoke(null, (Object)
                    new String[] {properties});
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private static void format(String clusterId, String properties) throws ReflectiveOperationException {
        String[] arguments = {"format", "--cluster-id", clusterId, "--config", properties, "--ignore-formatted"};
        Object status = Class.forName("kafka.tools.StorageTool")
                .getMethod("execute", String[].class, PrintStream.class)
                .invoke(null, arguments, System.out);
        if (!status.equals(0)) {
            Runtime.getRuntime().halt(1);
        }
    }

    private static void haltWhenParentIsGone() {
        try {
            while (System.in.read() >= 0) {
                // The parent writes nothing; whatever comes is not the end.
            }
        } catch (IOException e) {
            System.err.println("The pipe from the parent broke: " + e);
        }
        // Not exit(): a controlled shutdown asks the other brokers, which are ending as well.
        Runtime.getRuntime().halt(PARENT_GONE);
    }
}
