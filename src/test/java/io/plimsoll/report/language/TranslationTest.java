package io.plimsoll.report.language;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Json;
import io.plimsoll.testing.RecordedRuns;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every sentence of a result has its translation, with the same places for what differs. */
class TranslationTest {
    private static final Translation ZH = Translation.to(Language.ZH);
    private static final Map<String, String> CATALOGUE = Translation.catalogue(Language.ZH);
    private static final Pattern PLACE = Pattern.compile("\\{(\\d)([$!*&]?)}");
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "plimsoll");

    /** Where the sentences and labels of results, reports and comparisons are made. */
    private static final List<String> SPEAKERS = List.of(
            "result/Sentences",
            "result/Warnings",
            "result/Misreadings",
            "result/Remarks",
            "result/Verdicts",
            "result/AuditSentences",
            "result/CeilingSentences",
            "result/CheckWatch",
            "result/ErrorAdvice",
            "search/Criteria",
            "run/CeilingResult",
            "run/faults/FaultMarks",
            "run/faults/FaultInjector",
            "run/faults/Victims",
            "audit/Verdict",
            "report/AuditText",
            "report/BrokerRows",
            "report/BrokerTable",
            "report/CeilingTables",
            "report/ComparisonMarkdown",
            "report/ComparisonTables",
            "report/EnvironmentText",
            "report/FaultTable",
            "report/LimitsText",
            "report/MarkdownReport",
            "report/TrialColumns",
            "report/WorkersTable",
            "report/compare/ComparisonSentences",
            "report/compare/Differences",
            "report/compare/Ratios",
            "report/compare/TrialWarnings");

    @Test
    void everyTextHasThePlacesOfItsTranslation() {
        CATALOGUE.forEach(
                (english, chinese) -> assertThat(places(chinese)).as(english).isEqualTo(places(english)));
    }

    private static Set<String> places(String text) {
        return PLACE.matcher(text).results().map(m -> m.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What is filled in comes back, in its place, for each text and each of its forms. */
    @Test
    void everyTextIsRecognised() {
        List<String> wrong = new ArrayList<>();
        CATALOGUE.forEach((template, translation) -> forms(template).forEach(form -> {
            String english = fill(form, "lost", "a, b and c");
            String expected = PLACE.matcher(fill(withKinds(translation, form), ZH.of("lost"), "a、b 和 c"))
                    .replaceAll("");
            boolean worded = PLACE.matcher(template).replaceAll("").chars().anyMatch(Character::isLetter);
            String found = ZH.of(english);
            if (worded && !found.equals(Translation.set(expected))) {
                wrong.add(english + "\n  is " + found + "\n  not " + expected);
            }
        }));
        assertThat(wrong).isEmpty();
    }

    private static List<String> forms(String template) {
        var choice = Pattern.compile("\\[([^\\[\\]|]*(?:\\|[^\\[\\]|]*)+)]").matcher(template);
        if (!choice.find()) {
            return List.of(template);
        }
        return Stream.of(choice.group(1).split("\\|", -1))
                .flatMap(c ->
                        forms(template.substring(0, choice.start()) + c + template.substring(choice.end())).stream())
                .toList();
    }

    private static String withKinds(String translation, String english) {
        Map<String, String> kinds = PLACE.matcher(english)
                .results()
                .collect(Collectors.toMap(m -> m.group(1), MatchResult::group, (a, b) -> a));
        return Pattern.compile("\\{(\\d)}")
                .matcher(translation)
                .replaceAll(m -> java.util.regex.Matcher.quoteReplacement(kinds.get(m.group(1))));
    }

    private static String fill(String template, String text, String list) {
        return PLACE.matcher(template).replaceAll(m -> switch (m.group(2)) {
            case "$", "!" -> "x-" + m.group(1);
            case "*" -> text;
            case "&" -> list;
            default -> "1" + m.group(1) + ".5 ms";
        });
    }

    /** All words in the code that makes sentences are words of the catalogue, of at most two texts put together. */
    @Test
    void knowsAllThatTheCodeCanSay() {
        List<String> texts = CATALOGUE.keySet().stream()
                .flatMap(t -> forms(t).stream())
                .map(t -> PLACE.matcher(t).replaceAll("\u0000"))
                .toList();
        Set<String> unknown = new LinkedHashSet<>();
        for (String speaker : SPEAKERS) {
            for (String literal : literals(SOURCES.resolve(speaker + ".java"))) {
                for (String piece : literal.split("%[.,\\d]*[sdf]|\\n")) {
                    String left = piece.strip();
                    for (int i = 0; i < 2 && !left.isEmpty(); i++) {
                        left = left.substring(known(left, texts)).strip();
                    }
                    if (!left.isEmpty()) {
                        unknown.add(speaker + ": " + literal);
                    }
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    /** How much of the beginning of a text is part of a known one. */
    private static int known(String text, List<String> texts) {
        int longest = 0;
        for (int length = text.length(); length > 0 && longest == 0; length--) {
            String start = text.substring(0, length);
            longest = texts.stream().anyMatch(t -> t.contains(start)) ? length : 0;
        }
        return longest;
    }

    /** Those of several words, or that begin a sentence; concatenated ones as one. */
    private static Set<String> literals(Path source) {
        try {
            String code = Files.readString(source)
                    .replaceAll("(?s)/\\*.*?\\*/", "")
                    .replaceAll("(?m)^\\s*//.*$", "")
                    .replaceAll("(?s)throw new .*?;", "")
                    .replaceAll("\"\\s*\\+\\s*\"", "");
            return Pattern.compile("\"((?:[^\"\\\\\n]|\\\\.)*)\"")
                    .matcher(code)
                    .results()
                    .map(m -> m.group(1).translateEscapes())
                    .filter(l -> l.matches("(?s).*[A-Za-z].*") && l.strip().matches("(?s).*[A-Za-z,.:;] .*"))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing that recorded runs say is left in English. */
    @ParameterizedTest
    @ValueSource(strings = {"quick", "faults", "matrix", "search"})
    void speaksOfRealRuns(String name, @TempDir Path directory) throws IOException {
        JsonNode result = Json.MAPPER.valueToTree(Fold.of(RecordedRuns.open(name, directory.resolve("run"))));
        Set<String> said = new LinkedHashSet<>();
        collect(result.path("verdict"), said);
        for (JsonNode trial : result.path("trials")) {
            Stream.of("warnings", "limits", "audit").forEach(part -> collect(trial.path(part), said));
            trial.path("faults").forEach(f -> collect(f.path("what"), said));
        }
        for (JsonNode ceiling : result.path("ceilings")) {
            Stream.of("remarks", "cause", "curve").forEach(part -> collect(ceiling.path(part), said));
        }
        assertThat(said).isNotEmpty();
        assertThat(said).allSatisfy(sentence -> assertThat(ZH.of(sentence))
                .as(sentence)
                .matches("(?s).*\\p{IsHan}.*")
                .doesNotContainPattern("[a-z]{2,} [a-z]{2,} [a-z]{2,}"));
    }

    private static void collect(JsonNode node, Set<String> texts) {
        if (node.isTextual() && node.textValue().contains(" ")) {
            texts.add(node.textValue());
        } else {
            node.forEach(each -> collect(each, texts));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "Your Kafka took 5,000 records/s of 1 KB at 3.4 ms median and 42.9 ms p99 response; all 150,000"
                        + " acknowledged records are in the log."
                        + "|该 Kafka 集群承载了 5,000 条/秒（每条 1 KB），响应时间中位数 3.4 ms，p99 42.9 ms；已确认的 150,000 条记录全部在日志中。",
                "1 of 2 checks failed: produce.response.p99 < 5 ms was 12.1 ms. Your Kafka took 10 records/s of 100 B"
                    + " at up to 3 ms response.|2 项检查中有 1 项未通过：produce.response.p99 < 5 ms 实测为 12.1 ms。该 Kafka 集群承载了"
                    + " 10 条/秒（每条 100 B），响应时间最大 3 ms。",
                "acks=1: 3 errors producing: TimeoutException (not acknowledged within delivery.timeout.ms): brokers"
                        + " are down or overloaded, or the rate is too high.|acks=1：生产时出现 3 个错误：TimeoutException（在"
                        + " delivery.timeout.ms 内没有得到确认）：broker 宕机或过载，或速率过高。",
                "12 records lost in events-3, offsets 100 to 111 (producers-0/4 sequences 7 to 18; broker 2)"
                        + "|events-3 中有 12 条记录丢失，位移 100 至 111（producers-0/4 序号 7 至 18；broker 2）",
                "broker 2 (leader of events-0)|broker 2（events-0 的 leader）",
                "In 2 of 6 trials (acks=1 and acks=all): Not steady: records/s vary by 12–30 % from second to second; a"
                        + " longer warm-up or a lower rate may help."
                        + "|6 次试验中的 2 次（acks=1 和 acks=all）：不稳定：每秒的记录数波动达 12–30 %；延长预热或降低速率可能有帮助。",
                "Something quite else.|Something quite else."
            })
    void readsAsWritten(String english, String chinese) {
        assertThat(ZH.of(english)).isEqualTo(chinese);
    }

    @Test
    void leavesEnglishAsItIs() {
        CATALOGUE.keySet().forEach(text -> assertThat(
                        Translation.to(Language.EN).of(text))
                .isSameAs(text));
    }

    /** Whatever a text is, looking for it ends soon. */
    @Test
    void isNotHeldUpByHostileTexts() {
        for (String part : List.of(": ", " (", ", ", " · ", "; ", " was ", " records/s", "Tried at : ", "1 ")) {
            String hostile = ("x" + part).repeat(2000 / (part.length() + 1) - 1);
            assertThat(ZH.of(hostile)).isNotNull();
        }
        assertThat(ZH.of("a".repeat(100_000))).hasSize(100_000);
    }
}
