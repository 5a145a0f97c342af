package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;

/** The keys of {@code record}, an entry's description of what a record looks like. */
public final class RecordKeys {
    private static final String COUNT = "a whole number of 1 or more";
    private static final String TEXT = "text";
    private static final int LARGEST_POOL = 1_000_000;

    public static final Key<Sizes> SIZE = Key.of(
                    "size",
                    new Open("a size such as 100, 1KB or 1KiB, or a map of weights such as {100: 9, 1KB: 1}"),
                    new Sizes(1000),
                    RecordBinder::sizes,
                    Sizes.class)
            .shown(sizes -> String.valueOf(sizes.largest()))
            .about(
                    "bytes of the value, or a map of sizes and how often they come: `{100: 9, 1KB: 1}`; ignored where"
                            + " values come from `file`, `files` or `template`",
                    "值的字节数，或由大小及其出现频度组成的映射：`{100: 9, 1KB: 1}`；当值来自 `file`、`files` 或 `template` 时忽略");

    private static final Section ZIPF = Section.of(
            "a map such as {s: 1.1, n: 10000}",
            Key.part("s", "a number more than 0 such as 1.1").about("the exponent", "指数"),
            Key.part("n", COUNT).about("how many keys", "键的个数"));

    public static final Key<KeySpec> KEY = Key.<KeySpec>of(
                    "key",
                    Section.of(
                            "none, sequential, {sequential: true}, {uniform: 1000}, {roundRobin: 1000},"
                                    + " {zipf: {s: 1.1, n: 10000}} or {fixed: \"abc\"}, each map with an optional type",
                            Key.part("sequential", "true")
                                    .about("0, 1, 2, … across all threads of the entry", "0、1、2……在此条目的所有线程间连续"),
                            Key.part("uniform", COUNT)
                                    .about("one of so many keys, all equally likely", "这么多键中的一个，概率均等"),
                            Key.part("roundRobin", COUNT)
                                    .about(
                                            "so many keys in turn; each sending thread begins elsewhere",
                                            "这么多键轮流使用；每个发送线程从不同处开始"),
                            Key.part("zipf", ZIPF)
                                    .about(
                                            "one of `n` keys, the k-th with a probability proportional to k to the"
                                                    + " power of −`s`; `s` is more than 0",
                                            "`n` 个键中的一个，第 k 个的概率与 k 的 −`s` 次方成正比；`s` 大于 0"),
                            Key.part("fixed", TEXT).about("always this key", "始终是这个键"),
                            Key.part("type", "int, string or bytes")
                                    .about(
                                            "`string` (default): decimal digits; `int`: 4 bytes, as Kafka's"
                                                    + " IntegerSerializer; `bytes`: 8 bytes, big-endian. A `fixed` key of"
                                                    + " type `int` or `bytes` is a whole number",
                                            "`string`（默认）：十进制数字；`int`：4 字节，同 Kafka 的 IntegerSerializer；"
                                                    + "`bytes`：8 字节，大端序。类型为 `int` 或 `bytes` 的 `fixed` 键是整数"),
                            Key.part("size", "a number of characters from 1 to 1000")
                                    .about(
                                            "the least number of characters: `{uniform: 1000, size: 10}` has keys such"
                                                    + " as `0000000042`",
                                            "最少字符数：`{uniform: 1000, size: 10}` 的键形如 `0000000042`")),
                    new KeySpec.None(),
                    RecordBinder::key,
                    KeySpec.class)
            .byDefault("`none`", "`none`")
            .about("see below", "见下文");

    public static final Key<Payload> PAYLOAD = Key.<Payload>of(
                    "payload",
                    Section.of(
                            "random, letters, constant, {file: data.txt}, {files: [a.bin, b.bin]} or"
                                    + " {template: \"order ${sequence}\"}",
                            Key.part("file", "the path of a file")
                                    .about(
                                            "pieces of a file, one picked at random per record; `delimiter` separates"
                                                    + " them (default: a line break)",
                                            "文件的片段，每条记录随机取一段；`delimiter` 为分隔符（默认换行）"),
                            Key.part("files", "a list of paths such as [a.bin, b.bin]")
                                    .about(
                                            "a list of files, each of them a value, one picked at random per record",
                                            "文件列表，每个文件是一个值，每条记录随机取一个"),
                            Key.part("delimiter", "text such as \"\\n\"")
                                    .about("what separates the pieces of a `file`", "`file` 中各片段的分隔符"),
                            Key.part("template", TEXT)
                                    .about(
                                            "a text in which `${sequence}` (from 0 on; `${sequence:N}` from N on),"
                                                    + " `${timestamp}`, `${random:N}` and `${uuid}` are filled in per"
                                                    + " record",
                                            "一段文本，其中 `${sequence}`（从 0 起；`${sequence:N}` 从 N 起）、`${timestamp}`、"
                                                    + "`${random:N}` 和 `${uuid}` 逐条记录填入")),
                    new Payload.Random(),
                    RecordBinder::payload,
                    Payload.class)
            .byDefault("`random`", "`random`")
            .about(
                    "`random`: fresh bytes for each record; `letters`: fresh capital letters, as Kafka's own"
                            + " performance tool sends (they compress to about 60 %); `constant`: zero bytes; or a `file`,"
                            + " `files` or a `template`",
                    "`random`：每条记录都是新的字节；`letters`：新的大写字母，与 Kafka 自带性能工具发送的一样（可压缩到约 60 %）；"
                            + "`constant`：全零字节；或者 `file`、`files`、`template`");

    public static final Key<Double> RANDOM_BYTES_RATIO = Key.scalar(
                    "randomBytesRatio", "a number from 0 to 1", 1.0, Quantities::ratio)
            .about("share of each random value that cannot be compressed", "每个随机值中不可压缩部分的比例");

    public static final Key<Integer> POOL = Key.count("pool", 0, LARGEST_POOL)
            .byDefault("", "")
            .rule((record, pool) -> {
                if (pool > 0 && !(record.get(PAYLOAD) instanceof Payload.Random)) {
                    record.problem("pool", "is for random values; remove it or write payload: random");
                }
            })
            .about(
                    "so many different contents for random values, one picked at random per record, instead of a new"
                            + " one for each",
                    "随机值只有这么多种不同内容，每条记录随机取一种，而不是每条都新生成");

    public static final Key<Headers> HEADERS = Key.of(
                    "headers",
                    Section.of(
                            "a number of headers, or a map such as {count: 2, keySize: 8, valueSize: 16}",
                            Key.part("count", "a whole number of 0 or more").about("how many headers", "header 个数"),
                            Key.part("keySize", "a size such as 8").about("bytes of each name", "每个名称的字节数"),
                            Key.part("valueSize", "a size such as 16 or 1KB").about("bytes of each value", "每个值的字节数")),
                    Headers.NONE,
                    RecordBinder::headers,
                    Headers.class)
            .byDefault("`0`", "`0`")
            .about(
                    "how many headers, each with a name of 8 and a value of 16 bytes; or a map of `count`, `keySize`,"
                            + " `valueSize`",
                    "header 个数，每个名称 8 字节、值 16 字节；或由 `count`、`keySize`、`valueSize` 组成的映射");

    /** All of them, in the order in which they are read. */
    public static final Section ALL =
            Section.of("a map such as {size: 100}", SIZE, KEY, PAYLOAD, RANDOM_BYTES_RATIO, POOL, HEADERS);

    private RecordKeys() {}
}
