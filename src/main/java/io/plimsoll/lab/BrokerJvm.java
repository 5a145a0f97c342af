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
 * Launch settings of the broker processes, the same for each broker of a lab.
 *
 * @param moreFlags additional JVM flags
 * @param warden of an ephemeral lab; null for a persistent one
 */
record BrokerJvm(String clusterId, LabOptions options, List<String> moreFlags, Path labDirectory, Warden warden) {
    private static final int INITIAL_HEAP_MEGABYTES = 256;
    private static final int FEW_CORES = 4;
    /**
     * System property with additional JVM flags, separated by spaces: tests limit compilation for short-lived brokers.
     */
    private static final String MORE_FLAGS = "plimsoll.broker.jvm";

    private static final String LOG_CONFIG = "io/plimsoll/lab/broker-log4j2.xml";

    /** Garbage collectors other than Kafka's default. */
    private static final Map<String, String> COLLECTORS =
            Map.of("Parallel", "-XX:+UseParallelGC", "Serial", "-XX:+UseSerialGC", "Z", "-XX:+UseZGC");

    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 100_000;
    /**
     * Starts a broker that outlives the JVM, prints its process id, and ends with it or on TERM: waiting for a child
     * process delays the JVM's exit by 0.3 s.
     */
    private static final String LEAVE =
            "trap 'exit 0' TERM; \"$@\" >>\"$0\" 2>&1 </dev/null & echo $!; exec >&-; wait $!";

    private static final String ENTER = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";

    /** The broker process; for a persistent lab, the shell that starts it and prints its id. */
    Process start(LabNode node, String release) throws IOException {
        BrokerFiles files = BrokerFiles.find(labDirectory, KafkaRelease.of(release));
        boolean bound = options.ephemeral();
        List<String> command = new ArrayList<>(Warden.DETACHED);
        if (!bound) {
            command.addAll(List.of("/bin/sh", "-c", LEAVE, node.logFile().toString()));
        }
        command.addAll(cpuLimit(options.spec().get(LabKeys.CPUS), node));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // First argument, so that the process is identifiable in truncated command lines.
        command.add("-Dplimsoll.broker.log=" + node.logFile());
        command.addAll(jvmFlags());
        command.addAll(files.archiveFlags());
        command.addAll(moreFlags);
        String more = System.getProperty(MORE_FLAGS, "").strip();
        command.addAll(more.isEmpty() ? List.of() : List.of(more.split(" +")));
        if (bound) {
            // After SIGKILL the codecs' native libraries are removed with the lab's directory.
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
        // In the environment, because it would exceed the visible part of a command line.
        builder.environment().put("CLASSPATH", files.classPath());
        return builder.start();
    }

    private List<String> jvmFlags() {
        int heapMegabytes = options.heapMegabytes();
        List<String> flags = new ArrayList<>(
                List.of("-Xms" + Math.min(INITIAL_HEAP_MEGABYTES, heapMegabytes) + "m", "-Xmx" + heapMegabytes + "m"));
        String other = COLLECTORS.get(options.spec().get(LabKeys.JVM).get(LabKeys.COLLECTOR));
        // Otherwise Kafka's start script defaults, for realistic performance.
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
                // Compile after a fifth of the default number of calls, so that a fresh lab soon performs like a
                // long-running broker.
                "-XX:Tier4InvocationThreshold=1000",
                "-XX:Tier4MinInvocationThreshold=120",
                "-XX:Tier4CompileThreshold=3000",
                "-XX:Tier4BackEdgeThreshold=8000",
                "-Djava.awt.headless=true"));
        if (Runtime.getRuntime().availableProcessors() <= FEW_CORES) {
            // With few cores a single optimizing compiler thread would starve.
            flags.add("-XX:CICompilerCount=4");
        }
        String asked = options.spec().get(LabKeys.JVM).get(LabKeys.FLAGS).strip();
        flags.addAll(asked.isEmpty() ? List.of() : List.of(asked.split(" +")));
        return flags;
    }

    /**
     * Command prefix that limits a process to some cores or to a fraction of one: {@code taskset}, or a cgroup that the
     * warden removes.
     *
     * @param cpus as in the scenario; empty for no limit
     * @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if not possible on this host
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

    /** Assigns the host's cores to brokers in turn. */
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
