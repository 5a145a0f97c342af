package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.fleet.AgentOptions.Permits;
import io.plimsoll.fleet.AgentOptions.Stay;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Claim;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.fleet.FleetMessage.Release;
import io.plimsoll.testing.Said;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An agent exits with its node, so that its supervisor restarts it, and by itself after its runs or too long without one. */
class AgentEndTest {
    private static final AgentOptions OPTIONS = new AgentOptions(
            new NodeAddress("127.0.0.1", 0), List.of(), null, Map.of(), Permits.NONE, SharedFleet.TOKEN, "1", "test", Duration.ZERO);
    private static final String COORDINATOR = "pekko://plimsoll@127.0.0.1:1";

    private static Envelope message(FleetMessage what) {
        return new Envelope(COORDINATOR, null, "session", null, what);
    }

    @Test
    void agentForOneRunEndsWithRun() throws Exception {
        try (Agent agent = new Agent(OPTIONS, said -> {})) {
            agent.inbox.received(message(new Claim("first", "1")));
            agent.inbox.received(message(new Release(false, false)));
            assertThat(agent.awaitEnd(new Stay(1, Duration.ZERO))).isEqualTo(Exit.PASSED);
        }
    }

    @Test
    void agentLostByCoordinatorFails() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        try (Agent agent = new Agent(OPTIONS, sentence -> said.add(sentence.key()))) {
            agent.inbox.received(message(new Claim("first", "1")));
            agent.inbox.received(message(new Release(true, false)));
            assertThat(agent.awaitEnd(new Stay(1, Duration.ZERO))).isEqualTo(Exit.CLUSTER);
        }
        assertThat(said).contains("fleet.runWithoutIt").doesNotContain("fleet.runOver");
    }

    /** The lease of this run is never renewed. */
    @Test
    void agentThatLosesCoordinatorFails() throws Exception {
        try (Agent agent = new Agent(OPTIONS, said -> {}, 1_000_000)) {
            agent.inbox.received(message(new Claim("first", "1")));
            assertThat(agent.awaitEnd(new Stay(1, Duration.ZERO))).isEqualTo(Exit.CLUSTER);
        }
    }

    @Test
    void agentWithoutRunStopsWaiting() throws Exception {
        List<String> said = new CopyOnWriteArrayList<>();
        try (Agent agent = new Agent(OPTIONS, sentence -> said.add(sentence.key()))) {
            assertThat(agent.awaitEnd(new Stay(1, Duration.ofMillis(1)))).isEqualTo(Exit.CLUSTER);
        }
        assertThat(said).containsExactly("fleet.noRunCame");
    }

    @Test
    void agentFailsIfNodeEnds() {
        try (Agent agent = new Agent(OPTIONS, said -> {})) {
            agent.inbox.ended();
            assertThatThrownBy(() -> agent.awaitEnd(Stay.FOREVER))
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.INTERNAL))
                    .hasMessageFindingMatch(Said.en("fleet.nodeEnded").pattern());
        }
    }

    @Test
    void nodeReportsItsEndUnlessClosed() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        FleetNode node = start(first);
        node.system.terminate();
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("ended");
        node.close();

        CompletableFuture<String> second = new CompletableFuture<>();
        FleetNode closed = start(second);
        closed.close();
        // On a busy host, the system ends after close() has stopped waiting for it.
        assertThat(closed.system.getWhenTerminated().toCompletableFuture()).succeedsWithin(30, TimeUnit.SECONDS);
        assertThat(second).isNotDone();
    }

    private static FleetNode start(CompletableFuture<String> what) {
        return FleetNode.start(
                new NodeAddress("127.0.0.1", 0), SharedFleet.token(), new FleetNode.Inbox() {
                    @Override
                    public void received(Envelope envelope) {}

                    @Override
                    public void ended() {
                        what.complete("ended");
                    }
                });
    }
}
