package io.plimsoll.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.text.Wording.Template;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guards the sentence files: both languages have the same keys with the same places, and each key is used. */
class CatalogueTest {
    private static final Path MAIN = Path.of("src", "main");
    private static final Path FILES = MAIN.resolve(Path.of("resources", "sentences"));
    private static final List<String> ROOMS = files(FILES, ".en.properties")
            .map(f -> f.getFileName().toString().replace(".en.properties", ""))
            .toList();

    @Test
    void bothLanguagesHaveMatchingKeysAndPlaceholders() {
        assertThat(ROOMS).contains("text");
        assertThat(files(FILES, ".properties")).hasSize(2 * ROOMS.size());
        for (String room : ROOMS) {
            Map<String, String> english = Wording.of(room, Language.EN);
            Map<String, String> chinese = Wording.of(room, Language.ZH);
            assertThat(chinese.keySet()).containsExactlyInAnyOrderElementsOf(english.keySet());
            assertThat(english.keySet()).allMatch(key -> key.startsWith(room + "."));
            english.forEach((key, words) -> {
                assertThat(new Template(chinese.get(key)).places())
                        .as(key)
                        .isSubsetOf(new Template(words).places())
                        .containsAll(shown(words));
                assertThat(new Template(words).places()).as(key).isEqualTo(upTo(new Template(words)));
            });
        }
    }

    /** A choice between singular and plural in English needs no place in Chinese. */
    private static Set<Integer> shown(String words) {
        return new Template(words.replaceAll("\\[[^\\[\\]]*\\|[^\\[\\]]*]", "")).places();
    }

    private static Set<Integer> upTo(Template template) {
        return Stream.iterate(0, i -> i + 1).limit(template.places().size()).collect(Collectors.toSet());
    }

    @Test
    void keysAreUniqueWithinAFile() {
        files(FILES, ".properties").forEach(file -> {
            Map<String, Integer> lines = new TreeMap<>();
            read(file)
                    .lines()
                    .filter(line -> line.contains("="))
                    .forEach(line -> lines.merge(line.substring(0, line.indexOf('=')), 1, Integer::sum));
            assertThat(lines)
                    .as(file.toString())
                    .allSatisfy((key, times) -> assertThat(times).as(key).isEqualTo(1));
        });
    }

    /** A key is used if it occurs in a source, or if its prefix up to a dot does and the rest is a value. */
    @Test
    void everySentenceIsUsed() {
        Set<String> literals = literals("[\"']([a-z]+\\.[\\w.-]*)[\"']");
        List<String> unused = new ArrayList<>();
        for (String room : ROOMS) {
            Wording.of(room, Language.EN).keySet().stream()
                    .filter(key -> !literals.contains(key)
                            && literals.stream()
                                    .noneMatch(l ->
                                            l.endsWith(".") && l.indexOf('.') < l.length() - 1 && key.startsWith(l)))
                    .forEach(unused::add);
        }
        assertThat(unused).isEmpty();
    }

    /** Tests find a wrong key if they create its sentence; this test finds all other wrong keys. */
    @Test
    void everyKeyUsedInSourcesExists() {
        Set<String> unknown = new TreeSet<>();
        for (String key : literals(
                "(?:(?:Sentence\\.of|\\.because)\\((?:\\s*\\w+,)?|(?:addIf|\\.when)\\([^;\"]*,)\\s*\"([a-z]+\\.[\\w.-]*[\\w])\"")) {
            String room = key.substring(0, key.indexOf('.'));
            if (!Wording.of(room, Language.EN).containsKey(key)) {
                unknown.add(key);
            }
        }
        assertThat(unknown).isEmpty();
    }

    /** Errors of these packages are never finished English: their user interface renders them in a language. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cli",
                "cluster",
                "fleet",
                "lab",
                "observe",
                "pace",
                "payload",
                "report",
                "result",
                "run",
                "web",
                "scenario"
            })
    void errorsUseKeys(String room) {
        Pattern finished = Pattern.compile("new PlimsollException\\(\\s*[\\w.]+,\\s*\"");
        Path module = Path.of(room.equals("fleet") ? room : "").resolve(MAIN);
        assertThat(files(module.resolve(Path.of("java", "io", "plimsoll", room)), ".java")
                        .filter(file -> finished.matcher(read(file)).find()))
                .isEmpty();
        Set<String> keys = literals("\\.(?:because\\((?:\\s*\\w+,)?\\s*|when\\([^;]*?)\"(" + room + "\\.\\w+)\"");
        assertThat(keys).isNotEmpty().allSatisfy(key -> assertThat(
                        Wording.of(room, Language.ZH).get(key))
                .containsPattern("[^\\x00-\\x7F]"));
    }

    private static Set<String> literals(String pattern) {
        Pattern literal = Pattern.compile(pattern);
        return Stream.of(
                        files(MAIN.resolve("java"), ".java"),
                        files(Path.of("fleet").resolve(MAIN), ".java"),
                        files(Path.of("history").resolve(MAIN), ".java"),
                        files(Path.of("omb").resolve(MAIN), ".java"),
                        files(Path.of("perf").resolve(MAIN), ".java"),
                        files(Path.of("schemas").resolve(MAIN), ".java"),
                        files(MAIN.resolve("resources"), ".js"))
                .flatMap(files -> files)
                .flatMap(file -> literal.matcher(read(file)).results().map(m -> m.group(1)))
                .collect(Collectors.toSet());
    }

    private static Stream<Path> files(Path directory, String end) {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(f -> f.toString().endsWith(end)).sorted().toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
