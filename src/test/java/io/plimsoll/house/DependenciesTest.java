package io.plimsoll.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.result.Json;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No bundled library has a known vulnerability, and every version is declared once. Works offline: see bin/advisories.
 */
class DependenciesTest {
    private static final Path BOM = Path.of("target", "bom.json");
    private static final List<String> QUALIFIERS = List.of("alpha", "beta", "milestone", "rc", "snapshot", "", "sp");

    private static JsonNode advisories() throws IOException {
        try (InputStream in = DependenciesTest.class.getResourceAsStream("/advisories.json")) {
            return Json.MAPPER.readTree(in);
        }
    }

    /** As delivered. */
    private static JsonNode components() throws IOException {
        assertThat(BOM).as("a build makes it: mvn package -DskipTests").exists();
        Process parts = new ProcessBuilder("packaging/parts", "target")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return Json.MAPPER.readTree(parts.getInputStream()).get("components");
    }

    private static boolean isJavaScript(JsonNode part) {
        return part.get("purl").asText().startsWith("pkg:npm/");
    }

    @Test
    void noLibraryHasKnownVulnerability() throws IOException {
        JsonNode known = advisories();
        List<String> weak = new ArrayList<>();
        Map<String, String> versions = new TreeMap<>();
        components()
                .forEach(c -> versions.put(
                        c.path("group").asText("npm") + ":" + c.get("name").asText(),
                        c.get("version").asText()));
        versions.forEach((library, version) -> {
            assertThat(known.get("libraries").has(library))
                    .as("%s was never looked up: renew the file with bin/advisories", library)
                    .isTrue();
            for (JsonNode advisory : known.get("libraries").get(library)) {
                String id = advisory.get("id").asText();
                if (isAffected(advisory, version) && !known.get("accepted").has(id)) {
                    weak.add(library + " " + version + ": " + id + " " + advisory.get("aliases") + " "
                            + advisory.get("affected"));
                }
            }
        });
        assertThat(weak).isEmpty();
    }

    @Test
    void bomMatchesDeliveredLibraries() throws IOException {
        String[] delivered = new File("target", "lib").list((directory, name) -> name.endsWith(".jar"));
        assertThat(delivered).noneMatch(name -> name.matches("(pekko|avro|sqlite).*"));
        List<String> parts = new ArrayList<>();
        for (JsonNode c : components()) {
            if (!isJavaScript(c)) {
                parts.add(c.get("name").asText() + "-" + c.get("version").asText() + ".jar");
                assertThat(c.get("purl").asText()).startsWith("pkg:maven/");
                assertThat(c.get("hashes")).isNotEmpty();
            }
        }
        // Modules have their own directories, in which their jars stand beside their libraries.
        String[] ofFleet = new File("target/lib", "fleet").list((d, name) -> !name.startsWith("plimsoll-"));
        String[] ofHistory = new File("target/lib", "history").list((d, name) -> !name.startsWith("plimsoll-"));
        String[] ofSchemas = new File("target/lib", "schemas").list((d, name) -> !name.startsWith("plimsoll-"));
        assertThat(parts)
                .containsExactlyInAnyOrderElementsOf(Stream.of(delivered, ofFleet, ofHistory, ofSchemas)
                        .flatMap(Arrays::stream)
                        .toList());
    }

    /** Each third-party file of reports, and the libraries inside it. */
    @Test
    void bomIncludesJavaScriptOfReports() throws IOException {
        Map<String, JsonNode> parts = new TreeMap<>();
        for (JsonNode c : components()) {
            if (isJavaScript(c)) {
                parts.put(c.get("name").asText(), c);
            }
        }
        String[] own = new File("src/main/resources", "report").list();
        String[] delivered = new File("target/classes", "report").list((d, name) -> name.endsWith(".js"));
        for (String file : delivered) {
            if (!List.of(own).contains(file)) {
                assertThat(parts).containsKey(file.replaceFirst("[.]min[.]js$", ""));
            }
        }
        assertThat(parts).containsOnlyKeys("echarts", "tslib", "zrender");
        assertThat(parts.get("echarts").get("version").asText())
                .isEqualTo(pinned(Files.readString(Path.of("pom.xml")), "echarts"));
        assertThat(Files.readString(Path.of("target", "classes", "report", "echarts.min.js")))
                .contains("zrender:\"" + parts.get("zrender").get("version").asText() + "\"");
    }

    @Test
    void findsPlantedVulnerability() throws IOException {
        JsonNode advisory = Json.MAPPER.readTree("""
            {"affected": [{"introduced": "2.10.0", "fixed": "2.18.8"}, {"introduced": "2.19.0", "fixed": "2.21.4"},
              {"introduced": "3.0.0-rc1", "last_affected": "3.1.3"}, {"introduced": "9"}]}""");
        assertThat(List.of("2.10.0", "2.18.7", "2.21.2", "2.21.4-rc2", "3.0.0", "3.1.3", "10.1"))
                .allMatch(version -> isAffected(advisory, version));
        assertThat(List.of("2.9.10.8", "2.18.8", "2.18.10", "2.21.4", "3.0.0-beta1", "3.1.3.1", "3.1.4"))
                .noneMatch(version -> isAffected(advisory, version));
    }

    private static boolean isAffected(JsonNode advisory, String version) {
        for (JsonNode range : advisory.get("affected")) {
            boolean since = compare(version, range.get("introduced").asText()) >= 0;
            boolean before =
                    !range.has("fixed") || compare(version, range.get("fixed").asText()) < 0;
            boolean until = !range.has("last_affected")
                    || compare(version, range.get("last_affected").asText()) <= 0;
            if (since && before && until) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @CsvSource({
        "1.10,1.9,1",
        "1.0,1,0",
        "2.0-rc1,2.0,-1",
        "2.0-rc2,2.0-rc10,-1",
        "0,0.0.1,-1",
        "1.5.6-10,1.5.6-9,1",
        "2.0-beta9,2.0-rc1,-1"
    })
    void comparesVersionsLikeMaven(String one, String other, int order) {
        assertThat(Integer.signum(compare(one, other))).isEqualTo(order);
        assertThat(Integer.signum(compare(other, one))).isEqualTo(-order);
    }

    /** In Maven's order, for the version formats of the libraries here. */
    private static int compare(String one, String other) {
        List<String> left = parts(one);
        List<String> right = parts(other);
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            int order = comparePart(i < left.size() ? left.get(i) : "", i < right.size() ? right.get(i) : "");
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static List<String> parts(String version) {
        List<String> parts = new ArrayList<>();
        Matcher part = Pattern.compile("\\d+|[a-z]+").matcher(version.toLowerCase(java.util.Locale.ROOT));
        while (part.find()) {
            parts.add(Map.of("final", "", "ga", "", "m", "milestone", "cr", "rc")
                    .getOrDefault(part.group(), part.group()));
        }
        return parts;
    }

    private static int comparePart(String one, String other) {
        boolean number = isNumber(one);
        if (number && isNumber(other)) {
            return Long.compare(Long.parseLong(one), Long.parseLong(other));
        }
        if (number || isNumber(other)) {
            // A number is greater than any word, and greater than a missing part unless it is 0.
            String word = number ? other : one;
            long value = Long.parseLong(number ? one : other);
            int order = word.isEmpty() && value == 0 ? 0 : 1;
            return number ? order : -order;
        }
        int left = QUALIFIERS.indexOf(one);
        int right = QUALIFIERS.indexOf(other);
        return left == right ? one.compareTo(other) : Integer.compare(left, right);
    }

    private static boolean isNumber(String part) {
        return !part.isEmpty() && Character.isDigit(part.charAt(0));
    }

    @Test
    void pinsEveryVersionInPomProperties() throws IOException {
        String pom = Files.readString(Path.of("pom.xml")).replaceAll("(?s)<properties>.*?</properties>", "");
        Matcher version = Pattern.compile("<version>([^<]*)</version>").matcher(pom);
        List<String> literal = new ArrayList<>();
        while (version.find()) {
            if (!version.group(1).matches("\\$\\{[\\w.-]+}")) {
                literal.add(version.group(1));
            }
        }
        // The project's own.
        assertThat(literal).hasSize(1);
    }

    /** Copied or published projects cannot refer to the program's own properties. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "junit/pom.xml",
                "fleet/pom.xml",
                "history/pom.xml",
                "omb/pom.xml",
                "perf/pom.xml",
                "schemas/pom.xml",
                "examples/orders/pom.xml",
                "packaging/library/pom.xml"
            })
    void otherProjectsDeclareSameVersions(String other) throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        Matcher own = Pattern.compile("<artifactId>plimsoll</artifactId>\\s*<version>([^<]*)<")
                .matcher(pom);
        assertThat(own.find()).isTrue();
        String program = own.group(1);
        Matcher said = Pattern.compile("<artifactId>([^<]*)</artifactId>\\s*<version>([^<$]*)</version>")
                .matcher(Files.readString(Path.of(other)));
        int versions = 0;
        while (said.find()) {
            String name = said.group(1);
            if (name.equals("orders")) {
                continue;
            }
            versions++;
            assertThat(said.group(2))
                    .as("%s in %s", name, other)
                    .isEqualTo(name.startsWith("plimsoll") ? program : pinned(pom, name));
        }
        assertThat(versions).isPositive();
    }

    private static String pinned(String pom, String artifact) {
        String property = artifact.replaceFirst("^maven-", "")
                .replaceFirst("^junit-jupiter.*", "junit")
                .replaceFirst("^(pekko|jackson|sqlite)-.*", "$1")
                .replaceFirst("-plugin$", "(?:-plugin)?");
        Matcher version =
                Pattern.compile("<" + property + "[.]version>([^<]*)<").matcher(pom);
        assertThat(version.find()).as("a version of %s", artifact).isTrue();
        return version.group(1);
    }
}
