package io.plimsoll.fleet;

import io.plimsoll.fleet.FleetMessage.Calibrated;
import io.plimsoll.fleet.plan.Host;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The capacity of agents in proportion to each other: as they are calibrated, or by their cores until all of them are. */
final class Capacity {
    private Capacity() {}

    static List<Host> of(List<RemoteAgent> agents, Scenario scenario) {
        String engine = engine(agents, scenario);
        boolean calibrated = calibrated(agents, engine);
        return agents.stream()
                .map(RemoteAgent::info)
                .map(i -> new Host(
                        i.name(),
                        i.labels(),
                        calibrated ? i.calibrated().get(engine).recordsPerSecond() : i.cores()))
                .toList();
    }

    /** Describes the basis of the load shares. */
    static Sentence measure(List<RemoteAgent> agents, Scenario scenario) {
        String engine = engine(agents, scenario);
        return Sentence.of(calibrated(agents, engine) ? "fleet.sharesByRate" : "fleet.sharesByCores", engine);
    }

    private static boolean calibrated(List<RemoteAgent> agents, String engine) {
        Set<Integer> sizes = new HashSet<>();
        for (RemoteAgent agent : agents) {
            Calibrated most = agent.info().calibrated().get(engine);
            if (most == null || most.recordsPerSecond() <= 0) {
                return false;
            }
            sizes.add(most.recordBytes());
        }
        // Records of different sizes say nothing of hosts.
        return sizes.size() == 1;
    }

    /** Chooses of several engines the one that not all hosts are calibrated for, otherwise the fastest. */
    private static String engine(List<RemoteAgent> agents, Scenario scenario) {
        Set<String> engines =
                scenario.producers().stream().map(ProducerSpec::engine).collect(Collectors.toCollection(TreeSet::new));
        return engines.stream()
                .filter(engine -> !calibrated(agents, engine))
                .findFirst()
                .or(() -> engines.stream()
                        .max(Comparator.comparingDouble(engine ->
                                agents.get(0).info().calibrated().get(engine).recordsPerSecond())))
                .orElse(Engine.DEFAULT);
    }
}
