package io.plimsoll.report;

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
    /** Maximum width of text; longer lines are hard to read even on a wide terminal. */
    static final int WIDEST_TEXT = 110;
    /** Width of the fact labels, equal to the width of the first column of the table above them. */
    static final int LABEL = 12;

    private final Look look;
    private final int width;
    private final StringBuilder out = new StringBuilder();
    /** Title of the section; empty once it is shown. */
    private String title = "";
    /** Whether a blank line precedes the next table or heading. */
    private boolean apart;

    private TerminalText(Look look) {
        this.width = Math.max(NARROWEST, look.width());
        this.look = look.ofWidth(width);
    }

    static String of(Document document, Look look) {
        TerminalText text = new TerminalText(look);
        for (Document.Section section : document.sections()) {
            if (!text.out.isEmpty()) {
                text.line("");
            }
            text.title = Text.printable(text.said(section.title()));
            text.apart = false;
            for (Block block : section.blocks()) {
                block.show(text);
                text.apart = true;
            }
        }
        return text.out.toString();
    }

    private void title() {
        if (!title.isEmpty()) {
            line(look.bold(title));
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

    /** @param indents levels by which the lines will be indented */
    private List<String> wrapped(Sentence text, int indents) {
        int widest = look.plain() ? width : Math.min(width, WIDEST_TEXT);
        return Text.wrap(Text.printable(said(text)), widest - indents * INDENT.length());
    }

    @Override
    public void verdict(Mark mark, Sentence text) {
        title();
        List<String> lines = wrapped(text, 1);
        for (int i = 0; i < lines.size(); i++) {
            String bold = look.bold(lines.get(i));
            line(i == 0 ? mark.before(bold, look) : INDENT + bold);
        }
    }

    @Override
    public void heading(Sentence text) {
        if (apart) {
            line("");
        }
        title();
        indented(look.bold(Text.printable(said(text))));
        apart = false;
    }

    @Override
    public void text(Sentence text, boolean aside) {
        title();
        wrapped(text, 1).forEach(l -> indented(aside ? look.dim(l) : l));
    }

    /** Prints remarks; continuation lines have a hanging indent. */
    @Override
    public void remarks(List<Block.Remark> remarks) {
        title();
        for (Block.Remark remark : remarks) {
            List<String> lines = wrapped(remark.text(), 2);
            for (int i = 0; i < lines.size(); i++) {
                boolean marked = i == 0 && remark.mark() != Mark.NONE;
                indented(marked ? remark.mark().before(lines.get(i), look) : (i == 0 ? "" : INDENT) + lines.get(i));
            }
            boolean quiet = remark.mark() != Mark.BAD;
            remark.evidence().stream()
                    .flatMap(b -> wrapped(b, 3).stream())
                    .forEach(l -> indented(INDENT + (quiet ? look.dim(l) : l)));
        }
    }

    @Override
    public void rows(Table<?> table) {
        if (apart) {
            line("");
        }
        int titled = Text.width(title);
        TableLayout layout =
                new TableLayout(table, look.ofWidth(width - INDENT.length()), Math.max(0, titled - INDENT.length()));
        if (look.plain() || !layout.titled) {
            title();
        }
        String between = "";
        for (TableLayout.Band band : layout.bands) {
            out.append(between);
            between = "\n";
            if (!title.isEmpty()) {
                String head = INDENT + band.head();
                line(look.bold(title) + (head.length() > titled ? look.dim(head.substring(titled)) : ""));
                title = "";
            } else if (!band.head().isEmpty()) {
                indented(look.dim(band.head()));
            }
            band.rows().forEach(this::indented);
        }
        if (!layout.leftOut.isEmpty()) {
            text(Sentence.of("report.leftOut", layout.leftOut), true);
        }
    }

    @Override
    public void facts(List<Block.Fact> facts) {
        title();
        for (Block.Fact fact : facts) {
            if (look.plain()) {
                indented(Text.printable(said(Sentence.of("text.at", fact.label(), fact.text()))));
                continue;
            }
            List<String> lines = Text.wrap(Text.printable(said(fact.text())), width - INDENT.length() - LABEL);
            for (int i = 0; i < lines.size(); i++) {
                indented(Text.left(i == 0 ? said(fact.label()) : "", LABEL) + lines.get(i));
            }
        }
    }

    /** Prints commands, never truncated, so that they can be pasted. A reason that does not fit beside a command is above it. */
    @Override
    public void commands(List<Block.Command> commands) {
        title();
        int widest = 0;
        int reason = 0;
        for (Block.Command command : commands) {
            widest = Math.max(widest, Text.width(command.command()));
            reason = Math.max(reason, Text.width(said(command.why())));
        }
        boolean beside = !look.plain() && INDENT.length() + widest + GAP.length() + reason <= width;
        for (Block.Command command : commands) {
            if (beside) {
                indented(Text.left(Text.printable(command.command()), widest) + GAP + look.dim(said(command.why())));
            } else {
                indented(look.dim(said(Sentence.of("text.introduced", command.why()))));
                code("", command.command());
            }
        }
    }

    @Override
    public void code(String language, String text) {
        title();
        Text.folded(Text.printable(text), width - 2 * INDENT.length()).forEach(l -> indented(INDENT + l));
    }

    @Override
    public void picture(String path, String title) {
        title();
        indented(path);
    }
}
