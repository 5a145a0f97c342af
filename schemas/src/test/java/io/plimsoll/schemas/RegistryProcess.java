package io.plimsoll.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.CalibrationCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The application of Apicurio as a process, with its schemas in memory; Maven downloads it once into the cache of the tests. */
final class RegistryProcess implements AutoCloseable {
    static final int FIRST_JAVA = 21;
    private static final String VERSION = "3.3.3";
    private static final String ARTIFACT = "io.apicurio:apicurio-registry-app:" + VERSION + ":tar.gz:all";
    private static final String UNPACK = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:unpack";
    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://[\\d.]+:\\d+)");
    private static final Pattern JAVA_VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+)");
    private static final int FETCH_MINUTES = 10;
    private static final int START_SECONDS = 120;

    private final Process process;
    private final Path log;
    private final String address;

    /** @param java home of a JDK, {@value #FIRST_JAVA} or newer */
    RegistryProcess(Path java, Path scratch) throws IOException, InterruptedException {
        Path app = fetched();
        log = scratch.resolve("registry.log");
        process = new ProcessBuilder(
                        java.resolve("bin").resolve("java").toString(),
                        "-Xmx512m",
                        "-XX:TieredStopAtLevel=1",
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.http.port=0",
                        "-Dquarkus.management.host=127.0.0.1",
                        "-Dquarkus.management.port=0",
                        "-jar",
                        app.resolve("quarkus-run.jar").toString())
                .directory(scratch.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            address = listening();
        } catch (IOException | InterruptedException | AssertionError e) {
            close();
            throw e;
        }
    }

    private String listening() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (true) {
            String said = Files.readString(log);
            Matcher found = LISTENING.matcher(said);
            if (found.find()) {
                return found.group(1);
            }
            boolean ended = process.waitFor(100, TimeUnit.MILLISECONDS);
            assertThat(!ended && System.nanoTime() < deadline).as("it starts; it said: %s", said).isTrue();
        }
    }

    /** The home of a JDK that runs it: of this process, or one beside it. */
    static Optional<Path> java() {
        Path own = Path.of(System.getProperty("java.home"));
        String others = System.getenv().getOrDefault("PLIMSOLL_JVMS", "/usr/lib/jvm");
        try (Stream<Path> installed = Files.isDirectory(Path.of(others)) ? Files.list(Path.of(others)) : Stream.empty()) {
            return Stream.concat(Stream.of(own), installed.sorted())
                    .filter(home -> version(home) >= FIRST_JAVA)
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int version(Path home) {
        try {
            Matcher version = JAVA_VERSION.matcher(Files.readString(home.resolve("release")));
            return version.find() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private static Path fetched() throws IOException, InterruptedException {
        Path all = CalibrationCache.directory(System.getenv()).resolve("registry");
        Path place = all.resolve(VERSION);
        if (!Files.exists(place)) {
            Files.createDirectories(all);
            Path fresh = Files.createTempDirectory(all, "fetching-");
            Path log = all.resolve("maven.log");
            Process maven = new ProcessBuilder(
                            "mvn", "-B", "-ntp", "-q", UNPACK, "-Dartifact=" + ARTIFACT, "-DoutputDirectory=" + fresh)
                    .directory(all.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                assertThat(maven.waitFor(FETCH_MINUTES, TimeUnit.MINUTES) && maven.exitValue() == 0)
                        .as("Maven downloads it; it said: %s", Files.readString(log))
                        .isTrue();
            } finally {
                maven.destroyForcibly();
            }
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
        }
        return place;
    }

    String address() {
        return address;
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
