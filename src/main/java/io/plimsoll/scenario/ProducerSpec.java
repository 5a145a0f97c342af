package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.ReplySpec.Match;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * A number of producers with equal settings that share one schedule.
 *
 * @param settings values of the keys below and of the keys of the engine
 */
public record ProducerSpec(Settings settings) {
    public static final Key<List<String>> TOPIC = LoadKeys.topics();
    public static final Key<Integer> CLIENTS = Key.count("clients", 1, LoadKeys.MOST_CLIENTS);
    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach").rule(LoadKeys.enough(TOPIC, CLIENTS));
    public static final Key<Integer> THREADS = Key.count("threads", 1, LoadKeys.MOST_CLIENTS)
            .rule((entry, threads) -> {
                if (threads > 1 && entry.get(ProducerSpec.TRANSACTIONS).enabled()) {
                    entry.problemAt("threads", "scenario.oneThread");
                }
            });
    public static final Key<String> ENGINE = LoadKeys.engine(Engine::produces, Engine::producerKeys);

    private static final Quantity NOTHING = new Quantity(0, Rate.Unit.RECORDS);
    private static final Key<List<Quantity>> RAMP =
            rates("ramp", Sentence.of("scenario.a.ramp", "[1000/s, 50000/s]"), Quantities::rateOrZero);
    private static final Key<Duration> OVER = scaled("over");
    private static final Key<List<Quantity>> STEPS =
            rates("steps", Sentence.of("scenario.a.rates", "[1000/s, 5000/s]"), Quantities::rate);
    private static final Key<Duration> EACH = scaled("each");
    private static final Key<Quantity> MEAN =
            Key.scalar("mean", Quantities.RATE, NOTHING, Quantities::rate).required();
    private static final Key<Double> AMPLITUDE = Key.ratio("amplitude").required();
    private static final Key<Duration> PERIOD = scaled("period").required();
    private static final Key<Rate> DAILY = Key.<Rate>section(
            "daily",
            KeyShape.Section.of("{mean: 1000/s, amplitude: 0.5, period: 24h}", MEAN, AMPLITUDE, PERIOD),
            Rate.UNLIMITED,
            daily -> new Rate.Daily(daily.get(MEAN), daily.get(AMPLITUDE), daily.get(PERIOD)));
    public static final Key<Rate> RATE = new Forms<Rate>()
            .word("unlimited", Rate.UNLIMITED)
            .scalar(ProducerSpec::constant)
            .form(RAMP, ProducerSpec::ramp, OVER)
            .form(STEPS, (entry, levels) -> new Rate.Steps(levels, entry.needed(EACH)), EACH)
            .form(DAILY, daily -> daily)
            .key(
                    "rate",
                    Sentence.of(
                            "scenario.a.rateOr",
                            Texts.either(
                                    "50000/s | 20MB/s | 20MB/s wire | unlimited | {ramp: [1000/s, 50000/s], over: 30s}"
                                            + " | {steps: [1000/s, 5000/s], each: 10s}")),
                    Rate.UNLIMITED,
                    Rate.class);
    public static final Key<Arrivals> ARRIVALS = Key.choice(
                    "arrivals", Arrivals.UNIFORM, List.of(Arrivals.values()), Arrivals::word)
            .rule((entry, arrivals) -> {
                if (arrivals == Arrivals.POISSON && entry.get(RATE) instanceof Rate.Unlimited) {
                    entry.problemAt("arrivals", "scenario.poissonNeedsRate");
                }
            });
    public static final Key<OptionalLong> RECORDS = Key.records("records").endOfLoad();
    public static final Key<Optional<Duration>> DURATION = Key.time("duration", Quantities::duration)
            .rule((entry, duration) -> {
                if (entry.has("duration") && entry.has("records")) {
                    entry.problemAt("duration", "scenario.boundTwice");
                }
            })
            .endOfLoad();
    public static final Key<RecordSpec> RECORD = Key.section(
                    "record", RecordSpec.ALL, RecordSpec.DEFAULT, record -> new RecordSpec(record.settings()))
            .rule(RecordSizes::check);
    private static final Key<Optional<Duration>> TIMEOUT = patience("timeout");
    private static final Key<SendMode> SYNC = Key.<SendMode>section(
            "sync",
            Section.of("{timeout: 100ms}", TIMEOUT),
            new SendMode.Async(),
            sync -> new SendMode.Sync(sync.get(TIMEOUT)));
    private static final Key<Long> FLUSH_EVERY = Quantities.many("flushEvery");
    public static final Key<SendMode> SEND = new Forms<SendMode>()
            .word("async", new SendMode.Async())
            .word("sync", new SendMode.Sync(Optional.empty()))
            .form(SYNC, sync -> sync)
            .form(FLUSH_EVERY, SendMode.FlushEvery::new)
            .key(
                    "send",
                    Texts.either("async | sync | {sync: {timeout: 100ms}} | {flushEvery: 100}"),
                    new SendMode.Async(),
                    SendMode.class)
            .shown(SendMode::text);
    private static final Key<Optional<Duration>> EVERY = patience("every");
    private static final Key<Long> OF_RECORDS = Quantities.many("records");
    private static final Key<Double> ABORT_RATIO = Key.ratio("abortRatio");
    public static final Key<Transactions> TRANSACTIONS = new Forms<Transactions>()
            .word("none", Transactions.NONE)
            .keys(EVERY, OF_RECORDS, ABORT_RATIO)
            .map(ProducerSpec::transactions)
            .key(
                    "transactions",
                    Sentence.of("scenario.a.transactions", Texts.either("none | {every: 1s} | {records: 1000}")),
                    Transactions.NONE,
                    Transactions.class)
            .shown(Transactions::text);
    public static final Key<Boolean> EXISTING_TRANSACTIONAL_ID = Key.flag("existingTransactionalId");
    public static final Key<List<Integer>> PARTITIONS = Key.list(
                    "partitions",
                    Sentence.of("scenario.a.partitions", "0", "[0, 2]"),
                    Integer.class,
                    (entry, key) -> entry.list(key, true, text -> (int) Quantities.count(text, 0, Integer.MAX_VALUE))
                            .map(all -> all.stream().distinct().toList()))
            .rule(ProducerSpec::checkPartitions);
    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{acks: all, linger.ms: 5}")
            .noneByDefault()
            .rule(LoadKeys.wholeNumbers("max.request.size", "batch.size", "linger.ms", "buffer.memory"))
            .rule((entry, config) -> {
                String acks = config.getOrDefault("acks", "all");
                if (!List.of("0", "1", "all", "-1").contains(acks) && !LoadKeys.isLookedUp(acks)) {
                    Sentence known = Texts.either("0 | 1 | all | -1");
                    entry.problemInMap(
                            "config",
                            "acks",
                            InvalidValueException.expected(known, acks).sentence());
                }
            })
            .rule((entry, config) -> {
                String id = "transactional.id";
                boolean given = config.containsKey(id);
                if (given && !entry.get(TRANSACTIONS).enabled()) {
                    entry.problemInMap("config", id, Sentence.of("scenario.idNeedsTransactions"));
                } else if (given && entry.get(CLIENTS) > 1) {
                    entry.problemInMap("config", id, Sentence.of("scenario.idOfOneClient", entry.get(CLIENTS)));
                }
            });
    public static final Key<Map<String, String>> ON = LoadKeys.agents();
    public static final Key<Map<String, String>> LABELS = Labels.key();

    /** The header that Spring Kafka copies from a record to the reply by default. */
    private static final Mark BY_HEADER = new Mark(Match.HEADER, "kafka_correlationId");

    private static final Key<String> REPLY_TOPIC = Key.text("topic").required();
    private static final Key<String> HEADER = Key.text("header");
    private static final Key<String> FIELD = Key.text("field");
    private static final Key<Mark> MATCH = new Forms<Mark>()
            .word("header", BY_HEADER)
            .word("key", new Mark(Match.KEY, ""))
            .word("field", new Mark(Match.FIELD, "id"))
            .form(HEADER, name -> new Mark(Match.HEADER, name))
            .form(FIELD, name -> new Mark(Match.FIELD, name))
            .key(
                    "match",
                    Texts.either("header | key | field | {header: my-id} | {field: order.id}"),
                    BY_HEADER,
                    Mark.class);
    private static final Key<Duration> WAIT = Key.duration("wait", Duration.ofSeconds(10));
    public static final Key<Optional<ReplySpec>> REPLY = Key.optional(
                    "reply",
                    Section.of("{topic: results, match: header}", REPLY_TOPIC, MATCH, WAIT),
                    ReplySpec.class,
                    (entry, key) -> entry.below(key).map(ProducerSpec::reply))
            .noneByDefault()
            .shown(reply -> reply.map(ReplySpec::topic).orElse(""))
            .rule((entry, reply) -> reply.ifPresent(r -> checkReply(entry, r)));

    /** All keys in the order in which they are read, including the keys of every engine. */
    public static final Section ALL = Section.of(
                    "{topic: events, rate: 1000/s}", TOPIC, ONE_TOPIC_EACH, CLIENTS, THREADS)
            .and(List.of(ENGINE, RATE, ARRIVALS, RECORDS, DURATION, RECORD, SEND, TRANSACTIONS))
            .and(List.of(EXISTING_TRANSACTIONAL_ID, PARTITIONS, CONFIG, LABELS, ON, REPLY))
            .and(LoadKeys.own(Engine::producerKeys));

    public <T> ProducerSpec with(Key<T> key, T value) {
        return new ProducerSpec(settings.with(key, value));
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** Topics, at least one; records are sent to them in turn. */
    public List<String> topics() {
        return get(TOPIC);
    }

    /** Whether each client sends to only one of the topics, assigned in turn. */
    public boolean oneTopicEach() {
        return get(ONE_TOPIC_EACH);
    }

    public int clients() {
        return get(CLIENTS);
    }

    /** Number of sending threads per client. */
    public int threads() {
        return get(THREADS);
    }

    public String engine() {
        return get(ENGINE);
    }

    public Rate rate() {
        return get(RATE);
    }

    /** Number of records that all threads together send in the measured window; empty if limited by time. */
    public OptionalLong records() {
        return get(RECORDS);
    }

    /** Length of the measured window if not limited by records; if empty, the scenario's duration applies. */
    public Optional<Duration> duration() {
        return get(DURATION);
    }

    public RecordSpec record() {
        return get(RECORD);
    }

    public SendMode send() {
        return get(SEND);
    }

    public Transactions transactions() {
        return get(TRANSACTIONS);
    }

    public Map<String, String> config() {
        return get(CONFIG);
    }

    /** Partitions of each topic that receive records in turn; if empty, the key or the partitioner decides. */
    public List<Integer> partitions() {
        return get(PARTITIONS);
    }

    /** Labels by which the entry's figures are summed. */
    public Map<String, String> labels() {
        return get(LABELS);
    }

    /** Required labels of the fleet agents that run the entry; empty for any agent. */
    public Map<String, String> on() {
        return get(ON);
    }

    public int totalThreads() {
        return clients() * threads();
    }

    /** Distribution of the due times of records. */
    public enum Arrivals {
        UNIFORM,
        /** Exponentially distributed intervals, from a seed. */
        POISSON;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A key with a duration that {@code --scale} does not change. */
    private static Key<Optional<Duration>> patience(String name) {
        return Key.scalar(name, Quantities.DURATION, Optional.empty(), text -> Optional.of(Quantities.duration(text)));
    }

    private static Transactions transactions(EntryReading entry) {
        if (!entry.has("every") && !entry.has("records")) {
            entry.problem("scenario.transactionsEnd");
        }
        OptionalLong records = entry.has("records") ? OptionalLong.of(entry.get(OF_RECORDS)) : OptionalLong.empty();
        return new Transactions(entry.get(EVERY), records, entry.get(ABORT_RATIO));
    }

    private static void checkPartitions(EntryReading entry, List<Integer> partitions) {
        int highest = partitions.stream().mapToInt(Integer::intValue).max().orElse(-1);
        Map<String, TopicSpec> known = entry.topics();
        for (String name : entry.get(TOPIC)) {
            TopicSpec topic = known.get(name);
            if (topic != null && !topic.existing() && highest >= topic.partitions()) {
                entry.problemAt("partitions", "scenario.noPartition", name, topic.partitions(), highest);
                return;
            }
        }
    }

    private static Rate constant(String text) {
        Sentence near = Suggestions.didYouMean(text, List.of("unlimited"));
        InvalidValueException.when(
                !near.equals(Sentence.NONE),
                "scenario.expected",
                Sentence.of("scenario.a.rate", "50000/s"),
                Texts.quoted(text),
                near);
        return new Rate.Constant(Quantities.rate(text));
    }

    private static Rate ramp(EntryReading entry, List<Quantity> ends) {
        Duration over = entry.needed(OVER);
        if (!ends.isEmpty()
                && (ends.size() != 2 || ends.get(0).value() + ends.get(1).value() == 0)) {
            entry.problemAt("ramp", "scenario.twoRates");
        }
        return ends.size() == 2 ? new Rate.Ramp(ends.get(0), ends.get(1), over) : Rate.UNLIMITED;
    }

    private static Key<Duration> scaled(String name) {
        return Key.scalar(name, Quantities.DURATION, Duration.ofSeconds(1), (entry, text) -> entry.scale()
                .time(Quantities.duration(text)));
    }

    private static Key<List<Quantity>> rates(String name, Sentence expected, Function<String, Quantity> parser) {
        return Key.of(name, new KeyShape.Value(expected), List.of(), (entry, key) -> {
            Optional<List<Quantity>> rates = entry.list(key, false, parser);
            if (rates.stream()
                            .flatMap(List::stream)
                            .map(Quantity::unit)
                            .distinct()
                            .count()
                    > 1) {
                entry.problemAt(key, "scenario.mixedUnits");
                return Optional.empty();
            }
            return rates;
        });
    }

    private record Mark(Match match, String name) {}

    private static ReplySpec reply(EntryReading entry) {
        Mark mark = entry.get(MATCH);
        return new ReplySpec(entry.get(REPLY_TOPIC), mark.match(), mark.name(), entry.get(WAIT));
    }

    private static void checkReply(EntryReading entry, ReplySpec reply) {
        boolean known = entry.topics().isEmpty() || entry.topics().containsKey(reply.topic());
        if (!known || entry.get(TOPIC).contains(reply.topic())) {
            entry.problemAt("reply", "scenario.replyTopic", Texts.quoted(reply.topic()));
        }
        RecordSpec record = entry.get(RECORD);
        KeySpec key = record.key() instanceof KeySpec.Padded padded ? padded.numbers() : record.key();
        if (reply.match() == Match.KEY && !(key instanceof KeySpec.Sequential)) {
            entry.problemAt("reply", "scenario.replyKey");
        }
        boolean numbered = record.payload() instanceof Payload.Template template
                && template.text().contains("${sequence");
        boolean oneThread = entry.get(CLIENTS) * entry.get(THREADS) == 1;
        if (reply.match() == Match.FIELD && !(numbered && oneThread)) {
            entry.problemAt("reply", "scenario.replyField");
        }
        if (entry.get(TRANSACTIONS).abortRatio() > 0) {
            entry.problemAt("reply", "scenario.replyAborted");
        }
    }
}
