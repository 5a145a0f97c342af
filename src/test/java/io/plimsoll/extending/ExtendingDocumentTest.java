package io.plimsoll.extending;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.lab.SharedLab;
import io.plimsoll.testing.Said;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/contributing/extending.md is correct: its extensions are classes here, which appear where the page says once
 * registered, with the code of the page.
 */
class ExtendingDocumentTest {
    private static final Path PAGE = Path.of("docs", "contributing", "extending.md");
    /**
     * The registrations of the classes; on the class path of this test alone, so that all other tests see the
     * unextended program.
     */
    private static final Path REGISTERED = Path.of("src", "test", "resources", "extending");

    @TempDir
    Path out;

    @Test
    void registeredExtensionsTakeEffect() throws Exception {
        Map<String, String> found = added();
        assertThat(found)
                .containsEntry("check", "produce.batchRate")
                .containsEntry("figure in the list", "record batches sent a second")
                .containsEntry("figure in Chinese", "批次/秒")
                .containsEntry("figure charted", "true")
                .containsEntry("figure of a column", "true")
                .containsEntry("key", "orders")
                .containsEntry("key in the documents", "what the clients' ids begin with, for quotas")
                .containsEntry("kind", "TrickleKind 500")
                .containsEntry("kind's key", "用于 `engine: trickle`：每次请求的字节数")
                .containsEntry("kind's default", "1000")
                .containsEntry("load", "200 written, 200 read")
                .containsEntry("load's engine", "trickle")
                .containsEntry("load asks for each", "true")
                .containsEntry("fault", "roll broker 1 / 滚动重启 broker 1");
        assertThat(found.get("key misspelt"))
                .contains("producers[0]: unknown key \"cliendId\"; did you mean clientId?")
                .contains("是否想写 clientId？");
        assertThat(found.get("key of another kind"))
                .contains(Said.text("producers[0].clientId: «scenario.otherEngine¦trickle¦client»"));
        assertThat(found.get("rule"))
                .startsWith("format conversion / 格式转换 / broker 1 converts 50")
                .contains("500 records/s converted");
        assertThat(found.get("rule without figures")).contains("no broker says how many records it converts");
        assertThat(found.get("sentence"))
                .isEqualTo("3 members of group orders have no partition: events has 1 partition."
                        + " / 消费组 orders 中有 3 个成员没有分区：events 只有 1 个分区。");
    }

    /** In a separate class loader, with the program, the tests and the registrations. */
    @SuppressWarnings("unchecked")
    private Map<String, String> added() throws Exception {
        String servers = SharedLab.oneBroker().bootstrapServers();
        List<URL> places = new ArrayList<>();
        for (String place : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
            if (place.endsWith("*")) {
                try (Stream<Path> jars = Files.list(Path.of(place).getParent())) {
                    jars.forEach(jar -> places.add(url(jar)));
                }
            } else {
                places.add(url(Path.of(place)));
            }
        }
        places.add(url(REGISTERED));
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            return ((Callable<Map<String, String>>) loader.loadClass(AddedThings.class.getName())
                            .getDeclaredConstructor(String.class, Path.class)
                            .newInstance(servers, out))
                    .call();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void codeOnPageMatchesSources() throws IOException {
        String sources = files(Path.of("src", "test", "java"), ".java")
                .filter(file -> file.getFileName().toString().matches("Added\\w+\\.java|TrickleKind\\.java"))
                .map(file -> read(file).replaceAll("\\s+", ""))
                .collect(Collectors.joining());
        assertThat(blocks("java")).hasSizeGreaterThan(5).allSatisfy(code -> assertThat(sources)
                .contains(code.replaceAll("\\s+", "")));
    }

    @Test
    void wordingOnPageMatchesPropertiesFiles() throws IOException {
        List<String> words = files(REGISTERED, ".properties")
                .flatMap(file -> read(file).lines())
                .toList();
        assertThat(blocks("properties").flatMap(String::lines))
                .hasSizeGreaterThan(6)
                .isSubsetOf(words);
    }

    private static Stream<String> blocks(String language) throws IOException {
        return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1));
    }

    private static Stream<Path> files(Path directory, String end) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(f -> f.toString().endsWith(end)).sorted().toList().stream();
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
