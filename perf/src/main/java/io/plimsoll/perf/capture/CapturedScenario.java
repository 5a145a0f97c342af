package io.plimsoll.perf.capture;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.perf.capture.shape.CapturedText;
import io.plimsoll.perf.capture.shape.CapturedText.AlikeTopics;
import io.plimsoll.perf.capture.shape.CapturedText.Entry;
import io.plimsoll.perf.capture.shape.CapturedText.KnownSchemas;
import io.plimsoll.perf.capture.shape.SchemaTally.IdShare;
import io.plimsoll.perf.capture.shape.SchemaTally.SchemaIds;
import io.plimsoll.perf.capture.shape.TopicShape;
import io.plimsoll.perf.capture.shape.TopicTally.KeyTally;
import io.plimsoll.cluster.Topics.Readers;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.result.Json;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Problem;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.ScenarioException;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.BatchLayout;
import io.plimsoll.wire.Codec;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The scenario of a captured load, with the topic shapes as comments that can be read back. */
public final class CapturedScenario {
    private static final String SCHEMA = "# plimsoll.capture/1 ";

    private static final long SEED = 1;
    private static final int SAMPLE_BYTES = 200_000;

    /**
     * @param registry a schema with the address and properties of the registry; null without a registry
     * @throws PlimsollException ({@link Exit#USAGE}) if the window has no records
     */
    public static String of(Capture.Captured captured, CapturedText writer, @Nullable SchemaSpec registry) {
        long records = captured.topics().stream().mapToLong(TopicShape::seen).sum();
        String window = Units.duration(captured.window().toMillis() / 1e3);
        Exit.USAGE.when(records == 0, "capture.nothing", window);
        List<Sentence> head = new ArrayList<>(List.of(Sentence.of(
                "capture.head",
                Units.count(captured.topics().size()),
                window,
                captured.until().truncatedTo(ChronoUnit.SECONDS),
                Units.count(records),
                Units.bytes(captured.bytes()))));
        Sentence.addIf(writer.faster() != 1, head, "capture.compressed", Units.decimals(writer.faster(), 1));
        head.add(Sentence.of("capture.assumed"));
        if (captured.readers().isEmpty()) {
            head.add(Sentence.of("capture.noGroups"));
        }
        List<Entry> entries = new ArrayList<>();
        for (AlikeTopics alike : AlikeTopics.of(captured.topics())) {
            Readers readers = alike.topics().stream()
                    .map(topic -> captured.readers().getOrDefault(topic, Readers.NONE))
                    .reduce(Readers.NONE, Readers::and);
            entries.add(new Entry(alike, readers, fanOut(alike, captured), 1, schemas(alike.shape(), registry)));
        }
        List<Problem> problems = compressAlike(entries, writer.of(entries, head));
        StringBuilder text = new StringBuilder(writer.of(entries, head));
        problems.forEach(problem -> writer.comment(text, problem.sentence()));
        entries.forEach(
                e -> text.append(SCHEMA).append(Json.line(e.topics().shape())).append('\n'));
        return text.toString();
    }

    /**
     * Makes the generated values compress like the captured ones. Returns the problems of an invalid scenario: a
     * capture can take hours, so the user corrects the scenario instead of capturing again.
     */
    private static List<Problem> compressAlike(List<Entry> entries, String scenario) {
        try {
            // Compression depends on the records that the parsed scenario defines.
            List<ProducerSpec> producers = ScenarioReader.read(scenario, "captured", List.of(), 1)
                    .trials()
                    .get(0)
                    .scenario()
                    .producers();
            entries.replaceAll(e -> producers.stream()
                    .filter(p ->
                            p.topics().contains(firstName(e.topics().shape().topic()))
                                    && p.record().schema().isEmpty())
                    .findFirst()
                    .map(p -> randomBytes(e.topics().shape(), p.record()))
                    .map(share -> new Entry(e.topics(), e.readers(), e.fanOut(), share, e.schemas()))
                    .orElse(e));
            return List.of();
        } catch (ScenarioException e) {
            return e.problems();
        }
    }

    private static KnownSchemas schemas(TopicShape shape, @Nullable SchemaSpec registry) {
        List<Sentence> notes = new ArrayList<>();
        schemas("capture.keySchemas", shape, shape.keySchemas(), registry, notes)
                .forEach((schema, share) ->
                        notes.add(Sentence.of("capture.keySchema", "key: {schema: " + schema + "}")));
        Map<String, Double> values = schemas("capture.valueSchemas", shape, shape.valueSchemas(), registry, notes);
        Sentence.addIf(!values.isEmpty(), notes, "capture.sizesOfSchema");
        return new KnownSchemas(values, notes);
    }

    /** The schemas known to the registry, with their shares of the records. */
    private static Map<String, Double> schemas(
            String found, TopicShape shape, SchemaIds ids, @Nullable SchemaSpec registry, List<Sentence> notes) {
        Map<String, Double> known = new LinkedHashMap<>();
        if (ids.framing() == Framing.NONE) {
            return known;
        }
        List<String> shares = ids.ids().stream()
                .map(each -> each.id() + " (" + Units.percent(each.share()) + ")")
                .toList();
        notes.add(Sentence.of(found, shape.topic(), word(ids.framing()), Sentence.list(shares, 4)));
        if (registry == null) {
            notes.add(Sentence.of("capture.addRegistry", "schema: {registry: URL, subject: NAME, version: N}"));
            return known;
        }
        try {
            for (IdShare each : ids.ids()) {
                SchemaSpec any = SchemaSpec.registered(registry.registry(), ids.framing(), "", "", registry.config());
                List<SchemaSpec> all = SchemaSupport.get().withId(any, each.id()).stream()
                        // By Confluent's default, the subject starts with the name of the topic.
                        .sorted(Comparator.comparing(s -> !s.subject().startsWith(shape.topic() + "-")))
                        .toList();
                if (all.isEmpty()) {
                    notes.add(Sentence.of("capture.unknownSchema", each.id()));
                } else {
                    List<String> labels = all.stream().map(SchemaSpec::label).toList();
                    notes.add(Sentence.of("capture.schema", each.id(), Sentence.list(labels, 4)));
                    known.merge(text(all.get(0)), each.share(), Double::sum);
                }
            }
        } catch (PlimsollException e) {
            // The registry answered before the capture; keep the capture even without its schemas.
            notes.add(e.sentence());
        }
        return known;
    }

    private static String word(Framing framing) {
        return framing.name().toLowerCase(Locale.ROOT);
    }

    /** The schema in the notation of a scenario, with references instead of secrets. */
    private static String text(SchemaSpec schema) {
        Map<String, String> config = new TreeMap<>();
        schema.config()
                .forEach((name, value) -> config.put(
                        name,
                        Json.line(
                                Secrets.isReference(value) || Secrets.shows(name)
                                        ? value
                                        : "${env:REGISTRY_"
                                                + name.toUpperCase(Locale.ROOT).replace('.', '_') + "}")));
        return "{registry: " + Json.line(schema.registry()) + ", subject: " + Json.line(schema.subject())
                + ", version: "
                + schema.version()
                + (schema.framing() == Framing.CONFLUENT ? "" : ", framing: " + word(schema.framing()))
                + (config.isEmpty() ? "" : ", config: " + CapturedText.flow(config)) + "}";
    }

    /** Mean fan-out of the topics for which it is known; 0 if none. */
    private static double fanOut(AlikeTopics alike, Capture.Captured captured) {
        return alike.topics().stream()
                .filter(captured.fanOut()::containsKey)
                .mapToDouble(captured.fanOut()::get)
                .average()
                .orElse(0);
    }

    /** The name of the first topic that a pattern of a captured scenario matches. */
    public static String firstName(String pattern) {
        return pattern.replaceFirst("\\[1-\\d+]$", "1");
    }

    /**
     * The topic shapes stored in a captured scenario.
     *
     * @throws PlimsollException ({@link Exit#USAGE}) if it has none
     */
    public static List<TopicShape> shapes(String text, String where) {
        List<TopicShape> shapes = new ArrayList<>();
        try {
            for (String line : text.lines().filter(l -> l.startsWith(SCHEMA)).toList()) {
                shapes.add(Json.MAPPER.readValue(line.substring(SCHEMA.length()), TopicShape.class));
            }
        } catch (JsonProcessingException e) {
            throw Exit.USAGE.because(e, "capture.noShapes", where);
        }
        shapes.removeIf(shape -> shape.seen() == 0);
        Exit.USAGE.when(shapes.isEmpty(), "capture.noShapes", where);
        return shapes;
    }

    /** The share of random bytes that makes generated values compress like captured ones. */
    private static double randomBytes(TopicShape shape, RecordSpec record) {
        Codec codec = Codec.of(shape.batches().codec());
        double ratio = shape.batches().ratio();
        return codec == Codec.NONE
                ? 1
                : KeyTally.solve(0, 1, share -> {
                    RecordSpec tried = record.with(RecordSpec.RANDOM_BYTES_RATIO, share);
                    PayloadSource values = PayloadSource.load(tried, SEED);
                    RecordGenerator sample =
                            RecordGenerator.of(tried, SEED, 0, 1, SEED, values, RecordGenerator.NO_PRODUCER);
                    return ratio(sample, shape.batches().records(), codec) - ratio;
                });
    }

    private static double ratio(RecordGenerator sample, double records, Codec codec) {
        double before = 0;
        double after = 0;
        double left = 0;
        for (int sequence = 0; before < SAMPLE_BYTES; ) {
            ByteArrayOutputStream batch = new ByteArrayOutputStream();
            for (left += Math.max(1, records); left >= 1; left--) {
                write(sample, sequence++, batch);
            }
            before += BatchLayout.RECORDS + batch.size();
            after +=
                    BatchLayout.RECORDS + codec.compress(batch.toByteArray(), batch.size(), OptionalInt.empty()).length;
        }
        return after / before;
    }

    /** Writes a record in the format of a batch: lengths, attributes, deltas and contents. */
    private static void write(RecordGenerator sample, int sequence, ByteArrayOutputStream to) {
        long epochNanos = 1_700_000_000_000_000_000L + sequence;
        byte[] key = sample.nextKey(epochNanos);
        byte[] value = sample.nextValue(sequence, epochNanos);
        to.writeBytes(new byte[] {(byte) value.length, (byte) (value.length >> 7), 0, (byte) sequence, 0, 0, 0, 0});
        to.writeBytes(key == null ? new byte[0] : key);
        to.writeBytes(value);
        for (int i = 0; i < sample.headerNames().length; i++) {
            to.writeBytes(sample.headerNames()[i].getBytes(StandardCharsets.UTF_8));
            to.writeBytes(sample.headerValues()[i]);
        }
    }
}
