package io.plimsoll.report;

import io.plimsoll.report.Block.Command;
import io.plimsoll.report.Block.Remark;
import io.plimsoll.text.Sentence;
import java.util.List;

/**
 * Renders a document for a terminal or a screen reader. The title of a section that begins with a table is part of the table
 * head. Not thread-safe.
 */
final class TerminalText implements Block.Medium {
    private static final String INDENT = "  ";
    private static final String GAP = "   ";
    private static final int NARROWEST = 40;
    /** Longer lines are hard to read however wide the terminal is. */
    private static final int WIDEST_TEXT = 110;
    /** Labels of facts are as wide as the first column of the table above them. */
    static final int LABEL = 12;

    private final Look look;
    private final int width;
    private final Ansi ansi;
    private final StringBuilder out = new StringBuilder();
    /** Of the section, until it stands above something. */
    private String title = "";

    private TerminalText(Look look) {
        this.width = Math.max(NARROWEST, look.width());
        this.look = look.ofWidth(width);
        this.ansi = new Ansi(look.color());
    }

    /** @return lines that end with a line break */
    static String of(Document document, Look look) {
        TerminalText text = new TerminalText(look);
        for (Document.Section section : document.sections()) {
            if (!text.out.isEmpty()) {
                text.line("");
            }
            text.title = Text.printable(text.said(section.title()));
            for (int i = 0; i < section.blocks().size(); i++) {
                Block block = section.blocks().get(i);
                if (i > 0
                        && (block instanceof Block.Rows || block instanceof Block.Heading)
                        && !(section.blocks().get(i - 1) instanceof Block.Heading)) {
                    text.line("");
                }
                if (!(block instanceof Block.Rows)) {
                    text.title();
                }
                block.show(text);
            }
        }
        return text.out.toString();
    }

    private void title() {
        if (!title.isEmpty()) {
            line(ansi.bold(title));
            title = "";
        }
    }

    private String said(Sentence sentence) {
        return sentence.in(look.language());
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private void indented(String text) {
        line(text.isEmpty() ? "" : INDENT + text);
    }

    /** @param indents by which the lines will be further to the right */
    private List<String> wrapped(Sentence text, int indents) {
        int widest = look.plain() ? width : Math.min(width, WIDEST_TEXT);
        return Text.wrap(Text.printable(said(text)), widest - indents * INDENT.length());
    }

    @Override
    public void verdict(Block.Verdict verdict) {
        List<String> lines = wrapped(verdict.text(), 1);
        for (int i = 0; i < lines.size(); i++) {
            String bold = ansi.bold(lines.get(i));
            line(i == 0 ? verdict.mark().before(bold, look) : INDENT + bold);
        }
    }

    @Override
    public void heading(Block.Heading heading) {
        indented(ansi.bold(Text.printable(said(heading.text()))));
    }

    @Override
    public void text(Block.Paragraph text) {
        wrapped(text.text(), 1).forEach(l -> indented(text.aside() ? ansi.dim(l) : l));
    }

    /** Lines behind the first are indented further. */
    @Override
    public void remarks(Block.Remarks remarks) {
        for (Remark remark : remarks.all()) {
            List<String> lines = wrapped(remark.text(), 2);
            for (int i = 0; i < lines.size(); i++) {
                boolean marked = i == 0 && remark.mark() != Mark.NONE;
                indented(marked ? remark.mark().before(lines.get(i), look) : (i == 0 ? "" : INDENT) + lines.get(i));
            }
            boolean quiet = remark.mark() != Mark.BAD;
            remark.below().stream()
                    .flatMap(b -> wrapped(b, 3).stream())
                    .forEach(l -> indented(INDENT + (quiet ? ansi.dim(l) : l)));
        }
    }

    @Override
    public void rows(Block.Rows rows) {
        int titled = Text.width(title);
        TableLayout layout = TableLayout.of(
                rows.table(), look.ofWidth(width - INDENT.length()), Math.max(0, titled - INDENT.length()));
        if (look.plain() || !layout.isTitled()) {
            title();
        }
        String between = "";
        for (TableLayout.Band band : layout.bands()) {
            out.append(between);
            between = "\n";
            if (!title.isEmpty()) {
                String head = INDENT + band.head();
                line(ansi.bold(title) + (head.length() > titled ? ansi.dim(head.substring(titled)) : ""));
                title = "";
            } else if (!band.head().isEmpty()) {
                indented(ansi.dim(band.head()));
            }
            band.rows().forEach(this::indented);
        }
        if (!layout.leftOut().isEmpty()) {
            text(new Block.Paragraph(Sentence.of("report.leftOut", layout.leftOut()), true));
        }
    }

    @Override
    public void facts(Block.Facts facts) {
        for (Block.Fact fact : facts.all()) {
            if (look.plain()) {
                indented(said(Sentence.of("text.at", fact.label(), fact.text())));
                continue;
            }
            List<String> lines = Text.wrap(Text.printable(said(fact.text())), width - INDENT.length() - LABEL);
            for (int i = 0; i < lines.size(); i++) {
                indented(Text.left(i == 0 ? said(fact.label()) : "", LABEL) + lines.get(i));
            }
        }
    }

    /** Never truncates a command, so that it can be pasted; a reason that does not fit beside it goes above. */
    @Override
    public void commands(Block.Commands commands) {
        int widest = 0;
        int reason = 0;
        for (Command command : commands.all()) {
            widest = Math.max(widest, Text.width(command.command()));
            reason = Math.max(reason, Text.width(said(command.why())));
        }
        boolean beside = !look.plain() && INDENT.length() + widest + GAP.length() + reason <= width;
        for (Command command : commands.all()) {
            if (beside) {
                indented(Text.left(Text.printable(command.command()), widest) + GAP + ansi.dim(said(command.why())));
            } else {
                indented(ansi.dim(said(command.why()) + ":"));
                code(new Block.Code("", command.command()));
            }
        }
    }

    @Override
    public void code(Block.Code code) {
        Shell.folded(Text.printable(code.text()), width - 2 * INDENT.length()).forEach(l -> indented(INDENT + l));
    }

    @Override
    public void picture(Block.Picture picture) {
        indented(picture.place());
    }
}
