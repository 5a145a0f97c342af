package io.plimsoll.run.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.run.RunRequest;
import io.plimsoll.run.Workers;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;

/** Workers on other machines. A module of its own, found as a {@link ServiceLoader service}; thread-safe. */
public interface FleetSupport {
    /** Default validity of a certificate in days. */
    int CERTIFICATE_DAYS = 825;

    /** @throws PlimsollException (usage) if the module is not installed */
    static FleetSupport get() {
        return ServiceLoader.load(FleetSupport.class, FleetSupport.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("fleet.noModule"));
    }

    /** Joins the fleet and waits for its agents. Fails with {@link Exit#CLUSTER} and the missing agents. */
    Agents find(Wanted wanted);

    /**
     * Runs an agent until it has stayed long enough, or this process ends; {@code says} receives messages for the owner. Fails
     * with {@link Exit#USAGE} if it cannot listen there, or its data directory holds secrets.
     *
     * @return {@link Exit#CLUSTER} if no run came, or the last one lost its coordinator
     */
    Exit serve(AgentOptions options, Stay stay, Consumer<Sentence> says) throws InterruptedException;

    /** The number of agents for a load, from the calibrations of a fleet, or if null, of this host with this version. */
    Planned plan(PlanTarget target, Wanted fleet, String version);

    /** Creates the certificates of a host, and on first use the authority in this directory; returns their directory. */
    Path certify(Path directory, int days, String host);

    /** Revokes all certificates of these hosts; returns the list, which must be copied to each host. */
    Path revoke(Path directory, List<String> hosts);

    /**
     * The wanted fleet: some of its agents, the number of agents to wait for (0 for the named agents and any more
     * present by then), the maximum wait, and the name and build (version and commit) of the run.
     */
    record Wanted(
            List<NodeAddress> fleet,
            int workers,
            Duration patience,
            Credentials credentials,
            FleetRules rules,
            String run,
            String build) {}

    /**
     * Settings of an agent: agents of the fleet to join (empty to start one), unique name (null for its address), rights
     * of coordinators, build (version and commit, equal to the coordinator's), version of the program, and the longest
     * warm-up of its own code while it waits for its first run (zero for none).
     */
    record AgentOptions(
            NodeAddress listen,
            List<NodeAddress> join,
            String name,
            Map<String, String> labels,
            Permits permits,
            Credentials credentials,
            String build,
            String version,
            Duration selfWarmup) {}

    /** A load of producers; the headroom is the share of an agent's maximum that stays free. */
    record PlanTarget(double recordsPerSecond, int recordBytes, String engine, double headroom) {}

    /** A plan as JSON and in words. */
    record Planned(Object json, List<Sentence> lines) {}

    /** When an agent ends by itself: after a number of runs, and after a time without one; 0 for never. */
    record Stay(int runs, Duration idle) {
        public static final Stay FOREVER = new Stay(0, Duration.ZERO);
    }

    /**
     * Additional rights of coordinators: a directory of payload files (empty to reject them), and classes and URLs that
     * client properties may name for a login.
     */
    record Permits(Optional<Path> data, Set<String> names) {
        public static final Permits NONE = new Permits(Optional.empty(), Set.of());

        public Permits {
            names = Set.copyOf(names);
        }
    }

    /** A directory of certificates, or without one (null) on a single machine a token file, null for the user's own. */
    record Credentials(Path certificates, Path token) {}

    /** The agents that were found, as one worker. */
    interface Agents extends Workers, AutoCloseable {
        /** Fails with {@link Exit#USAGE} for features that need a single process. */
        void check(RunRequest request);

        /** Warnings before a run: certificates of agents and coordinator that expire soon. */
        List<Sentence> warnings();

        /**
         * Claims all agents for this run. Fails with {@link Exit#CLUSTER} if one is busy or has another version; none is
         * kept then.
         */
        void claim();

        /** A line for each agent, after its clock was compared. */
        List<Sentence> status();

        /** The basis of the load shares, then the share of each agent. */
        List<Sentence> placement(Scenario scenario);

        /** Releases the agents and leaves the fleet. */
        @Override
        void close();
    }
}
