package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Guards that the table of rules in {@code docs/diagnosis.md} is what the rules declare. With {@code -Ddocs.write=true} it
 * writes the table.
 */
class RuleTableTest {
    private static final Path PAGE = Path.of("docs", "diagnosis.md");
    private static final Path CHINESE = Path.of("docs", "zh", "diagnosis.md");
    private static final String CHINESE_HEAD = """
        | 原因 | 数字 | 什么支持它 | 分量 | 在哪里分量减少，至多多少 | 试验 |
        |---|---|---|---|---|---|
        """;
    private static final String HEAD = """
        | cause | figures | speaks for it | weight | weighs less, at most, where | tried |
        |---|---|---|---|---|---|
        """;

    @Test
    void thePageHasTheRulesAsTheyAre() throws IOException {
        holds(PAGE, HEAD, Language.EN);
        holds(CHINESE, CHINESE_HEAD, Language.ZH);
    }

    private static void holds(Path file, String head, Language language) throws IOException {
        String page = Files.readString(file);
        String table =
                head + Diagnosis.RULES.stream().map(rule -> row(rule, language)).collect(Collectors.joining());
        int from = page.indexOf(head.substring(0, head.indexOf('\n')));
        int to = page.indexOf("\n\n", from) + 1;
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(file, page.substring(0, from) + table + page.substring(to));
            return;
        }
        assertThat(page.substring(from, to)).isEqualTo(table);
    }

    private static String row(Rule<?> rule, Language language) {
        boolean english = language == Language.EN;
        String lowered = rule.lowered.stream()
                .map(l -> Math.round(l.by() * 100) + " %" + (english ? ": " : "：")
                        + l.when().in(language))
                .collect(Collectors.joining(english ? "; " : "；"));
        String tried = rule.proofs.stream()
                .map(p -> p.factor().in(language))
                .collect(Collectors.joining(english ? ", " : "、"));
        return String.join(
                        " | ",
                        "| " + rule.cause().in(language),
                        rule.reads().in(language),
                        rule.speaks().in(language),
                        weight(rule, english),
                        lowered.isEmpty() ? "–" : lowered,
                        tried.isEmpty() ? "–" : tried)
                + " |\n";
    }

    private static String weight(Rule<?> rule, boolean english) {
        String most = String.format(Locale.ROOT, "%.2f", rule.most);
        Double least = rule.leastHeldBack;
        return most
                + (least == null ? "" : english ? " × held back" : " × 受阻")
                + (least == null || least == 0
                        ? ""
                        : String.format(Locale.ROOT, english ? ", which counts %.1f at least" : "，至少按 %.1f 计", least));
    }

    /** A rule without words would fail only where its figures are missing. */
    @Test
    void everyRuleHasItsWords() {
        Set<String> causes = Diagnosis.RULES.stream().map(r -> r.cause().key()).collect(Collectors.toSet());
        Set<String> names =
                Diagnosis.RULES.stream().map(r -> "diagnose.cause." + r.name).collect(Collectors.toSet());
        Set<String> known = Wording.of("diagnose", Language.EN).keySet();
        assertThat(known).containsAll(causes);
        assertThat(known.stream().filter(k -> k.startsWith("diagnose.cause.")))
                .allMatch(k -> causes.contains(k) || names.contains(k));
        assertThat(Diagnosis.RULES.stream().filter(r -> r.tellsMissing))
                .allSatisfy(r -> assertThat(known).contains("diagnose.cause." + r.name, "diagnose.missing." + r.name));
    }
}
