package io.plimsoll.fleet;

import io.plimsoll.fleet.plan.ClockOffset;
import io.plimsoll.fleet.plan.FleetClocks;
import io.plimsoll.fleet.plan.Stragglers;
import io.plimsoll.fleet.plan.WorkerSums;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Latencies.LatencySum;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.LatencyFigures;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ObjLongConsumer;

/** The results of each agent of a trial. Confined to the trial's thread. */
final class WorkersSeen {
    private static final long CLOCKS_EVERY_NANOS = 500_000_000L;

    private final Scenario scenario;
    private final Map<String, AgentTally> agents = new LinkedHashMap<>();
    /** Null before the start. */
    private FleetClocks clocks;

    private long clocksSeenNanos = System.nanoTime();

    /** The figures of one of them. */
    private static final class AgentTally {
        private final RemoteAgent remote;
        private final List<String> producers;
        private final List<String> consumers;
        private final WorkerSums sums = new WorkerSums();
        private ClockOffset.OffsetEstimate clock;
        private Latencies own = Latencies.EMPTY;
        private TrialOutcome outcome;
        private Sentence lost;

        AgentTally(RemoteAgent remote, List<String> producers, List<String> consumers) {
            this.remote = remote;
            this.producers = producers;
            this.consumers = consumers;
        }
    }

    WorkersSeen(Scenario scenario) {
        this.scenario = scenario;
    }

    /** Adds an agent with a share of the load. */
    void add(RemoteAgent remote, List<Sentence> producers, List<Sentence> consumers) {
        agents.put(remote.name(), new AgentTally(remote, english(producers), english(consumers)));
    }

    private static List<String> english(List<Sentence> parts) {
        return parts.stream().map(Sentence::english).toList();
    }

    /** @param epochOffsetNanos to be added to our clock for nanoseconds since 1970, as all agents are to count them */
    void begin(long epochOffsetNanos) {
        clocks = new FleetClocks(epochOffsetNanos);
    }

    /** The order to start at a time of this process' clock, by the agent's own. */
    FleetMessage.StartAt startAt(RemoteAgent agent, long startNanos, long nowNanos) {
        ClockOffset.OffsetEstimate estimate = agent.clock(nowNanos).orElseThrow();
        return new FleetMessage.StartAt(
                estimate.toOther(startNanos), clock(agent, estimate).orElseThrow());
    }

    /** @return the offset to send to the agent, see {@link FleetClocks#look} */
    OptionalLong clock(RemoteAgent agent, ClockOffset.OffsetEstimate estimate) {
        agents.get(agent.name()).clock = estimate;
        return clocks.look(agent.name(), estimate);
    }

    /** Compares the clocks again, because they drift. */
    void compareClocks(Collection<RemoteAgent> running, ObjLongConsumer<RemoteAgent> tell) {
        long now = System.nanoTime();
        if (now - clocksSeenNanos >= CLOCKS_EVERY_NANOS) {
            clocksSeenNanos = now;
            running.forEach(agent -> agent.clock(now)
                    .map(seen -> clock(agent, seen))
                    .orElse(OptionalLong.empty())
                    .ifPresent(epochOffset -> tell.accept(agent, epochOffset)));
        }
    }

    /** See {@link FleetClocks#errorNanos()}; null before the start. */
    Long clockErrorNanos() {
        return clocks == null ? null : clocks.errorNanos();
    }

    void add(Snapshot snapshot) {
        agents.get(snapshot.worker()).sums.add(snapshot);
    }

    /** How many snapshots have come from it. */
    long snapshots(RemoteAgent agent) {
        return agents.get(agent.name()).sums.snapshots();
    }

    /** @return for the result: with a single agent, its host is the load generator host */
    Observation host(RemoteAgent of, Observation host) {
        agents.get(of.name()).sums.add(host);
        String what = agents.size() == 1 ? host.what() : "host " + of.name();
        return new Observation(what, host.source(), host.fromNanos(), host.toNanos(), host.sums(), host.gauges());
    }

    /** @param own end-to-end latencies of records that it wrote and read itself */
    void ended(RemoteAgent agent, TrialOutcome outcome, Latencies own) {
        agents.get(agent.name()).outcome = outcome;
        agents.get(agent.name()).own = own;
    }

    void lost(RemoteAgent agent, Sentence how) {
        agents.get(agent.name()).lost = how;
    }

    Optional<Stragglers> straggler() {
        Map<String, WorkerSums> sums = new HashMap<>();
        agents.forEach((name, agent) -> sums.put(name, agent.sums));
        return Stragglers.among(sums);
    }

    /** The results of all agents, by name. */
    List<WorkerResult> results() {
        String straggler = straggler().map(Stragglers::name).orElse("");
        return agents.keySet().stream()
                .sorted()
                .map(name -> result(name, agents.get(name), name.equals(straggler)))
                .toList();
    }

    private static Long p99(LatencySum times) {
        return LatencyFigures.of(times.total()).percentiles().p99();
    }

    private WorkerResult result(String name, AgentTally agent, boolean straggler) {
        WorkerSums s = agent.sums;
        TrialOutcome outcome = agent.outcome;
        double seconds = outcome == null ? s.measuredSeconds() : outcome.measuredSeconds();
        double reading = outcome == null || outcome.consumeSeconds() <= 0 ? seconds : outcome.consumeSeconds();
        boolean produces = !agent.producers.isEmpty();
        boolean paced = produces && scenario.producers().stream().noneMatch(p -> p.rate() instanceof Rate.Unlimited);
        FleetMessage.Info info = agent.remote.info();
        return new WorkerResult(
                name,
                new WorkerResult.Part(
                        agent.remote.place(), info.build(), info.cores(), agent.producers, agent.consumers),
                s.flow(seconds, reading, paced),
                new WorkerResult.Tails(produces ? p99(s.response()) : null, produces ? p99(s.delay()) : null),
                s.usage(),
                new WorkerResult.Clock(
                        agent.clock == null ? null : Double.valueOf(agent.clock.offsetNanos() / 1e3),
                        agent.clock == null ? null : Double.valueOf(clocks.worstNanos(name) / 1e3),
                        agent.own.isEmpty() ? null : LatencyFigures.of(agent.own)),
                straggler,
                agent.lost);
    }
}
