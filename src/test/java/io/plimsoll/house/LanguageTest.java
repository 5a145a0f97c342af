package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Help, messages, pages, built-in scenarios, documents and Javadoc follow the style guide: no construction of {@code
 * language/english.txt} and {@code language/chinese.txt}, no English sentence of more than 35 words, and no Chinese
 * paragraph wrapped between Chinese characters.
 */
class LanguageTest {
    private static final Path RULES = Path.of("src", "test", "resources", "language");
    private static final Path RESOURCES = Path.of("src", "main", "resources");
    private static final Path JAVA = Path.of("src", "main", "java", "io", "plimsoll");
    private static final Path TEST_JAVA = Path.of("src", "test", "java", "io", "plimsoll");
    private static final Rules ENGLISH = Rules.of("english.txt");
    private static final Rules CHINESE = Rules.of("chinese.txt");
    private static final int LONGEST_SENTENCE = 35;
    private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?:;])\\s+");
    private static final Pattern QUOTED =
            Pattern.compile("`[^`]*`|\\{@\\w+ [^}]*}|@param \\w+|<code>.*?</code>|\\]\\([^)]*\\)");

    /** A line break inside a Chinese paragraph, which a page shows as a space. */
    private static final Pattern WRAPPED = Pattern.compile(
            "(?m)^(?!#).*(?:[\\p{IsHan}，。；：、！？）”][*_]*\\n *(?=[*_]*[\\p{IsHan}（“])|[，。；：、！？）]\\n *(?=[`A-Za-z\\[])).*");

    /** A construction to avoid, and its replacement. */
    private record Rule(Pattern pattern, String advice) {}

    /**
     * The rules of a language.
     *
     * @param any matches if a rule does, in a tenth of the time: it looks for word boundaries only once
     */
    private record Rules(List<Rule> all, Pattern any) {
        private static final String WORD_START = "\\b";

        static Rules of(String file) {
            try {
                List<String[]> lines = lines(RULES.resolve(file)).stream()
                        .map(line -> line.split(" {2,}", 2))
                        .toList();
                String start = lines.stream().allMatch(parts -> parts[0].startsWith(WORD_START)) ? WORD_START : "";
                String any = lines.stream()
                        .map(parts -> "(?:" + parts[0].substring(start.length()) + ")")
                        .collect(Collectors.joining("|", start + "(?:", ")"));
                return new Rules(
                        lines.stream()
                                .map(parts -> new Rule(pattern(parts[0]), parts[1]))
                                .toList(),
                        pattern(any));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static Pattern pattern(String expression) {
            return Pattern.compile(expression, Pattern.CASE_INSENSITIVE);
        }
    }

    /** A piece of prose and its location. */
    private record Prose(String place, String text) {}

    /** A kind of text: its files, and how to extract its prose. */
    private enum Kind {
        PROPERTIES(".properties"),
        PAGE(".json"),
        SCENARIO(".yaml"),
        DOCUMENT(".md"),
        JAVADOC(".java");

        private final String suffix;

        Kind(String suffix) {
            this.suffix = suffix;
        }

        static Kind of(Path file) {
            return Stream.of(values())
                    .filter(kind -> file.toString().endsWith(kind.suffix))
                    .findFirst()
                    .orElseThrow();
        }

        /** The prose of a file by line, without quoted code. */
        List<Prose> prose(Path file) throws IOException {
            List<Prose> found = new ArrayList<>();
            boolean code = false;
            List<String> lines = Files.readAllLines(file);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i);
                if (this == DOCUMENT && line.strip().startsWith("```")) {
                    code = !code;
                    continue;
                }
                String text = code ? "" : text(line);
                if (!text.isBlank()) {
                    found.add(
                            new Prose(file + ":" + (i + 1), QUOTED.matcher(text).replaceAll("X")));
                }
            }
            return found;
        }

        private String text(String line) {
            return switch (this) {
                case PROPERTIES -> line.startsWith("#") ? "" : line.substring(line.indexOf('=') + 1);
                case PAGE -> line.substring(line.indexOf(':') + 1);
                case SCENARIO, DOCUMENT -> line;
                case JAVADOC -> {
                    Matcher comment =
                            Pattern.compile("^\\s*(?:/?\\*+/?|//)(.*)").matcher(line);
                    yield comment.find() ? comment.group(1) : "";
                }
            };
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    private static List<Path> files(Path directory, Predicate<Path> filter) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .filter(f -> Stream.of(Kind.values())
                            .anyMatch(kind -> f.toString().endsWith(kind.suffix)))
                    .filter(filter)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isChinese(Path file) {
        return file.toString().matches(".*([._]zh\\.|[/\\\\]zh[/\\\\]).*");
    }

    private static List<Path> texts() throws IOException {
        List<Path> texts = new ArrayList<>();
        texts.addAll(files(RESOURCES, f -> f.getFileName().toString().startsWith("help")));
        texts.addAll(files(RESOURCES.resolve("sentences"), f -> true));
        texts.addAll(files(RESOURCES.resolve("report"), f -> f.toString().endsWith(".json")));
        texts.addAll(files(RESOURCES.resolve("scenarios"), f -> true));
        texts.addAll(files(Path.of("docs"), f -> f.toString().endsWith(".md")));
        texts.addAll(Stream.of("README.md", "README.zh.md", "CONTRIBUTING.md", "CONTRIBUTING.zh.md")
                .map(Path::of)
                .filter(Files::exists)
                .toList());
        for (String module : List.of("", "fleet", "history", "omb", "perf", "schemas")) {
            texts.addAll(files(Path.of(module).resolve(JAVA), f -> true));
            texts.addAll(
                    files(Path.of(module).resolve(TEST_JAVA), f -> f.toString().endsWith(".java")));
        }
        return texts;
    }

    /** In documents, the lines of a paragraph are joined; tables and scenarios have no distinguishable sentences. */
    private static List<Prose> paragraphs(Path file) throws IOException {
        Kind kind = Kind.of(file);
        if (kind == Kind.SCENARIO || kind == Kind.JAVADOC) {
            return List.of();
        }
        if (kind != Kind.DOCUMENT) {
            return kind.prose(file);
        }
        List<Prose> paragraphs = new ArrayList<>();
        for (String block : withoutCode(file).split("\n\\s*\n|\n(?=\\s*(?:[-*#|]|\\d+\\.) ?)")) {
            if (!block.isBlank() && !block.strip().startsWith("|")) {
                paragraphs.add(
                        new Prose(file.toString(), QUOTED.matcher(block.strip()).replaceAll("X")));
            }
        }
        return paragraphs;
    }

    private static String withoutCode(Path document) throws IOException {
        return Files.readString(document).replaceAll("(?ms)^\\s*```.*?^\\s*```$", "\n");
    }

    private static List<String> faults(Path file) throws IOException {
        boolean chinese = isChinese(file);
        Rules rules = chinese ? CHINESE : ENGLISH;
        List<String> faults = new ArrayList<>();
        for (Prose prose : Kind.of(file).prose(file)) {
            if (!rules.any.matcher(prose.text).find()) {
                continue;
            }
            for (Rule rule : rules.all) {
                Matcher hit = rule.pattern.matcher(prose.text);
                while (hit.find()) {
                    faults.add(prose.place + ": \"" + hit.group() + "\": write " + rule.advice);
                }
            }
        }
        if (chinese && Kind.of(file) == Kind.DOCUMENT) {
            WRAPPED.matcher(withoutCode(file))
                    .results()
                    .forEach(hit -> faults.add(file + ": a Chinese paragraph is one line: "
                            + hit.group().strip()));
        }
        if (!chinese) {
            for (Prose paragraph : paragraphs(file)) {
                SENTENCE_END
                        .splitAsStream(paragraph.text)
                        .filter(sentence -> sentence.split("\\s+").length > LONGEST_SENTENCE)
                        .forEach(sentence -> faults.add(paragraph.place + ": more than 35 words: " + sentence));
            }
        }
        return faults;
    }

    @TestFactory
    Stream<DynamicTest> textsFollowStyleGuide() throws IOException {
        List<String> pending = lines(RULES.resolve("pending.txt"));
        return texts().stream()
                .filter(file -> pending.stream().noneMatch(p -> file.startsWith(Path.of(p))))
                .collect(Collectors.groupingBy(file -> file.resolveSibling("").toString()))
                .entrySet()
                .stream()
                .map(group -> DynamicTest.dynamicTest("in /" + group.getKey(), () -> {
                    List<String> faults = new ArrayList<>();
                    for (Path file : group.getValue()) {
                        faults.addAll(faults(file));
                    }
                    assertThat(faults).isEmpty();
                }));
    }

    /** The list of pending texts can only shrink. */
    @Test
    void pendingTextsStillHaveFaults() throws IOException {
        List<Path> texts = texts();
        for (String pending : lines(RULES.resolve("pending.txt"))) {
            int faults = 0;
            for (Path file : texts) {
                faults += file.startsWith(Path.of(pending)) ? faults(file).size() : 0;
            }
            assertThat(faults).as(pending).isPositive();
        }
    }

    @Test
    void findsPlantedFault(@TempDir Path directory) throws IOException {
        Path english = directory.resolve("a.en.properties");
        Files.writeString(
                english, "a.b=Says whose `shall` it is.\na.c=" + "word ".repeat(36) + "\na.d=The broker is down.\n");
        assertThat(faults(english))
                .hasSize(2)
                .anyMatch(f -> f.contains(":1: \"whose\""))
                .anyMatch(f -> f.contains(":2: more"));
        Path chinese = directory.resolve("a.zh.properties");
        Files.writeString(chinese, "a.b=标定负载发生器。\n");
        assertThat(faults(chinese)).hasSize(1);
        Path document = directory.resolve("a.zh.md");
        Files.writeString(document, "# 题\n\n一段。\n\n- 一项\n- 另一项\n\n一段文字，\n另起一行。\n\n有 Kafka\nbroker。\n");
        assertThat(faults(document)).hasSize(1);
    }
}
