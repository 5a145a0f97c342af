package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.testing.Markdown;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each error names a page about it, and each of these pages exists, in both languages. */
class ErrorPageTest {
    @ParameterizedTest
    @MethodSource("keys")
    void everyLinkedPageExists(String key) {
        String prefix = key.substring(Main.BEGINS.length());
        String room = prefix.substring(0, prefix.indexOf('.'));
        assertThat(Wording.of(room, Language.EN).keySet()).anyMatch(sentence -> sentence.startsWith(prefix));
        for (Language language : Language.values()) {
            String[] place = Wording.of(Main.ROOM, language).get(key).split("#");
            assertThat(Path.of(place[0])).exists();
            assertThat(place[0].startsWith("docs/zh/")).isEqualTo(language == Language.ZH);
            if (place.length > 1) {
                assertThat(Markdown.anchors(Path.of(place[0]))).as(key).contains(place[1]);
            }
        }
    }

    static Stream<String> keys() {
        return Wording.of(Main.ROOM, Language.EN).keySet().stream().sorted();
    }

    @Test
    void mostSpecificNestedSentenceSelectsPage() {
        Sentence within = Sentence.of("scenario.expected", Sentence.of("scenario.a.duration"), "x", Sentence.NONE);
        Sentence problems = Sentence.lines(List.of(
                Sentence.of("text.at", "a.yaml:1:1", Sentence.of("scenario.noLoad")),
                Sentence.of("text.at", "a.yaml:2:1", within)));
        assertThat(Main.page(problems, Language.EN)).contains("docs/reference/scenario.md#quantities");
        assertThat(Main.page(Sentence.of("scenario.noLoad"), Language.ZH)).contains("docs/zh/reference/scenario.md");
        assertThat(Main.page(Sentence.of("cli.sayWhat", "a", "b"), Language.EN)).isEmpty();
        assertThat(Main.page(Sentence.verbatim("anything"), Language.EN)).isEmpty();
    }

    @Test
    void pageIsLastLineOfErrorOutput() {
        assertThat(InProcess.run("run", "nowhere.yaml").err().lines())
                .hasSize(2)
                .last()
                .asString()
                .endsWith(" docs/guides/scenario-files.md");
        assertThat(InProcess.run(Language.ZH, "run", "nowhere.yaml").err())
                .endsWith(" docs/zh/guides/scenario-files.md\n");
    }

    @Test
    void pagePathIsAbsoluteOutsideProgramDirectory(@TempDir Path elsewhere) throws IOException {
        Path home = Path.of("").toAbsolutePath();
        String page = "docs/guides/run-a-fleet.md#certificates";
        assertThat(Main.pageFrom(page, elsewhere, home.toString())).isEqualTo(home + "/" + page);
        assertThat(Main.pageFrom(page, home, elsewhere.toString())).isEqualTo(page);
        assertThat(Main.pageFrom(page, elsewhere, elsewhere.toString())).isEqualTo(page);
        assertThat(Main.pageFrom(page, elsewhere, null)).isEqualTo(page);

        Path theirs = Files.createDirectories(elsewhere.resolve("docs/guides")).resolve("run-a-fleet.md");
        Files.writeString(theirs, "How to report a weakness of another program");
        assertThat(Main.pageFrom(page, elsewhere, home.toString())).isEqualTo(home + "/" + page);
        assertThat(Main.pageFrom(page, Path.of(""), home.toString())).isEqualTo(page);
    }
}
