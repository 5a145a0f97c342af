package io.plimsoll.bundle;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.report.compare.ComparedRun;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.report.compare.TurnsFile;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** A bundle, unpacked into a temporary directory that {@link #close} deletes. All of its content may be hostile. */
public final class UnpackedBundle implements AutoCloseable {
    private static final int MOST_FILES = 2000;
    /** Maximum size of all files together, counted while unpacking. */
    private static final long MOST_BYTES = 4_000_000_000L;

    private static final int MOST_MANIFEST_BYTES = 4_000_000;

    private final Path file;
    private final Path directory;
    private final Manifest manifest;

    private UnpackedBundle(Path file, Path directory, Manifest manifest) {
        this.file = file;
        this.directory = directory;
        this.manifest = manifest;
    }

    /** Whether this file begins with the signature of a ZIP archive. */
    public static boolean isAt(Path path) {
        if (!Files.isRegularFile(path)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(path)) {
            return new String(in.readNBytes(4), StandardCharsets.ISO_8859_1).equals("PK\3\4");
        } catch (IOException e) {
            return false;
        }
    }

    /** @throws PlimsollException {@link Exit#USAGE} if it is not a bundle, is damaged, or does not match its hashes */
    public static UnpackedBundle open(Path file) {
        return open(file, MOST_BYTES);
    }

    static UnpackedBundle open(Path file, long mostBytes) {
        Path directory = null;
        try (ZipFile zip = new ZipFile(file.toFile())) {
            directory = Files.createTempDirectory("plimsoll-bundle");
            PrivateFiles.discardAtExit(directory);
            return new UnpackedBundle(file, directory, unpack(file, zip, directory, mostBytes));
        } catch (IOException | RuntimeException e) {
            if (directory != null) {
                PrivateFiles.discard(directory);
            }
            throw e instanceof PlimsollException known
                    ? known
                    : damaged(file, Sentence.of("bundle.unreadable", String.valueOf(e.getMessage())));
        }
    }

    private static PlimsollException damaged(Path file, Sentence why) {
        return Exit.USAGE.because("bundle.damaged", file, why);
    }

    private static Manifest unpack(Path file, ZipFile zip, Path directory, long mostBytes) throws IOException {
        Map<String, Manifest.Entry> found = new LinkedHashMap<>();
        long left = mostBytes;
        for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
            String name = entry.getName();
            boolean legal =
                    name.equals(Manifest.NAME) || Manifest.LEGAL.matcher(name).matches();
            require(legal && !found.containsKey(name), file, "bundle.illegalName", name);
            require(found.size() < MOST_FILES, file, "bundle.tooManyFiles", MOST_FILES);
            Path target = directory.resolve(name);
            Files.createDirectories(target.getParent());
            MessageDigest digest = sha256();
            long bytes;
            try (InputStream in = new DigestInputStream(zip.getInputStream(entry), digest);
                    OutputStream out = Files.newOutputStream(target)) {
                bytes = copy(in, out, left);
            }
            left -= bytes;
            require(left >= 0, file, "bundle.tooLarge", mostBytes / 1_000_000);
            found.put(name, new Manifest.Entry(name, bytes, HexFormat.of().formatHex(digest.digest())));
        }
        Manifest.Entry own = found.remove(Manifest.NAME);
        require(own != null && own.bytes() <= MOST_MANIFEST_BYTES, file, "bundle.noManifest", Manifest.NAME);
        Manifest manifest =
                Json.MAPPER.readValue(directory.resolve(Manifest.NAME).toFile(), Manifest.class);
        require(
                Manifest.FORMAT.equals(manifest.format()),
                file,
                "bundle.otherFormat",
                manifest.format(),
                Manifest.FORMAT);
        for (Manifest.Entry entry : manifest.files()) {
            require(entry.equals(found.remove(entry.name())), file, "bundle.changed", entry.name());
        }
        require(found.isEmpty(), file, "bundle.notListed", List.copyOf(found.keySet()));
        List<String> runs =
                manifest.runs().stream().map(Manifest.Labels::directory).toList();
        require(runs.equals(directories(directory)) && !runs.isEmpty(), file, "bundle.changed", Manifest.NAME);
        TurnsFile turns = manifest.turns();
        require(
                turns == null || (turns.sound() && turns.runs().stream().allMatch(runs::containsAll)),
                file,
                "bundle.changed",
                Manifest.NAME);
        return manifest;
    }

    private static void require(boolean holds, Path file, String key, @Nullable Object... arguments) {
        if (!holds) {
            throw damaged(file, Sentence.of(key, arguments));
        }
    }

    /** Copies at most one byte more than the limit, so that callers detect an excess. */
    private static long copy(InputStream in, OutputStream out, long limit) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long copied = 0;
        for (int read = in.read(buffer); read >= 0 && copied <= limit; read = in.read(buffer)) {
            out.write(buffer, 0, read);
            copied += read;
        }
        return copied;
    }

    private static List<String> directories(Path directory) throws IOException {
        try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
            return runs.filter(run -> Files.exists(run.resolve(RunDirectory.TIMELINE)))
                    .map(run -> Objects.requireNonNull(run.getFileName()).toString())
                    .sorted()
                    .toList();
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    Manifest manifest() {
        return manifest;
    }

    public Path file() {
        return file;
    }

    /** Compares the pairs of alternating runs; empty if the bundle has no pairs. */
    public Optional<Comparison> compareTurns(List<String> figures, OptionalDouble tolerance) {
        Path runs = directory.resolve("runs");
        return Optional.ofNullable(manifest.turns())
                .map(turns -> turns.compare(
                        run -> ComparedRun.read(runs.resolve(run)).as(file.resolve(run)), file, figures, tolerance));
    }

    /** The directories of its runs, in order of their names. */
    public List<Path> runs() {
        return manifest.runs().stream()
                .map(labels -> directory.resolve("runs").resolve(labels.directory()))
                .toList();
    }

    @Override
    public void close() {
        PrivateFiles.discard(directory);
    }
}
