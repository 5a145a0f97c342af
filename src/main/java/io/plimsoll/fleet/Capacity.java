package io.plimsoll.fleet;

import io.plimsoll.fleet.plan.Host;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Scenario;
import java.util.List;
import java.util.Locale;

/** How much agents carry in proportion to each other: as they are calibrated, or by their cores until all of them are. */
final class Capacity {
    private Capacity() {}

    static List<Host> of(List<RemoteAgent> agents, Scenario scenario) {
        String engine = engine(scenario);
        boolean calibrated = calibrated(agents, engine);
        return agents.stream()
                .map(RemoteAgent::info)
                .map(i -> new Host(
                        i.name(), i.labels(), calibrated ? i.calibrated().get(engine) : Double.valueOf(i.cores())))
                .toList();
    }

    /** For people: by what. */
    static String measure(List<RemoteAgent> agents, Scenario scenario) {
        String engine = engine(scenario);
        return calibrated(agents, engine)
                ? "what 'plimsoll calibrate' measured of the " + engine + " engine on each host"
                : "cores: not all hosts are calibrated for the " + engine + " engine";
    }

    private static boolean calibrated(List<RemoteAgent> agents, String engine) {
        return agents.stream().allMatch(a -> a.info().calibrated().getOrDefault(engine, 0.0) > 0);
    }

    private static String engine(Scenario scenario) {
        boolean raw = scenario.producers().stream().anyMatch(p -> p.engine() == Engine.RAW);
        return (raw ? Engine.RAW : Engine.CLIENT).name().toLowerCase(Locale.ROOT);
    }
}
