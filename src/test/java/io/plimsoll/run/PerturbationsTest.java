package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.run.Perturbations.Change;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Each probe of a cause changes one factor, and only where it can be changed. */
class PerturbationsTest {
    private static final List<Integer> BROKERS = List.of(3, 1, 2);

    private static Scenario scenario(String topic) {
        String yaml = "topics: [{name: t, " + topic + "}]\nproducers: [{topic: t, rate: unlimited}]\nduration: 5s\n";
        return ScenarioReader.read(yaml, "test", List.of(), 1).trials().get(0).scenario();
    }

    private static Optional<Change> broker(String topic, int slow) {
        return Perturbations.of(scenario(topic), OptionalInt.of(slow), BROKERS).stream()
                .filter(c -> c.factor().equals("broker"))
                .findFirst();
    }

    @Test
    void theSlowBrokerIsLeftOutWhicheverItIs() {
        Change change = broker("partitions: 6", 2).orElseThrow();
        assertThat(change.limits()).containsExactly("one slow broker");
        // In turn on 1, 2 and 3: broker 2 has the second and the fifth.
        assertThat(change.scenario().topics().get(0).brokers()).isEqualTo(3);
        assertThat(change.scenario().producers().get(0).partitions()).containsExactly(0, 2, 3, 5);
        assertThat(broker("partitions: 2", 1)
                        .orElseThrow()
                        .scenario()
                        .producers()
                        .get(0)
                        .partitions())
                .containsExactly(1);
    }

    @Test
    void whereItsCopiesMatterOrNothingWouldBeLeftItIsNotTried() {
        assertThat(broker("partitions: 6, replication: 3", 2)).isEmpty();
        assertThat(broker("partitions: 1", 1)).isEmpty();
        assertThat(broker("partitions: 6", 7)).isEmpty();
    }

    @Test
    void withoutASlowBrokerNoneIsLeftOut() {
        assertThat(Perturbations.of(scenario("partitions: 6"), OptionalInt.empty(), BROKERS))
                .isNotEmpty()
                .noneMatch(c -> c.factor().equals("broker"));
    }
}
