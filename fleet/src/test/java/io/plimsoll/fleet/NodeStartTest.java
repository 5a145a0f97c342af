package io.plimsoll.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.net.BindException;
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

    @Test
    void startTimeoutIsInternalError() {
        PlimsollException late =
                FleetNode.notStarted(PLACE, new RuntimeException(new TimeoutException("no answer\nafter 5 s")));
        assertThat(late.exit()).isEqualTo(Exit.INTERNAL);
        assertThat(late.sentence().key()).isEqualTo("fleet.notStarted");
        assertThat(late.sentence().arguments()).endsWith("no answer");
    }
}
