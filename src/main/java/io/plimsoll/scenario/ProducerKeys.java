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
    public static final Key<List<String>> TOPIC = LoadKeys.topics()
            .about(
                    "a topic's name, a list of names, or a pattern; records go to the topics in turn",
                    "主题名称、名称列表或模式；记录轮流写入各主题");

    public static final Key<Integer> CLIENTS =
            Key.count("clients", 1, LoadKeys.MOST_CLIENTS).about("`KafkaProducer` instances", "`KafkaProducer` 实例数");

    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach")
            .rule(LoadKeys.enough(TOPIC, CLIENTS))
            .about(
                    "with several topics: each client sends to one of them, dealt in turn, instead of to all",
                    "有多个主题时：每个客户端轮流分到其中一个并只写它，而不是写所有主题");

    public static final Key<Integer> THREADS = Key.count("threads", 1, LoadKeys.MOST_CLIENTS)
            .rule((entry, threads) -> {
                if (threads > 1 && entry.get(ProducerKeys.TRANSACTIONS).enabled()) {
                    entry.problemAt("threads", Sentence.of("scenario.oneThread"));
                }
            })
            .about("sending threads per client, which share it", "每个客户端的发送线程数，它们共用该客户端");

    public static final Key<String> ENGINE = LoadKeys.engine(Engine::produces, Engine::producerKeys)
            .about(
                    "`client`: the official Kafka client; `raw`: pre-encoded record batches",
                    "`client`：官方 Kafka 客户端；`raw`：预先编码的记录批次");

    public static final Key<Rate> RATE =
            RateKeys.rate("rate").about("of all threads of this entry together; see below", "此条目所有线程合计的速率；见下文");

    public static final Key<Arrivals> ARRIVALS = Key.choice(
                    "arrivals", Arrivals.UNIFORM, List.of(Arrivals.values()), Arrivals::word)
            .rule((entry, arrivals) -> {
                if (arrivals == Arrivals.POISSON && entry.get(RATE) instanceof Rate.Unlimited) {
                    entry.problemAt("arrivals", Sentence.of("scenario.poissonNeedsRate"));
                }
            })
            .about(
                    "`uniform`: evenly spaced; `poisson`: as independent users arrive (needs a rate)",
                    "`uniform`：均匀间隔；`poisson`：如同相互独立的用户到达（需要给出速率）");

    public static final Key<OptionalLong> RECORDS = Key.records("records")
            .endsLoad()
            .about(
                    "how many records all threads together send in the measured window, instead of a duration",
                    "所有线程在测量窗口内一共发送多少条记录，用以代替时长");

    public static final Key<Optional<Duration>> DURATION = Key.time("duration", Quantities::duration)
            .byDefault("the scenario's", "场景的时长")
            .rule((entry, duration) -> {
                if (entry.has("duration") && entry.has("records")) {
                    entry.problemAt("duration", Sentence.of("scenario.boundTwice"));
                }
            })
            .endsLoad()
            .about("length of the measured window of this entry, instead of `records`", "此条目测量窗口的长度，用以代替 `records`");

    public static final Key<RecordSpec> RECORD = Key.section(
                    "record", RecordKeys.ALL, RecordSpec.DEFAULT, record -> new RecordSpec(record.settings()))
            .byDefault("see below", "见下文")
            .rule(RecordSizes::check)
            .about("what a record looks like", "记录的样子");

    private static final Key<Optional<Duration>> TIMEOUT =
            patience("timeout").about("how long a thread waits at most for an acknowledgement", "线程最多等待确认多久");
    private static final Key<SendMode> SYNC = Key.<SendMode>section(
                    "sync",
                    Section.of("{timeout: 100ms}", TIMEOUT),
                    new SendMode.Async(),
                    sync -> new SendMode.Sync(sync.get(TIMEOUT)))
            .about(
                    "it waits for each acknowledgement; `{sync: {timeout: 100ms}}` waits at most for the `timeout`,"
                            + " counts that, and goes on: the record may still succeed. Waits of more than 50 ms and of"
                            + " more than 100 ms are counted, too",
                    "等待每一次确认；`{sync: {timeout: 100ms}}` 最多等待 `timeout`，计数后继续：该记录仍可能成功。"
                            + "超过 50 ms 和超过 100 ms 的等待也会计数");
    private static final Key<Long> FLUSH_EVERY = Quantities.many("flushEvery")
            .about("it flushes the client after every so many records", "每发送这么多条记录就对客户端执行一次 flush");
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
            .shown(SendMode::text)
            .about("what a sending thread waits for", "发送线程等待什么");

    private static final Key<Optional<Duration>> EVERY =
            patience("every").about("commit when a transaction is this old", "事务持续这么久后提交");
    private static final Key<Long> OF_RECORDS =
            Quantities.many("records").about("commit when a transaction has this many records", "事务中有这么多条记录后提交");
    private static final Key<Double> ABORT_RATIO = Key.scalar("abortRatio", Quantities.RATIO, 0.0, Quantities::ratio)
            .about(
                    "beside one of the two: the share of transactions that is aborted instead (default 0)",
                    "与以上二者之一并用：改为中止的事务所占比例（默认 0）");
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
            .shown(Transactions::text)
            .about("see below", "见下文");

    public static final Key<Boolean> EXISTING_TRANSACTIONAL_ID = Key.flag("existingTransactionalId")
            .about(
                    "the `transactional.id` that `config` names may have been used already: whoever uses it still is fenced",
                    "`config` 中的 `transactional.id` 可以已被使用过：仍在使用它的生产者会被隔离（fenced）");

    public static final Key<List<Integer>> PARTITIONS = Key.of(
                    "partitions",
                    new KeyShape.Value(Sentence.of("scenario.a.partitions", "0", "[0, 2]")),
                    List.<Integer>of(),
                    (entry, key) -> entry.list(key, true, text -> (int) Quantities.count(text, 0, Integer.MAX_VALUE))
                            .map(all -> all.stream().distinct().toList()),
                    List.class,
                    Integer.class)
            .rule(ProducerKeys::checkPartitions)
            .about(
                    "a partition or a list of them: records go to these in turn, whatever their keys",
                    "一个分区或分区列表：记录轮流写入这些分区，与键无关");

    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{acks: all, linger.ms: 5}")
            .noneByDefault()
            .rule(LoadKeys.wholeNumbers("max.request.size", "batch.size", "linger.ms", "buffer.memory"))
            .rule((entry, config) -> {
                String acks = config.getOrDefault("acks", "all");
                if (!List.of("0", "1", "all", "-1").contains(acks)) {
                    Sentence known = Sentence.or(List.of("0", "1", "all", "-1"));
                    entry.problemInMap(
                            "config",
                            "acks",
                            InvalidValueException.expected(known, acks).sentence());
                }
            })
            .about("any property of the Kafka producer", "Kafka 生产者的任意属性");

    public static final Key<Map<String, String>> ON = LoadKeys.agents();

    /** All of them, in the order in which they are read, with those of each engine. */
    public static final Section ALL = Section.of(
                    "{topic: events, rate: 1000/s}",
                    TOPIC,
                    ONE_TOPIC_EACH,
                    CLIENTS,
                    THREADS,
                    ENGINE,
                    RATE,
                    ARRIVALS,
                    RECORDS,
                    DURATION,
                    RECORD,
                    SEND,
                    TRANSACTIONS,
                    EXISTING_TRANSACTIONAL_ID,
                    PARTITIONS,
                    CONFIG,
                    ON)
            .and(LoadKeys.own(Engine::producerKeys));

    private ProducerKeys() {}

    /** A length of time as it is written, whatever the scale; none if it is not given. */
    private static Key.Draft<Optional<Duration>> patience(String name) {
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
                entry.problemAt("partitions", Sentence.of("scenario.noPartition", name, topic.partitions(), highest));
                return;
            }
        }
    }
}
