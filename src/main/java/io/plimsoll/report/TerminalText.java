package io.plimsoll.report;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;

/** Text for a terminal that grows from the top: paragraphs, tables and lines in the width that there is. */
class TerminalText {
    static final String INDENT = "  ";
    /** Longer lines are hard to read however wide the terminal is. */
    private static final int WIDEST_TEXT = 110;

    final Look look;
    final int width;
    final Ansi ansi;
    final Language language;
    private final StringBuilder out = new StringBuilder();

    TerminalText(Look look) {
        this.look = look;
        this.width = look.width();
        this.ansi = new Ansi(look.color());
        this.language = look.language();
    }

    final String text() {
        return out.toString();
    }

    final String said(Sentence sentence) {
        return sentence.in(language);
    }

    final void line(String text) {
        out.append(text).append('\n');
    }

    final void indented(String text) {
        line(text.isEmpty() ? "" : INDENT + text);
    }

    /** What matters most, behind a mark. */
    final void headline(Mark mark, String text) {
        List<String> lines = wrapped(text, 1);
        for (int i = 0; i < lines.size(); i++) {
            String bold = ansi.bold(lines.get(i));
            line(i == 0 ? mark.before(bold, look) : INDENT + bold);
        }
    }

    /** An indented paragraph whose lines behind the first are indented further. */
    final void hanging(String text) {
        List<String> lines = wrapped(text, 2);
        for (int i = 0; i < lines.size(); i++) {
            indented((i == 0 ? "" : INDENT) + lines.get(i));
        }
    }

    final void paragraph(Mark mark, String text) {
        List<String> lines = wrapped(text, 2);
        for (int i = 0; i < lines.size(); i++) {
            indented(i == 0 ? mark.before(lines.get(i), look) : INDENT + lines.get(i));
        }
    }

    final void paragraph(Mark mark, Sentence sentence) {
        paragraph(mark, said(sentence));
    }

    /** @param indents by which the lines will be further to the right */
    final List<String> wrapped(String text, int indents) {
        int widest = look.plain() ? width : Math.min(width, WIDEST_TEXT);
        return Text.wrap(Text.printable(text), widest - indents * INDENT.length());
    }

    final void table(Table<?> table) {
        Table.Lines lines = lines(table, 1);
        head(lines);
        lines.rows().forEach(this::indented);
    }

    /** @param indents by which the lines will be further to the right */
    final Table.Lines lines(Table<?> table, int indents) {
        return table.lines(look.ofWidth(width - indents * INDENT.length()));
    }

    final void head(Table.Lines lines) {
        if (!lines.head().isEmpty()) {
            indented(ansi.dim(lines.head()));
        }
    }

    /** The head of a table whose first column is called as the section is, indented by what stands before its rows. */
    final void titled(String title, Table.Lines lines, int indents) {
        boolean plain = lines.head().isEmpty();
        line(ansi.bold(title)
                + (plain ? "" : INDENT.repeat(indents) + ansi.dim(lines.head().substring(title.length()))));
    }

    /** A table with an empty line below it, if there is anything in it. */
    final void section(Table<?> table) {
        if (!table.rows().isEmpty()) {
            table(table);
            line("");
        }
    }
}
