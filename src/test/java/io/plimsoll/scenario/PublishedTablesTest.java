package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the published tables of the scenarios with a transcription made cell by cell from the reports, with the line
 * of each cell; and the conclusions of a report with its own published figures.
 */
class PublishedTablesTest {
    private static final Path CELLS = Path.of("src", "test", "resources", "published", "cells.tsv");
    private static final Pattern MARK = Pattern.compile("\\s*[*†]$");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9][0-9,]*(\\.[0-9]+)?");

    /** @param line 0 if it is not a cell of the original */
    private record Cell(String report, int line, String place, String original, String value) {}

    private static List<Cell> transcribed() throws IOException {
        List<Cell> cells = new ArrayList<>();
        for (String line :
                Files.readAllLines(CELLS).subList(1, Files.readAllLines(CELLS).size())) {
            String[] f = line.split("\t", -1);
            cells.add(new Cell(
                    f[0],
                    f[1].isEmpty() ? 0 : Integer.parseInt(f[1]),
                    f[2] + "/" + f[3] + "/" + f[4] + "/" + f[5].replaceAll("^\"|\"$", ""),
                    f[6],
                    f[7].replaceAll("^\"|\"$", "").replace("\"\"", "\"")));
        }
        return cells;
    }

    private static Reference reference(String scenario) {
        return ScenarioReader.read(BuiltIns.text(scenario).orElseThrow(), scenario, List.of(), 1)
                .reference()
                .orElseThrow();
    }

    /** Every cell by its position, as shown in English. */
    private static Map<String, String> cells(String scenario) {
        Map<String, String> cells = new LinkedHashMap<>();
        List<Reference.Table> tables = reference(scenario).tables();
        for (int t = 0; t < tables.size(); t++) {
            Reference.Table table = tables.get(t);
            for (int r = 0; r < table.rows().size(); r++) {
                for (int c = 0; c < table.columns().size(); c++) {
                    Sentence value = table.rows().get(r).values().get(c);
                    if (value != null) {
                        String column = table.columns().get(c).name().english();
                        cells.put(scenario + "/" + (t + 1) + "/" + (r + 1) + "/" + column, value.english());
                    }
                }
            }
        }
        return cells;
    }

    @Test
    void everyCellMatchesItsReport() throws IOException {
        Map<String, String> transcribed = new LinkedHashMap<>();
        transcribed().forEach(c -> transcribed.put(c.place(), c.value()));
        Map<String, String> shown = new LinkedHashMap<>();
        Set<String> scenarios = new TreeSet<>();
        transcribed.keySet().forEach(p -> scenarios.add(p.substring(0, p.indexOf('/'))));
        assertThat(scenarios).hasSize(6);
        scenarios.forEach(s -> shown.putAll(cells(s)));
        assertThat(shown).containsExactlyInAnyOrderEntriesOf(transcribed);
    }

    /** Numbers have the digits of the original; a text without digits in the original is ours, and marked as such. */
    @Test
    void numbersKeepDigitsOfOriginal() throws IOException {
        int compared = 0;
        for (Cell cell : transcribed()) {
            Optional<Double> value = number(MARK.matcher(cell.value()).replaceFirst(""));
            if (cell.line() == 0) {
                assertThat(cell.value()).as(cell.place()).matches("none|not one|.*\\*");
            } else if (value.isPresent() && number(cell.original()).isPresent()) {
                assertThat(value).as(cell.place()).isEqualTo(number(cell.original()));
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(450);
    }

    /** The number in a text, including multiples of ten thousand (万, w). */
    private static Optional<Double> number(String text) {
        Matcher number = NUMBER.matcher(text);
        if (!number.lookingAt()) {
            return Optional.empty();
        }
        String rest = text.substring(number.end());
        double factor =
                rest.startsWith("亿") ? 1e8 : rest.matches("(?is)(万|w).*") ? 1e4 : rest.startsWith(" M") ? 1e6 : 1;
        boolean words = !rest.matches("(?is)|[万亿w]条?(/s)?|/s|M|%|条|KB|K| ?M|MB/S|0?Byte| KB| bytes");
        return words
                ? Optional.empty()
                : Optional.of(Math.rint(Double.parseDouble(number.group().replace(",", "")) * factor * 1e6) / 1e6);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster-stress",
                "send-and-commit-modes",
                "linkedin-2m",
                "ckafka-tailing",
                "ckafka-catch-up",
                "broker-limits"
            })
    void everyMarkHasFootnote(String scenario) {
        for (Reference.Table table : reference(scenario).tables()) {
            Set<String> marks = new TreeSet<>();
            table.rows().forEach(row -> row.values().forEach(value -> {
                Matcher mark = MARK.matcher(value == null ? "" : value.english());
                if (mark.find()) {
                    marks.add(mark.group().strip());
                    assertThat(value.in(Language.ZH)).endsWith(mark.group().strip());
                }
            }));
            Set<String> noted = new TreeSet<>();
            table.notes().stream()
                    .map(n -> n.english().substring(0, 1))
                    .filter(m -> m.matches("[*†]"))
                    .forEach(noted::add);
            assertThat(noted).as(table.title().english()).isEqualTo(marks);
            assertThat(table.title().in(Language.ZH)).matches("(?s).*\\p{IsHan}.*");
        }
    }

    /** The conclusions of a report hold for its published figures, except for one sentence. */
    @Test
    void conclusionsHoldForPublishedFigures() throws IOException {
        List<String> broken = new ArrayList<>();
        int held = 0;
        for (String scenario : List.of("send-and-commit-modes", "ckafka-tailing", "ckafka-catch-up", "broker-limits")) {
            Reference reference = reference(scenario);
            for (Reference.Conclusion conclusion : reference.conclusions()) {
                for (String check : conclusion.checks()) {
                    CrossCheck asked = CheckParser.comparison(check);
                    OptionalDouble left = asked.leftOf((t, d) -> published(reference, t));
                    OptionalDouble right = asked.rightOf((t, d) -> published(reference, t));
                    if (left.isPresent() && right.isPresent()) {
                        held++;
                        if (!asked.holds(left.getAsDouble(), right.getAsDouble())) {
                            broken.add(scenario + ": " + check);
                        }
                    }
                }
            }
        }
        assertThat(held).isGreaterThanOrEqualTo(40);
        assertThat(broken)
                .containsExactly(
                        "ckafka-tailing: trials.\"1600 MB/s, none\".produce.service.mean >"
                                + " trials.\"1600 MB/s, snappy\".produce.service.mean",
                        "ckafka-catch-up: trials.\"1600 MB/s, none\".produce.service.mean >"
                                + " trials.\"1600 MB/s, snappy\".produce.service.mean");
    }

    private static OptionalDouble published(Reference reference, CrossCheck.Term term) {
        for (Reference.Table table : reference.tables()) {
            for (int c = 0; c < table.columns().size(); c++) {
                Reference.Column column = table.columns().get(c);
                for (Reference.Row row : table.rows()) {
                    Sentence value = row.values().get(c);
                    boolean told =
                            column.figure().equals(term.figure()) && row.trial().equals(term.trial());
                    Matcher number = NUMBER.matcher(told && value != null ? value.english() : "");
                    // All records of a trial have one size: both kinds of throughput compare equally.
                    if (number.lookingAt()) {
                        Reference.Unit unit = Reference.unit(column.unit(), Figures.dimensions(column.figure()))
                                .orElseThrow();
                        double thousands = value.english().endsWith("K") ? 1024 : 1;
                        return OptionalDouble.of(
                                Double.parseDouble(number.group().replace(",", "")) * thousands * unit.divisor());
                    }
                }
            }
        }
        return OptionalDouble.empty();
    }
}
