package io.plimsoll.report;

import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;

/** Text for a terminal that grows from the top: paragraphs, tables and lines in the width that there is. */
class TerminalText {
    static final String INDENT = "  ";
    /** Longer lines are hard to read however wide the terminal is. */
    private static final int WIDEST_TEXT = 110;

    final int width;
    final Ansi ansi;
    final Language language;
    private final StringBuilder out = new StringBuilder();

    TerminalText(Look look) {
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
    final void headline(String mark, String text) {
        List<String> lines = wrapped(text, 1);
        for (int i = 0; i < lines.size(); i++) {
            line((i == 0 ? mark + " " : INDENT) + ansi.bold(lines.get(i)));
        }
    }

    /** An indented paragraph whose lines behind the first are indented further. */
    final void hanging(String first, String text) {
        List<String> lines = wrapped(text, 2);
        for (int i = 0; i < lines.size(); i++) {
            indented((i == 0 ? first : INDENT) + lines.get(i));
        }
    }

    final void paragraph(String mark, String text) {
        hanging(mark + " ", text);
    }

    final void paragraph(String mark, Sentence sentence) {
        paragraph(mark, said(sentence));
    }

    /** @param indents by which the lines will be further to the right */
    final List<String> wrapped(String text, int indents) {
        return Text.wrap(Text.printable(text), Math.min(width, WIDEST_TEXT) - indents * INDENT.length());
    }

    final void table(Table<?> table) {
        List<String> lines = table.lines(width - INDENT.length(), language);
        indented(ansi.dim(lines.get(0)));
        lines.stream().skip(1).forEach(this::indented);
    }

    /** A table with an empty line below it, if there is anything in it. */
    final void section(Table<?> table) {
        if (!table.rows().isEmpty()) {
            table(table);
            line("");
        }
    }

    final String mark(boolean good) {
        return good ? ansi.good("✓") : ansi.bad("✗");
    }
}
