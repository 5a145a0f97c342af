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
                Map.of(),
                null,
                warmupSeconds,
                seconds,
                null,
                complete,
                null,
                produce,
                consume,
                List.of(),
                null,
                null,
                List.of(),
                List.of(),
                warnings,
                Map.of(),
                List.of(),
                List.of(),
                Map.of(),
                Map.of());
    }

    /** What was sent, per second; latencies are from the actual send on, as other tools measure them. */
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
                tool,
                clients,
                null,
                records,
                null,
                recordsPerSecond,
                bytesPerSecond,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                errors,
                Map.of(),
                null,
                serviceTime,
                sendDelay,
                null,
                List.of());
    }

    static Consume consume(
            String tool, Long records, Long bytes, Double recordsPerSecond, Double bytesPerSecond, Latency endToEnd) {
        return new Consume(
                tool,
                records,
                bytes,
                recordsPerSecond,
                bytesPerSecond,
                null,
                null,
                endToEnd,
                null,
                null,
                null,
                List.of(),
                null,
                null,
                null);
    }
}
