package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.PrivateFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The jars of a Kafka release. Maven downloads releases other than the bundled one and verifies the repository's
 * checksums. The jars are stored in the user's cache directory with SHA-256 checksums, which each process verifies
 * once.
 * @param version such as {@code 3.9.1}
 * @param place {@link #OWN}, the version to download, or a directory with the jars
 */
record KafkaRelease(String version, String place) {
    /** The bundled release. */
    static final String OWN = "";

    private static final Pattern CORE_JAR = Pattern.compile("kafka_2\\.1[23]-(\\d+\\.\\d+\\.\\d+).*\\.jar");
    private static final String FIRST = "2.8.0";
    private static final String FIRST_OWN_QUORUM = "3.3.0";
    private static final String BEYOND = "4.4.0";
    private static final String SUMS = "SHA256SUMS";
    private static final int FETCH_MINUTES = 15;
    private static final Map<String, List<Path>> KNOWN = new ConcurrentHashMap<>();

    /** Finds a release by {@link #OWN}, a version, or a directory with jars or a subdirectory {@code libs}; downloads nothing. */
    static KafkaRelease of(String asked) {
        String own = version(BrokerFiles.ownJars());
        return asked.equals(OWN) || asked.equals(own)
                ? new KafkaRelease(own, OWN)
                : new KafkaRelease(inRange(asked.startsWith("/") ? version(known(asked)) : asked), asked);
    }

    /** The jars of the broker and its dependencies, downloaded if necessary; empty for the bundled ones. */
    List<Path> jars() {
        return place.equals(OWN) ? List.of() : known(place);
    }

    private static List<Path> known(String place) {
        return KNOWN.computeIfAbsent(place, KafkaRelease::find);
    }

    private static List<Path> find(String place) {
        try {
            if (!place.startsWith("/")) {
                return cached(place);
            }
            Path given = Path.of(place);
            return jarsIn(Files.isDirectory(given.resolve("libs")) ? given.resolve("libs") : given);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.release.unreadable", place, e);
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "lab.interruptedStarting");
        }
    }

    boolean needsZooKeeper() {
        return isBefore(FIRST_OWN_QUORUM);
    }

    boolean isBefore(String other) {
        return isBefore(version, other);
    }

    static boolean isBefore(String version, String other) {
        return Arrays.compare(numbers(version), numbers(other)) < 0;
    }

    private static String inRange(String version) {
        Exit.USAGE.when(isBefore(version, FIRST) || !isBefore(version, BEYOND), "lab.release.outOfRange", version);
        return version;
    }

    private static int[] numbers(String version) {
        return Stream.of(version.split("\\.")).mapToInt(Integer::parseInt).toArray();
    }

    private static String version(List<Path> jars) {
        return jars.stream()
                .map(jar -> CORE_JAR.matcher(jar.getFileName().toString()))
                .filter(Matcher::matches)
                .map(jar -> jar.group(1))
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because(
                        "lab.release.noBroker",
                        jars.isEmpty() ? "-" : jars.get(0).getParent()));
    }

    private static List<Path> jarsIn(Path directory) throws IOException {
        // Every broker uses the bundled logging libraries.
        return BrokerFiles.jars(directory).stream()
                .filter(file -> !file.getFileName()
                        .toString()
                        .matches("(slf4j-(log4j12|reload4j)|log4j|reload4j|log4j-.*)-\\d.*"))
                .toList();
    }

    private static List<Path> cached(String version) throws IOException, InterruptedException {
        Path all = CalibrationCache.directory(System.getenv()).resolve("kafka");
        Path place = all.resolve(version);
        Files.createDirectories(all);
        // The lock excludes another process that downloads the same release.
        try (FileChannel lock = FileChannel.open(
                        all.resolve(version + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                var held = lock.lock()) {
            if (!Files.exists(place.resolve(SUMS)) && held.isValid()) {
                fetch(version, place);
            }
        }
        List<String> expected = Files.readAllLines(place.resolve(SUMS));
        Exit.USAGE.when(!expected.equals(sums(place)), "lab.release.changed", place);
        return jarsIn(place);
    }

    private static void fetch(String version, Path place) throws IOException, InterruptedException {
        Path fresh = Files.createTempDirectory(place.getParent(), "fetching-");
        try {
            String pom = InputFile.resource(KafkaRelease.class, "release-pom.xml");
            Files.writeString(fresh.resolve("pom.xml"), pom.replace("@release@", version));
            maven(version, fresh);
            version(jarsIn(fresh));
            Files.write(fresh.resolve(SUMS), sums(fresh));
            PrivateFiles.delete(place);
            Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            PrivateFiles.delete(fresh);
        }
    }

    private static void maven(String version, Path directory) throws IOException, InterruptedException {
        Path log = directory.resolve("maven.log");
        Process maven;
        try {
            maven = new ProcessBuilder("mvn", "-B", "-ntp", "-q", "-C", "dependency:copy-dependencies")
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "lab.release.noMaven", version);
        }
        try {
            maven.getOutputStream().close();
            boolean ended = maven.waitFor(FETCH_MINUTES, TimeUnit.MINUTES);
            if (!ended || maven.exitValue() != 0) {
                throw Exit.USAGE.because("lab.release.notFetched", version, reason(log));
            }
        } finally {
            maven.descendants().forEach(ProcessHandle::destroyForcibly);
            maven.destroyForcibly();
        }
    }

    private static String reason(Path log) throws IOException {
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith("[ERROR]"))
                .findFirst()
                .map(line -> line.substring("[ERROR]".length()).strip())
                .orElse("mvn");
    }

    /** Checksum lines for the jars, in the format of {@code sha256sum}. */
    private static List<String> sums(Path directory) throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path jar : BrokerFiles.jars(directory)) {
            lines.add(BrokerFiles.sha256(Files.readAllBytes(jar)) + "  " + jar.getFileName());
        }
        return lines;
    }
}
