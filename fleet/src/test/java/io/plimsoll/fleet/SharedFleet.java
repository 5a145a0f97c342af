package io.plimsoll.fleet;

import io.plimsoll.run.fleet.FleetSupport.Wanted;
import io.plimsoll.fleet.AgentOptions.Permits;
import io.plimsoll.run.fleet.FleetSupport.Credentials;
import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.cli.BuildOfTests;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.result.Progress;
import io.plimsoll.result.ResultSchema;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.Run;
import io.plimsoll.testing.Runs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Two agents that the tests of a JVM share, each with its own node: {@code a} in zone x and {@code b} in zone y. A
 * class that uses them holds the resource lock {@value #LOCK}, because a fleet has one run at a time, and leaves them
 * running.
 */
public final class SharedFleet {
    public static final String LOCK = "fleet";
    /** Messages of the agents to their owner. */
    static final List<String> SAID = Collections.synchronizedList(new ArrayList<>());

    private SharedFleet() {}

    private static final class Agents {
        static final NodeAddress FIRST = start("a", List.of(), "x").address();

        static {
            start("b", List.of(FIRST), "y");
        }
    }

    /** The address of agent {@code a}. */
    public static NodeAddress first() {
        return Agents.FIRST;
    }

    /** The token that test processes use as well. */
    static final Credentials TOKEN = new Credentials(null, null);

    static Certificates token() {
        return Certificates.of(TOKEN, true);
    }

    /** An additional agent; the caller closes it. */
    static Agent start(String name, List<NodeAddress> join, String zone) {
        return start(new NodeAddress("127.0.0.1", 0), name, join, zone);
    }

    static Agent start(NodeAddress listen, String name, List<NodeAddress> join, String zone) {
        try {
            Path data = Files.createDirectories(Path.of("target", "test-agents", name));
            return Agent.start(
                    new AgentOptions(
                            listen,
                            join,
                            name,
                            Map.of("zone", zone),
                            new Permits(Optional.of(data), Set.of()),
                            TOKEN,
                            BuildOfTests.name(),
                            "test", Duration.ZERO),
                    sentence -> SAID.add(sentence.english()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static FleetRules anywhere() {
        return new FleetRules(Map.of(), Map.of(), false);
    }

    /** Both agents, for a run of this name. */
    static Fleet find(FleetRules rules, String run) {
        return find(first(), 2, rules, run, BuildOfTests.name());
    }

    static Fleet find(NodeAddress agent, int workers, FleetRules rules, String run, String build) {
        return Fleet.find(
                new Wanted(List.of(agent), workers, Duration.ofSeconds(60), TOKEN, rules, run, build));
    }

    /** Runs to the end on the shared broker, on a fleet claimed by this run. */
    static Run.Finished run(Fleet fleet, String yaml, Path out) {
        return run(fleet, yaml, SharedLab.oneBroker().bootstrapServers(), out);
    }

    static Run.Finished run(Fleet fleet, String yaml, String bootstrapServers, Path out) {
        return run(fleet, yaml, bootstrapServers, out, Progress.NONE);
    }

    static Run.Finished run(Fleet fleet, String yaml, String bootstrapServers, Path out, Progress progress) {
        fleet.claim();
        return new Run(Runs.request(yaml, bootstrapServers, out).with(draft -> draft.workers = fleet), progress)
                .execute();
    }

    /** A run that ended early fails with its reason. */
    static RunResult result(Run.Finished finished) {
        if (finished.failure() != null) {
            throw finished.failure();
        }
        ResultSchema.assertValid(finished.result());
        return finished.result();
    }
}
