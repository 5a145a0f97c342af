package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Test classes state their purpose, have unique names, and run once. */
class TestClassesTest {
    private static final Path TESTS = Path.of("src", "test", "java");
    private static final Path FIXTURE = TESTS.resolve("io/plimsoll/house/fixture");
    private static final Pattern TOP_LEVEL = Pattern.compile("(?m)^(?:public |final )*class ");

    private static List<Path> sources() throws IOException {
        List<Path> all = new ArrayList<>();
        for (String module : new String[] {"", "fleet", "history", "omb", "perf", "schemas"}) {
            try (Stream<Path> files = Files.walk(Path.of(module).resolve(TESTS))) {
                files.filter(f -> f.toString().endsWith(".java"))
                        .filter(f -> !f.startsWith(FIXTURE))
                        .forEach(all::add);
            }
        }
        return all;
    }

    @Test
    void everyTestClassStatesItsPurpose() throws IOException {
        for (Path source : sources()) {
            String text = Files.readString(source);
            if (source.toString().endsWith("Test.java")) {
                assertThat(saysWhatItGuards(text)).as("Javadoc of %s", source).isTrue();
            }
        }
        assertThat(saysWhatItGuards("package p;\n\nclass ATest {\n    /** later */\n}\n"))
                .isFalse();
    }

    private static boolean saysWhatItGuards(String text) {
        var matcher = TOP_LEVEL.matcher(text);
        return matcher.find() && text.substring(0, matcher.start()).contains("/**");
    }

    @Test
    void classNamesAreUnique() throws IOException {
        Map<String, Long> names = sources().stream()
                .collect(Collectors.groupingBy(f -> f.getFileName().toString(), Collectors.counting()));
        names.remove("package-info.java");
        assertThat(names).allSatisfy((name, count) -> assertThat(count).as(name).isOne());
    }

    /** Retries would hide intermittent faults in the test or the program. */
    @Test
    void noTestIsRetried() throws IOException {
        assertThat(Path.of("pom.xml")).content().doesNotContain("rerunFailingTestsCount");
        for (Path source : sources()) {
            if (!source.endsWith("TestClassesTest.java")) {
                assertThat(source).content().doesNotContain("ATTEMPTS").doesNotContain("int attempt = 0");
            }
        }
    }
}
