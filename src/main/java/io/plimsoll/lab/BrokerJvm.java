package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.scenario.LabKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The way in which a broker's process is started; the same for each broker of a lab.
 *
 * @param moreFlags of the JVM, besides the usual ones
 * @param warden of a lab that ends with this JVM, as its brokers do; null if it stays
 */
record BrokerJvm(String clusterId, LabOptions options, List<String> moreFlags, Path labDirectory, Warden warden) {
    private static final int INITIAL_HEAP_MEGABYTES = 256;
    private static final int FEW_CORES = 4;
    /** Flags for brokers of this JVM's labs, divided by spaces: tests compile less, since no broker of theirs grows old. */
    private static final String MORE_FLAGS = "plimsoll.broker.jvm";

    private static final String LOG_CONFIG = "io/plimsoll/lab/broker-log4j2.xml";

    /** Collectors other than Kafka's usual one, which has settings of its own. */
    private static final Map<String, String> COLLECTORS =
            Map.of("Parallel", "-XX:+UseParallelGC", "Serial", "-XX:+UseSerialGC", "Z", "-XX:+UseZGC");

    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 100_000;
    /**
     * Starts a broker that stays, says its process id, and ends as it does, or when it is told to: a JVM that still waits for a
     * process takes 0.3 s longer to end.
     */
    private static final String LEAVE =
            "trap 'exit 0' TERM; \"$@\" >>\"$0\" 2>&1 </dev/null & echo $!; exec >&-; wait $!";

    private static final String ENTER = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";

    /** The broker's process; of a lab that stays, that of a shell which starts it and prints its id. */
    Process start(LabNode node, String release) throws IOException {
        BrokerFiles files = BrokerFiles.find(labDirectory, KafkaRelease.of(release));
        boolean bound = options.ephemeral();
        List<String> command = new ArrayList<>(Warden.DETACHED);
        if (!bound) {
            command.addAll(List.of("/bin/sh", "-c", LEAVE, node.logFile().toString()));
        }
        command.addAll(cpuLimit(options.spec().get(LabKeys.CPUS), node));
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
        command.add(
                switch (node.role()) {
                    case ZOOKEEPER -> BrokerMain.ZOOKEEPER;
                    case WITH_ZOOKEEPER -> BrokerMain.UNFORMATTED;
                    default -> BrokerMain.FORMATTED;
                });

        ProcessBuilder builder =
                new ProcessBuilder(command).directory(node.directory().toFile()).redirectErrorStream(true);
        if (bound) {
            builder.redirectOutput(
                    ProcessBuilder.Redirect.appendTo(node.logFile().toFile()));
        }
        // In the environment, because as an option it would not fit into what the system shows of a command line.
        builder.environment().put("CLASSPATH", files.classPath());
        return builder.start();
    }

    private List<String> jvmFlags() {
        int heapMegabytes = options.heapMegabytes();
        List<String> flags = new ArrayList<>(
                List.of("-Xms" + Math.min(INITIAL_HEAP_MEGABYTES, heapMegabytes) + "m", "-Xmx" + heapMegabytes + "m"));
        String other = COLLECTORS.get(options.spec().get(LabKeys.JVM).get(LabKeys.COLLECTOR));
        // Else the settings of Kafka's own start script: a lab shall perform like a real broker.
        flags.addAll(
                other != null
                        ? List.of(other)
                        : List.of(
                                "-XX:+UseG1GC",
                                "-XX:MaxGCPauseMillis=20",
                                "-XX:InitiatingHeapOccupancyPercent=35",
                                "-XX:+ExplicitGCInvokesConcurrent"));
        flags.addAll(List.of(
                "-XX:+ExitOnOutOfMemoryError",
                // Optimised after a fifth of the usual number of calls: a lab that has just been started shall soon
                // perform like a broker that has run for days.
                "-XX:Tier4InvocationThreshold=1000",
                "-XX:Tier4MinInvocationThreshold=120",
                "-XX:Tier4CompileThreshold=3000",
                "-XX:Tier4BackEdgeThreshold=8000",
                "-Djava.awt.headless=true"));
        if (Runtime.getRuntime().availableProcessors() <= FEW_CORES) {
            // One optimizing compiler beside the many threads of a broker and its load would get little of so few
            // cores.
            flags.add("-XX:CICompilerCount=4");
        }
        String asked = options.spec().get(LabKeys.JVM).get(LabKeys.FLAGS).strip();
        flags.addAll(asked.isEmpty() ? List.of() : List.of(asked.split(" +")));
        return flags;
    }

    /**
     * What stands before the command of a process to hold it to some of the machine's cores, or to a share of one: {@code taskset}, or
     * a cgroup of its own, which the warden removes.
     *
     * @param cpus as a scenario has it; empty for no limit
     * @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if it cannot be had here
     */
    private List<String> cpuLimit(String cpus, LabNode node) {
        if (cpus.isEmpty() || !node.role().serves()) {
            return List.of();
        }
        if (cpus.contains(".")) {
            return quota(Double.parseDouble(cpus), node);
        }
        Exit.USAGE.when(!Files.isExecutable(Path.of("/usr/bin/taskset")), "lab.cpus.noTaskset", cpus);
        return List.of("/usr/bin/taskset", "-c", cpus.matches("\\d+") ? turn(Integer.parseInt(cpus), node.id()) : cpus);
    }

    /** Brokers take the machine's cores in turn. */
    private static String turn(int cores, int id) {
        int there = Runtime.getRuntime().availableProcessors();
        Exit.USAGE.when(cores > there, "lab.cpus.notSoMany", cores, there);
        return IntStream.range(0, cores)
                .mapToObj(i -> Integer.toString(((id - 1) * cores + i) % there))
                .collect(Collectors.joining(","));
    }

    private List<String> quota(double cores, LabNode node) {
        boolean second = Files.exists(GROUPS.resolve("cgroup.controllers"));
        Path group = (second ? GROUPS : GROUPS.resolve("cpu"))
                .resolve(node.directory().getParent().getFileName() + "-" + node.id());
        long micros = Math.max(1000, Math.round(cores * PERIOD_MICROS));
        try {
            if (warden == null) {
                throw new IOException("the lab stays");
            }
            if (!Files.exists(group)) {
                Files.createDirectory(group);
                warden.removeGroup(group);
            }
            if (second) {
                Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
            } else {
                Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
                Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(micros));
            }
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.cpus.noGroup", cores, e);
        }
        return List.of("/bin/sh", "-c", ENTER, group.toString());
    }
}
