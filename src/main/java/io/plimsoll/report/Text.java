package io.plimsoll.report;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Plain text in columns. Chinese characters are two columns wide. */
public final class Text {
    /** A number, the space after it, and its unit. */
    private static final Pattern UNIT =
            Pattern.compile("(?<=\\d) (?=(%|µs|ms|s|min|h|[KMGT]?B(/s)?|MiB|records/s)(\\W|$))");

    /**
     * Where a line can break without a space: beside Chinese characters, but not after opening or before closing
     * punctuation.
     */
    private static final Pattern GAP =
            Pattern.compile("(?<=[\\p{IsHan}，。；：、）”])(?=[^\\s，。；：、）”.,;:!?%)])|(?<=[^\\s（“(])(?=[\\p{IsHan}（“])");

    /** Text without control characters, so that no name can move the cursor or hide a line. */
    public static String printable(String text) {
        StringBuilder clean = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean hidden = type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE;
            boolean breaks = type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
            clean.appendCodePoint(hidden || breaks ? ' ' : c);
        });
        return clean.toString();
    }

    public static int width(String text) {
        return text.codePoints().map(Text::columns).sum();
    }

    public static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - width(text)));
    }

    public static String right(String text, int width) {
        return " ".repeat(Math.max(0, width - width(text))) + text;
    }

    /** Text cut to a width, with an ellipsis where text was cut. */
    public static String cut(String text, int width) {
        if (width(text) <= width) {
            return text;
        }
        int end = 0;
        for (int left = width - 1; left >= columns(text.codePointAt(end)); ) {
            left -= columns(text.codePointAt(end));
            end = text.offsetByCodePoints(end, 1);
        }
        return width <= 0 ? "" : text.substring(0, end) + "…";
    }

    private static int columns(int character) {
        return character < 0x2E80 ? 1 : 2;
    }

    /**
     * Wraps text at spaces and beside Chinese characters, but never between a number and its unit. A word longer than
     * the width stays whole.
     */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        String glued = GAP.matcher(UNIT.matcher(text).replaceAll("\u0000")).replaceAll("\u0001");
        for (String piece : glued.split(" +|(?=\u0001)")) {
            boolean close = piece.startsWith("\u0001") || line.length() == 0;
            String word = piece.replace("\u0001", "").replace('\u0000', ' ');
            if (line.length() > 0 && width(line.toString()) + (close ? 0 : 1) + width(word) > width) {
                lines.add(line.toString());
                line.setLength(0);
                close = true;
            }
            line.append(close ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    /**
     * The start of a line: spaces, and a symbol or label. Continuation lines are indented by its width. The quantifiers
     * are possessive, because backtracking over thousands of names overflows the stack.
     */
    private static final Pattern START =
            Pattern.compile(" *(?:(?:\u001b\\[[\\d;]+m)?[✓✗!?·](?:\u001b\\[0m)? |\\S++(?: \\S++)*+ {2,})?");

    /** Wraps long lines, aligned with their text; a long command is continued with the shell's continuation character. */
    public static String fitted(String text, int width) {
        return text.lines().flatMap(line -> fittedLine(line, width)).collect(Collectors.joining("\n"));
    }

    private static Stream<String> fittedLine(String line, int width) {
        Matcher found = START.matcher(line);
        String start = found.lookingAt() ? found.group() : "";
        int indent = width(start.replaceAll("\u001b\\[[\\d;]+m", ""));
        String rest = line.substring(start.length());
        if (indent + width(rest) <= width || indent > width / 2) {
            return Stream.of(line);
        }
        boolean command = rest.startsWith("./plimsoll ") || rest.startsWith("plimsoll ");
        List<String> lines = command ? folded(rest, width - indent) : wrap(rest, width - indent);
        return IntStream.range(0, lines.size()).mapToObj(i -> (i == 0 ? start : " ".repeat(indent)) + lines.get(i));
    }

    private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9_./:=,@%+-]+");

    private static final String CONTINUED = " \\";

    public static String quote(List<String> command) {
        return command.stream().map(Text::quote).collect(Collectors.joining(" "));
    }

    /** A quoted command, wrapped into lines that a shell joins; only a single long option can exceed the width. */
    static List<String> folded(String command, int width) {
        List<String> lines = new ArrayList<>();
        String line = "";
        String[] parts = command.split(" (?=--)");
        for (int i = 0; i < parts.length; i++) {
            int end = i + 1 < parts.length ? CONTINUED.length() : 0;
            if (!line.isBlank() && line.length() + 1 + parts[i].length() + end > width) {
                lines.add(line + CONTINUED);
                line = "  " + parts[i];
            } else {
                line = line.isEmpty() ? parts[i] : line + " " + parts[i];
            }
        }
        lines.add(line);
        return lines;
    }

    private static String quote(String word) {
        return SAFE.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
