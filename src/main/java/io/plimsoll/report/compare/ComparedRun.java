package io.plimsoll.report.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.stats.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run to compare, with the uncertainty of its trials' figures.
 *
 * @param path path as the user gave it
 * @param estimates by name of the trial
 * @param timeline whether the timeline exists; false if only a {@code result.json} exists
 */
public record ComparedRun(Path path, RunResult result, Map<String, TrialEstimates> estimates, boolean timeline) {

    /**
     * @param path a run directory, or a {@code result.json}; a timeline in the same directory is also used
     * @throws PlimsollException {@link Exit#USAGE} if it is neither
     */
    public static ComparedRun read(Path path) {
        if (!Files.isRegularFile(path)) {
            return ofDirectory(path, path);
        }
        Path directory = path.toAbsolutePath().resolveSibling("");
        boolean inRunDirectory =
                path.endsWith(RunDirectory.RESULT) && Files.isReadable(directory.resolve(RunDirectory.TIMELINE));
        return inRunDirectory ? ofDirectory(path, directory) : ofResult(path);
    }

    TrialEstimates estimates(String trial) {
        return of(estimates, trial);
    }

    private static TrialEstimates of(Map<String, TrialEstimates> estimates, String trial) {
        return Objects.requireNonNull(estimates.get(trial), trial);
    }

    /** The same run with the path that the user gave. */
    public ComparedRun as(Path given) {
        return new ComparedRun(given, result, estimates, timeline);
    }

    private static ComparedRun ofDirectory(Path path, Path directory) {
        RunDirectory run = RunDirectory.open(directory);
        RunResult result = Fold.of(run);
        Map<String, TrialEstimates> estimates = estimates(result);
        try (Stream<TimelineEvent> timeline = run.readTimeline()) {
            timeline.forEachOrdered(event -> {
                if (event instanceof TimelineEvent.Measured measured) {
                    of(estimates, measured.snapshot().trial()).accept(measured.snapshot());
                }
            });
        }
        return new ComparedRun(path, result, estimates, true);
    }

    private static ComparedRun ofResult(Path file) {
        try {
            InputFile.requireAtMost(file, InputFile.SAVED);
            RunResult result = Json.MAPPER.readValue(file.toFile(), RunResult.class);
            if (!RunResult.SCHEMA.equals(result.head().schema()) || result.trials() == null) {
                throw notAResult(file, "it has no \"schema\": \"" + RunResult.SCHEMA + "\"", null);
            }
            return new ComparedRun(file, result, estimates(result), false);
        } catch (JsonProcessingException e) {
            throw notAResult(file, "it is not the JSON of a result (" + e.getOriginalMessage() + ")", e);
        } catch (IOException e) {
            throw notAResult(file, "it cannot be read (" + e.getMessage() + ")", e);
        }
    }

    /** The content of a file that Plimsoll has saved. */
    static <T> T saved(Path file, Class<T> type, String name) {
        try {
            InputFile.requireAtMost(file, InputFile.SAVED);
            return Json.MAPPER.readValue(file.toFile(), type);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "report.notComparable", file, e.getMessage(), name);
        }
    }

    private static PlimsollException notAResult(Path file, String why, @Nullable Exception cause) {
        return Exit.USAGE.because(cause, "report.notComparable", file, why, RunDirectory.RESULT);
    }

    private static Map<String, TrialEstimates> estimates(RunResult result) {
        Map<String, TrialEstimates> estimates = new LinkedHashMap<>();
        for (TrialResult trial : result.trials()) {
            estimates.put(trial.name(), new TrialEstimates(trial));
        }
        return estimates;
    }

    /**
     * The uncertainty of the figures of one trial, from the seconds of its measured window. Long trials are divided into equal
     * stretches of several seconds, so that memory does not depend on their length.
     */
    static final class TrialEstimates {
        private static final int MOST_STRETCHES = 60;
        private static final String RESPONSE = "produce.response.";
        private static final String END_TO_END = "consume.endToEnd.";

        private final TrialResult trial;
        private final int seconds;
        private final Slice[] stretches;
        private long firstSequence = -1;

        TrialEstimates(TrialResult trial) {
            this.trial = trial;
            seconds =
                    (int) Math.round(measured(trial).mapToDouble(Second::length).sum());
            stretches = new Slice[Math.min(MOST_STRETCHES, seconds)];
            Arrays.setAll(stretches, i -> new Slice());
        }

        private static Stream<Second> measured(TrialResult trial) {
            return trial.detail().seconds().stream().filter(s -> s.phase().equals("measure"));
        }

        /** Keeps histograms as encoded text, because decoded histograms of a few dozen trials would fill the heap. */
        private static final class Slice {
            private double seconds;
            private long produced;
            private long consumed;
            private String response = "";
            private String endToEnd = "";

            void add(Counts window) {
                response = response().plus(window.get(Produced.RESPONSE_TIME)).encode();
                endToEnd = endToEnd().plus(window.get(Consumed.END_TO_END)).encode();
            }

            Latencies response() {
                return Latencies.decode(response);
            }

            Latencies endToEnd() {
                return Latencies.decode(endToEnd);
            }
        }

        void accept(Snapshot s) {
            if (stretches.length == 0 || s.phase() == Phase.WARMUP) {
                return;
            }
            Counts measured = s.measured();
            firstSequence = firstSequence < 0 ? s.sequence() : firstSequence;
            long second = Math.min(seconds - 1L, s.sequence() - firstSequence);
            Slice stretch = stretches[(int) (second * stretches.length / seconds)];
            stretch.add(measured);
            // In a trial limited by the number of records, the last second is incomplete.
            boolean whole =
                    trial.produce() == null || trial.produce().schedule().asked() == null || second < seconds - 1L;
            if (s.phase() == Phase.MEASURE && whole) {
                stretch.seconds += (s.toNanos() - s.fromNanos()) / 1e9;
                stretch.produced += measured.get(Produced.ARRIVED_BYTES);
                stretch.consumed += measured.get(Consumed.ARRIVED_BYTES);
            }
        }

        Optional<Estimate> estimate(String figure, double value) {
            if (firstSequence < 0) {
                return fromSeconds(figure, value);
            }
            if (figure.startsWith("produce.throughput")) {
                return throughput(value, s -> s.produced);
            } else if (figure.startsWith("consume.throughput")) {
                return throughput(value, s -> s.consumed);
            } else if (figure.startsWith(RESPONSE)) {
                return latency(figure.substring(RESPONSE.length()), value, Slice::response);
            } else if (figure.startsWith(END_TO_END)) {
                return latency(figure.substring(END_TO_END.length()), value, Slice::endToEnd);
            }
            return Optional.empty();
        }

        private Optional<Estimate> throughput(double value, ToDoubleFunction<Slice> bytes) {
            return Estimate.ofMean(
                    value,
                    Arrays.stream(stretches)
                            .filter(s -> s.seconds > 0)
                            .mapToDouble(s -> bytes.applyAsDouble(s) / s.seconds)
                            .toArray());
        }

        private Optional<Estimate> latency(String statistic, double value, Function<Slice, Latencies> latencies) {
            List<Latencies> each = Arrays.stream(stretches).map(latencies).toList();
            if (statistic.equals("mean")) {
                return Estimate.ofMean(
                        value,
                        each.stream()
                                .filter(l -> !l.isEmpty())
                                .mapToDouble(Latencies::meanMicros)
                                .toArray());
            }
            if (!statistic.startsWith("p")) {
                return Optional.empty();
            }
            Latencies all = each.stream().reduce(Latencies.EMPTY, Latencies::plus);
            double share = 1 - Double.parseDouble(statistic.substring(1)) / 100;
            // A percentile is the highest value of its bucket; values above it begin with the next bucket.
            long above = all.percentileMicros(100 * (1 - share)) + 1;
            return Estimate.ofPercentile(
                    share,
                    each.stream().mapToLong(l -> l.countAtOrAbove(above)).toArray(),
                    each.stream().mapToLong(Latencies::count).toArray(),
                    part -> all.percentileMicros(100 * (1 - part)));
        }

        /** The estimate from the figures of each second, if the run has no timeline. */
        private Optional<Estimate> fromSeconds(String figure, double value) {
            return switch (figure) {
                case "produce.throughput" -> ofSeconds(value, s -> s.rates().producedBytes());
                case "consume.throughput" -> {
                    // A second has no bytes of consumers, so its records are scaled to the bytes of the window.
                    double records = measured(trial)
                            .mapToDouble(s -> s.rates().consumed())
                            .average()
                            .orElse(0);
                    yield records > 0
                            ? ofSeconds(value, s -> s.rates().consumed() * value / records)
                            : Optional.empty();
                }
                case "produce.response.p50" ->
                    ofSeconds(value, s -> s.response().responseP50());
                case "produce.response.p99" ->
                    ofSeconds(value, s -> s.response().responseP99());
                default -> Optional.empty();
            };
        }

        private Optional<Estimate> ofSeconds(double value, Function<Second, Number> figure) {
            List<Number> values =
                    measured(trial).map(figure).filter(Objects::nonNull).toList();
            return Estimate.ofMean(
                    value, values.stream().mapToDouble(Number::doubleValue).toArray());
        }
    }
}
