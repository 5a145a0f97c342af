package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.result.Json;
import io.plimsoll.result.PrivateFiles;
import io.plimsoll.run.SelfTest;
import io.plimsoll.run.SelfTest.Outcome;
import io.plimsoll.run.SelfTest.Plant;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plimsoll selftest}: checks whether runs on this host report problems injected into a lab. */
@Command(name = "selftest")
final class SelfTestCommand extends PlimsollCommand {
    @Option(names = "--out", paramLabel = "DIR")
    private Path out;

    @Option(names = "--json")
    private boolean json;

    @Override
    Exit perform() throws Exception {
        List<Outcome> outcomes = new ArrayList<>();
        Path runs = out == null ? Files.createTempDirectory("plimsoll-selftest-") : out;
        tell(Sentence.of("cli.selfTest.starting"));
        try (SelfTest test = new SelfTest(runs)) {
            for (Plant plant : Plant.values()) {
                tell(Sentence.of("cli.selfTest.next", name(plant)));
                Outcome outcome = test.run(plant);
                outcomes.add(outcome);
                if (!json) {
                    show(outcome);
                }
            }
        }
        boolean passed = outcomes.stream().allMatch(Outcome::found);
        if (json) {
            out().print(Json.pretty(Json.object(
                    "schema",
                    "plimsoll.selftest/1",
                    "passed",
                    passed,
                    "plants",
                    outcomes.stream()
                            .map(o -> Json.object(
                                    "plant", o.plant().word(),
                                    "planted", o.witness().english(),
                                    "reported", o.reported().english(),
                                    "found", o.found()))
                            .toList())));
        }
        if (passed && out == null) {
            PrivateFiles.discard(runs);
        } else {
            tell(Sentence.of("cli.selfTest.runs", runs));
        }
        return passed ? Exit.PASSED : Exit.CHECK_FAILED;
    }

    private void show(Outcome outcome) {
        print("cli.selfTest." + (outcome.found() ? "found" : "notFound"), name(outcome.plant()));
        print("cli.selfTest.planted", outcome.witness());
        print("cli.selfTest.reported", outcome.reported());
        out().flush();
    }

    private static Sentence name(Plant plant) {
        return Sentence.of("cli.selfTest." + plant.word());
    }
}
