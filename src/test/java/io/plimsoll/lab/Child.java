package io.plimsoll.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with the class path of the tests. */
public final class Child {
    private static final long SECONDS = 120;

    /** Result of a finished process. */
    public record Result(int exitCode, String out, String err) {}

    private Child() {}

    public static ProcessBuilder java(Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dplimsoll.linux=" + System.getProperty("plimsoll.linux", "on"),
                "-Dplimsoll.broker.jvm=" + System.getProperty("plimsoll.broker.jvm", ""),
                "-Dplimsoll.lib="
                        + Path.of(System.getProperty("plimsoll.lib", "target/lib"))
                                .toAbsolutePath()));
        command.add(main.getName());
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        return builder;
    }

    /** Runs a command line of the program to its end. */
    public static Result plimsoll(Path scratch, Object... arguments) throws IOException, InterruptedException {
        File out = File.createTempFile("out", null, scratch.toFile());
        File err = File.createTempFile("err", null, scratch.toFile());
        Process process = java(io.plimsoll.cli.Main.class, arguments)
                .redirectOutput(out)
                .redirectError(err)
                .start();
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after " + SECONDS + " s: " + List.of(arguments));
        }
        return new Result(
                process.exitValue(),
                java.nio.file.Files.readString(out.toPath()),
                java.nio.file.Files.readString(err.toPath()));
    }
}
