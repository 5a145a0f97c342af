package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.testing.Await;
import io.plimsoll.text.Sentence;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** A node that fails to start gives the reason, and suggests another address only if that would help. */
class NodeStartTest {
    private static final NodeAddress PLACE = NodeAddress.parse("127.0.0.1:25520", "--listen");

    @Test
    void addressInUseIsUsageError() {
        assertThat(FleetNode.notStarted(PLACE, new RuntimeException(new BindException("in use")))
                        .exit())
                .isEqualTo(Exit.USAGE);
    }

    /** A misspelled address, or a first agent that starts later. */
    @Test
    void reportsSilenceOfAgentsToJoinOnce() throws Exception {
        try (FleetNode first = node(); FleetNode second = node()) {
            first.renew(System.nanoTime());
            second.join(List.of(NodeAddress.parse(FleetNode.place(first.self), "--join"), PLACE));
            long later = System.nanoTime() + TimeUnit.SECONDS.toNanos(21);
            assertThat(first.renew(later)).as("a node that joins no other").isNull();
            List<String> news = new ArrayList<>();
            Await.until("an answer", () -> {
                Sentence said = second.renew(later);
                if (said != null) {
                    news.add(said.key());
                }
                return news.contains("fleet.answers");
            });
            assertThat(news).containsExactly("fleet.noAnswer", "fleet.answers");
        }
    }

    private static FleetNode node() {
        return FleetNode.start(new NodeAddress("127.0.0.1", 0), SharedFleet.token(), envelope -> {});
    }

    @Test
    void startTimeoutIsInternalError() {
        PlimsollException late =
                FleetNode.notStarted(PLACE, new RuntimeException(new TimeoutException("no answer\nafter 5 s")));
        assertThat(late.exit()).isEqualTo(Exit.INTERNAL);
        assertThat(late.sentence().key()).isEqualTo("fleet.notStarted");
        assertThat(late.sentence().arguments()).endsWith("no answer");
    }
}
