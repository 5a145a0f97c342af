package io.plimsoll.report;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Renders a document in GitHub-flavored Markdown. All external text is escaped here. */
final class Markdown implements Block.Medium {
    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*_{}\\[\\]#~]");
    private static final Pattern BLOCK_START = Pattern.compile("^([-+=]|\\d+(?=[.)]))(?=[.)]?(\\s|$))");

    private final Language language;
    private final StringBuilder out = new StringBuilder();

    private Markdown(Language language) {
        this.language = language;
    }

    static String of(Document document, Language language) {
        Markdown text = new Markdown(language);
        text.heading("# ", document.title());
        for (Document.Section section : document.sections()) {
            text.heading("## ", section.title());
            if (!section.about().equals(Sentence.NONE)) {
                text.paragraph(section.about().in(language));
            }
            section.blocks().forEach(block -> block.show(text));
        }
        return text.out.toString();
    }

    private void heading(String level, Sentence text) {
        if (!text.equals(Sentence.NONE)) {
            paragraph(level + said(text));
        }
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private void paragraph(String text) {
        line(text + "\n");
    }

    private String said(Sentence sentence) {
        return escape(sentence.in(language));
    }

    @Override
    public void verdict(Block.Verdict verdict) {
        paragraph(before(verdict.mark()) + "**" + said(verdict.text()) + "**");
    }

    @Override
    public void heading(Block.Heading heading) {
        heading("### ", heading.text());
    }

    @Override
    public void text(Block.Paragraph text) {
        paragraph(said(text.text()));
    }

    @Override
    public void remarks(Block.Remarks remarks) {
        for (Block.Remark remark : remarks.all()) {
            line("- " + before(remark.mark() == Mark.NOTE ? Mark.NONE : remark.mark()) + said(remark.text()));
            remark.below().forEach(b -> line("  - " + said(b)));
        }
        line("");
    }

    @Override
    public void rows(Block.Rows rows) {
        line(table(rows.table(), language));
    }

    @Override
    public void facts(Block.Facts facts) {
        facts.all().forEach(f -> line("- " + said(Sentence.of("text.at", f.label(), f.text()))));
        line("");
    }

    @Override
    public void commands(Block.Commands commands) {
        commands.all().forEach(c -> line("- " + code(c.command()) + " " + said(c.why())));
        line("");
    }

    @Override
    public void code(Block.Code code) {
        line(block(code.language(), code.text()));
    }

    @Override
    public void picture(Block.Picture picture) {
        paragraph("![" + escape(picture.title()) + "](" + link(picture.place()) + ")");
    }

    private static String before(Mark mark) {
        return mark.emoji().isEmpty() ? "" : mark.emoji() + " ";
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

    /** A relative link target, percent-encoded. */
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

    /** A fenced code block; the fence is longer than any fence within the text. */
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
                    .map(c -> c.cell().apply(row) instanceof Mark mark
                            ? mark.emoji()
                            : escape(Table.cell(c, row, language)))
                    .toList()));
        }
        return out.toString();
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
