package io.plimsoll.result.imported;

import io.plimsoll.result.FromAppend;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Rates;
import io.plimsoll.result.TrialResult.Response;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.TrialResult.Volume;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One measurement of another tool. Without intermediate results, the timeline is empty.
 *
 * @param client metrics that the tool printed about its clients, by name; empty if none
 */
public record Measured(
        int line,
        double seconds,
        @Nullable Double warmupSeconds,
        boolean complete,
        @Nullable Produce produce,
        @Nullable Consume consume,
        List<Sentence> warnings,
        List<TrialResult.Second> timeline,
        Map<String, Double> client) {
    /** Number of records sent, or read if the tool only consumed. */
    public Long records() {
        Volume volume = produce == null ? Objects.requireNonNull(consume).volume() : produce.volume();
        return Objects.requireNonNull(volume.records());
    }

    public TrialResult trial(String name) {
        String tool = produce == null
                ? Objects.requireNonNull(consume).engine()
                : produce.sources().engine();
        Map<String, Map<String, Double>> clients = client.isEmpty() ? Map.of() : Map.of(tool, client);
        return new TrialResult(
                name,
                new TrialResult.Course(null, warmupSeconds, null, seconds, null, complete, null, null),
                produce,
                consume,
                null,
                new TrialResult.Observed(null, List.of(), Map.of(), Map.of(), clients, List.of(), List.of(), List.of()),
                new TrialResult.Judgement(List.of(), warnings, null),
                new TrialResult.Detail(
                        Map.of(), Map.of(), List.of(), timeline, List.of(), Map.of(), Map.of(), List.of(), List.of()));
    }

    /** Creates producer figures; latencies start at the actual send, as in other tools. */
    public static Produce produce(
            String tool,
            @Nullable Integer clients,
            Long records,
            @Nullable Double recordsPerSecond,
            @Nullable Double bytesPerSecond,
            TrialResult.@Nullable Errors errors,
            @Nullable Latency serviceTime,
            @Nullable Latency sendDelay) {
        return new Produce(
                new TrialResult.Sources(tool, clients, List.of()),
                new Volume(records, null, recordsPerSecond, bytesPerSecond),
                new TrialResult.Schedule(null, null, null, null, null, null),
                new TrialResult.Wire(null, null, null, null, null, null, null),
                new TrialResult.Waits(null, null),
                new TrialResult.Times(null, serviceTime, sendDelay),
                errors,
                Map.of());
    }

    public static Consume consume(
            String tool,
            Long records,
            @Nullable Long bytes,
            @Nullable Double recordsPerSecond,
            @Nullable Double bytesPerSecond,
            @Nullable Latency endToEnd) {
        return new Consume(
                tool,
                new Volume(records, bytes, recordsPerSecond, bytesPerSecond),
                new TrialResult.Fetches(null, null),
                new TrialResult.EndToEnd(endToEnd, null, null, null, null, null, null, FromAppend.NONE),
                null,
                List.of(),
                new TrialResult.Reading(null, null, null, null),
                Map.of());
    }

    /** Collects the interval lines of a tool's output as seconds of a trial. */
    public static final class Intervals {
        private static final double MOST_SECONDS = 86_400;

        private final List<Second> seconds = new ArrayList<>();
        private double at;
        /** Number of lines before the omitted lines; negative if no line was omitted. */
        private int beforeGap = -1;

        public int count() {
            return seconds.size();
        }

        /** @param length in seconds; the interval is ignored unless this is positive and below a day */
        public void add(double length, Rates rates, Response response) {
            if (length > 0 && length < MOST_SECONDS) {
                at += length;
                seconds.add(new Second(
                        Math.round(at * 1000) / 1e3, "measure", rates, response, null, null, Map.of(), null));
            }
        }

        /** Marks that lines are missing from the copied output at this point. */
        public void gap() {
            if (!seconds.isEmpty()) {
                beforeGap = seconds.size();
            }
        }

        public boolean hasGap() {
            return beforeGap >= 0;
        }

        public double length() {
            return at;
        }

        /** @param end end of the trial; lines after a gap are aligned with it */
        public List<Second> until(double end) {
            double shift = hasGap() ? Math.max(0, end - at) : 0;
            List<Second> shifted = new ArrayList<>(seconds);
            shifted.subList(Math.max(0, beforeGap), shifted.size())
                    .replaceAll(second -> new Second(
                            second.at() + shift,
                            second.phase(),
                            second.rates(),
                            second.response(),
                            null,
                            null,
                            Map.of(),
                            null));
            return shifted;
        }
    }
}
