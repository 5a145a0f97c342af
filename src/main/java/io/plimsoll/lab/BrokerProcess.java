package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.scenario.LabSpec;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The process of one broker: a child of this JVM, or left running by an earlier JVM.
 * @param release see {@link KafkaRelease#of}
 * @param startedAtMillis see {@link LabFile.Entry}
 * @param handle null if the process has ended
 * @param child null if not a child of this JVM
 * @param shell shell that ends when the process ends or is released; null if none
 * @param logStart log size in bytes at the start of this process
 */
record BrokerProcess(
        LabNode node,
        String release,
        long pid,
        long startedAtMillis,
        @Nullable ProcessHandle handle,
        @Nullable Process child,
        @Nullable Process shell,
        long logStart) {
    private static final Duration PAUSE_PATIENCE = Duration.ofSeconds(5);
    /** Longer than disk I/O takes, because a process blocked on disk I/O ends only after the I/O. */
    private static final Duration KILL_PATIENCE = Duration.ofSeconds(60);

    private static final Duration JMX_PATIENCE = Duration.ofSeconds(5);
    private static final long SIGNAL_SECONDS = 5;
    private static final long POLL_MILLIS = 20;
    private static final int LOG_BYTES = 64 * 1024;
    private static final int LINE_CHARS = 300;

    static BrokerProcess start(BrokerJvm jvm, LabNode node, String release) throws IOException {
        // The log can contain errors of an earlier process, so read it from here.
        long logStart = Files.exists(node.logFile()) ? Files.size(node.logFile()) : 0;
        Files.deleteIfExists(jmxFile(node));
        Process child = jvm.start(node, release);
        if (jvm.options().ephemeral) {
            return new BrokerProcess(
                    node, release, child.pid(), startOf(child.toHandle()), child.toHandle(), child, null, logStart);
        }
        String said = child.inputReader().readLine();
        if (said == null) {
            throw new IOException("no shell could start broker " + node.id());
        }
        long pid = Long.parseLong(said);
        ProcessHandle handle = ProcessHandle.of(pid).orElse(null);
        return new BrokerProcess(node, release, pid, startOf(handle), handle, null, child, logStart);
    }

    private static long startOf(@Nullable ProcessHandle handle) {
        return Optional.ofNullable(handle)
                .flatMap(process -> process.info().startInstant())
                .orElseGet(Instant::now)
                .toEpochMilli();
    }

    /** Ends the shell that waits for the process of a persistent lab; the process continues. */
    void leave() throws InterruptedException {
        if (shell != null) {
            shell.destroy();
            shell.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** The recorded process of {@code node}; counts as dead if another process has its id now. */
    static BrokerProcess recorded(LabNode node, String release, long pid, long startedAtMillis) {
        ProcessHandle handle = ProcessHandle.of(pid)
                .filter(candidate -> isBroker(candidate, node))
                .orElse(null);
        return new BrokerProcess(node, release, pid, startedAtMillis, handle, null, null, 0);
    }

    /** Ignores the reported start time, because it changes if the host's clock is set. */
    private static boolean isBroker(ProcessHandle candidate, LabNode node) {
        return commandLine(candidate).contains(node.marker());
    }

    private static String commandLine(ProcessHandle candidate) {
        String[] arguments = candidate.info().arguments().orElse(new String[0]);
        return arguments.length > 0
                ? String.join(" ", arguments)
                : candidate.info().commandLine().orElse("");
    }

    boolean isAlive() {
        if (child != null) {
            return child.isAlive();
        }
        // A zombie is still listed, without a command line.
        return handle != null && handle.isAlive() && isBroker(handle, node);
    }

    /** Whether the process is stopped by a signal. */
    boolean isPaused() {
        try {
            return isAlive() && state().startsWith("T");
        } catch (IOException e) {
            return false;
        }
    }

    /** State of the process; its first letter is the state code of {@code ps}. */
    private String state() throws IOException {
        if (!LinuxRoot.isHere()) {
            return LinuxRoot.states(List.of(pid)).getOrDefault(pid, "");
        }
        String stat = Files.readString(LinuxRoot.PATH.resolve("proc/" + pid + "/stat"));
        // The state follows the program name, which is in parentheses and can contain any character.
        return stat.substring(stat.lastIndexOf(')') + 2);
    }

    /** Stops the process by a signal and waits until it has stopped, which is not immediate on a busy host. */
    void pause() {
        signal("STOP");
        long deadline = System.nanoTime() + PAUSE_PATIENCE.toNanos();
        while (isAlive() && !isPaused() && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(Duration.ofMillis(POLL_MILLIS).toNanos());
        }
    }

    /** Exit code of an ended child of this JVM; otherwise empty. */
    OptionalInt exitCode() throws InterruptedException {
        Process exited = child != null ? child : shell;
        return !isAlive() && exited != null && exited.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS)
                ? OptionalInt.of(exited.exitValue())
                : OptionalInt.empty();
    }

    List<String> lastLines() {
        return lastLines(node.logFile(), logStart);
    }

    /**
     * The last 64 KiB of log lines after byte {@code from}, oldest first, without stack frames and configuration dumps.
     * Empty if the file does not exist.
     */
    static List<String> lastLines(Path logFile, long from) {
        try (RandomAccessFile file = new RandomAccessFile(logFile.toFile(), "r")) {
            // A file shorter than {@code from} was recreated.
            long start = Math.max(from > file.length() ? 0 : from, file.length() - LOG_BYTES);
            byte[] bytes = new byte[(int) (file.length() - start)];
            file.seek(start);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("\t") && !line.startsWith(" ("))
                    .map(line -> line.length() > LINE_CHARS ? line.substring(0, LINE_CHARS) + "..." : line)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * JMX address of the broker on the loopback interface; the broker starts JMX on the first request.
     *
     * @throws IOException if it is not a child of this JVM, or does not respond
     */
    synchronized String jmxAddress() throws IOException, InterruptedException {
        if (child == null || !child.isAlive()) {
            throw new IOException("broker " + node.id() + " is no running child of this process");
        }
        Path file = jmxFile(node);
        if (!Files.exists(file)) {
            child.getOutputStream().write('\n');
            child.getOutputStream().flush();
        }
        long deadline = System.nanoTime() + JMX_PATIENCE.toNanos();
        while (!Files.exists(file)) {
            if (System.nanoTime() - deadline > 0 || !isAlive()) {
                throw new IOException("broker " + node.id() + " does not say where its figures are");
            }
            Thread.sleep(POLL_MILLIS);
        }
        return Files.readString(file);
    }

    private static Path jmxFile(LabNode node) {
        return node.configFile().resolveSibling(BrokerMain.JMX_ADDRESS);
    }

    void terminate() {
        if (handle != null && isAlive()) {
            handle.destroy();
        }
    }

    /** Kills the process immediately, like a crash. */
    void kill() {
        if (handle != null && isAlive()) {
            handle.destroyForcibly();
        }
    }

    /** Waits for the process to end, and kills it at {@code deadlineNanos} (on the clock of {@link System#nanoTime}). */
    void endBy(long deadlineNanos) {
        try {
            if (!awaitEnd(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())))) {
                kill();
            }
            Exit.INTERNAL.when(!awaitEnd(KILL_PATIENCE), "lab.notKilled", node.id(), pid);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedWaiting");
        }
    }

    LabBroker describe() {
        return new LabBroker(
                node.id(),
                node.host(),
                node.ports().advertised(),
                node.ports().controller(),
                pid,
                isPaused() ? LabBroker.State.PAUSED : isAlive() ? LabBroker.State.RUNNING : LabBroker.State.GONE,
                node.dataDirectory(),
                node.logFile());
    }

    boolean awaitEnd(Duration patience) throws InterruptedException {
        if (child != null) {
            return child.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        }
        long deadline = System.nanoTime() + patience.toNanos();
        while (isAlive()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    /** Sends a signal, given by its name without SIG. */
    void signal(String name) {
        Exit.USAGE.when(!isAlive(), "lab.brokerNotRunning", node.id());
        try {
            // kill is a builtin of every shell, so no other program is needed.
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Exit.INTERNAL.when(
                    !kill.waitFor(SIGNAL_SECONDS, TimeUnit.SECONDS) || kill.exitValue() != 0,
                    "lab.signalNotSent",
                    name,
                    node.id(),
                    pid);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.signalFailed", name, node.id(), e);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedSignalling", node.id());
        }
    }

    /**
     * Launch settings of the broker processes, the same for each broker of a lab.
     *
     * @param moreFlags additional JVM flags
     * @param warden of an ephemeral lab; null for a persistent one
     */
    record BrokerJvm(
            String clusterId,
            LabOptions options,
            List<String> moreFlags,
            Path labDirectory,
            @Nullable Warden warden) {
        private static final int INITIAL_HEAP_MEGABYTES = 256;
        private static final int FEW_CORES = 4;
        /**
         * System property with additional JVM flags, separated by spaces; tests use it to limit compilation.
         */
        private static final String MORE_FLAGS = "plimsoll.broker.jvm";

        private static final String LOG_CONFIG = "io/plimsoll/lab/broker-log4j2.xml";

        /** Garbage collectors other than Kafka's default. */
        private static final Map<String, String> COLLECTORS =
                Map.of("Parallel", "-XX:+UseParallelGC", "Serial", "-XX:+UseSerialGC", "Z", "-XX:+UseZGC");

        private static final Path GROUPS = LinuxRoot.PATH.resolve("sys/fs/cgroup");
        private static final int PERIOD_MICROS = 100_000;
        /**
         * Shell script: starts a broker that outlives this JVM, prints the broker's process id, and ends with the
         * broker or on TERM. As a direct child, the broker would delay the JVM's exit by 0.3 s.
         */
        private static final String LEAVE =
                "trap 'exit 0' TERM; \"$@\" >>\"$0\" 2>&1 </dev/null & echo $!; exec >&-; wait $!";

        private static final String ENTER = "echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";

        /** Starts the broker process or, for a persistent lab, the shell that starts it and prints its id. */
        Process start(LabNode node, String release) throws IOException {
            BrokerFiles files = BrokerFiles.find(labDirectory, KafkaRelease.of(release));
            boolean bound = options.ephemeral;
            List<String> command = new ArrayList<>(Warden.DETACHED);
            if (!bound) {
                command.addAll(List.of("/bin/sh", "-c", LEAVE, node.logFile().toString()));
            }
            command.addAll(cpuLimit(options.spec.get(LabSpec.CPUS), node));
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            // The first argument, so that the process is identifiable in truncated command lines.
            command.add(node.marker());
            command.addAll(jvmFlags());
            command.addAll(files.archiveFlags());
            command.addAll(moreFlags);
            String more = System.getProperty(MORE_FLAGS, "").strip();
            command.addAll(more.isEmpty() ? List.of() : List.of(more.split(" +")));
            if (bound) {
                // The native libraries of codecs are removed with the lab's directory, even after SIGKILL.
                command.add("-Djava.io.tmpdir=" + node.directory());
            }
            if (bound && options.flight && node.role().serves()) {
                command.add("-D" + BrokerMain.FLIGHT + "=true");
            }
            if (bound && options.requestLog && node.role().serves()) {
                command.add("-Dplimsoll.broker.requests=debug");
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

            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(node.directory().toFile())
                    .redirectErrorStream(true);
            if (bound) {
                builder.redirectOutput(
                        ProcessBuilder.Redirect.appendTo(node.logFile().toFile()));
            }
            // In the environment, because the class path would exceed the visible part of a command line.
            builder.environment().put("CLASSPATH", files.classPath());
            return builder.start();
        }

        private List<String> jvmFlags() {
            int heapMegabytes = options.heapMegabytes;
            List<String> flags = new ArrayList<>(List.of(
                    "-Xms" + Math.min(INITIAL_HEAP_MEGABYTES, heapMegabytes) + "m", "-Xmx" + heapMegabytes + "m"));
            String other = COLLECTORS.get(options.spec.get(LabSpec.JVM).get(LabSpec.COLLECTOR));
            // Otherwise the defaults of Kafka's start script, for realistic performance.
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
                // With few cores, a single optimizing compiler thread would get too little CPU.
                flags.add("-XX:CICompilerCount=4");
            }
            String asked = options.spec.get(LabSpec.JVM).get(LabSpec.FLAGS).strip();
            flags.addAll(asked.isEmpty() ? List.of() : List.of(asked.split(" +")));
            return flags;
        }

        /**
         * Command prefix that pins a process to some cores ({@code taskset}) or limits its CPU time (a cgroup that the
         * warden removes).
         *
         * @param cpus as in the scenario; empty for no limit
         * @throws io.plimsoll.PlimsollException {@link Exit#USAGE} if not possible on this host
         */
        private List<String> cpuLimit(String cpus, LabNode node) {
            if (cpus.isEmpty() || !node.role().serves()) {
                return List.of();
            }
            Exit.USAGE.when(!LinuxRoot.isHere(), "lab.cpus.notLinux", cpus);
            if (cpus.contains(".")) {
                return quota(Double.parseDouble(cpus), node);
            }
            Exit.USAGE.when(!Files.isExecutable(Path.of("/usr/bin/taskset")), "lab.cpus.noTaskset", cpus);
            return List.of(
                    "/usr/bin/taskset", "-c", cpus.matches("\\d+") ? turn(Integer.parseInt(cpus), node.id()) : cpus);
        }

        /** The cores assigned to a broker; the brokers get the host's cores in turn. */
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
                    .resolve(
                            Objects.requireNonNull(node.directory().getParent()).getFileName() + "-" + node.id());
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
}
