package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.ScenarioReader;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScenariosCommandTest {

    @Test
    void listsEachWithALine() {
        InProcess list = InProcess.run("scenarios");
        assertThat(list.exit()).isZero();
        assertThat(list.err()).isEmpty();
        assertThat(list.out().lines().toList()).hasSameSizeAs(BuiltIns.names()).allSatisfy(line -> assertThat(line)
                .matches("[a-z0-9-]+ {2,}about [0-9a-z ]+, writes (up to )?[0-9.]+ [kMGT]?B {2,}[A-Z0-9].*\\."));
    }

    @Test
    void printsOneSoThatACopyCanBeRun() {
        InProcess quick = InProcess.run("scenarios", "quick");
        assertThat(quick.exit()).isZero();
        assertThat(ScenarioReader.read(quick.out(), "my.yaml", List.of(), 1).trials())
                .extracting("name")
                .containsExactly("latency", "throughput");
    }

    @Test
    void suggestsTheNearestName() {
        InProcess unknown = InProcess.run("scenarios", "quik");
        assertThat(unknown.exit()).isEqualTo(Exit.USAGE.code());
        assertThat(unknown.out()).isEmpty();
        assertThat(unknown.err()).contains("'quik'").contains("did you mean 'quick'?");
    }
}
