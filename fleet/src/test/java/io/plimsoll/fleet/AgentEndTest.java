package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.run.fleet.FleetSupport.Permits;
import io.plimsoll.run.fleet.FleetSupport.AgentOptions;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.fleet.FleetMessage.Envelope;
import io.plimsoll.testing.Said;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An agent exits with its node, so that its supervisor restarts it. */
class AgentEndTest {
    @Test
    void whatHasEndedByItselfFailsItsProcess() {
        NodeAddress here = new NodeAddress("127.0.0.1", 0);
        AgentOptions options = new AgentOptions(
                here, List.of(), null, Map.of(), Permits.NONE, SharedFleet.TOKEN, "1", "test");
        try (Agent agent = new Agent(options, said -> {})) {
            agent.inbox.ended();
            assertThatThrownBy(agent::awaitApart)
                    .isInstanceOfSatisfying(
                            PlimsollException.class, e -> assertThat(e.exit()).isEqualTo(Exit.INTERNAL))
                    .hasMessageFindingMatch(Said.en("fleet.nodeEnded").pattern());
        }
    }

    @Test
    void aNodeTellsThatItHasEndedUnlessItWasClosed() throws Exception {
        CompletableFuture<String> first = new CompletableFuture<>();
        FleetNode node = start(first);
        node.system.terminate();
        assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("ended");
        node.close();

        CompletableFuture<String> second = new CompletableFuture<>();
        FleetNode closed = start(second);
        closed.close();
        assertThat(closed.system.getWhenTerminated().toCompletableFuture()).isDone();
        assertThat(second).isNotDone();
    }

    private static FleetNode start(CompletableFuture<String> what) {
        return FleetNode.start(
                new NodeAddress("127.0.0.1", 0), FleetNode.AGENT, SharedFleet.token(), new FleetNode.Inbox() {
                    @Override
                    public void received(Envelope envelope) {}

                    @Override
                    public void agentUp(String address) {}

                    @Override
                    public void agentLeft(String address) {}

                    @Override
                    public void removed() {
                        what.complete("removed");
                    }

                    @Override
                    public void ended() {
                        what.complete("ended");
                    }
                });
    }
}
