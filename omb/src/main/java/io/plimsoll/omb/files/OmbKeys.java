package io.plimsoll.omb.files;

import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.KeyShape;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.scenario.Texts;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** The known keys of the files of OpenMessaging Benchmark and its forks. */
final class OmbKeys {
    /** Value for a missing or invalid number where 0 is valid. */
    static final int NONE = -1;

    private static final long FASTEST = 1_000_000_000_000L;
    private static final int MANY = 1_000_000;
    private static final List<String> DISTRIBUTORS = List.of("NO_KEY", "KEY_ROUND_ROBIN", "RANDOM_NANO");

    static final Key<String> NAME = text("name", a("name"));

    static final Key<String> DRIVER_CLASS = text("driverClass", a("driverClass"));
    static final Key<Integer> REPLICATION = count("replicationFactor", "count", 0, Short.MAX_VALUE, 1);
    static final Key<?> TOPIC_CONFIG = block("topicConfig");
    static final Key<?> COMMON_CONFIG = block("commonConfig");
    static final Key<?> PRODUCER_CONFIG = block("producerConfig");
    static final Key<?> CONSUMER_CONFIG = block("consumerConfig");
    static final Key<Boolean> RESET = Key.flag("reset");
    static final Key<Boolean> USE_MY_TOPIC = Key.flag("useMyTopic");
    static final Key<List<String>> MY_TOPICS = names("topics", "topicNames");
    static final Key<Boolean> SHARED_GROUP = Key.flag("useSharedConsumerGroup");

    static final Section DRIVER = section(a("driver"), NAME, DRIVER_CLASS, RESET, SHARED_GROUP)
            .and(List.of(REPLICATION, USE_MY_TOPIC, MY_TOPICS))
            .and(List.of(TOPIC_CONFIG, COMMON_CONFIG, PRODUCER_CONFIG, CONSUMER_CONFIG));

    static final Key<Integer> TOPICS = count("topics", "whole", 0, 200_000, NONE);
    static final Key<Integer> PARTITIONS = count("partitionsPerTopic", "count", 1, 200_000, 1);
    static final Key<List<Integer>> PARTITIONS_LIST = perTopic("partitionsPerTopicList", 1);
    static final Key<Boolean> RANDOM_NAMES = Key.flag("randomTopicNames", true);
    static final Key<List<String>> EXISTING = names("existingTopicList", "topicList");
    static final Key<List<String>> EXISTING_PRODUCED = names("existingProduceTopicList", "topicList");
    static final Key<List<String>> EXISTING_CONSUMED = names("existingConsumeTopicList", "topicList");
    static final Key<String> KEY_DISTRIBUTOR =
            Key.scalar("keyDistributor", a("keyDistributor"), DISTRIBUTORS.get(0), OmbKeys::distributor);
    static final Key<Integer> MESSAGE_SIZE = count("messageSize", "bytes", 0, 1_000_000_000, 0);
    static final Key<Optional<Fields>> SIZE_DISTRIBUTION =
            own("messageSizeDistribution", a("distribution"), Optional.empty(), OmbRecords::distribution);
    static final Key<Boolean> RANDOM_PAYLOADS = Key.flag("useRandomizedPayloads");
    static final Key<Double> RANDOM_RATIO = number("randomBytesRatio", Quantities.RATIO, 0, 1, 0);
    static final Key<Integer> POOL = count("randomizedPayloadPoolSize", "whole", 0, MANY, 0);
    static final Key<String> PAYLOAD_FILE = text("payloadFile", Sentence.of("scenario.a.path"));
    static final Key<Integer> SUBSCRIPTIONS = count("subscriptionsPerTopic", "whole", 0, 10_000, 0);
    static final Key<Integer> PRODUCERS = count("producersPerTopic", "whole", 0, MANY, 0);
    static final Key<List<Integer>> PRODUCERS_LIST = perTopic("producersPerTopicList", 0);
    static final Key<Integer> CONSUMERS = count("consumerPerSubscription", "whole", 0, 10_000, 0);
    static final Key<Boolean> CONSUMER_ONLY = Key.flag("consumerOnly");
    static final Key<Long> RATE = Key.scalar("producerRate", a("rate"), 0L, text -> Quantities.count(text, 0, FASTEST));
    static final Key<List<List<Double>>> RATES = own("producerRateList", a("rates"), List.of(), OmbRates::points);
    static final Key<Integer> BACKLOG = count("consumerBacklogSizeGB", "gigabytes", 0, MANY, 0);
    static final Key<Double> DRAIN_RATIO = number("backlogDrainRatio", Quantities.RATIO, 0, 1, 1);
    static final Key<Double> MINUTES = minutes("testDurationMinutes", NONE);
    static final Key<Double> WARMUP_MINUTES = minutes("warmupDurationMinutes", 1);
    static final Key<Integer> SAMPLE_MILLIS = count("sampleRateMillis", "millis", 1_000, 3_600_000, NONE);
    static final Key<Integer> LOG_MILLIS = count("logIntervalMillis", "millis", 1_000, 3_600_000, 10_000);
    /** Keys without an effect in Plimsoll; a warning reports values above 0. */
    static final List<Key<Double>> WITHOUT_EFFECT = Stream.of(
                    "warmupProducerRate",
                    "warmupProducerRateSeparationMinutes",
                    "backlogProducerRate",
                    "drainProducerRate")
            .map(name -> number(name, a("rate"), -1, FASTEST, 0))
            .toList();

    static final Section WORKLOAD = section(a("workload"), NAME, TOPICS, PARTITIONS, PARTITIONS_LIST, RANDOM_NAMES)
            .and(List.of(EXISTING, EXISTING_PRODUCED, EXISTING_CONSUMED))
            .and(List.of(KEY_DISTRIBUTOR, MESSAGE_SIZE, SIZE_DISTRIBUTION))
            .and(List.of(RANDOM_PAYLOADS, RANDOM_RATIO, POOL, PAYLOAD_FILE))
            .and(List.of(SUBSCRIPTIONS, CONSUMERS, PRODUCERS, PRODUCERS_LIST, CONSUMER_ONLY))
            .and(List.of(RATE, RATES, BACKLOG, DRAIN_RATIO))
            .and(List.of(MINUTES, WARMUP_MINUTES, SAMPLE_MILLIS, LOG_MILLIS))
            .and(WITHOUT_EFFECT);

    private static Section section(Sentence expected, Key<?>... keys) {
        return new Section(expected, Map.of()).and(List.of(keys));
    }

    private static Sentence a(String what) {
        return Sentence.of("scenario.omb.a." + what);
    }

    private static Key<String> text(String name, Sentence expected) {
        return Key.scalar(name, expected, "", text -> text);
    }

    private static Key<Integer> count(String name, String expected, int least, int most, int fallback) {
        return Key.scalar(name, a(expected), fallback, text -> (int) Quantities.count(text, least, most));
    }

    private static Key<Double> minutes(String name, double fallback) {
        return number(name, a("minutes"), 0, 525_600, fallback);
    }

    private static Key<Double> number(String name, Sentence expected, double least, double most, double fallback) {
        Function<String, Double> parser = text -> {
            double number = text.matches("[-+]?[0-9]{1,15}(\\.[0-9]{1,15})?") ? Double.parseDouble(text) : Double.NaN;
            if (number >= least && number <= most) {
                return number;
            }
            throw InvalidValueException.expected(expected, text);
        };
        return Key.scalar(name, expected, fallback, parser);
    }

    /** A block of properties as text, which {@link OmbFile#properties} parses. */
    private static Key<Object> block(String name) {
        return Key.part(name, new KeyShape.Value(Sentence.of("scenario.omb.a.block", name)));
    }

    private static <T> Key<T> own(
            String name, Sentence expected, T fallback, BiFunction<EntryReading, String, Optional<T>> reader) {
        return Key.of(name, new KeyShape.Value(expected), fallback, reader);
    }

    private static Key<List<Integer>> perTopic(String name, int least) {
        return own(
                name,
                a("perTopic"),
                List.of(),
                (file, key) -> file.list(key, false, text -> (int) Quantities.count(text, least, MANY)));
    }

    /** The elements of a list, or of a comma-separated string. */
    private static Key<List<String>> names(String name, String expected) {
        return own(name, a(expected), List.of(), OmbKeys::names);
    }

    private static Optional<List<String>> names(EntryReading file, String key) {
        if (file.node(key).orElseThrow() instanceof Scalar scalar) {
            return Optional.of(Stream.of(scalar.text().split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList());
        }
        return file.hasSome(key) ? file.list(key, false, String::strip) : Optional.empty();
    }

    private static String distributor(String text) {
        String name = text.toUpperCase(Locale.ROOT);
        if (!DISTRIBUTORS.contains(name)) {
            Sentence near = Suggestions.didYouMean(name, DISTRIBUTORS);
            throw new InvalidValueException("scenario.expected", a("keyDistributor"), Texts.quoted(name), near);
        }
        return name;
    }
}
