package io.plimsoll.lab;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A shell process that ends brokers and removes their files as soon as this JVM is gone, be it by SIGKILL, and also
 * when it is told to. It outlives a killed parent because it is in a session of its own, and it reaches brokers that
 * are stopped or hang, which could not end themselves.
 */
record Warden(Process process, OutputStream orders) {
    private static final long END_SECONDS = 30;

    /**
     * Words to put in front of a command, which keep it out of reach of the terminal: Ctrl-C and a hang-up are for this JVM,
     * which decides. The process keeps the id that it is started with.
     */
    static final List<String> DETACHED = prefix();

    /**
     * @param marker a text in the command line of each broker, so that no other process with a recycled id is killed
     * @param remove what to delete once the brokers are gone
     */
    static Warden start(String marker, List<Path> remove) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("plimsoll-warden", marker));
        remove.forEach(path -> arguments.add(path.toString()));
        // Out of the lab's directory, which it removes.
        Process process = shell("warden.sh", arguments, Path.of("/"), Map.of());
        return new Warden(process, process.getOutputStream());
    }

    /** A script of this room in a shell out of reach of the terminal, without output. */
    static Process shell(String script, List<String> arguments, Path directory, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>(DETACHED);
        command.addAll(List.of("sh", "-c", resource(script)));
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

    /** Has a file system unmounted at the end, before files are removed. */
    void unmount(Path mountPoint) throws IOException {
        order("unmount " + mountPoint);
    }

    /** Has a cgroup removed at the end, when the processes in it are gone. */
    void removeGroup(Path group) throws IOException {
        order("rmdir " + group);
    }

    /** Ends the warden and leaves the brokers alone. */
    void release() throws IOException, InterruptedException {
        order("release");
        orders.close();
        process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    }

    /** Has the brokers killed and their files removed, and waits for it. */
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

    /** The text of a file of this room. */
    static String resource(String name) {
        try (InputStream in = Warden.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> prefix() {
        List<String> prefix = new ArrayList<>();
        // An own session where the system has the tool for it (Linux); ignored signals do nearly the same elsewhere.
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
