package io.plimsoll.fleet;

import io.plimsoll.run.fleet.FleetSupport.Credentials;
import io.plimsoll.run.fleet.NodeAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Settings of an agent.
 * @param join agents of the fleet to join; empty to start a fleet
 * @param name unique name; null for the agent's address
 * @param permits rights of coordinators
 * @param build version and commit, equal to the coordinator's
 * @param version version of the program
 * @param selfWarmup maximum warm-up of the agent's own code while it waits for its first run; zero for none
 */
record AgentOptions(
        NodeAddress listen,
        List<NodeAddress> join,
        @Nullable String name,
        Map<String, String> labels,
        Permits permits,
        Credentials credentials,
        String build,
        String version,
        Duration selfWarmup) {

    /** Conditions for an agent to end on its own: after a number of runs, or after a time without a run; 0 for never. */
    record Stay(int runs, Duration idle) {
        public static final Stay FOREVER = new Stay(0, Duration.ZERO);
    }

    /**
     * Additional rights of coordinators: a directory of payload files (empty to reject them), and the classes and URLs
     * that client properties can name for a login.
     */
    record Permits(Optional<Path> data, Set<String> names) {
        public static final Permits NONE = new Permits(Optional.empty(), Set.of());

        public Permits {
            names = Set.copyOf(names);
        }
    }
}
