package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each documented command is run here, needs a cluster, or is run by a test named here. Commands that download releases
 * of Kafka are nightly: by day, {@link DocumentedCommandsTest} parses them and {@code ScenarioReaderTest} reads their
 * scenarios.
 */
@Order(1)
class DocumentedCommandsAreRunTest {
    /** A cluster, a fleet, or a file or run that only the reader has. */
    private static final Pattern NAMES_WHAT_IT_NEEDS = Pattern.compile(
            ".*(--bootstrap-server|kafka1:|bootstrap\\.servers|127\\.0\\.0\\.1:9092|--fleet|cluster=|client=|\\b[A-Z]{3,}(_DIR)?\\b(?![-,_])).*");

    /** The lab of another release of Kafka, which is downloaded for a plan, too. */
    private static final Pattern DOWNLOADS = Pattern.compile(".*(kafka-versions|rolling-upgrade|kafkaVersion=).*");

    /** Other tests generate the load itself: here its plan is made and shown, with all of its options. */
    private static final Pattern LOAD = Pattern.compile("run( (?!--help).*)?");

    /**
     * Commands that run until stopped, ask questions, measure, or need brokers or third-party files: covered by the
     * test of that command.
     */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("agent", "cli/FleetCommandsTest"),
            Map.entry("fleet", "cli/FleetCommandsTest"),
            Map.entry("lab", "lab/LabCommandTest"),
            Map.entry("new", "cli/NewCommandTest"),
            Map.entry("null-broker", "cli/NullBrokerCommandTest"),
            Map.entry("omb", "omb/OmbCommandTest"),
            Map.entry("host", "cli/HostCommandTest"),
            Map.entry("calibrate", "cli/CalibrateCommandTest"),
            Map.entry("ceiling", "cli/CeilingCommandTest"),
            Map.entry("verify", "cli/VerifyCommandTest"),
            Map.entry("import", "cli/ImportCommandTest"),
            Map.entry("ui", "web/LivePageTest"),
            Map.entry("probe", "cli/AskingCommandsTest"),
            Map.entry("bundle", "cli/BundleCommandTest"),
            Map.entry("gallery", "cli/BundleCommandTest"),
            Map.entry("selftest", "cli/SelfTestCommandTest"),
            Map.entry("sheet", "cli/SheetCommandTest"),
            Map.entry("capture", "cli/AskingCommandsTest"),
            Map.entry("capacity", "capacity/CapacityPlannerTest"));

    private static final List<String> RUNS = List.of(
            "before1",
            "before2",
            "before3",
            "after",
            "after1",
            "after2",
            "after3",
            "one1",
            "one2",
            "one3",
            "several1",
            "several2",
            "several3",
            "runs/a1",
            "runs/a2",
            "runs/a3",
            "runs/b1",
            "runs/b2",
            "runs/b3",
            "runs/2026-11-21T211410Z-broker-limits",
            "runs/before",
            "runs/after",
            "runs/one-disk",
            "runs/several-disks",
            "runs/2026-11-21T211410Z-quick",
            "runs/2026-11-21T211410Z-orders",
            "runs/2026-11-21T211410Z-import");

    private static final String SCHEMA = "order.avsc";

    @TempDir
    private static Path home;

    @BeforeAll
    static void whatTheCommandsName() throws IOException {
        for (String run : RUNS) {
            unpack("quick.jsonl.gz", home.resolve(run).resolve("timeline.jsonl"));
            unpack("quick.result.json.gz", home.resolve(run).resolve("result.json"));
        }
        InProcess packed = InProcess.run(
                "bundle",
                home.resolve("runs/before").toString(),
                home.resolve("runs/after").toString(),
                "--out",
                home.resolve("change.plimsoll.zip").toString());
        assertThat(packed.exit()).as(packed.err()).isZero();
        Files.writeString(home.resolve(SCHEMA), """
                {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "long"}]}
                """);
        for (String scenario : List.of("orders.yaml", "events.yaml", "mine.yaml")) {
            Files.writeString(
                    home.resolve(scenario),
                    "topics: [{name: events, partitions: 6}]\nproducers: [{topic: events, rate: 500/s}]\nduration: 1s\n");
        }
    }

    private static void unpack(String recorded, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        try (InputStream in = new GZIPInputStream(
                        DocumentedCommandsAreRunTest.class.getResourceAsStream("/runs/" + recorded));
                OutputStream out = Files.newOutputStream(file)) {
            in.transferTo(out);
        }
    }

    static Stream<String> commands() throws IOException {
        return all().filter(command -> !DOWNLOADS.matcher(command).matches());
    }

    static Stream<String> downloads() throws IOException {
        return all().filter(command -> DOWNLOADS.matcher(command).matches());
    }

    private static Stream<String> all() throws IOException {
        return DocumentedCommandsTest.commands()
                .filter(command -> !NAMES_WHAT_IT_NEEDS.matcher(command).matches())
                .filter(command -> !ELSEWHERE.containsKey(command.split(" ")[0]));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void works(String command) {
        List<String> words = new ArrayList<>();
        for (String word : DocumentedCommandsTest.words(command)) {
            words.add(inHome(words, word));
        }
        if (LOAD.matcher(command).matches() && !words.contains("--dry-run")) {
            words.add("--dry-run");
        }
        InProcess ended = InProcess.run(words.toArray(String[]::new));
        // Identical runs are not worse than each other; few runs prove no change.
        Exit expected = command.startsWith("history check") ? Exit.INVALID_MEASUREMENT : Exit.PASSED;
        assertThat(ended.exit()).as("%s%n%s", ended.out(), ended.err()).isEqualTo(expected.code());
        assertThat(ended.out()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("downloads")
    @Tag("nightly")
    void worksWithAnotherRelease(String command) {
        works(command);
    }

    /** Files and output are in the directory in which a reader types the command. */
    private static String inHome(List<String> before, String word) {
        if (word.endsWith("=" + SCHEMA)) {
            return word.replace(SCHEMA, home.resolve(SCHEMA).toString());
        }
        String last = before.isEmpty() ? "" : before.get(before.size() - 1);
        boolean written = last.equals("--out");
        boolean there = !before.isEmpty()
                && !word.startsWith("-")
                && Stream.of(word.split(","))
                        .allMatch(each -> Files.exists(home.resolve(each.replaceFirst("(?<=\\.zip)/.*", ""))));
        if (!written && !there) {
            return word;
        }
        return String.join(
                ",",
                Stream.of(word.split(","))
                        .map(each -> home.resolve(each).toString())
                        .toList());
    }

    @Test
    void runsMostCommandsHere() throws IOException {
        assertThat(commands())
                .hasSizeGreaterThan(40)
                .contains("run", "compare before1,before2,before3 after1,after2,after3");
    }

    @Test
    void testsOfRemainingCommandsExist() {
        assertThat(ELSEWHERE.values()).allMatch(test -> Stream.of("", "omb/")
                .anyMatch(module -> Files.exists(Path.of(module + "src/test/java/io/plimsoll", test + ".java"))));
    }
}
