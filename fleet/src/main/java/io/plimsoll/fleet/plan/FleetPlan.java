package io.plimsoll.fleet.plan;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The number of agents for a load, assuming that all agents equal the slowest known one and use only a share of their
 * maximum. Pure; its JSON has the same fields.
 * @param agents number of agents, at least 1
 * @param clients minimum number of producer clients in the scenario: one for each core, because one client uses about
 *     one core
 * @param coordinatorCores cores needed to merge the measurements of these agents, without any load
 * @param fleet the running agents; null for the calibration of a single host
 */
public record FleetPlan(
        String schema,
        PlanTarget target,
        long agents,
        long clients,
        AgentLimit perAgent,
        double coordinatorCores,
        @Nullable PresentFleet fleet) {
    private static final String SCHEMA = "plimsoll.fleet-plan/1";

    /** Cores of the coordinator for each agent: 0.38 cores for 1,000 agents, see bench/results/simulations.json. */
    private static final double COORDINATOR_CORES = 0.00038;

    private static final Pattern CARD = Pattern.compile(".* (\\d+) Mbit/s");

    /** A load of producers. The headroom is the share of an agent's maximum that stays unused. */
    public record PlanTarget(double recordsPerSecond, int recordBytes, String engine, double headroom) {}

    /** A host, with its network card such as {@code eth0 10000 Mbit/s}; the limit is null if not calibrated. */
    public record PlannedHost(
            String name, int cores, @Nullable String networkCard, @Nullable CalibratedLimit limit) {
        private @Nullable Double calibrated(PlanTarget target) {
            return limit == null ? null : limit.recordsPerSecond(target.recordBytes());
        }

        private AgentLimit limit(PlanTarget target) {
            double calibrated = Objects.requireNonNull(calibrated(target));
            Matcher card = CARD.matcher(networkCard == null ? "" : networkCard);
            Double network = card.matches() ? Double.parseDouble(card.group(1)) * 1e6 / 8 / target.recordBytes() : null;
            double least = network == null ? calibrated : Math.min(calibrated, network);
            return new AgentLimit(name, cores, networkCard, calibrated, network, least * (1 - target.headroom()));
        }
    }

    /** Rates in records per second; {@code network} is null if its speed is unknown. */
    public record AgentLimit(
            String name,
            int cores,
            @Nullable String networkCard,
            double calibrated,
            @Nullable Double network,
            double usable) {}

    /** Number of running agents, their total usable rate, and number of missing agents. */
    public record PresentFleet(int agents, double usable, long missing) {}

    /**
     * @param hosts at least one
     * @throws PlimsollException {@link Exit#USAGE} if a host is not calibrated for these records; the message contains
     *     the command to type
     */
    public static FleetPlan of(PlanTarget target, List<PlannedHost> hosts, boolean ofFleet) {
        List<PlannedHost> unknown =
                hosts.stream().filter(h -> h.calibrated(target) == null).toList();
        if (!unknown.isEmpty()) {
            throw uncalibrated(target, unknown, ofFleet);
        }
        List<AgentLimit> limits = hosts.stream()
                .map(h -> h.limit(target))
                .sorted(Comparator.comparingDouble(AgentLimit::usable))
                .toList();
        AgentLimit least = limits.get(0);
        long agents = needed(target.recordsPerSecond(), least);
        double together = limits.stream().mapToDouble(AgentLimit::usable).sum();
        return new FleetPlan(
                SCHEMA,
                target,
                agents,
                agents * least.cores(),
                least,
                agents * COORDINATOR_CORES,
                ofFleet
                        ? new PresentFleet(hosts.size(), together, needed(target.recordsPerSecond() - together, least))
                        : null);
    }

    private static long needed(double recordsPerSecond, AgentLimit like) {
        return (long) Math.ceil(Math.max(0, recordsPerSecond) / like.usable());
    }

    private static PlimsollException uncalibrated(PlanTarget target, List<PlannedHost> hosts, boolean ofFleet) {
        List<?> names = hosts.stream()
                .map(h -> h.limit() == null
                        ? h.name()
                        : Sentence.of(
                                "fleet.plan.hostWith",
                                h.name(),
                                h.limit().points().stream()
                                        .map(CalibratedLimit.Point::recordBytes)
                                        .toList()))
                .toList();
        return Exit.USAGE.because(
                ofFleet ? "fleet.plan.agentsUncalibrated" : "fleet.plan.uncalibrated",
                Sentence.list(names, 3),
                target.engine(),
                target.recordBytes());
    }

    public List<Sentence> lines() {
        String free = Units.percent(1 - target.headroom());
        List<Sentence> lines = new ArrayList<>();
        lines.add(Sentence.of(
                "fleet.plan.target",
                Units.byteRate(target.recordsPerSecond() * target.recordBytes()),
                Units.count(target.recordBytes()),
                Units.rate(target.recordsPerSecond()),
                target.engine()));
        lines.add(Sentence.of(
                "fleet.plan.agents",
                Units.rate(target.recordsPerSecond()),
                Units.rate(perAgent.usable()),
                Units.count(agents),
                Units.count(clients)));
        lines.add(Sentence.of(
                "fleet.plan.calibrated",
                perAgent.name(),
                perAgent.cores(),
                Units.rate(perAgent.calibrated()),
                free,
                Units.rate(perAgent.calibrated() * (1 - target.headroom()))));
        lines.add(
                perAgent.network() == null
                        ? Sentence.of(
                                "fleet.plan.networkUnknown",
                                Units.byteRate(target.recordsPerSecond() / agents * target.recordBytes()))
                        : Sentence.of(
                                "fleet.plan.network",
                                perAgent.networkCard(),
                                free,
                                Units.rate(perAgent.network() * (1 - target.headroom()))));
        lines.add(Sentence.of("fleet.plan.coordinator", Units.decimals(Math.ceil(coordinatorCores * 100) / 100, 2)));
        if (fleet != null) {
            Sentence there = Sentence.of("fleet.plan.present", Units.count(fleet.agents()), Units.rate(fleet.usable()));
            lines.add(
                    fleet.missing() == 0
                            ? Sentence.of("fleet.plan.enough", there)
                            : Sentence.of("fleet.plan.missing", there, Units.count(fleet.missing())));
        }
        lines.add(Sentence.of("fleet.plan.holdsFor"));
        return lines;
    }
}
