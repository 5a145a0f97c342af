package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page of {@code docs/reference} generated from declarations, in one language. With {@code -Dplimsoll.write=true}
 * {@link #assertCurrent} writes the file instead of comparing it.
 */
public final class ReferencePage {
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\(([^)]*)\\)");

    private final String name;
    private final Language language;
    private final StringBuilder text = new StringBuilder();

    /** @param name of the page, without {@code .md} */
    public ReferencePage(String name, Language language, String english, String chinese) {
        this.name = name;
        this.language = language;
        text.append("# ").append(say(english, chinese)).append("\n\n");
        text.append(say(
                "English · [中文](../zh/reference/" + name + ".md)", "[English](../../reference/" + name + ".md) · 中文"));
        text.append("\n\n<!-- Generated from the declarations; -Dplimsoll.write=true writes it. -->\n");
    }

    public String say(String english, String chinese) {
        return language == Language.EN ? english : chinese;
    }

    /** A heading with an anchor that is the same in both languages; empty for the anchor of the heading itself. */
    public ReferencePage heading(int level, String anchor, String english, String chinese) {
        text.append('\n');
        if (!anchor.isEmpty()
                && (language == Language.ZH
                        || !anchor.equals(english.toLowerCase(Locale.ROOT).replace(' ', '-')))) {
            text.append("<a id=\"").append(anchor).append("\"></a>\n");
        }
        text.append("#".repeat(level)).append(' ').append(say(english, chinese)).append('\n');
        return this;
    }

    public ReferencePage paragraph(String english, String chinese) {
        return paragraph(say(english, chinese));
    }

    public ReferencePage paragraph(String said) {
        text.append('\n').append(said).append('\n');
        return this;
    }

    public ReferencePage items(List<String> items) {
        text.append('\n');
        items.forEach(item -> text.append("- ").append(item).append('\n'));
        return this;
    }

    public ReferencePage block(String code) {
        text.append("\n```\n").append(code.stripTrailing()).append("\n```\n");
        return this;
    }

    /** The heads of a table, separated by {@code |}; {@link #row} adds its rows. */
    public ReferencePage table(String english, String chinese) {
        String[] heads = say(english, chinese).split("\\|");
        text.append('\n');
        row(heads);
        text.append("|").append("---|".repeat(heads.length)).append('\n');
        return this;
    }

    public ReferencePage row(String... cells) {
        text.append(Stream.of(cells)
                .map(cell -> cell.strip().replace("\n", " ").replaceAll("(?<!\\\\)\\|", "\\\\|"))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
        return this;
    }

    /** Text of a declaration: keeps links only to headings of the page, by anchor. */
    public static String unlinked(String markdown, List<String> anchors) {
        return LINK.matcher(markdown)
                .replaceAll(link -> Matcher.quoteReplacement(
                        anchors.contains(link.group(2))
                                ? link.group()
                                : link.group(1).replaceFirst("\\.md$", "")));
    }

    public static String code(Object value) {
        return "`" + value + "`";
    }

    /** Compares the page with its file, or writes the file. */
    public void assertCurrent() throws IOException {
        Path file = Path.of(say("docs/reference", "docs/zh/reference"), name + ".md");
        if (Boolean.getBoolean("plimsoll.write")) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file))
                .as("%s; -Dplimsoll.write=true writes it", file)
                .isEqualTo(text.toString());
    }
}
