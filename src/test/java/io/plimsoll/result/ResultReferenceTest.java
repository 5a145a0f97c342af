package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.testing.ReferencePage;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Guards that docs/reference/result.md lists the fields of the published schema; {@code -Dplimsoll.write=true} writes
 * it. The Chinese words are in {@code reference/result.zh.properties}, by definition and field.
 */
class ResultReferenceTest {
    private static final Path SCHEMA = Path.of("src/main/resources/schema/plimsoll.result-1.json");
    private static final Path WORDS = Path.of("src/test/resources/reference/result.zh.properties");
    private static final String REFERENCE = "#/$defs/";
    private static final String ROOT = "result";
    private static final Map<String, String> TYPES =
            Map.of("integer", "整数", "number", "数", "string", "字符串", "boolean", "布尔", "object", "对象", "array", "数组");

    @ParameterizedTest
    @EnumSource(Language.class)
    void pageListsSchemaFields(Language language) throws IOException {
        JsonNode schema = Json.MAPPER.readTree(SCHEMA.toFile());
        Properties chinese = words();
        ReferencePage page = new ReferencePage("result", language, "Results", "运行结果");
        directory(page);
        page.heading(2, "result-json", "`result.json`", "`result.json`");
        page.paragraph(
                "The [JSON Schema](../../src/main/resources/schema/plimsoll.result-1.json) is the contract: fields are added, and none"
                        + " changes its meaning. Times are seconds and latencies are microseconds where a name does not say"
                        + " otherwise. Beside a field with a sentence, a field with `Keyed` at the end of its name holds the key and the"
                        + " arguments of that sentence.",
                "[JSON Schema](../../../src/main/resources/schema/plimsoll.result-1.json) 是契约：字段只增加，含义不变。"
                        + "名称未另行说明时，时间以秒计，延迟以微秒计。含有句子的字段旁边，名称以 `Keyed` 结尾的字段给出该句子的键和参数。");
        object(page, language, ROOT, schema, chinese);
        for (String name : reachable(schema)) {
            JsonNode definition = schema.get("$defs").get(name);
            if (definition.has("properties")) {
                page.heading(3, "", name, name);
                object(page, language, name, definition, chinese);
            }
        }
        page.assertCurrent();
    }

    private static void directory(ReferencePage page) {
        page.paragraph(
                "Each run creates a directory `runs/<UTC time>-<name>/`; `--out` changes the parent directory. Passwords, tokens and"
                        + " keys are never stored in it.",
                "每次运行创建目录 `runs/<UTC 时间>-<名称>/`；`--out` 更改上级目录。其中绝不保存密码、令牌和密钥。");
        page.heading(2, "run-directory", "Run directory", "运行目录");
        page.table("File|Content", "文件|内容")
                .row(
                        "`report.html`",
                        page.say(
                                "The report with charts: one file without external requests, in English and Chinese.",
                                "带图表的报告：一个文件，不访问网络，含中英文。"))
                .row(
                        "`report.md`",
                        page.say(
                                "The complete report as text. Its charts are SVG files in `report-pictures/`.",
                                "完整的文本报告。图表是 `report-pictures/` 中的 SVG 文件。"))
                .row(
                        "`result.json`",
                        page.say("The result for programs. `--json` prints it.", "供程序使用的结果。`--json` 打印它。"))
                .row(
                        "`timeline.jsonl`",
                        page.say(
                                "One entry per second of each trial, written during the run; per minute for all but the last hour. All"
                                        + " reports are made from it.",
                                "每次试验每秒一条，运行中写入；最近一小时之前的按分钟合并。所有报告都由它生成。"))
                .row("`scenario.yaml`", page.say("The scenario as it was run.", "实际运行的场景。"))
                .row(
                        "`plimsoll.log`",
                        page.say(
                                "Phases, faults, decisions of a search, disconnects, rebalances and warnings: for bug reports.",
                                "各阶段、故障、搜索的决定、连接断开、再均衡和警告：供报告缺陷使用。"))
                .row(
                        "`broker-logs/`",
                        page.say("Logs of the lab's brokers, if the run did not pass.", "运行未通过时，lab 的 broker 的日志。"));
    }

    /** The definitions in reading order. */
    private static Set<String> reachable(JsonNode schema) {
        Set<String> names = new LinkedHashSet<>();
        List<JsonNode> open = new ArrayList<>(List.of(schema.get("properties")));
        while (!open.isEmpty()) {
            open.remove(0).findValuesAsText("$ref").stream()
                    .map(reference -> reference.substring(REFERENCE.length()))
                    .filter(name -> !name.startsWith("sentence") && !name.equals("arguments"))
                    .filter(names::add)
                    .forEach(name -> open.add(schema.get("$defs").get(name)));
        }
        return names;
    }

    private static void object(
            ReferencePage page, Language language, String name, JsonNode definition, Properties chinese) {
        String about = said(language, definition, chinese, name);
        if (!about.isEmpty() && !name.equals(ROOT)) {
            page.paragraph(about);
        }
        page.table("Field|Type|Meaning", "字段|类型|含义");
        definition.get("properties").properties().forEach(field -> {
            if (!field.getKey().endsWith("Keyed")) {
                page.row(
                        ReferencePage.code(field.getKey()),
                        type(page, field.getValue()),
                        said(language, field.getValue(), chinese, name + "." + field.getKey()));
            }
        });
    }

    private static String said(Language language, JsonNode node, Properties chinese, String key) {
        String english = node.path("description").asText();
        String text = language == Language.EN ? english : chinese.getProperty(key, english);
        return text.replaceAll("</?[a-z]+>", " ")
                .replaceAll("\\s+", " ")
                .replace("*", "\\*")
                .replace("<", "\\<")
                .strip();
    }

    private static String type(ReferencePage page, JsonNode node) {
        if (node.has("const")) {
            return ReferencePage.code(node.get("const").asText());
        }
        if (node.has("enum")) {
            return StreamSupport.stream(node.get("enum").spliterator(), false)
                    .map(value -> ReferencePage.code(value.asText()))
                    .collect(Collectors.joining(page.say(", ", "、")));
        }
        if (node.has("$ref")) {
            String name = node.get("$ref").asText().substring(REFERENCE.length());
            return name.startsWith("sentence") || name.equals("arguments")
                    ? name
                    : "[" + name + "](#" + name.toLowerCase(Locale.ROOT).replace(".", "") + ")";
        }
        if (node.has("anyOf")) {
            return StreamSupport.stream(node.get("anyOf").spliterator(), false)
                    .map(one -> type(page, one))
                    .collect(Collectors.joining(page.say(", ", "、")));
        }
        List<String> names = new ArrayList<>();
        JsonNode types = node.path("type");
        (types.isArray() ? types : Json.MAPPER.createArrayNode().add(types)).forEach(type -> names.add(type.asText()));
        String joined = names.stream()
                .map(name -> page.say(name, TYPES.getOrDefault(name, name)))
                .collect(Collectors.joining(page.say(", ", "、")));
        return node.has("items") && node.get("items").size() > 0
                ? joined + page.say(" of ", "：") + type(page, node.get("items"))
                : joined;
    }

    private static Properties words() throws IOException {
        Properties words = new Properties();
        try (Reader in = Files.newBufferedReader(WORDS)) {
            words.load(in);
        }
        return words;
    }

    /** Texts of a missing field would never be shown. */
    @Test
    void chineseTextsBelongToExistingFields() throws IOException {
        JsonNode schema = Json.MAPPER.readTree(SCHEMA.toFile());
        assertThat(words().stringPropertyNames()).allSatisfy(key -> {
            int dot = key.lastIndexOf('.');
            boolean definition = schema.get("$defs").has(key);
            JsonNode of = key.startsWith(ROOT + ".")
                    ? schema
                    : schema.get("$defs").path(dot < 0 ? key : key.substring(0, dot));
            assertThat(definition || of.path("properties").has(key.substring(dot + 1)))
                    .as(key)
                    .isTrue();
        });
    }
}
