package io.plimsoll.bundle;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.report.compare.TurnsFile;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.text.Sentence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes a bundle. The same runs and options give the same bytes. Pages and pictures are left out, because readers draw
 * them from the timeline, and so are the journals of audits, which need the cluster.
 *
 * @param system product or service under test; null to take it from the run
 * @param kafka release of the brokers, for runs that did not record it; null if unknown
 * @param notes null if none
 * @param logs whether logs are included
 */
public record BundleWriter(
        @Nullable String system,
        @Nullable String kafka,
        @Nullable String notes,
        boolean anonymous,
        boolean logs) {
    public static final String SUFFIX = ".plimsoll.zip";

    /** Timestamp of all entries. For 1980-01-01, Java would also store a time in this host's time zone. */
    private static final LocalDateTime TIME = LocalDateTime.of(1980, 2, 1, 0, 0);

    /**
     * @param runs run directories, or one directory of alternating runs
     * @throws PlimsollException {@link Exit#USAGE} if a run cannot be read, is being written, or contains a secret
     */
    public void write(List<Path> runs, Path file) throws IOException {
        Path staged = Files.createTempDirectory("plimsoll-bundle");
        try {
            PrivateFiles.discardAtExit(staged);
            Map<String, Path> sources = new TreeMap<>();
            TurnsFile turns = runs.size() == 1 && TurnsFile.isIn(runs.get(0)) ? TurnsFile.read(runs.get(0)) : null;
            if (turns == null) {
                runs.forEach(run -> collect(
                        run, run.toAbsolutePath().normalize().getFileName().toString(), sources));
            } else {
                // Directories named by side and run, such as A/2026-07-01T120000Z-quick.
                Path all = runs.get(0);
                turns = turns.renamed(run -> collect(all.resolve(run), run, sources));
            }
            Masking masking = new Masking();
            if (anonymous) {
                if (turns != null) {
                    turns.sides().forEach(side -> masking.learn(inLatin1(side)));
                }
                for (Path source : sources.values()) {
                    copy(source, OutputStream.nullOutputStream(), line -> {
                        masking.learn(line);
                        return line;
                    });
                }
                // Last, so that the numbers of the other names do not depend on this user.
                String home = System.getProperty("user.home", "").replaceFirst(".*[/\\\\]", "");
                Stream.of(System.getProperty("user.name", ""), home).forEach(user -> masking.learnUser(inLatin1(user)));
            }
            List<Manifest.Entry> entries = new ArrayList<>();
            for (Map.Entry<String, Path> source : sources.entrySet()) {
                entries.add(stage(source.getValue(), source.getKey(), staged, masking));
            }
            pack(manifest(staged, entries, turns, masking), staged, file);
        } finally {
            PrivateFiles.discard(staged);
        }
    }

    private static void pack(Manifest manifest, Path staged, Path file) throws IOException {
        Path temporary = Files.createTempFile(file.toAbsolutePath().getParent(), ".plimsoll", ".tmp");
        try {
            PrivateFiles.discardAtExit(temporary);
            try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(temporary))) {
                zip.putNextEntry(entry(Manifest.NAME));
                zip.write(Json.pretty(manifest).getBytes(StandardCharsets.UTF_8));
                for (Manifest.Entry each : manifest.files()) {
                    zip.putNextEntry(entry(each.name()));
                    Files.copy(staged.resolve(each.name()), zip);
                }
            }
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            PrivateFiles.discard(temporary);
        }
    }

    private static ZipEntry entry(String name) {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        return entry;
    }

    /** @return the name of the run's directory in the bundle */
    private String collect(Path run, String called, Map<String, Path> sources) {
        Exit.USAGE.when(RunDirectory.isBeingWritten(RunDirectory.open(run).path()), "bundle.beingWritten", run);
        String name = called.replaceAll("[^A-Za-z0-9._-]+", "-");
        String safe = name.matches("[A-Za-z0-9_-].{0,149}") ? name : "run";
        String unique = safe;
        for (int i = 2; sources.containsKey("runs/" + unique + "/" + RunDirectory.TIMELINE); i++) {
            unique = safe + "-" + i;
        }
        String below = "runs/" + unique + "/";
        try {
            // The run itself can be a link. Links in its directory are not followed.
            Path real = run.toRealPath();
            try (Stream<Path> files = Files.walk(real, 2)) {
                files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                        .forEach(file -> {
                            String inRun = real.relativize(file).toString().replace('\\', '/');
                            boolean log = inRun.endsWith(".log");
                            if (Manifest.LEGAL.matcher(below + inRun).matches() && (logs || !log)) {
                                sources.put(below + inRun, file);
                            }
                        });
            }
        } catch (UncheckedIOException e) {
            throw cannotRead(run, Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            throw cannotRead(run, e);
        }
        Exit.USAGE.when(
                !sources.containsKey(below + RunDirectory.TIMELINE),
                "result.noRunDirectory",
                run,
                Sentence.of("result.noRun.noTimeline", RunDirectory.TIMELINE));
        return unique;
    }

    private static PlimsollException cannotRead(Path run, IOException e) {
        return Exit.USAGE.because(e, "result.cannotRead", run, RunDirectory.reason(e));
    }

    /** A text with its UTF-8 bytes decoded as Latin-1, like the lines in {@link #copy}. */
    private static String inLatin1(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static void copy(Path from, OutputStream to, UnaryOperator<String> change) throws IOException {
        // Latin-1 keeps every byte. In indented JSON, a name and its value can be on two lines.
        if (from.endsWith(RunDirectory.RESULT)) {
            to.write(change.apply(Files.readString(from, StandardCharsets.ISO_8859_1))
                    .getBytes(StandardCharsets.ISO_8859_1));
            return;
        }
        // The timeline of a killed run can end within a line, which must stay incomplete.
        try (BufferedReader in = Files.newBufferedReader(from, StandardCharsets.ISO_8859_1)) {
            String next = in.readLine();
            for (String line = next; line != null; line = next) {
                next = in.readLine();
                String end = next == null && !endsWithBreak(from) ? "" : "\n";
                to.write((change.apply(line) + end).getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }

    private static boolean endsWithBreak(Path file) throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            var last = ByteBuffer.allocate(1);
            channel.position(channel.size() - 1).read(last);
            return last.get(0) == '\n';
        }
    }

    private Manifest.Entry stage(Path source, String name, Path staged, Masking masking) throws IOException {
        Path target = staged.resolve(name);
        Files.createDirectories(target.getParent());
        MessageDigest digest = UnpackedBundle.sha256();
        int[] number = {0};
        try (OutputStream out = new DigestOutputStream(Files.newOutputStream(target), digest)) {
            copy(source, out, line -> {
                number[0]++;
                return cleaned(line, breaks -> source + ":" + (number[0] + breaks), masking);
            });
        }
        return new Manifest.Entry(name, Files.size(target), HexFormat.of().formatHex(digest.digest()));
    }

    /** @param place of a secret after this number of line breaks in the text */
    private String cleaned(String text, LongFunction<String> place, Masking masking) {
        String clean = Secrets.clean(text);
        SecretScan.find(clean).ifPresent(secret -> {
            long breaks = clean.substring(0, secret.start())
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            throw Exit.USAGE.because("bundle.secret", place.apply(breaks), secret.name());
        });
        return anonymous ? masking.mask(clean) : clean;
    }

    private Manifest manifest(Path staged, List<Manifest.Entry> entries, @Nullable TurnsFile turns, Masking masking) {
        UnaryOperator<@Nullable String> typed = text -> text == null
                ? null
                : new String(
                        cleaned(inLatin1(text), breaks -> Manifest.NAME, masking)
                                .getBytes(StandardCharsets.ISO_8859_1),
                        StandardCharsets.UTF_8);
        Instant created = Instant.EPOCH;
        List<Manifest.Labels> labels = new ArrayList<>();
        for (Manifest.Entry entry : entries) {
            if (entry.name().endsWith("/" + RunDirectory.TIMELINE)) {
                Path directory =
                        Objects.requireNonNull(staged.resolve(entry.name()).getParent());
                RunResult result = Fold.of(RunDirectory.open(directory));
                RunResult.Head head = result.head();
                Instant end = head.endedAt() == null ? head.startedAt() : head.endedAt();
                created = end.isAfter(created) ? end : created;
                labels.add(Manifest.Labels.of(
                        String.valueOf(directory.getFileName()), result, typed.apply(system), typed.apply(kafka)));
            }
        }
        labels.sort(Comparator.comparing(Manifest.Labels::directory));
        return new Manifest(
                Manifest.FORMAT,
                ToolInfo.version(),
                ToolInfo.commit(),
                created,
                typed.apply(notes),
                anonymous,
                labels,
                turns == null
                        ? null
                        : new TurnsFile(turns.sides().stream().map(typed).toList(), turns.runs()),
                entries);
    }
}
