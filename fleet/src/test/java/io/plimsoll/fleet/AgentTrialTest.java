package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.fleet.FleetMessage.Failed;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.result.Calibrations;
import io.plimsoll.text.Sentence;
import java.util.AbstractMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The coordinator learns the outcome of a trial on an agent in every case. */
class AgentTrialTest {
    /** Of an agent without free memory. */
    private static final class Exhausted extends AbstractMap<String, String> {
        @Override
        public Set<Map.Entry<String, String>> entrySet() {
            throw new OutOfMemoryError("planted");
        }
    }

    private static AgentTrial exhausted(AgentTrial.Post coordinator) {
        Order order = WireTest.order("name: n\ntopics: [{name: t}]\nproducers: [{topic: t, clients: 2}]");
        Order doomed = new Order(
                order.trial(),
                order.load(),
                order.share(),
                order.run(),
                new Exhausted(),
                order.endToEnd(),
                order.drainLimit(),
                order.faults());
        return new AgentTrial("a", doomed, Calibrations.of("h", List.of()), List.of(), coordinator);
    }

    @Test
    void outOfMemoryErrorEndsTrial() throws Exception {
        CompletableFuture<FleetMessage> told = new CompletableFuture<>();
        AgentTrial trial = exhausted(message -> {
            told.complete(message);
            return null;
        });
        trial.begin();
        assertThat(told.get(30, TimeUnit.SECONDS)).isInstanceOfSatisfying(Failed.class, failed -> {
            assertThat(failed.exit()).isEqualTo(Exit.INTERNAL);
            assertThat(failed.reason().english()).contains("OutOfMemoryError: planted");
        });
        assertThat(trial.awaitEnd(30_000)).isTrue();
    }

    @Test
    void reportTooLargeToSendBecomesFailure() throws Exception {
        Sentence tooLarge = Sentence.of("fleet.tooLarge", "Ended", "5 MB", "4 MB");
        List<FleetMessage> told = new CopyOnWriteArrayList<>();
        AgentTrial trial = exhausted(message -> {
            told.add(message);
            return told.size() == 1 ? tooLarge : null;
        });
        trial.begin();
        assertThat(trial.awaitEnd(30_000)).isTrue();
        assertThat(told).hasSize(2).endsWith(new Failed(Exit.INTERNAL, tooLarge));
    }
}
