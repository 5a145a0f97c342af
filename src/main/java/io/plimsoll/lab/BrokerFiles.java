package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Files loaded by a broker's JVM: the class path, and an optional class data sharing archive, which saves 40 % of the
 * CPU time of a start.
 *
 * <p>The first jar is created here; it contains only {@link BrokerMain} and the logging configuration. Like the
 * archive, it is stored beside the directory of runtime jars. The class path is identical in builds, tests, and
 * installations, and independent of a rebuild under a running lab, as an archive requires.
 */
record BrokerFiles(List<Path> jars, Path cache, String fingerprint) {
    private static final String CACHE = "broker-cache";
    private static final String[] LAUNCHER_CONTENT = {
        "io/plimsoll/lab/BrokerMain.class", "io/plimsoll/lab/broker-log4j2.xml"
    };
    private static final int TRAINING_HEAP_MEGABYTES = 256;
    private static final Duration DUMP_PATIENCE = Duration.ofSeconds(60);
    /** Since JDK 25 an archive contains linked classes and profiles, which save another sixth of the start time. */
    private static final boolean LINKED = Runtime.version().feature() >= 25;

    private static final String WRITES = LINKED ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=";
    private static final String READS = LINKED ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=";

    /** System property with the directory of runtime jars if it is not beside the program. */
    private static final String LIBRARIES = "plimsoll.lib";

    /** The bundled files. */
    static BrokerFiles find(Path labDirectory) throws IOException {
        return find(labDirectory, KafkaRelease.of(KafkaRelease.OWN));
    }

    /** @param labDirectory location of the launcher jar if the program's directory is read-only */
    static BrokerFiles find(Path labDirectory, KafkaRelease release) throws IOException {
        List<Path> jars = ownJars();
        byte[] launcherBytes = launcherBytes();
        // Store files beside the program's jars, but not within a Maven repository.
        Path cache = directory().map(own -> own.resolveSibling(CACHE)).orElse(labDirectory);
        Path launcher;
        try {
            launcher = writeOnce(cache.resolve("launcher-" + hash(launcherBytes) + ".jar"), launcherBytes);
        } catch (IOException e) {
            launcher = writeOnce(labDirectory.resolve(LabDirectory.LAUNCHER), launcherBytes);
        }
        Stream<Path> kafka = release.jars().isEmpty()
                ? jars.stream()
                : Stream.concat(
                        release.jars().stream(),
                        jars.stream().filter(jar -> jar.getFileName().toString().startsWith("log4j-")));
        List<Path> classPath = Stream.concat(Stream.of(launcher), kafka).toList();
        return new BrokerFiles(classPath, cache, fingerprint(classPath));
    }

    String classPath() {
        return jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private Optional<Path> archive() {
        try (Stream<Path> files = Files.list(cache)) {
            return files.filter(this::isWholeArchive).findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean isWholeArchive(Path file) {
        try {
            return file.equals(archiveOf(Files.size(file))) && Files.isReadable(file);
        } catch (IOException e) {
            return false;
        }
    }

    /** The length is part of the name, because a truncated archive crashes the JVM. */
    private Path archiveOf(long bytes) {
        return cache.resolve("broker-" + fingerprint + "-" + bytes + ".jsa");
    }

    /** JVM options for the archive; empty without an archive. The JVM ignores an unsuitable archive. */
    List<String> archiveFlags() {
        return archive()
                .map(file -> List.of(
                        READS + file,
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        // Verifies the checksum of the whole file; a damaged archive would crash the JVM.
                        "-XX:+VerifySharedSpaces"))
                .orElse(List.of());
    }

    /**
     * Creates the archive if missing, from the classes loaded during a broker start; a broker starts and stops for this
     * purpose. Without the archive, brokers start more slowly.
     * @return whether an archive exists; some JVMs cannot create it, and the location can be read-only
     */
    static boolean makeArchive() {
        LabOptions options = LabOptions.ephemeral(1).withHeapMegabytes(TRAINING_HEAP_MEGABYTES);
        try {
            BrokerFiles files = find(Path.of(""));
            if (files.archive().isPresent()) {
                return true;
            }
            if (!Files.isWritable(files.cache)) {
                return false;
            }
            Path dump = files.cache.resolve("new-" + ProcessHandle.current().pid() + ".jsa");
            try (Lab lab = new LabStarter(options, List.of(WRITES + dump)).start()) {
                lab.shutDown(1, DUMP_PATIENCE);
            }
            if (!Files.exists(dump)) {
                return false;
            }
            removeArchives(files.cache, dump);
            Files.move(dump, files.archiveOf(Files.size(dump)), StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.noClassArchive", e);
        }
    }

    /** Deletes archives of earlier builds. A JVM with an open archive is not affected. */
    private static void removeArchives(Path cache, Path except) throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".jsa")).toList()) {
                if (!file.equals(except)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Writes a file unless it exists, with a fixed modification time, as class data sharing archives require. */
    private static Path writeOnce(Path file, byte[] content) throws IOException {
        if (!Files.exists(file)) {
            Files.createDirectories(file.getParent());
            // Other users could not read a file created by Files.createTempFile.
            Path next = file.resolveSibling("new-" + ProcessHandle.current().pid() + "-" + file.getFileName());
            Files.write(next, content);
            Files.setLastModifiedTime(next, FileTime.from(Instant.EPOCH));
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    private static byte[] launcherBytes() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes)) {
            for (String name : LAUNCHER_CONTENT) {
                JarEntry entry = new JarEntry(name);
                entry.setTimeLocal(LocalDateTime.of(2000, 1, 1, 0, 0));
                jar.putNextEntry(entry);
                try (InputStream in = BrokerFiles.class.getClassLoader().getResourceAsStream(name)) {
                    if (in == null) {
                        throw new IOException("missing in the program: " + name);
                    }
                    in.transferTo(jar);
                }
                jar.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    /** A digest of everything that an archive depends on: the JVM and the jars. */
    private static String fingerprint(List<Path> classPath) throws IOException {
        StringBuilder text = new StringBuilder(System.getProperty("java.home"))
                .append('\n')
                .append(System.getProperty("java.vm.version"));
        for (Path jar : classPath) {
            text.append('\n').append(jar).append(' ').append(Files.size(jar));
            text.append(' ').append(Files.getLastModifiedTime(jar).toMillis());
        }
        return hash(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String hash(byte[] bytes) {
        return sha256(bytes).substring(0, 16);
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The bundled jars, sorted by name for a stable order. */
    static List<Path> ownJars() {
        try {
            Optional<Path> found = directory();
            if (found.isPresent()) {
                return jars(found.get());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot list the runtime libraries", e);
        }
        // If Plimsoll is embedded as a library, the broker jars are on the application's class path.
        List<Path> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar"))
                .map(Path::of)
                .sorted()
                .toList();
        if (jars.stream().noneMatch(BrokerFiles::isBroker)) {
            throw none();
        }
        return jars;
    }

    /** The jars of a directory, sorted by name. */
    static List<Path> jars(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    private static PlimsollException none() {
        return Exit.INTERNAL.because("lab.noBrokerJars", candidates().get(0).toAbsolutePath(), LIBRARIES);
    }

    /** The directory of a broker's runtime jars. */
    static Path libraries() {
        return directory().orElseThrow(BrokerFiles::none);
    }

    private static List<Path> candidates() {
        String named = System.getProperty(LIBRARIES);
        return named != null
                ? List.of(Path.of(named))
                : List.of(ownLocation().resolveSibling("lib"), Path.of("target", "lib"));
    }

    private static Optional<Path> directory() {
        return candidates().stream()
                .map(Path::toAbsolutePath)
                .filter(BrokerFiles::hasBroker)
                .findFirst();
    }

    private static boolean isBroker(Path jar) {
        return jar.getFileName().toString().startsWith("kafka_");
    }

    private static boolean hasBroker(Path directory) {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.anyMatch(BrokerFiles::isBroker);
        } catch (IOException e) {
            return false;
        }
    }

    /** The jar or class directory of this class. */
    private static Path ownLocation() {
        try {
            return Path.of(BrokerFiles.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
