package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.ProducerSpec.Arrivals;
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
                    "topic 名称、名称列表或模式；记录轮流写入各 topic");

    public static final Key<Integer> CLIENTS =
            Key.count("clients", 1, LoadKeys.MOST_CLIENTS).about("`KafkaProducer` instances", "`KafkaProducer` 实例数");

    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach")
            .rule(LoadKeys.enough(TOPIC, CLIENTS))
            .about(
                    "with several topics: each client sends to one of them, dealt in turn, instead of to all",
                    "有多个 topic 时：每个 client 轮流分到其中一个并只写它，而不是写所有 topic");

    public static final Key<Integer> THREADS = Key.count("threads", 1, LoadKeys.MOST_CLIENTS)
            .rule(ProducerBinder::checkThreads)
            .about("sending threads per client, which share it", "每个 client 的发送线程数，它们共用该 client");

    public static final Key<String> ENGINE = LoadKeys.engine(Engine::produces)
            .about(
                    "`client`: the official Kafka client; `raw`: pre-encoded record batches",
                    "`client`：官方 Kafka 客户端；`raw`：预先编码的记录批次");

    public static final Key<Integer> CONNECTIONS = Key.count("connections", 1, LoadKeys.MOST_CLIENTS)
            .about(
                    "connections of each client to each broker; more than one with `engine: raw` only",
                    "每个 client 到每个 broker 的连接数；只有 `engine: raw` 才能多于一个");

    public static final Key<Rate> RATE = Key.<Rate>of(
                    "rate",
                    RateBinder.SHAPE,
                    RateBinder.UNLIMITED,
                    (entry, key) -> Optional.of(RateBinder.bind(entry.form(), entry.scale())),
                    Rate.class)
            .byDefault("`unlimited`", "`unlimited`")
            .about("of all threads of this entry together; see below", "此条目所有线程合计的速率；见下文");

    public static final Key<Arrivals> ARRIVALS = Key.choice(
                    "arrivals",
                    "uniform or poisson",
                    Map.of("uniform", Arrivals.UNIFORM, "poisson", Arrivals.POISSON),
                    Arrivals.UNIFORM)
            .rule((entry, arrivals) -> {
                if (arrivals == Arrivals.POISSON && entry.get(RATE) instanceof Rate.Unlimited) {
                    entry.problem("arrivals", "poisson arrivals need a rate, for example rate: 1000/s");
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
            .notWith(RECORDS, "a producer is bound by records or by duration; remove one of them")
            .endsLoad()
            .about("length of the measured window of this entry, instead of `records`", "此条目测量窗口的长度，用以代替 `records`");

    public static final Key<RecordSpec> RECORD = Key.of(
                    "record", RecordKeys.ALL, RecordSpec.DEFAULT, RecordBinder::bind, RecordSpec.class)
            .byDefault("see below", "见下文")
            .rule(ProducerBinder::checkSizes)
            .about("what a record looks like", "记录的样子");

    public static final Key<SendMode> SEND = Key.<SendMode>of(
                    "send", ProducerBinder.SEND, new SendMode.Async(), ProducerBinder::send, SendMode.class)
            .shown(ProducerBinder::text)
            .about("what a sending thread waits for", "发送线程等待什么");

    public static final Key<Transactions> TRANSACTIONS = Key.of(
                    "transactions",
                    ProducerBinder.TRANSACTIONS,
                    Transactions.NONE,
                    ProducerBinder::transactions,
                    Transactions.class)
            .shown(ProducerBinder::text)
            .about("see below", "见下文");

    public static final Key<List<Integer>> PARTITIONS = Key.of(
                    "partitions",
                    new KeyShape.Value("a partition such as 0, or a list such as [0, 2]"),
                    List.<Integer>of(),
                    ProducerBinder::partitions,
                    List.class,
                    Integer.class)
            .rule(ProducerBinder::checkPartitions)
            .about(
                    "a partition or a list of them: records go to these in turn, whatever their keys",
                    "一个分区或分区列表：记录轮流写入这些分区，与键无关");

    public static final Key<Map<String, String>> CONFIG = Key.properties(
                    "config", "a map such as {acks: all, linger.ms: 5}")
            .byDefault("none", "无")
            .rule(LoadKeys.wholeNumbers("max.request.size", "batch.size", "linger.ms", "buffer.memory"))
            .rule(ProducerBinder::checkAcks)
            .about("any property of the Kafka producer", "Kafka producer 的任意属性");

    public static final Key<Map<String, String>> ON = LoadKeys.agents();

    /** All of them, in the order in which they are read. */
    public static final Section ALL = Section.of(
            "a producer such as {topic: events, rate: 1000/s}",
            TOPIC,
            ONE_TOPIC_EACH,
            CLIENTS,
            THREADS,
            ENGINE,
            CONNECTIONS,
            RATE,
            ARRIVALS,
            RECORDS,
            DURATION,
            RECORD,
            SEND,
            TRANSACTIONS,
            PARTITIONS,
            CONFIG,
            ON);

    private ProducerKeys() {}
}
