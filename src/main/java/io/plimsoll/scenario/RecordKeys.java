package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.RecordSpec.Headers;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.Sizes;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code record}, an entry's description of what a record looks like. */
public final class RecordKeys {
    private static final int LARGEST_POOL = 1_000_000;
    private static final int MOST_HEADERS = 1000;
    private static final int LONGEST_KEY = 1000;
    private static final long MOST_INTEGERS = 1L << 31;

    public static final Key<Sizes> SIZE = Key.of(
                    "size",
                    new Open(Sentence.of("scenario.a.sizeOrMix", "{100: 9, 1KB: 1}")),
                    new Sizes(1000),
                    RecordKeys::sizes,
                    Sizes.class)
            .shown(sizes -> String.valueOf(sizes.largest()))
            .about(
                    "bytes of the value, or a map of sizes and how often they come: `{100: 9, 1KB: 1}`; ignored where"
                            + " values come from `file`, `files` or `template`",
                    "值的字节数，或由大小及其出现频度组成的映射：`{100: 9, 1KB: 1}`；当值来自 `file`、`files` 或 `template` 时忽略");

    private static final Key<Double> EXPONENT = Key.scalar(
                    "s", Sentence.of("scenario.a.exponent"), 1.0, RecordKeys::exponent)
            .required()
            .about("the exponent", "指数");
    private static final Key<Long> KEYS = Quantities.many("n").required().about("how many keys", "键的个数");
    private static final Key<KeySpec.Type> TYPE = Key.choice(
                    "type", KeySpec.Type.STRING, List.of(KeySpec.Type.values()), KeySpec.Type::word)
            .about(
                    "`string` (default): decimal digits; `int`: 4 bytes, as Kafka's IntegerSerializer; `bytes`: 8"
                            + " bytes, big-endian. A `fixed` key of type `int` or `bytes` is a whole number",
                    "`string`（默认）：十进制数字；`int`：4 字节，同 Kafka 的 IntegerSerializer；`bytes`：8 字节，大端序。"
                            + "类型为 `int` 或 `bytes` 的 `fixed` 键是整数");
    private static final Key<Integer> KEY_SIZE = Key.count("size", 0, LONGEST_KEY)
            .about(
                    "the least number of characters: `{uniform: 1000, size: 10}` has keys such as `0000000042`",
                    "最少字符数：`{uniform: 1000, size: 10}` 的键形如 `0000000042`");
    private static final Key<Boolean> SEQUENTIAL = Key.choice("sequential", true, List.of(true), String::valueOf)
            .about("0, 1, 2, … across all threads of the entry", "0、1、2……在此条目的所有线程间连续");
    private static final Key<Long> UNIFORM =
            Quantities.many("uniform").about("one of so many keys, all equally likely", "这么多键中的一个，概率均等");
    private static final Key<Long> ROUND_ROBIN = Quantities.many("roundRobin")
            .about("so many keys in turn; each sending thread begins elsewhere", "这么多键轮流使用；每个发送线程从不同处开始");
    private static final Key<Settings> ZIPF = Key.section(
                    "zipf", Section.of("{s: 1.1, n: 10000}", EXPONENT, KEYS), Settings.NONE, EntryReading::settings)
            .about(
                    "one of `n` keys, the k-th with a probability proportional to k to the power of −`s`; `s` is more"
                            + " than 0",
                    "`n` 个键中的一个，第 k 个的概率与 k 的 −`s` 次方成正比；`s` 大于 0");
    private static final Key<String> FIXED = Key.text("fixed").about("always this key", "始终是这个键");

    public static final Key<KeySpec> KEY = new Forms<KeySpec>()
            .word("none", new KeySpec.None())
            .word("sequential", new KeySpec.Sequential(KeySpec.Type.STRING))
            .form(SEQUENTIAL, (entry, yes) -> numbers(entry, new KeySpec.Sequential(entry.get(TYPE))))
            .form(UNIFORM, (entry, n) -> numbers(entry, new KeySpec.Uniform(n, entry.get(TYPE))))
            .form(ROUND_ROBIN, (entry, n) -> numbers(entry, new KeySpec.RoundRobin(n, entry.get(TYPE))))
            .form(
                    ZIPF,
                    (entry, zipf) ->
                            numbers(entry, new KeySpec.Zipf(zipf.get(EXPONENT), zipf.get(KEYS), entry.get(TYPE))))
            .form(FIXED, RecordKeys::fixed)
            .keys(TYPE, KEY_SIZE)
            .key(
                    "key",
                    Sentence.of(
                            "scenario.a.key",
                            Sentence.or(List.of(
                                    "none",
                                    "sequential",
                                    "{sequential: true}",
                                    "{uniform: 1000}",
                                    "{roundRobin: 1000}",
                                    "{zipf: {s: 1.1, n: 10000}}",
                                    "{fixed: \"abc\"}"))),
                    new KeySpec.None(),
                    KeySpec.class)
            .byDefault("`none`", "`none`")
            .about("see below", "见下文");

    private static final Key<String> FILE = Key.scalar("file", Sentence.of("scenario.a.path"), "", RecordKeys::notEmpty)
            .about(
                    "pieces of a file, one picked at random per record; `delimiter` separates them (default: a line"
                            + " break)",
                    "文件的片段，每条记录随机取一段；`delimiter` 为分隔符（默认换行）");
    private static final Key<String> DELIMITER = Key.scalar(
                    "delimiter", Sentence.of("scenario.a.text"), "\n", RecordKeys::notEmpty)
            .about("what separates the pieces of a `file`", "`file` 中各片段的分隔符");
    private static final Key<List<String>> FILES = Key.of(
                    "files",
                    new KeyShape.Value(Sentence.of("scenario.a.paths", "[a.bin, b.bin]")),
                    List.<String>of(),
                    (entry, key) -> entry.list(key, false, RecordKeys::notEmpty))
            .about("a list of files, each of them a value, one picked at random per record", "文件列表，每个文件是一个值，每条记录随机取一个");
    private static final Key<String> TEMPLATE = Key.scalar(
                    "template", Sentence.of("scenario.a.text"), "", RecordKeys::notEmpty)
            .content(Key.Content.HIDDEN)
            .about(
                    "a text in which `${sequence}` (from 0 on; `${sequence:N}` from N on), `${timestamp}`,"
                            + " `${random:N}` and `${uuid}` are filled in per record",
                    "一段文本，其中 `${sequence}`（从 0 起；`${sequence:N}` 从 N 起）、`${timestamp}`、"
                            + "`${random:N}` 和 `${uuid}` 逐条记录填入");
    public static final Key<Payload> PAYLOAD = new Forms<Payload>()
            .word("random", new Payload.Random())
            .word("letters", new Payload.Letters())
            .word("constant", new Payload.Constant())
            .form(FILE, (entry, path) -> new Payload.File(path, entry.get(DELIMITER)), DELIMITER)
            .form(FILES, Payload.Files::new)
            .form(TEMPLATE, Payload.Template::new)
            .key(
                    "payload",
                    Sentence.or(List.of(
                            "random",
                            "letters",
                            "constant",
                            "{file: data.txt}",
                            "{files: [a.bin, b.bin]}",
                            "{template: \"order ${sequence}\"}")),
                    new Payload.Random(),
                    Payload.class)
            .byDefault("`random`", "`random`")
            .about(
                    "`random`: fresh bytes for each record; `letters`: fresh capital letters, as Kafka's own"
                            + " performance tool sends (they compress to about 60 %); `constant`: zero bytes; or a `file`,"
                            + " `files` or a `template`",
                    "`random`：每条记录都是新的字节；`letters`：新的大写字母，与 Kafka 自带性能工具发送的一样（可压缩到约 60 %）；"
                            + "`constant`：全零字节；或者 `file`、`files`、`template`");

    public static final Key<Double> RANDOM_BYTES_RATIO = Key.scalar(
                    "randomBytesRatio", Quantities.RATIO, 1.0, Quantities::ratio)
            .about("share of each random value that cannot be compressed", "每个随机值中不可压缩部分的比例");
    public static final Key<Integer> POOL = Key.count("pool", 0, LARGEST_POOL)
            .byDefault("", "")
            .rule((record, pool) -> {
                if (pool > 0 && !(record.get(PAYLOAD) instanceof Payload.Random)) {
                    record.problemAt("pool", Sentence.of("scenario.poolNotRandom"));
                }
            })
            .about(
                    "so many different contents for random values, one picked at random per record, instead of a new"
                            + " one for each",
                    "随机值只有这么多种不同内容，每条记录随机取一种，而不是每条都新生成");

    private static final Key<Integer> HEADER_COUNT = Key.scalar(
                    "count", Quantities.count(0), 0, RecordKeys::headerCount)
            .required()
            .about("how many headers", "header 个数");
    private static final Key<Integer> NAME_SIZE = Key.scalar(
                    "keySize", Quantities.SIZE, Headers.NONE.keyBytes(), Quantities::size)
            .about("bytes of each name", "每个名称的字节数");
    private static final Key<Integer> VALUE_SIZE = Key.scalar(
                    "valueSize", Quantities.SIZE, Headers.NONE.valueBytes(), Quantities::size)
            .about("bytes of each value", "每个值的字节数");
    public static final Key<Headers> HEADERS = new Forms<Headers>()
            .scalar(text -> new Headers(headerCount(text), Headers.NONE.keyBytes(), Headers.NONE.valueBytes()))
            .keys(HEADER_COUNT, NAME_SIZE, VALUE_SIZE)
            .map(entry -> new Headers(entry.get(HEADER_COUNT), entry.get(NAME_SIZE), entry.get(VALUE_SIZE)))
            .key(
                    "headers",
                    Sentence.of("scenario.a.headers", "{count: 2, keySize: 8, valueSize: 16}"),
                    Headers.NONE,
                    Headers.class)
            .byDefault("`0`", "`0`")
            .about(
                    "how many headers, each with a name of 8 and a value of 16 bytes; or a map of `count`, `keySize`,"
                            + " `valueSize`",
                    "header 个数，每个名称 8 字节、值 16 字节；或由 `count`、`keySize`、`valueSize` 组成的映射");

    /** All of them, in the order in which they are read. */
    public static final Section ALL = Section.of("{size: 100}", SIZE, KEY, PAYLOAD, RANDOM_BYTES_RATIO, POOL, HEADERS);

    private RecordKeys() {}

    private static Optional<Sizes> sizes(EntryReading record, String key) {
        if (!(record.node(key).orElseThrow() instanceof YamlNode.Fields)) {
            return record.read(key, Quantities::size).map(Sizes::new);
        }
        List<WeightedSize> mix = new ArrayList<>();
        Map<String, String> weights = record.config(key);
        if (weights.isEmpty()) {
            record.problemAt(key, Sentence.of("scenario.noSizes"));
        }
        weights.forEach((size, weight) -> {
            try {
                mix.add(new WeightedSize(Quantities.size(size), weight(weight)));
            } catch (InvalidValueException e) {
                record.problemInMap(key, size, e.sentence());
            }
        });
        return mix.isEmpty() ? Optional.empty() : Optional.of(new Sizes(mix));
    }

    private static double weight(String text) {
        double weight = Quantities.number(text);
        if (weight <= 0) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.weight"), text);
        }
        return weight;
    }

    /** Keys that are numbers, as text perhaps with zeros in front. */
    private static KeySpec numbers(EntryReading entry, KeySpec numbers) {
        KeySpec.Type type = entry.get(TYPE);
        long n = Math.max(
                Math.max(entry.get(UNIFORM), entry.get(ROUND_ROBIN)),
                entry.get(ZIPF).get(KEYS));
        if (type == KeySpec.Type.INTEGER && n > MOST_INTEGERS) {
            entry.problemAt("type", Sentence.of("scenario.tooManyIntegers", MOST_INTEGERS));
        }
        requireNumbers(entry, type == KeySpec.Type.STRING);
        return entry.get(KEY_SIZE) > 0 ? new KeySpec.Padded(numbers, entry.get(KEY_SIZE)) : numbers;
    }

    private static void requireNumbers(EntryReading entry, boolean are) {
        if (entry.has(KEY_SIZE.name()) && !are) {
            entry.problemAt(KEY_SIZE.name(), Sentence.of("scenario.sizeOfNumbers"));
        }
    }

    private static double exponent(String text) {
        double exponent = Quantities.number(text);
        if (exponent <= 0 || exponent > 100) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.exponent"), text);
        }
        return exponent;
    }

    private static KeySpec fixed(EntryReading entry, String value) {
        requireNumbers(entry, false);
        KeySpec.Type type = entry.get(TYPE);
        entry.read(FIXED.name(), text -> switch (type) {
            case INTEGER -> Quantities.count(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BYTES -> Quantities.count(text, Long.MIN_VALUE, Long.MAX_VALUE);
            case STRING -> 0L;
        });
        return new KeySpec.Fixed(value, type);
    }

    private static String notEmpty(String text) {
        if (text.isEmpty()) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.someText"), text);
        }
        return text;
    }

    private static int headerCount(String text) {
        return (int) Quantities.count(text, 0, MOST_HEADERS);
    }
}
