package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.diagnose.Rule.Lowering;
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
    private static final String HEAD = """
        | cause | figures | speaks for it | weight | weighs less, at most, where | tried |
        |---|---|---|---|---|---|
        """;

    @Test
    void thePageHasTheRulesAsTheyAre() throws IOException {
        String page = Files.readString(PAGE);
        String table = HEAD + Diagnosis.RULES.stream().map(RuleTableTest::row).collect(Collectors.joining());
        int from = page.indexOf("| cause |");
        int to = page.indexOf("\n\n", from) + 1;
        if (Boolean.getBoolean("docs.write")) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
            return;
        }
        assertThat(page.substring(from, to)).isEqualTo(table);
    }

    private static String row(Rule<?> rule) {
        String lowered = rule.lowered.stream().map(RuleTableTest::lowering).collect(Collectors.joining("; "));
        String tried = rule.proofs.stream().map(p -> p.factor().english()).collect(Collectors.joining(", "));
        return String.join(
                        " | ",
                        "| " + rule.cause(),
                        rule.reads().english(),
                        rule.speaks().english(),
                        weight(rule),
                        lowered.isEmpty() ? "–" : lowered,
                        tried.isEmpty() ? "–" : tried)
                + " |\n";
    }

    private static String weight(Rule<?> rule) {
        String most = String.format(Locale.ROOT, "%.2f", rule.most);
        Double least = rule.leastHeldBack;
        return most
                + (least == null ? "" : " × held back")
                + (least == null || least == 0
                        ? ""
                        : String.format(Locale.ROOT, ", which counts %.1f at least", least));
    }

    private static String lowering(Lowering<?> l) {
        return Math.round(l.by() * 100) + " %: " + l.when();
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
