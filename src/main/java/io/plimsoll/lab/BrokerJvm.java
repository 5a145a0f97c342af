package io.plimsoll.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The way in which a broker's process is started; the same for each broker of a lab. */
final class BrokerJvm {
    private static final int INITIAL_HEAP_MEGABYTES = 256;
    /** Flags for brokers of this JVM's labs, divided by spaces: tests compile less, since no broker of theirs grows old. */
    private static final String MORE_FLAGS = "plimsoll.broker.jvm";

    private static final String LOG_CONFIG = "io/plimsoll/lab/broker-log4j2.xml";

    private final String clusterId;
    private final int heapMegabytes;
    private final boolean bound;
    private final BrokerFiles files;
    private final List<String> moreFlags;

    /**
     * @param bound whether the brokers end with this JVM
     * @param moreFlags of the JVM, besides the usual ones
     */
    BrokerJvm(String clusterId, int heapMegabytes, boolean bound, BrokerFiles files, List<String> moreFlags) {
        this.clusterId = clusterId;
        this.heapMegabytes = heapMegabytes;
        this.bound = bound;
        this.files = files;
        this.moreFlags = List.copyOf(moreFlags);
    }

    Process start(LabNode node) throws IOException {
        List<String> command = new ArrayList<>(Detached.prefix());
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // First, so that the process can be told from others even where a command line is cut off.
        command.add("-Dplimsoll.broker.log=" + node.logFile());
        command.addAll(jvmFlags());
        command.addAll(files.archiveFlags());
        command.addAll(moreFlags);
        String more = System.getProperty(MORE_FLAGS, "").strip();
        command.addAll(more.isEmpty() ? List.of() : List.of(more.split(" +")));
        if (bound) {
            // Ends by a KILL signal: the native libraries that codecs unpack go with the lab's directory.
            command.add("-Djava.io.tmpdir=" + node.directory());
        }
        command.add("-Dlog4j2.configurationFile=classpath:" + LOG_CONFIG);
        command.add(BrokerMain.class.getName());
        command.add(clusterId);
        command.add(node.configFile().toString());
        command.add(bound ? "bound" : "free");

        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(node.directory().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(node.logFile().toFile()));
        if (!bound) {
            builder.redirectInput(new File("/dev/null"));
        }
        // In the environment, because as an option it would not fit into what the system shows of a command line.
        builder.environment().put("CLASSPATH", files.classPath());
        return builder.start();
    }

    private List<String> jvmFlags() {
        // The collector's settings are those of Kafka's own start script: a lab shall perform like a real broker.
        return List.of(
                "-Xms" + Math.min(INITIAL_HEAP_MEGABYTES, heapMegabytes) + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseG1GC",
                "-XX:MaxGCPauseMillis=20",
                "-XX:InitiatingHeapOccupancyPercent=35",
                "-XX:+ExplicitGCInvokesConcurrent",
                "-XX:+ExitOnOutOfMemoryError",
                // Optimised after a fifth of the usual number of calls: a lab that has just been started shall soon
                // perform like a broker that has run for days.
                "-XX:Tier4InvocationThreshold=1000",
                "-XX:Tier4MinInvocationThreshold=120",
                "-XX:Tier4CompileThreshold=3000",
                "-XX:Tier4BackEdgeThreshold=8000",
                "-Djava.awt.headless=true");
    }
}
