package io.plimsoll.history;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.FigureCatalogue;
import io.plimsoll.result.Generator;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunFacts;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

final class HistoryFigures {
    /** The lower bound of a ceiling, in bytes/s; of the trial that its parameters name. */
    static final String CEILING = "ceiling";
    /** CPU time of the load generator per record in microseconds, a measure of the host's speed. */
    static final String GENERATOR_CPU = "generator.cpuMicrosPerRecord";
    /** Records/s of the null broker before the first trial, another measure of the host's speed. */
    static final String SELF_WARMUP = "host.selfWarmup";

    /** Marks a trial or ceiling without a valid measurement: invalid, incomplete, or not found. */
    static final String NO_MEASURE = "none";

    private HistoryFigures() {}

    /** A figure of a run or of a trial; the trial is empty for the whole run. */
    record Value(String trial, String figure, double value) {}

    static List<Value> of(RunResult result) {
        List<Value> values = new ArrayList<>();
        for (TrialResult trial : result.trials()) {
            if (!trial.course().complete() || Invalidity.of(trial).isPresent()) {
                values.add(new Value(trial.name(), NO_MEASURE, 1));
                continue;
            }
            for (String figure : Figures.ALL.keySet()) {
                OptionalDouble value = FigureCatalogue.value(trial, figure, History.dimension(figure));
                if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
                    values.add(new Value(trial.name(), figure, value.getAsDouble()));
                }
            }
            Generator generator =
                    trial.observed() == null ? null : trial.observed().generator();
            Double cpu = generator == null ? null : generator.cpu().cpuMicrosPerRecord();
            if (cpu != null) {
                values.add(new Value(trial.name(), GENERATOR_CPU, cpu));
            }
        }
        for (Ceiling ceiling : result.ceilings()) {
            Ceiling.Bound bound = ceiling.found().decisive();
            Double lower = bound == null ? null : bound.lowerBytesPerSecond();
            String cell = String.join(" ", ceiling.parameters().values());
            boolean found = lower != null && ceiling.course().answered();
            values.add(found ? new Value(cell, CEILING, lower) : new Value(cell, NO_MEASURE, 1));
        }
        List<SelfWarmup> warmed =
                result.environment() == null ? List.of() : result.environment().selfWarmups();
        double rate = warmed.stream()
                .filter(w -> w.seconds() > 0)
                .mapToDouble(w -> w.records() / w.seconds())
                .sum();
        if (rate > 0) {
            values.add(new Value("", SELF_WARMUP, rate));
        }
        return values;
    }

    /** Possible causes of a shift, by name; texts of the scenario come last. */
    static Map<String, String> facts(RunResult result) {
        Map<String, String> facts = new TreeMap<>();
        RunFacts.tool(result).forEach((k, v) -> facts.put("tool." + k, v));
        RunFacts.cluster(result).forEach((k, v) -> facts.put("cluster." + k, v));
        RunFacts.host(result).forEach((k, v) -> facts.put("host." + k, v));
        RunFacts.scenario(result).forEach((k, v) -> facts.put("scenario." + k, v));
        double scale = result.head().scale();
        if (scale > 0 && scale != 1) {
            facts.put("--scale", String.valueOf(scale));
        }
        // A renamed host is still the same, and file systems fill.
        facts.keySet().removeIf(k -> RunFacts.CHANCE.contains(k.substring(k.indexOf('.') + 1)));
        facts.values().removeIf(java.util.Objects::isNull);
        return facts;
    }

    static Map<String, String> facts(String json) {
        try {
            return Json.MAPPER.readValue(json, new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            return Map.of();
        }
    }
}
