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
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Workers on other machines. Implemented by a separate module, found as a {@link ServiceLoader service}; thread-safe. */
public interface FleetSupport {
    /** @throws PlimsollException ({@code USAGE}) if the module is not installed */
    static FleetSupport get() {
        return ServiceLoader.load(FleetSupport.class, FleetSupport.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("fleet.noModule"));
    }

    /** Joins the fleet and waits for its agents. Fails with {@link Exit#CLUSTER} and the names of missing agents. */
    Agents find(Wanted wanted);

    /**
     * The requested fleet: addresses of some agents, the number of agents to wait for (0 for the named agents and all
     * agents that they report), the maximum wait, and the name and build (version and commit) of the run.
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
     * A directory of certificates or, only on a single machine, a token file. If both are null, the user's default
     * token file applies.
     */
    record Credentials(
            @Nullable Path certificates, @Nullable Path token) {}

    /** The agents that were found, as one worker. */
    interface Agents extends Workers, AutoCloseable {
        /** Fails with {@link Exit#USAGE} for features that require a single process. */
        void check(RunRequest request);

        /** Warnings before a run about certificates of agents or the coordinator that expire soon. */
        List<Sentence> warnings();

        /**
         * Claims all agents for this run. Fails with {@link Exit#CLUSTER} if an agent is busy or has another version;
         * then no agent is claimed.
         */
        void claim();

        /** The basis of the load shares, then the share of each agent. */
        List<Sentence> placement(Scenario scenario);

        /** Releases the agents and leaves the fleet. */
        @Override
        void close();
    }
}
