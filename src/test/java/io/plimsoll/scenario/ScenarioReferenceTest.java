package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.KeyShape.Entries;
import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.KeyShape.Value;
import io.plimsoll.testing.Markdown;
import io.plimsoll.testing.ReferencePage;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Guards that docs/reference/scenario.md lists the declared keys, and that the examples of the guides are valid. {@code
 * -Dplimsoll.write=true} writes the page.
 */
class ScenarioReferenceTest {
    private static final List<String> ANCHORS = List.of(
            "#quantities",
            "#warm-up",
            "#topics",
            "#producers",
            "#consumers",
            "#connections",
            "#lab",
            "#faults",
            "#reference",
            "#defaults",
            "#checks",
            "#checks-between-trials",
            "#trials-and-matrix");

    /** Anchors of sections with another word as their path. */
    private static final Map<String, String> ALIASES = Map.of("warmup", "warm-up", "trials", "trials-and-matrix");

    /** Short names of types, by the sentence that an error uses for them. */
    private static final Map<String, List<String>> TYPES = Map.of(
            "scenario.a.duration", List.of("duration", "时长"),
            "scenario.a.size", List.of("size", "大小"),
            "scenario.a.amount", List.of("size", "大小"),
            "scenario.a.count.least", List.of("count", "数量"),
            "scenario.a.records", List.of("count", "数量"),
            "scenario.a.ratio", List.of("ratio", "比例"),
            "scenario.a.rate", List.of("rate", "速率"),
            "scenario.a.text", List.of("text", "文本"));

    private static final String PROBED = """
        topics: [{name: t}]
        producers: [{topic: t}]
        consumers: [{topic: t}]
        connections: [{count: 1}]
        faults: [{at: 1s, kill: any}]
        """;

    @ParameterizedTest
    @EnumSource(Language.class)
    void pageListsDeclaredKeys(Language language) throws IOException {
        ReferencePage page = new ReferencePage("scenario", language, "Scenario keys", "场景文件的键");
        page.paragraph(
                "A scenario is a YAML 1.2 file that describes a load and the conditions that must hold under it."
                        + " [Write a scenario](../guides/scenario-files.md) shows how. `plimsoll scenarios --keys NAME` prints the"
                        + " entries of this page.",
                "场景是一个 YAML 1.2 文件，描述负载以及负载下必须满足的条件。写法见[编写场景](../guides/scenario-files.md)。"
                        + "`plimsoll scenarios --keys NAME` 打印本页的条目。");
        quantities(page);
        page.heading(2, "the-file-as-a-whole", "The file as a whole", "整个文件");
        keys(page, language, "", List.copyOf(Scenario.ALL.keys().values()));
        Scenario.ALL.keys().values().forEach(key -> section(page, language, key.name(), key, 2));
        checks(page);
        defaults(page);
        page.assertCurrent();
    }

    private static void quantities(ReferencePage page) {
        page.heading(2, "quantities", "Quantities", "数量的写法")
                .table("Type|Notation", "类型|写法")
                .row(
                        page.say("duration", "时长"),
                        page.say(
                                "A number and a unit: `500ms`, `15s`, `10m`, `1h`; also `ns`, `us`, `d`. The unit is required.",
                                "数字加单位：`500ms`、`15s`、`10m`、`1h`；还有 `ns`、`us`、`d`。单位必填。"))
                .row(
                        page.say("rate", "速率"),
                        page.say(
                                "Records: `50000/s`, `50k/s`, `1.5M/s`. Bytes of keys and values: `20MB/s`, `1.5GB/s`."
                                        + " Bytes of record batches after compression: `20MB/s wire`.",
                                "记录数：`50000/s`、`50k/s`、`1.5M/s`。键和值的字节数：`20MB/s`、`1.5GB/s`。"
                                        + "压缩后记录批次的字节数：`20MB/s wire`。"))
                .row(
                        page.say("size", "大小"),
                        page.say(
                                "Bytes: `100`, `1KB`. KB, MB and GB are powers of 1000; KiB, MiB and GiB are powers of 1024.",
                                "字节数：`100`、`1KB`。KB、MB、GB 是 1000 的幂；KiB、MiB、GiB 是 1024 的幂。"))
                .row(
                        page.say("count", "数量"),
                        page.say("`1000000`, `1_000_000`, `10k`, `1M`", "`1000000`、`1_000_000`、`10k`、`1M`"))
                .row(page.say("ratio", "比例"), page.say("A number from 0 to 1, or `95%`.", "0 到 1 的数，或 `95%`。"));
    }

    /** The keys below a key, in their own section. */
    private static void section(ReferencePage page, Language language, String path, Key<?> key, int level) {
        Section below = key.shape().below();
        if (below == null || below.keys().isEmpty()) {
            return;
        }
        page.heading(level, ALIASES.getOrDefault(path, ""), "`" + path + "`", "`" + path + "`");
        if (path.equals("faults")) {
            faults(page, language);
        } else {
            keys(page, language, path + ".", List.copyOf(below.keys().values()));
        }
        below.keys().values().forEach(inner -> section(page, language, path + "." + inner.name(), inner, 3));
    }

    private static void keys(ReferencePage page, Language language, String before, List<? extends Key<?>> keys) {
        page.table("Key|Type|Default|Range|Meaning", "键|类型|默认值|范围|含义");
        keys.forEach(key -> page.row(
                ReferencePage.code(key.name()),
                type(key, language),
                key.defaultText(language),
                range(before + key.name(), key),
                about(key, language)));
    }

    private static void faults(ReferencePage page, Language language) {
        List<Key<?>> kinds =
                FaultKind.all().values().stream().<Key<?>>map(FaultKind::key).toList();
        page.paragraph("An entry has one of these keys. Its value is the target of the fault.", "每个条目有下列键之一，其值是故障的目标。");
        page.table("Key|Target|Ends with|Effect", "键|目标|结束方式|效果");
        FaultKind.all()
                .values()
                .forEach(kind -> page.row(
                        ReferencePage.code(kind.name()),
                        kind.key().shape().expected().in(language),
                        ReferencePage.code(kind.end().name()),
                        about(kind.key(), language)));
        page.paragraph("Further keys of an entry:", "条目的其他键：");
        keys(
                page,
                language,
                "faults.",
                FaultSpec.all().stream().filter(key -> !kinds.contains(key)).toList());
    }

    private static String about(Key<?> key, Language language) {
        return ReferencePage.unlinked(key.about(language), ANCHORS);
    }

    private static String type(Key<?> key, Language language) {
        boolean english = language == Language.EN;
        KeyShape shape = key.shape();
        if (shape instanceof Entries) {
            return english ? "list" : "列表";
        }
        if (shape instanceof Open
                || (shape instanceof Section section && section.words().isEmpty() && !section.scalar())) {
            return english ? "map" : "映射";
        }
        if (shape instanceof Value value && !value.words().isEmpty()) {
            return value.words().stream().map(ReferencePage::code).collect(Collectors.joining(english ? ", " : "、"));
        }
        List<String> names = TYPES.get(shape.expected().key());
        return names == null ? shape.expected().in(language) : names.get(english ? 0 : 1);
    }

    /** The range in the reader's message for a value that is too low; empty if the message has none. */
    private static String range(String path, Key<?> key) {
        if (!(key.shape() instanceof Value value) || !value.words().isEmpty()) {
            return "";
        }
        Optional<Sentence> refused = refusal(path, "-1");
        if (refused.isPresent() && refused.get().key().endsWith(".range")) {
            return refused.get().arguments().stream()
                    .map(bound -> String.format(Locale.ROOT, "%,d", Long.parseLong(bound.toString())))
                    .collect(Collectors.joining("–"));
        }
        if (refused.isPresent() && refused.get().key().endsWith(".least")) {
            return "≥ " + refused.get().arguments().get(0);
        }
        if (refused.filter(sentence -> sentence.equals(Quantities.RATIO)).isPresent()) {
            return "0–1";
        }
        return refusal(path, "0s")
                .filter(sentence -> sentence.key().equals("scenario.a.someDuration"))
                .map(sentence -> "> 0")
                .orElse("");
    }

    /** The expected value in the reader's message; empty if the value is accepted. */
    private static Optional<Sentence> refusal(String path, String value) {
        try {
            ScenarioReader.read(PROBED, "probed", List.of(path + "=" + value), 1);
            return Optional.empty();
        } catch (ScenarioException e) {
            return e.problems().stream()
                    .filter(problem -> problem.path().replaceAll("\\[\\d+]", "").equals(path))
                    .map(Problem::message)
                    .filter(message -> "scenario.expected".equals(message.key()))
                    .map(message -> message.arguments().get(0))
                    .filter(Sentence.class::isInstance)
                    .map(Sentence.class::cast)
                    .findFirst();
        }
    }

    private static void checks(ReferencePage page) {
        page.heading(2, "checks", "Checks", "检查");
        page.paragraph(
                "`FIGURE COMPARISON LIMIT`, such as `produce.response.p99 < 50ms`. [Figures](figures.md) lists all figures and the"
                        + " notation of their limits. With `for 95% of seconds` at the end, the check is evaluated in each second of the"
                        + " measured window and passes if it holds in that share of them.",
                "`指标 比较符 限值`，例如 `produce.response.p99 < 50ms`。[指标](figures.md)列出所有指标及其限值的写法。"
                        + "末尾加 `for 95% of seconds` 时，检查在测量窗口内逐秒判断，成立的秒数达到该比例即通过。");
        page.heading(3, "checks-between-trials", "Checks between trials", "试验之间的检查");
        page.paragraph(
                "A check at the top level of the file can compare trials. `trials.\"NAME\".FIGURE` is a figure of one trial; the quotes are optional"
                        + " around one word without dots.",
                "整个文件的检查可以比较不同试验。`trials.\"名称\".指标` 是一次试验的指标；名称是不含点的单个词时可以省略引号。");
        page.table("Check|Passes if", "检查|何时通过")
                .row(
                        "`trials.\"b\".produce.throughput > trials.\"a\".produce.throughput`",
                        page.say("The comparison holds.", "比较成立。"))
                .row(
                        "`trials.\"b\".produce.throughput / trials.\"a\".produce.throughput > 1.2`",
                        page.say("The ratio meets a number or another ratio.", "比值满足一个数或另一个比值。"))
                .row(
                        "`trials.\"b\".produce.response.p99 within 10 % of trials.\"a\".produce.response.p99`",
                        page.say("The values differ by at most 10 % of the second.", "两值之差不超过第二个值的 10 %。"))
                .row(
                        "`trials.b.produce[team=payments].response.p99 < trials.a.produce[team=payments].response.p99`",
                        page.say("The comparison holds for the clients with this label.", "对带有该标签的客户端，比较成立。"))
                .row("`trials.\"b\".produce.throughput > 10MB/s`", page.say("The trial meets the limit.", "该试验满足限值。"))
                .row(
                        "`trials.\"b\".produce.throughput > trials.\"a\".produce.throughput in records/s`",
                        page.say(
                                "The comparison holds in records per second. Without a unit, throughputs are compared in bytes.",
                                "以每秒记录数比较时成立。不写单位时，吞吐量按字节比较。"));
    }

    private static void defaults(ReferencePage page) {
        page.heading(2, "defaults", "Client defaults", "客户端默认值");
        page.paragraph(
                "`defaults` applies the default settings of an earlier Kafka client where `config` does not set a property.",
                "`defaults` 在 `config` 未设置某属性时采用较早 Kafka 客户端的默认值。");
        page.table("`defaults`|Producers|Consumers", "`defaults`|生产者|消费者");
        Scenario.ClientDefaults.BY_NAME.forEach((name, defaults) -> page.row(
                ReferencePage.code(name),
                properties(defaults.producer(Map.of(), false)),
                properties(defaults.consumer(Map.of()))));
    }

    private static String properties(Map<String, String> all) {
        return all.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(property -> ReferencePage.code(property.getKey() + "=" + property.getValue()))
                .collect(Collectors.joining(", "));
    }

    @Test
    void everyKeyIsDescribedInBothLanguages() {
        assertThat(Scenario.ALL.byPath().values()).allSatisfy(key -> {
            assertThat(key.about(Language.EN)).as(key.name()).isNotBlank();
            assertThat(key.about(Language.ZH)).as(key.name()).containsPattern("[\\p{IsHan}`]");
        });
    }

    /** The bounds on the page are the bounds that the reader enforces. */
    @Test
    void statesRangesOfNumbers() {
        assertThat(range("producers.clients", ProducerSpec.CLIENTS)).isEqualTo("1–10,000");
        assertThat(range("topics.partitions", TopicSpec.PARTITIONS)).isEqualTo("1–200,000");
    }

    @ParameterizedTest
    @MethodSource("examples")
    void examplesInGuidesAreValid(String yaml) {
        StringBuilder whole = new StringBuilder(yaml);
        if (!yaml.contains("topics:")) {
            whole.append("topics: [{name: events, partitions: 6}, {name: \"events-[1-3]\"}]\n");
        }
        if (!yaml.contains("producers:")) {
            whole.append("consumers: [{topic: ")
                    .append(yaml.contains("prices") ? "prices" : "events")
                    .append("}]\n");
        }
        assertThat(ScenarioReader.read(whole.toString(), "example", List.of(), 1)
                        .trials())
                .isNotEmpty();
    }

    /** The YAML of the guides about scenario files. */
    static Stream<String> examples() throws IOException {
        Map<String, String> examples = new LinkedHashMap<>();
        for (String guide : List.of("scenario-files", "shape-the-load", "inject-faults")) {
            Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                    .matcher(Files.readString(Path.of("docs", "guides", guide + ".md")))
                    .results()
                    .map((MatchResult match) -> match.group(1))
                    .forEach(yaml -> examples.put(yaml, guide));
        }
        assertThat(examples).hasSizeGreaterThan(8);
        return new ArrayList<>(examples.keySet()).stream();
    }

    @Test
    void everyAnchorExists() {
        List<String> anchors = Markdown.anchors(Path.of("docs", "reference", "scenario.md"));
        assertThat(ANCHORS).allMatch(anchor -> anchors.contains(anchor.substring(1)));
    }
}
