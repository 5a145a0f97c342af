package io.plimsoll.lab;

import io.plimsoll.InputFile;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A shell process that kills brokers and removes their files when this JVM ends, even by SIGKILL, or on request. It
 * runs in its own session, so it survives its parent. It also kills paused or hung brokers, which cannot end
 * themselves.
 */
record Warden(Process process, OutputStream orders) {
    private static final long END_SECONDS = 30;

    /**
     * Command prefix that detaches a process from the terminal, so that Ctrl-C and hang-up reach only this JVM. The
     * process id stays the same.
     */
    static final List<String> DETACHED = prefix();

    /**
     * @param marker text in the command line of each broker, so that no other process with a recycled id is killed
     * @param remove paths to delete after the brokers have ended
     */
    static Warden start(String marker, List<Path> remove) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("plimsoll-warden", marker));
        remove.forEach(path -> arguments.add(path.toString()));
        // Its working directory must not be the lab's directory, which it removes.
        Process process = shell("warden.sh", arguments, Path.of("/"), Map.of());
        return new Warden(process, process.getOutputStream());
    }

    /** Runs a script of this package in a detached shell, without output. */
    static Process shell(String script, List<String> arguments, Path directory, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(DETACHED);
        command.addAll(List.of("sh", "-c", InputFile.resource(Warden.class, script)));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        return builder.start();
    }

    void watch(long pid) throws IOException {
        order("watch " + pid);
    }

    /** Unmounts a file system at the end, before files are removed. */
    void unmount(Path mountPoint) throws IOException {
        order("unmount " + mountPoint);
    }

    /** Removes a cgroup at the end, after its processes have ended. */
    void removeGroup(Path group) throws IOException {
        order("rmdir " + group);
    }

    /** Ends the warden; the brokers continue. */
    void release() throws IOException, InterruptedException {
        order("release");
        orders.close();
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    }

    /** Kills the brokers, removes their files, and waits for completion. */
    void end() throws IOException, InterruptedException {
        orders.close();
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }

    private void order(String line) throws IOException {
        order(orders, line);
    }

    static void order(OutputStream orders, String line) throws IOException {
        orders.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        orders.flush();
    }

    private static List<String> prefix() {
        List<String> prefix = new ArrayList<>();
        // On Linux, uses setsid; elsewhere, ignoring signals is nearly equivalent.
        if (onPath("setsid")) {
            prefix.add("setsid");
        }
        prefix.addAll(List.of("sh", "-c", "trap '' INT HUP; exec \"$@\"", "sh"));
        return List.copyOf(prefix);
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
    }
}
