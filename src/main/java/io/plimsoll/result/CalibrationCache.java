package io.plimsoll.result;

import com.fasterxml.jackson.core.JacksonException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * Stores the results of {@code plimsoll calibrate} for later runs, in one file per host. Unreadable files are ignored
 * with a note. Thread-safe, even across processes, because files are replaced atomically.
 */
public final class CalibrationCache {
    /** Environment variable with a directory to use instead of the user's cache directory. */
    public static final String DIRECTORY_VARIABLE = "PLIMSOLL_CACHE_DIR";

    private final Path file;
    private final String host;

    /** @param host all facts that a figure depends on; figures of another host are never returned */
    public CalibrationCache(Path directory, String host) {
        this.host = host;
        CRC32C crc = new CRC32C();
        crc.update(host.getBytes(StandardCharsets.UTF_8));
        this.file = directory.resolve(String.format("calibration-%08x.json", crc.getValue()));
    }

    /** {@code $PLIMSOLL_CACHE_DIR}, {@code $XDG_CACHE_HOME/plimsoll} or {@code ~/.cache/plimsoll}. */
    public static Path directory(Map<String, String> environment) {
        String own = environment.getOrDefault(DIRECTORY_VARIABLE, "");
        if (!own.isBlank()) {
            return Path.of(own);
        }
        String caches = environment.getOrDefault("XDG_CACHE_HOME", "");
        // According to the XDG specification, a relative path is ignored.
        boolean usable = !caches.isBlank() && Path.of(caches).isAbsolute();
        Path parent = usable ? Path.of(caches) : Path.of(System.getProperty("user.home", "."), ".cache");
        return parent.resolve("plimsoll");
    }

    /** The host that was passed to the constructor. */
    public String host() {
        return host;
    }

    public Path file() {
        return file;
    }

    /** @param notes receives the reason why an existing file is ignored */
    public Calibrations read(Consumer<Sentence> notes) {
        Calibrations none = Calibrations.of(host, List.of());
        try {
            Calibrations kept = Json.MAPPER.readValue(Files.readString(file), Calibrations.class);
            if (kept == null || !Calibrations.SCHEMA.equals(kept.schema()) || !isWhole(kept)) {
                notes.accept(ignored(Sentence.of("result.cache.otherSchema", Calibrations.SCHEMA)));
            } else if (host.equals(kept.host())) {
                return kept;
            }
        } catch (NoSuchFileException e) {
            return none;
        } catch (JacksonException e) {
            notes.accept(ignored(Sentence.of("result.cache.damaged")));
        } catch (IOException e) {
            notes.accept(ignored(Sentence.of("result.cache.unreadable", e.getMessage())));
        }
        return none;
    }

    /** Whether all fields are present. In a JSON file of another format, missing fields are null or 0. */
    private static boolean isWhole(Calibrations kept) {
        return kept.calibrations().stream()
                .allMatch(c -> c.subject().engine() != null
                        && c.subject().side() != null
                        && c.subject().recordBytes() > 0
                        && c.rates().recordsPerSecond() > 0
                        && c.rates().recordsPerSecondAllCores() > 0);
    }

    private Sentence ignored(Sentence why) {
        return Sentence.of("result.cache.ignored", file, why);
    }

    /** Adds entries, which replace older entries with the same settings; false, with a note, on failure. */
    public boolean add(List<Calibration> measured, Consumer<Sentence> notes) {
        return replace(read(problem -> {}).with(measured), notes);
    }

    /** Adds the results of {@code plimsoll host}, as {@link #add(List, Consumer)} does. */
    public boolean add(HostRates measured, Consumer<Sentence> notes) {
        return replace(read(problem -> {}).with(measured), notes);
    }

    private boolean replace(Calibrations all, Consumer<Sentence> notes) {
        Path temporary = null;
        try {
            Files.createDirectories(file.getParent());
            temporary = Files.createTempFile(file.getParent(), ".calibration", ".tmp");
            Files.writeString(temporary, Json.pretty(all));
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return true;
        } catch (IOException e) {
            if (temporary != null && !temporary.toFile().delete()) {
                temporary.toFile().deleteOnExit();
            }
            notes.accept(Sentence.of("result.cache.notKept", file, e.getMessage(), DIRECTORY_VARIABLE));
            return false;
        }
    }
}
