package io.plimsoll.load.raw;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.RawNetwork;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Guards that a remote bootstrap server has enough time for its connection setup. */
class RawClusterTest {
    private static final long SECOND = 1_000_000_000L;

    /** No byte is written or read: the cluster's view is a connection that is still being opened. */
    @Test
    void doublesSetupTimeoutOnEachAttempt() {
        try (RawNetwork network = new RawNetwork(Map.of("bootstrap.servers", "127.0.0.1:1"), "client", -1, 1000)) {
            RawCluster cluster = new RawCluster(network, "client", Set.of("t"), 1);
            long now = 10 * SECOND;
            for (long patience = 1; patience <= 16; patience *= 2) {
                cluster.tick(now);
                RawLink tried = only(network);
                cluster.tick(now + patience * SECOND);
                assertThat(only(network)).as("after %d s", patience).isSameAs(tried);
                now += patience * SECOND + 1;
                cluster.tick(now);
                assertThat(only(network)).as("after more").isNotSameAs(tried);
            }
        }
    }

    private static RawLink only(RawNetwork network) {
        assertThat(network.links()).hasSize(1);
        return network.links().iterator().next();
    }
}
