package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.TimelineEvent.Measured;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Every result fits the published JSON Schema, and the schema rejects invalid results. */
class ResultSchemaTest {

    private static final Path RESULT = Path.of("src/main/resources/schema/plimsoll.result-1.json");
    private static final Path CAPACITY = Path.of("src/main/resources/schema/plimsoll.capacity-1.json");
    private static final Path CALIBRATION = Path.of("src/main/resources/schema/plimsoll.calibration-1.json");

    /** With {@code -Dplimsoll.write=true} it writes them instead. */
    @Test
    void schemasMatchTheRecords() throws IOException {
        Map<Path, String> schemas = Map.of(
                RESULT, RecordSchema.of(RunResult.class, RunResult.SCHEMA),
                CAPACITY, RecordSchema.of(CapacityPlan.class, CapacityPlan.SCHEMA),
                CALIBRATION, RecordSchema.of(Calibrations.class, Calibrations.SCHEMA));
        for (Map.Entry<Path, String> schema : schemas.entrySet()) {
            if (Boolean.getBoolean("plimsoll.write")) {
                Files.writeString(schema.getKey(), schema.getValue());
            }
            assertThat(Files.readString(schema.getKey()))
                    .as("%s; -Dplimsoll.write=true makes it anew", schema.getKey())
                    .isEqualTo(schema.getValue());
        }
    }

    /** Like {@code quick}, with an audit that has findings of every kind. */
    private static RunResult found() {
        List<TimelineEvent> events = new ArrayList<>(Timelines.quick());
        events.replaceAll(event -> event instanceof TimelineEvent.TrialEnded end
                ? Timelines.trialEnded(end.name(), end.measuredSeconds(), Timelines.identified(50_000))
                : event);
        return Fold.fold(events.stream());
    }

    @Test
    void requiresEveryFieldAndAllowsNoOther() throws IOException {
        JsonNode result = Json.MAPPER.readTree(Json.line(found()));
        ResultSchema.assertValid(result);
        List<ObjectNode> objects = new ArrayList<>();
        fixedObjects(result, objects);
        assertThat(objects).hasSizeGreaterThan(20);
        for (ObjectNode object : objects) {
            for (String name : fields(object)) {
                if (name.endsWith("Keyed")) {
                    // It exists only if the sentence in its field has a key.
                    continue;
                }
                JsonNode value = object.remove(name);
                if (!List.of("pace", "notes").contains(name)) {
                    // Absent for groups that do not follow producers, and for runs without notes.
                    assertThat(ResultSchema.problems(result))
                            .as("without %s", name)
                            .isNotEmpty();
                }
                object.set(name + "X", value);
                assertThat(ResultSchema.problems(result)).as("%s renamed", name).isNotEmpty();
                object.remove(name + "X");
                object.set(name, value);
            }
        }
        ResultSchema.assertValid(result);
    }

    /** All objects except maps, and the first one of each array. */
    private static void fixedObjects(JsonNode node, List<ObjectNode> objects) {
        if (node instanceof ArrayNode array && !array.isEmpty()) {
            fixedObjects(array.get(0), objects);
        } else if (node instanceof ObjectNode object) {
            objects.add(object);
            List<String> maps = List.of("host", "scenario", "parameters", "setup", "byKind", "events");
            fields(object).stream().filter(n -> !maps.contains(n)).forEach(n -> fixedObjects(object.get(n), objects));
        }
    }

    private static List<String> fields(ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** All sentences of a result have every language after writing and reading. */
    @Property(tries = 50)
    void sentencesRoundTripInEveryLanguage(@ForAll("timelines") List<TimelineEvent> timeline) throws IOException {
        RunResult result = Fold.fold(timeline.stream());
        RunResult read = Json.MAPPER.readValue(Json.line(result), RunResult.class);
        assertThat(read.verdict()).isEqualTo(result.verdict());
        assertThat(read.verdict().sentence().isVerbatim()).isFalse();
        assertThat(read.verdict().sentence().in(Language.ZH))
                .isEqualTo(result.verdict().sentence().in(Language.ZH))
                .containsPattern("\\p{IsHan}")
                .doesNotContainPattern("[a-z]{2,} [a-z]{2,} [a-z]{2,}");
        for (int i = 0; i < read.trials().size(); i++) {
            assertThat(read.trials().get(i).judgement().warnings())
                    .isEqualTo(result.trials().get(i).judgement().warnings());
        }
    }

    @Test
    void rejectsInvalidTimesAndCounts() throws IOException {
        JsonNode result = Json.MAPPER.readTree(Json.line(Fold.fold(Timelines.quick().stream())));
        ((ObjectNode) result).put("startedAt", "yesterday");
        assertThat(ResultSchema.problems(result)).hasSize(1);
        ((ObjectNode) result).put("startedAt", "2026-03-01T10:00:00Z");
        ((ObjectNode) result.at("/trials/0/produce")).put("records", -1);
        assertThat(ResultSchema.problems(result)).isNotEmpty();
    }

    @Property(tries = 150)
    void anyTimelineYieldsAValidResult(@ForAll("timelines") List<TimelineEvent> timeline) {
        RunResult result = Fold.fold(timeline.stream());
        ResultSchema.assertValid(result);
        assertThat(result.verdict().sentence().english()).endsWith(".").doesNotContain("null", "NaN", "Infinity");
    }

    @Property(tries = 60)
    void truncatedTimelinesYieldValidResults(@ForAll("timelines") List<TimelineEvent> timeline) {
        for (int length = 1; length <= timeline.size(); length++) {
            ResultSchema.assertValid(Fold.fold(timeline.subList(0, length).stream()));
        }
    }

    @Provide
    Arbitrary<List<TimelineEvent>> timelines() {
        return trial().list().ofMinSize(0).ofMaxSize(3).map(trials -> {
            List<TimelineEvent> events = new ArrayList<>();
            events.add(Timelines.runStarted("generated"));
            for (int i = 0; i < trials.size(); i++) {
                String name = "trial " + i;
                Trial trial = trials.get(i);
                events.add(Timelines.trialStarted(name, trial.plan));
                trial.snapshots(name).forEach(s -> events.add(new Measured(s)));
                if (trial.ends) {
                    events.add(Timelines.trialEnded(name, trial.measuredSeconds, trial.lost + 5, trial.lost));
                }
            }
            Fold fold = new Fold();
            events.forEach(fold::accept);
            events.add(fold.end(Timelines.START.plusSeconds(99)));
            return events;
        });
    }

    private record Trial(
            TrialPlan plan,
            List<Second> seconds,
            int warmup,
            int drain,
            boolean ends,
            double measuredSeconds,
            long lost) {
        List<Snapshot> snapshots(String name) {
            List<Snapshot> snapshots = new ArrayList<>();
            for (int i = 0; i < seconds.size(); i++) {
                Phase phase = i < warmup ? Phase.WARMUP : i >= seconds.size() - drain ? Phase.DRAIN : Phase.MEASURE;
                snapshots.add(seconds.get(i).snapshot(name, i, phase, plan));
            }
            return snapshots;
        }
    }

    private static Arbitrary<Trial> trial() {
        Arbitrary<TrialPlan> plans = Combinators.combine(
                        Arbitraries.of(true, false), Arbitraries.of(0, 1, 3), Arbitraries.of(0, 1, 2))
                .as(Timelines::plan);
        return Combinators.combine(
                        plans,
                        second().list().ofMaxSize(12),
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 2),
                        Arbitraries.of(true, false),
                        Arbitraries.of(0.0, 0.5, 10.0, 3600.0),
                        Arbitraries.of(0L, 0L, 3L))
                .as(Trial::new);
    }

    private static Arbitrary<Second> second() {
        Arbitrary<Integer> counts = Arbitraries.of(0, 1, 15, 1000);
        return Combinators.combine(
                        counts,
                        counts,
                        Arbitraries.longs().between(0, 200_000_000),
                        counts,
                        Arbitraries.of(0.0, 0.5, 1.0))
                .as((due, acknowledged, micros, errors, busiest) -> new Second(
                                due, Timelines.latencies(acknowledged, micros))
                        .acknowledged(acknowledged)
                        .errors(errors == 0 ? Map.of() : Map.of("TimeoutException", (long) errors))
                        .busiest(busiest)
                        .lateTicks(errors)
                        .lag(errors)
                        .negative(acknowledged / 10));
    }
}
