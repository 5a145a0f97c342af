package io.plimsoll.report;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A terminal with the features that the panel uses: rows that scroll, a cursor, the few control sequences of the panel.
 */
final class VirtualScreen implements TerminalPanel.Screen {
    private static final Pattern TOKEN = Pattern.compile("\u001b\\[([?0-9;]*)([A-Za-z])|[^\u001b]");

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<StringBuilder> rows = new ArrayList<>(List.of(new StringBuilder()));
    private final int columns;
    private final int height;
    private int row;
    private int column;
    private int widest;
    boolean cursorVisible = true;
    /** Terminals such as tmux move a screen that is cleared from its first row into their history. */
    boolean clearedWhole;

    VirtualScreen(int columns, int height) {
        this.columns = columns;
        this.height = height;
    }

    PrintStream out() {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    @Override
    public TerminalPanel.Size size() {
        return new TerminalPanel.Size(columns, height);
    }

    @Override
    public void refresh() {
        // Its size never changes.
    }

    /** All printed and uncleared text, including scrolled-out rows. */
    List<String> lines() {
        Matcher token = TOKEN.matcher(bytes.toString(StandardCharsets.UTF_8));
        bytes.reset();
        while (token.find()) {
            if (token.group(2) == null) {
                print(token.group());
            } else {
                control(token.group(1), token.group(2));
            }
        }
        List<String> lines = new ArrayList<>(
                rows.stream().map(r -> r.toString().stripTrailing()).toList());
        while (!lines.isEmpty() && lines.get(lines.size() - 1).isEmpty()) {
            lines.remove(lines.size() - 1);
        }
        return lines;
    }

    int widest() {
        return widest;
    }

    private void print(String character) {
        switch (character) {
            case "\r" -> column = 0;
            case "\n" -> {
                column = 0;
                row++;
                if (row == rows.size()) {
                    rows.add(new StringBuilder());
                }
            }
            default -> {
                StringBuilder line = rows.get(row);
                while (line.length() <= column) {
                    line.append(' ');
                }
                line.replace(column, column + 1, character);
                column++;
                widest = Math.max(widest, column);
            }
        }
    }

    private void control(String argument, String command) {
        switch (command) {
            // The cursor cannot go above the first row on the screen.
            case "A" -> row = Math.max(Math.max(0, rows.size() - height), row - Integer.parseInt(argument));
            case "J" -> {
                clearedWhole |= column == 0 && row == Math.max(0, rows.size() - height);
                rows.get(row).setLength(Math.min(column, rows.get(row).length()));
                rows.subList(row + 1, rows.size()).forEach(r -> r.setLength(0));
            }
            case "K" -> rows.get(row).setLength(Math.min(column, rows.get(row).length()));
            case "h" -> cursorVisible = true;
            case "l" -> cursorVisible = false;
            case "m" -> {
                // Colors are ignored.
            }
            default -> throw new IllegalStateException("unexpected control sequence " + argument + command);
        }
    }
}
