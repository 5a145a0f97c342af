package io.plimsoll.perf.capture.shape;

import io.plimsoll.cluster.Topics.Readers;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes topic shapes as a scenario with a similar load, and the assumptions as comments.
 *
 * @param faster time compression, 1 or more; rates stay the same
 */
public record CapturedText(Duration window, double faster, Language language) {
    private static final int MOST_CLIENTS = 50;
    private static final int USUAL_BATCH_BYTES = 16_384;
    private static final double LONGEST_LINGER_SECONDS = 5;
    private static final int LONGEST_KEY = 1000;
    /** Default limit of a producer's requests; the default limit of a topic's batches is 12 bytes higher. */
    private static final int USUAL_REQUEST_BYTES = 1_048_576;
    /** Maximum bytes of a batch with one record, without its contents and headers. */
    private static final int FRAME_BYTES = 100;
    /** Maximum bytes of a header beyond the mean lengths of its name and value, rounding included. */
    private static final int HEADER_FRAME_BYTES = 12;

    private static final int SHORTEST_STEP_MILLIS = 1;
    private static final int SHORTEST_WINDOW_MILLIS = 1000;

    /**
     * @param readers of all topics
     * @param fanOut bytes sent ÷ bytes received by brokers; 0 if unknown
     * @param randomBytes incompressible share of the values
     * @param schemas of the values
     */
    public record Entry(AlikeTopics topics, Readers readers, double fanOut, double randomBytes, KnownSchemas schemas) {
        /** Number of known groups and of groups implied by the fan-out. */
        long groups() {
            return Math.max(
                    Math.round((double) readers.groups() / topics.topics().size()), Math.round(fanOut));
        }
    }

    /**
     * @param shares of the records, by schema in the notation of a scenario
     * @param notes about schemas of keys and values
     */
    public record KnownSchemas(Map<String, Double> shares, List<Sentence> notes) {
        public static final KnownSchemas NONE = new KnownSchemas(Map.of(), List.of());
    }

    public String of(List<Entry> entries, List<Sentence> head) {
        StringBuilder text = new StringBuilder();
        head.forEach(sentence -> comment(text, sentence));
        text.append("name: captured\ntopics:\n");
        entries.forEach(entry -> topic(text, entry.topics()));
        text.append("producers:\n");
        entries.stream().filter(e -> e.topics().shape().seen() > 0).forEach(e -> producers(text, e));
        List<Entry> read = entries.stream().filter(e -> e.groups() > 0).toList();
        text.append(read.isEmpty() ? "" : "consumers:\n");
        for (Entry entry : read) {
            Readers readers = entry.readers();
            comment(text, Sentence.of("capture.lag", Units.count(readers.lag())));
            if (entry.fanOut() > 0) {
                String times = Units.decimals(entry.fanOut(), 2);
                comment(text, Sentence.of("capture.fanOut", times, readers.groups()));
            }
            int members = Math.min(MOST_CLIENTS, Math.max(1, readers.members() / Math.max(1, readers.groups())));
            text.append("  - {topic: \"%s\", groups: %d, members: %d, start: latest}\n"
                    .formatted(entry.topics().shape().topic(), entry.groups(), members));
        }
        return text.append("duration: ")
                .append(shortened(window.toMillis() / 1e3, SHORTEST_WINDOW_MILLIS))
                .append('\n')
                .toString();
    }

    private String shortened(double seconds, long leastMillis) {
        return Quantities.text(Duration.ofMillis(Math.max(leastMillis, Math.round(1000 * seconds / faster))));
    }

    /** Appends a line with a comment in the language of this object. */
    public void comment(StringBuilder text, Sentence sentence) {
        // Names from the cluster must not break out of the comment.
        text.append("# ")
                .append(sentence.in(language).replaceAll("\\R|\\p{Cntrl}", " "))
                .append('\n');
    }

    private void topic(StringBuilder text, AlikeTopics topics) {
        TopicShape shape = topics.shape();
        int count = topics.topics().size();
        if (count > 1) {
            Sentence names = Sentence.list(topics.topics(), 4);
            comment(text, Sentence.of("capture.alike", Units.count(count), names));
        }
        Map<String, String> config = new TreeMap<>(shape.layout().config());
        if (isLarge(shape)) {
            config.putIfAbsent("max.message.bytes", String.valueOf(requestBytes(shape)));
        }
        config.replaceAll((name, value) -> '"' + value.replaceAll("([\"\\\\])", "\\\\$1") + '"');
        text.append("  - {name: \"%s\", partitions: %d, replication: %d, config: %s}\n"
                .formatted(
                        shape.topic(), shape.partitions().size(), shape.layout().replication(), flow(config)));
    }

    private void producers(StringBuilder text, Entry entry) {
        comments(entry.topics().shape()).forEach(sentence -> comment(text, sentence));
        entry.schemas().notes().forEach(sentence -> comment(text, sentence));
        Map<String, Double> parts = new LinkedHashMap<>(entry.schemas().shares());
        double known = parts.values().stream().mapToDouble(s -> s).sum();
        if (known < 0.98) {
            parts.put("", 1 - known);
        }
        parts.forEach((schema, share) -> producers(text, entry, schema, known < 0.98 ? share : share / known));
    }

    /** @param schema of the values; empty without a schema */
    private void producers(StringBuilder text, Entry entry, String schema, double ofRecords) {
        TopicShape shape = entry.topics().shape();
        double keyed = shape.keys().presence();
        // Each part (records with or without keys, or partitions with similar shares) has its share of the rate.
        if (shape.skewed()) {
            for (List<Integer> like : shape.likePartitions()) {
                double share =
                        like.stream().mapToDouble(shape.partitions()::get).sum();
                List<Double> dealt = Collections.nCopies(like.size(), 1.0 / like.size());
                text.append(producer(
                        entry, schema, ofRecords * share, keyed > 0.5, dealt, "    partitions: " + like + "\n"));
            }
            return;
        }
        if (keyed > 0.02) {
            double share = ofRecords * (keyed < 0.98 ? keyed : 1);
            text.append(producer(entry, schema, share, true, shape.partitions(), ""));
        }
        if (keyed < 0.98) {
            double share = ofRecords * (keyed > 0.02 ? 1 - keyed : 1);
            text.append(producer(entry, schema, share, false, List.of(1.0), ""));
        }
    }

    private static int clients(TopicShape shape) {
        return Math.max(1, Math.min(MOST_CLIENTS, shape.batches().producers()));
    }

    /**
     * @param dealt shares of the partitions if the producer selects a partition for each record (by key or
     *     round-robin), not for each batch
     */
    private String producer(
            Entry entry, String schema, double share, boolean withKey, List<Double> dealt, String partitions) {
        TopicShape shape = entry.topics().shape();
        int parties = clients(shape) * entry.topics().topics().size();
        String rate = rate(shape.rate(), share);
        String record = record(shape, schema, withKey, entry.randomBytes());
        String config = config(shape, shape.rate().busy() * share / parties, dealt);
        return "  - topic: \"%s\"\n    clients: %d\n    rate: %s\n    record: %s\n%s    config: %s\n"
                .formatted(shape.topic(), clients(shape), rate, record, partitions, config);
    }

    private String rate(TopicShape.RateCurve rate, double share) {
        if (!rate.steps().isEmpty()) {
            List<String> steps =
                    rate.steps().stream().map(r -> perSecond(r * share)).toList();
            return "{steps: " + steps + ", each: " + shortened(rate.stepSeconds(), SHORTEST_STEP_MILLIS) + "}";
        }
        String mean = perSecond(rate.mean() * share);
        String period = shortened(TopicShape.RateCurve.DAY_SECONDS, SHORTEST_STEP_MILLIS);
        String daily = "{daily: {mean: %s, amplitude: %s, period: %s}}";
        return rate.amplitude() > 0 ? daily.formatted(mean, TopicShape.text(rate.amplitude()), period) : mean;
    }

    private static String perSecond(double rate) {
        return TopicShape.text(Math.max(rate, 0.001)) + "/s";
    }

    private static String record(TopicShape shape, String schema, boolean withKey, double randomBytes) {
        TopicShape.Values values = shape.values();
        Map<Integer, Double> sizes = new TreeMap<>();
        values.sizes().forEach(step -> sizes.merge(step.bytes(), step.share(), Double::sum));
        Map<String, String> mix = new LinkedHashMap<>();
        sizes.forEach((size, share) -> mix.put(String.valueOf(size), TopicShape.text(share)));
        Map<String, String> record = new LinkedHashMap<>();
        if (schema.isEmpty()) {
            record.put("size", mix.size() == 1 ? mix.keySet().iterator().next() : flow(mix));
        } else {
            record.put("schema", schema);
        }
        if (withKey) {
            record.put("key", key(shape.keys()));
        }
        if (Math.round(values.headers()) > 0) {
            String headers = "{count: %.0f, keySize: %.0f, valueSize: %.0f}";
            record.put("headers", headers.formatted(values.headers(), values.nameBytes(), values.headerBytes()));
        }
        if (schema.isEmpty()) {
            record.put("randomBytesRatio", TopicShape.text(randomBytes));
        }
        return flow(record);
    }

    private static String key(TopicShape.Keys keys) {
        // Keys in a scenario are not empty.
        long bytes = Math.max(1, Math.round(keys.bytes()));
        String form = keys.fresh()
                ? "sequential: true"
                : keys.exponent() > 0
                        ? "zipf: {s: " + TopicShape.text(keys.exponent()) + ", n: " + keys.count() + "}"
                        : "uniform: " + Math.max(1, keys.count());
        return "{" + form + ", size: " + Math.min(LONGEST_KEY, bytes) + "}";
    }

    private static String config(TopicShape shape, double rate, List<Double> shares) {
        TopicShape.Batches batches = shape.batches();
        int batchBytes = Math.max(USUAL_BATCH_BYTES, (batches.fullBytes() + 1023) / 1024 * 1024);
        // A partition with a rate r has batches of 1 + r·linger records.
        double linger = TopicTally.KeyTally.solve(0, LONGEST_LINGER_SECONDS, seconds -> {
            double perSecond = shares.stream()
                    .mapToDouble(share -> share * rate / (1 + share * rate * seconds))
                    .sum();
            return rate / Math.max(1e-9, perSecond) - batches.records();
        });
        String idempotence = batches.producers() == 0 ? ", enable.idempotence: false" : "";
        String request = isLarge(shape) ? ", max.request.size: " + requestBytes(shape) : "";
        return "{compression.type: %s, batch.size: %d, linger.ms: %d%s%s}"
                .formatted(batches.codec(), batchBytes, Math.round(1000 * linger), idempotence, request);
    }

    private static boolean isLarge(TopicShape shape) {
        return requestBytes(shape) > USUAL_REQUEST_BYTES;
    }

    /** Upper bound for the batch of the largest record. */
    private static long requestBytes(TopicShape shape) {
        TopicShape.Values values = shape.values();
        int value =
                values.sizes().stream().mapToInt(TopicShape.Step::bytes).max().orElse(0);
        // The scenario rounds the number of headers.
        double headers = (values.headers() + 1) * (values.nameBytes() + values.headerBytes() + HEADER_FRAME_BYTES);
        return value + LONGEST_KEY + FRAME_BYTES + Math.round(headers);
    }

    private static List<Sentence> comments(TopicShape shape) {
        List<Sentence> said = new ArrayList<>();
        TopicShape.Batches batches = shape.batches();
        TopicShape.Keys keys = shape.keys();
        String rate = Units.rate(shape.rate().mean());
        String bytes = Units.bytes(shape.values().bytes());
        String fill = Units.decimals(batches.records(), 1);
        String ratio = Units.percent(batches.ratio());
        said.add(Sentence.of("capture.found", shape.topic(), rate, bytes, fill, batches.codec(), ratio));
        String first = keys.top().isEmpty() ? "?" : Units.percent(keys.top().get(0));
        String presence = Units.percent(keys.presence());
        String exponent = keys.exponent() == 0 ? "0" : TopicShape.text(keys.exponent());
        boolean counted = keys.presence() > 0 && !keys.fresh();
        Sentence.addIf(counted, said, "capture.keys", presence, Units.count(keys.count()), exponent, first);
        Sentence.addIf(keys.fresh(), said, "capture.fresh");
        Sentence.addIf(shape.rate().amplitude() > 0, said, "capture.daily");
        Sentence.addIf(shape.skewed(), said, "capture.skewed");
        Sentence.addIf(batches.producers() == 0, said, "capture.noIds");
        return said;
    }

    /** The fields as a YAML flow mapping on one line. */
    public static String flow(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + ": " + field.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /** @param shape of the topic with the most sampled records, with the total rate of all topics */
    public record AlikeTopics(TopicShape shape, List<String> topics) {
        private static final int MANY = 20;

        /** One entry per topic; above {@value #MANY} topics, similar ones share an entry. */
        public static List<AlikeTopics> of(List<TopicShape> shapes) {
            Map<String, List<TopicShape>> alike = new LinkedHashMap<>();
            shapes.forEach(
                    s -> alike.computeIfAbsent(shapes.size() > MANY ? likeness(s) : s.topic(), l -> new ArrayList<>())
                            .add(s));
            List<AlikeTopics> all = new ArrayList<>();
            for (List<TopicShape> group : alike.values()) {
                TopicShape most = Collections.max(group, Comparator.comparingLong(TopicShape::seen));
                TopicShape.RateCurve rate = group.stream()
                        .map(TopicShape::rate)
                        .reduce(TopicShape.RateCurve::plus)
                        .orElseThrow();
                String name =
                        group.size() == 1 ? most.topic() : "alike-" + (all.size() + 1) + "-[1-" + group.size() + "]";
                all.add(new AlikeTopics(
                        most.as(name, rate),
                        group.stream().map(TopicShape::topic).toList()));
            }
            return all;
        }

        /** A key that is equal for similar topics: numbers within a factor of 2, all other properties equal. */
        private static String likeness(TopicShape s) {
            Stream<Double> numbers = Stream.of(
                    s.rate().mean(), s.values().bytes(), (double) s.batches().producers());
            return s.partitions().size()
                    + s.layout().toString()
                    + numbers.map(Math::getExponent).toList().toString()
                    + (s.rate().amplitude() > 0)
                    + s.rate().steps().size()
                    + s.batches().codec()
                    + (s.values().headers() > 0)
                    + s.valueSchemas().framing()
                    + (s.keys().presence() > 0.5)
                    + (s.keys().exponent() > 0)
                    + (s.skewed() ? s.topic() : "");
        }
    }
}
