package io.plimsoll.report;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders a document in GitHub-flavored Markdown and escapes all external text. */
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
                text.paragraph(text.about(section.about()));
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

    /** Explanations of the catalog are Markdown; the text of a scenario is not. */
    private String about(Sentence about) {
        String key = about.key();
        return key != null && key.startsWith("report.about.") ? about.in(language) : said(about);
    }

    @Override
    public void verdict(Mark mark, Sentence text) {
        paragraph(before(mark) + "**" + said(text) + "**");
    }

    @Override
    public void heading(Sentence text) {
        heading("### ", text);
    }

    @Override
    public void text(Sentence text, boolean aside) {
        paragraph(said(text));
    }

    @Override
    public void remarks(List<Block.Remark> remarks) {
        for (Block.Remark remark : remarks) {
            line("- " + before(remark.mark() == Mark.NOTE ? Mark.NONE : remark.mark()) + said(remark.text()));
            remark.evidence().forEach(b -> line("  - " + said(b)));
        }
        line("");
    }

    @Override
    public void facts(List<Block.Fact> facts) {
        facts.forEach(f -> line("- " + said(Sentence.of("text.at", f.label(), f.text()))));
        line("");
    }

    @Override
    public void commands(List<Block.Command> commands) {
        commands.forEach(c -> line("- " + code(c.command()) + " " + said(c.why())));
        line("");
    }

    @Override
    public void picture(String path, String title) {
        paragraph("![" + escape(title) + "](" + link(path) + ")");
    }

    private static String before(Mark mark) {
        return mark.emoji().isEmpty() ? "" : mark.emoji() + " ";
    }

    /** Escapes text for one line or a table cell: no markup, no HTML, no automatic link. */
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

    static String link(String place) {
        return place.codePoints()
                .mapToObj(c -> c > 0x7f || Character.isLetterOrDigit(c) || "-._~/".indexOf(c) >= 0
                        ? Character.toString(c)
                        : String.format(Locale.ROOT, "%%%02X", c))
                .collect(Collectors.joining());
    }

    /** Inline code, which cannot contain a backquote. */
    static String code(String text) {
        return "`" + Text.printable(text).strip().replace('`', '\'') + "`";
    }

    /** A fenced code block; the fence is longer than any fence within the text. */
    @Override
    public void code(String codeLanguage, String text) {
        String fence = "```";
        while (text.contains(fence)) {
            fence += "`";
        }
        paragraph(fence + codeLanguage + "\n" + text.stripTrailing() + "\n" + fence);
    }

    @Override
    public void rows(Table<?> table) {
        row(table.headers(language).stream().map(Markdown::escape));
        row(table.columns().stream().map(c -> c.numeric() ? "---:" : "---"));
        table.cells()
                .forEach(cells -> row(cells.stream()
                        .map(c -> c instanceof Mark mark ? mark.emoji() : escape(Table.shown(c, language)))));
        line("");
    }

    private void row(Stream<String> cells) {
        out.append(cells.collect(Collectors.joining(" | ", "| ", " |\n")));
    }
}
