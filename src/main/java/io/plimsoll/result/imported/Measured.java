package io.plimsoll.result.imported;

import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Errors;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;

/**
 * One measurement of another tool.
 *
 * @param line of its file
 * @param seconds that it took
 * @param warnings what one should know of it
 */
record Measured(
        int line,
        double seconds,
        Double warmupSeconds,
        boolean complete,
        Produce produce,
        Consume consume,
        List<Sentence> warnings) {

    TrialResult trial(String name) {
        return new TrialResult(
                name,
                new TrialResult.Course(null, warmupSeconds, null, seconds, null, complete, null),
                produce,
                consume,
                null,
                new TrialResult.Observed(null, null, null, null, null, null, null, null),
                new TrialResult.Judgement(List.of(), warnings, null),
                new TrialResult.Detail(Map.of(), Map.of(), List.of(), List.of(), List.of(), Map.of(), Map.of()));
    }

    /** The figures of what was sent, per second; latencies are from the actual send on, as other tools measure them. */
    static Produce produce(
            String tool,
            Integer clients,
            Long records,
            Double recordsPerSecond,
            Double bytesPerSecond,
            Errors errors,
            Latency serviceTime,
            Latency sendDelay) {
        return new Produce(
                new TrialResult.Sources(tool, clients, List.of()),
                new TrialResult.Volume(records, null, recordsPerSecond, bytesPerSecond),
                new TrialResult.Schedule(null, null, null, null, null, null),
                new TrialResult.Wire(null, null, null, null, null, null, null),
                new TrialResult.Waits(null, null),
                new TrialResult.Times(null, serviceTime, sendDelay),
                errors,
                Map.of());
    }

    static Consume consume(
            String tool, Long records, Long bytes, Double recordsPerSecond, Double bytesPerSecond, Latency endToEnd) {
        return new Consume(
                tool,
                new TrialResult.Volume(records, bytes, recordsPerSecond, bytesPerSecond),
                new TrialResult.Fetches(null, null),
                new TrialResult.EndToEnd(endToEnd, null, null, null, null, null, null),
                null,
                List.of(),
                new TrialResult.Reading(null, null, null),
                Map.of());
    }
}
