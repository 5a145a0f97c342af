package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Scenarios of every version stay readable, and can be rewritten with current names without other changes. */
class UpgradeScenarioCommandTest {
    private static final String OLD = """
            # kept: consume.endToEnd is the name today
            topics: [{name: events}]   # kept, too
            producers: [{topic: events, rate: 10/s}]
            consumers: [{topic: events}]
            checks:
              - "consume.e2e.p99 < 1s"  # why
              - consume.errors == 0
            """;

    @TempDir
    Path directory;

    private static Plan plan(String text) {
        return ScenarioReader.read(text, "old.yaml", List.of(), 1);
    }

    @Test
    void renamesOldFiguresAndChangesNothingElse() throws IOException {
        Path file = Files.writeString(directory.resolve("old.yaml"), OLD);
        InProcess shown = InProcess.run("upgrade-scenario", file.toString(), "--dry-run");
        assertThat(shown.exit()).as(shown.err()).isZero();
        assertThat(shown.out())
                .isEqualTo(
                        "--- F\n+++ F\n@@ -6 +6 @@\n-  - \"consume.e2e.p99 < 1s\"  # why\n+  - \"consume.endToEnd.p99 < 1s\"  # why\n1 line of F would change\n"
                                .replace("F", file.toString()));
        assertThat(file).hasContent(OLD);

        InProcess done = InProcess.run("upgrade-scenario", file.toString());
        assertThat(done.out()).endsWith("1 line of " + file + " changed\n");
        String today = Files.readString(file);
        assertThat(today).isEqualTo(OLD.replace(".e2e.", ".endToEnd."));
        assertThat(plan(today).trials().get(0).scenario().checks())
                .extracting("figure", "op", "limit")
                .isEqualTo(plan(OLD).trials().get(0).scenario().checks().stream()
                        .map(c -> org.assertj.core.groups.Tuple.tuple(c.figure(), c.op(), c.limit()))
                        .toList());

        InProcess again = InProcess.run(Language.ZH, "upgrade-scenario", file.toString());
        assertThat(again.out()).matches(Said.zh("cli.upgrade.nothing", file) + "\n");
    }

    @Test
    void keepsLinkAndPermissions() throws IOException {
        Path file = Files.writeString(directory.resolve("old.yaml"), OLD);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        Path link = Files.createSymbolicLink(directory.resolve("link.yaml"), file);
        assertThat(InProcess.run("upgrade-scenario", link.toString()).exit()).isZero();
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(file)).isEqualTo(OLD.replace(".e2e.", ".endToEnd."));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-r-----"));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactlyInAnyOrder(file, link);
        }
    }

    @Test
    void leavesInvalidScenarioUnchanged() throws IOException {
        Path file = Files.writeString(directory.resolve("none.yaml"), "checks: [consume.e2e.p99 < 1s]\nwarmpu: 1s\n");
        InProcess refused = InProcess.run("upgrade-scenario", file.toString());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("none.yaml:2:1").contains("did you mean warmup?");
        assertThat(file).content().contains("e2e");
    }

    /** The built-in scenarios as first released. */
    @ParameterizedTest
    @MethodSource("recorded")
    void readsScenariosAsFirstReleased(Path file) throws IOException {
        String text = Files.readString(file);
        String name = file.getFileName().toString();
        Plan old = plan(text);
        assertThat(old.trials()).isNotEmpty();
        assertThat(old.trials().stream().map(Plan.Trial::scenario).toList())
                .isEqualTo(plan(CheckParser.today(text)).trials().stream()
                        .map(Plan.Trial::scenario)
                        .toList());
        assertThat(BuiltIns.names()).contains(name.replace(".yaml", ""));
    }

    static Stream<Path> recorded() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src", "test", "resources", "old-scenarios"))) {
            List<Path> all = files.sorted().toList();
            assertThat(all).hasSizeGreaterThan(20);
            return all.stream();
        }
    }
}
