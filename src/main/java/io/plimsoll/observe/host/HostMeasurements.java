package io.plimsoll.observe.host;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Measures the throughput of this host, which should be idle otherwise. */
public final class HostMeasurements {
    public static final long DEFAULT_FILE_BYTES = 1L << 30;
    public static final long MIN_FILE_BYTES = 16L << 20;

    private HostMeasurements() {}

    /**
     * The settings of measurements.
     *
     * @param directory where the disk is measured
     * @param fileBytes size of the file; by default 1 GiB, or half of the free space if that is less
     * @param perMeasurement time for each measurement, apart from a short warm-up
     */
    public record Settings(Path directory, OptionalLong fileBytes, Duration perMeasurement) {}

    /**
     * Fails as {@link #run} would at its very beginning, so that nothing is printed before.
     *
     * @throws PlimsollException as {@link #run}
     */
    public static void check(Settings settings) {
        onDisk(settings, (file, bytes) -> {});
    }

    /**
     * Measures disk, loopback TCP and one core, one after the other.
     *
     * @param measured receives each result immediately, on the calling thread
     * @return all results in the order of measuring
     * @throws PlimsollException with {@link Exit#USAGE} if the directory is not writable or the size too small, with
     *     {@link Exit#INTERNAL} without enough space
     */
    public static List<Measurement> run(Settings settings, Consumer<Measurement> measured) {
        List<Measurement> all = new ArrayList<>();
        Consumer<Measurement> each = measurement -> {
            all.add(measurement);
            measured.accept(measurement);
        };
        long budgetNanos = settings.perMeasurement.toNanos();
        onDisk(settings, (file, bytes) -> new DiskMeasurements(file, bytes, budgetNanos).run(each));
        new LoopbackMeasurements(budgetNanos).run(each);
        new CpuMeasurements(budgetNanos).run(each);
        return List.copyOf(all);
    }

    /**
     * Measures loopback TCP and sustained disk writes within seconds.
     *
     * @param directory on that disk; empty: no disk
     * @throws PlimsollException as {@link #run}
     */
    public static List<Measurement> brief(Optional<Path> directory, Duration perMeasurement) {
        List<Measurement> all = new ArrayList<>();
        new LoopbackMeasurements(perMeasurement.toNanos()).stream(all::add);
        directory
                .map(d -> new Settings(d, OptionalLong.empty(), perMeasurement))
                .ifPresent(settings -> onDisk(
                        settings,
                        (file, bytes) ->
                                all.add(new DiskMeasurements(file, bytes, perMeasurement.toNanos()).sustained())));
        return List.copyOf(all);
    }

    /** Name of the disk with a directory; empty if the directory does not exist. */
    public static Optional<String> device(Path directory) {
        try {
            return Optional.of(Files.getFileStore(directory).name());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private interface DiskWork {
        void on(ScratchFile file, long bytes) throws IOException;
    }

    private static void onDisk(Settings settings, DiskWork work) {
        try (ScratchFile file = ScratchFile.create(settings.directory)) {
            work.on(file, fileBytes(settings));
        } catch (IOException e) {
            throw diskFailed(settings.directory, e);
        }
    }

    private static PlimsollException diskFailed(Path directory, IOException e) {
        Sentence what = isDiskFull(e)
                ? Sentence.of("observe.diskFull", directory)
                : Sentence.of("observe.diskFailed", directory, ScratchFile.reason(e));
        return new PlimsollException(Exit.INTERNAL, what, e);
    }

    private static long fileBytes(Settings settings) throws IOException {
        long free = Files.getFileStore(settings.directory).getUsableSpace();
        return fileBytes(settings.directory, settings.fileBytes, free);
    }

    /** The size of the file to write, for a directory with so many bytes free. */
    static long fileBytes(Path directory, OptionalLong asked, long freeBytes) {
        if (asked.isPresent() && asked.getAsLong() < MIN_FILE_BYTES) {
            throw Exit.USAGE.because("observe.fileTooSmall", asked.getAsLong(), HostText.binary(MIN_FILE_BYTES));
        }
        long bytes = asked.orElse(Math.max(MIN_FILE_BYTES, Math.min(DEFAULT_FILE_BYTES, freeBytes / 2)));
        Exit.INTERNAL.when(
                bytes > freeBytes,
                "observe.notEnoughDisk",
                HostText.binary(bytes),
                directory,
                HostText.binary(freeBytes));
        return bytes;
    }

    static boolean isDiskFull(IOException e) {
        String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left")
                || message.contains("not enough space")
                || message.contains("quota exceeded");
    }
}
