package io.plimsoll.report;

import io.plimsoll.result.Outcome;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Text in the little Markdown (GitHub's dialect) that reports need. Whatever comes from outside passes through here. */
class Markdown {
    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*_{}\\[\\]#~]");
    private static final Pattern BLOCK_START = Pattern.compile("^([-+=]|\\d+(?=[.)]))(?=[.)]?(\\s|$))");

    private final Language language;
    private final StringBuilder out = new StringBuilder();

    Markdown(Language language) {
        this.language = language;
    }

    final String text() {
        return out.toString();
    }

    static String sign(Outcome outcome) {
        return switch (outcome) {
            case USABLE -> "✅";
            case UNUSABLE -> "⚠️";
            case FAILED -> "❌";
        };
    }

    final void line(String text) {
        out.append(text).append('\n');
    }

    final void paragraph(String text) {
        line(text + "\n");
    }

    /** Sentences are ours, and so they may hold Markdown. */
    final void paragraph(Sentence sentence) {
        paragraph(sentence.in(language));
    }

    final void heading(int level, String text) {
        paragraph("#".repeat(level) + " " + text);
    }

    final void heading(int level, Sentence text) {
        heading(level, said(text));
    }

    /** @param key of a sentence, without {@code report.title.} */
    final void title(int level, String key) {
        heading(level, Sentence.of("report.title." + key));
    }

    final void items(List<Sentence> items) {
        items.forEach(item -> line("- " + said(item)));
        if (!items.isEmpty()) {
            line("");
        }
    }

    final void table(Table<?> table) {
        line(table(table, language));
    }

    final void section(int level, String title, Table<?> table) {
        if (!table.rows().isEmpty()) {
            title(level, title);
            table(table);
        }
    }

    final void section(String name, Table<?> table) {
        if (!table.rows().isEmpty()) {
            title(2, name);
            paragraph(Sentence.of("report.about." + name));
            table(table);
        }
    }

    final String said(Sentence sentence) {
        return escape(sentence.in(language));
    }

    /** Text that is shown as it is, on one line, also within a table: no markup, no HTML, no automatic link. */
    static String escape(String text) {
        String plain = SPECIAL.matcher(Text.printable(text).strip())
                .replaceAll(m -> "\\\\\\" + m.group())
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("|", "&#124;")
                .replace("@", "&#64;")
                .replace("://", "&#58;//")
                .replace("www.", "www&#46;");
        var start = BLOCK_START.matcher(plain);
        if (!start.find()) {
            return plain;
        }
        boolean number = Character.isDigit(plain.charAt(0));
        return number ? start.group(1) + "\\" + plain.substring(start.end(1)) : "\\" + plain;
    }

    /** A place beside the page, whatever its name has: a space would end it. */
    static String link(String place) {
        return place.codePoints()
                .mapToObj(c -> c > 0x7f || Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0
                        ? Character.toString(c)
                        : String.format(Locale.ROOT, "%%%02X", c))
                .collect(Collectors.joining());
    }

    /** Text as it is within a line, which cannot hold the mark that it ends with. */
    static String code(String text) {
        return "`" + Text.printable(text).strip().replace('`', '\'') + "`";
    }

    /** Text as it is on lines of its own, whatever fences it holds itself. */
    static String block(String language, String text) {
        String fence = "```";
        while (text.contains(fence)) {
            fence += "`";
        }
        return fence + language + "\n" + text.stripTrailing() + "\n" + fence + "\n";
    }

    static <T> String table(Table<T> table, Language language) {
        StringBuilder out = new StringBuilder();
        out.append(row(table.columns().stream()
                .map(c -> escape(c.header().in(language)))
                .toList()));
        out.append(row(
                table.columns().stream().map(c -> c.numeric() ? "---:" : "---").toList()));
        for (T row : table.rows()) {
            out.append(row(table.columns().stream()
                    .map(c -> escape(Table.cell(c, row, language)))
                    .toList()));
        }
        return out.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
