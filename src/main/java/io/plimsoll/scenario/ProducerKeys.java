package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.ProducerSpec.Arrivals;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** The keys of an entry of {@code producers}. */
public final class ProducerKeys {
    public static final Key<List<String>> TOPIC = LoadKeys.topics();

    public static final Key<Integer> CLIENTS = Key.count("clients", 1, LoadKeys.MOST_CLIENTS);

    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach").rule(LoadKeys.enough(TOPIC, CLIENTS));

    public static final Key<Integer> THREADS = Key.count("threads", 1, LoadKeys.MOST_CLIENTS)
            .rule((entry, threads) -> {
                if (threads > 1 && entry.get(ProducerKeys.TRANSACTIONS).enabled()) {
                    entry.problemAt("threads", "scenario.oneThread");
                }
            });

    public static final Key<String> ENGINE = LoadKeys.engine(Engine::produces, Engine::producerKeys);

    public static final Key<Rate> RATE = RateKeys.rate("rate");

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
                    "record", RecordKeys.ALL, RecordSpec.DEFAULT, record -> new RecordSpec(record.settings()))
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
                    Sentence.or(List.of("async", "sync", "{sync: {timeout: 100ms}}", "{flushEvery: 100}")),
                    new SendMode.Async(),
                    SendMode.class)
            .shown(SendMode::text);

    private static final Key<Optional<Duration>> EVERY = patience("every");
    private static final Key<Long> OF_RECORDS = Quantities.many("records");
    private static final Key<Double> ABORT_RATIO = Key.scalar("abortRatio", Quantities.RATIO, 0.0, Quantities::ratio);
    public static final Key<Transactions> TRANSACTIONS = new Forms<Transactions>()
            .word("none", Transactions.NONE)
            .keys(EVERY, OF_RECORDS, ABORT_RATIO)
            .map(ProducerKeys::transactions)
            .key(
                    "transactions",
                    Sentence.of(
                            "scenario.a.transactions", Sentence.or(List.of("none", "{every: 1s}", "{records: 1000}"))),
                    Transactions.NONE,
                    Transactions.class)
            .shown(Transactions::text);

    public static final Key<Boolean> EXISTING_TRANSACTIONAL_ID = Key.flag("existingTransactionalId");

    public static final Key<List<Integer>> PARTITIONS = Key.of(
                    "partitions",
                    new KeyShape.Value(Sentence.of("scenario.a.partitions", "0", "[0, 2]")),
                    List.<Integer>of(),
                    (entry, key) -> entry.list(key, true, text -> (int) Quantities.count(text, 0, Integer.MAX_VALUE))
                            .map(all -> all.stream().distinct().toList()),
                    List.class,
                    Integer.class)
            .rule(ProducerKeys::checkPartitions);

    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{acks: all, linger.ms: 5}")
            .noneByDefault()
            .rule(LoadKeys.wholeNumbers("max.request.size", "batch.size", "linger.ms", "buffer.memory"))
            .rule((entry, config) -> {
                String acks = config.getOrDefault("acks", "all");
                if (!List.of("0", "1", "all", "-1").contains(acks) && !LoadKeys.isLookedUp(acks)) {
                    Sentence known = Sentence.or(List.of("0", "1", "all", "-1"));
                    entry.problemInMap(
                            "config",
                            "acks",
                            InvalidValueException.expected(known, acks).sentence());
                }
            });

    public static final Key<Map<String, String>> ON = LoadKeys.agents();

    public static final Key<Optional<ReplySpec>> REPLY = ReplyKeys.REPLY;

    /** All of them, in the order in which they are read, with those of each engine. */
    public static final Section ALL = Section.of(
                    "{topic: events, rate: 1000/s}", TOPIC, ONE_TOPIC_EACH, CLIENTS, THREADS)
            .and(List.of(ENGINE, RATE, ARRIVALS, RECORDS, DURATION, RECORD, SEND, TRANSACTIONS))
            .and(List.of(EXISTING_TRANSACTIONAL_ID, PARTITIONS, CONFIG, ON, REPLY))
            .and(LoadKeys.own(Engine::producerKeys));

    private ProducerKeys() {}

    /** A length of time as it is written, whatever the scale; none if it is not given. */
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
        for (String name : entry.get(TOPIC)) {
            TopicSpec topic = entry.topics().get(name);
            if (topic != null && !topic.existing() && highest >= topic.partitions()) {
                entry.problemAt("partitions", "scenario.noPartition", name, topic.partitions(), highest);
                return;
            }
        }
    }
}
