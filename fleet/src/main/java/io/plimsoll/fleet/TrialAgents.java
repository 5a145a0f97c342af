package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.audit.Deliveries;
import io.plimsoll.audit.LogReading;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.audit.SequenceSet;
import io.plimsoll.fleet.FleetMessage.Journalled;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.fleet.plan.ClockOffset;
import io.plimsoll.fleet.plan.FleetClocks;
import io.plimsoll.fleet.plan.WorkerSums;
import io.plimsoll.fleet.plan.WorkerSums.Stragglers;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.AuditTrail.RemoteTrails;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Latencies;
import io.plimsoll.fleet.plan.LatencySum;
import io.plimsoll.measure.Observation;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker.LoadLimits;
import io.plimsoll.run.WorkerBarrier.Produced;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Start.BacklogBytes;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The agents of a trial, with their merged answers, figures and journals. Used by the trial's thread. */
final class TrialAgents {
    private static final long CLOCKS_EVERY_NANOS = 500_000_000L;
    /** Places in incidents that mean the agent's own host or process. */
    private static final Set<String> OWN = Set.of("host", "generator");

    private final Scenario scenario;
    /** Null without an audit, as is {@link #adopted}. */
    private final @Nullable AuditTrail trail;

    private final @Nullable RemoteTrails adopted;
    private final Map<String, AgentTally> agents = new LinkedHashMap<>();
    /** Deliveries of groups with members on several agents, by group and partition. */
    private final Map<String, List<GroupDelivery>> spread = new TreeMap<>();
    /** Consumer entries for which the backlog is complete. */
    private final Set<Integer> reported = new HashSet<>();
    /** Null before the start. */
    private @Nullable FleetClocks clocks;

    private long clocksSeenNanos = System.nanoTime();

    static final class AgentTally {
        private final RemoteAgent remote;
        private final WorkerResult.Part part;
        final WorkerSums sums = new WorkerSums();
        private ClockOffset.@Nullable OffsetEstimate clock;
        /** Null before the answer, as are the next two fields. */
        @Nullable
        Prepared prepared;

        @Nullable
        Produced produced;

        @Nullable
        TrialOutcome outcome;

        /** End-to-end latencies of records that the agent wrote and read itself. */
        Latencies own = Latencies.EMPTY;
        /** Reason for the loss; null unless the agent was lost. */
        @Nullable
        Sentence lost;

        /** Deliveries of groups with all members on this agent. */
        private final List<GroupDelivery> whole = new ArrayList<>();

        private List<Long> bytes = List.of();
        /** The producers with a journal for the audit; null before {@link #beginJournals} and without an audit. */
        private @Nullable List<ProducerProfile> journalled;

        private long blocks;

        AgentTally(RemoteAgent remote, WorkerResult.Part part) {
            this.remote = remote;
            this.part = part;
        }

        private String name() {
            return remote.name();
        }

        /** The answer of an agent, after all agents have answered. */
        private Prepared answer() {
            return Objects.requireNonNull(prepared, name());
        }
    }

    /** @param trail null without an audit by identities */
    TrialAgents(Scenario scenario, @Nullable AuditTrail trail) {
        this.scenario = scenario;
        this.trail = trail;
        adopted = trail == null ? null : trail.adopted();
    }

    /** The figures of an agent that was added. */
    AgentTally of(RemoteAgent agent) {
        return Objects.requireNonNull(agents.get(agent.name()), agent.name());
    }

    private Stream<AgentTally> sorted() {
        return agents.values().stream().sorted(Comparator.comparing(AgentTally::name));
    }

    void add(RemoteAgent remote, WorkerResult.Part part) {
        agents.put(remote.name(), new AgentTally(remote, part));
    }

    /** @param epochOffsetNanos to be added to the local clock to get nanoseconds since 1970, the common time of all agents */
    void begin(long epochOffsetNanos) {
        clocks = new FleetClocks(epochOffsetNanos);
    }

    /** The order to start at a time of this process's clock, converted to the agent's clock. */
    FleetMessage.StartAt startAt(RemoteAgent agent, long startNanos, long nowNanos) {
        ClockOffset.OffsetEstimate estimate = agent.clock(nowNanos)
                .orElseThrow(() -> Exit.CLUSTER.because(
                        "fleet.agentSays", agent, Sentence.of("fleet.doesNotAnswer")));
        return new FleetMessage.StartAt(
                estimate.toOther(startNanos), clock(agent, estimate).orElseThrow());
    }

    /** @return the offset to send to the agent, see {@link FleetClocks#look} */
    OptionalLong clock(RemoteAgent agent, ClockOffset.OffsetEstimate estimate) {
        of(agent).clock = estimate;
        return clocks().look(agent.name(), estimate);
    }

    private FleetClocks clocks() {
        return Objects.requireNonNull(clocks, "not begun");
    }

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

    /** The clock error, see {@link FleetClocks#errorNanos()}; null before the start. */
    @Nullable
    Long clockErrorNanos() {
        return clocks == null ? null : clocks.errorNanos();
    }

    /** @return the observation for the result: with a single agent, its host is the load generator's host */
    Observation host(RemoteAgent of, Observation host) {
        of(of).sums.add(host);
        String what = agents.size() == 1 ? host.what() : "host " + of.name();
        return new Observation(what, host.source(), host.fromNanos(), host.toNanos(), host.sums(), host.gauges());
    }

    /** @return the incidents for the result: with several agents, the place of host and generator events is the agent's host */
    List<Incident> placed(RemoteAgent of, List<Incident> incidents) {
        return agents.size() == 1
                ? incidents
                : incidents.stream()
                        .map(i -> OWN.contains(i.where()) ? i.at("host " + of.name()) : i)
                        .toList();
    }

    Optional<Stragglers> straggler() {
        Map<String, WorkerSums> sums = new HashMap<>();
        agents.forEach((name, agent) -> sums.put(name, agent.sums));
        return Stragglers.among(sums);
    }

    List<WorkerResult> results() {
        List<String> stragglers = straggler().map(Stragglers::names).orElse(List.of());
        return sorted().map(agent -> result(agent.name(), agent, stragglers.contains(agent.name())))
                .toList();
    }

    private static @Nullable Long p99(LatencySum times) {
        return TrialResult.Latency.of(times.total()).percentiles().p99();
    }

    private WorkerResult result(String name, AgentTally agent, boolean straggler) {
        WorkerSums s = agent.sums;
        TrialOutcome outcome = agent.outcome;
        double seconds = outcome == null ? s.measuredSeconds() : outcome.measuredSeconds();
        double reading = outcome == null || outcome.consumeSeconds() <= 0 ? seconds : outcome.consumeSeconds();
        boolean produces = !agent.part.producers().isEmpty();
        boolean paced = produces && scenario.producers().stream().noneMatch(p -> p.rate() instanceof Rate.Unlimited);
        return new WorkerResult(
                name,
                agent.part,
                s.flow(seconds, reading, paced),
                new WorkerResult.Tails(produces ? p99(s.response()) : null, produces ? p99(s.delay()) : null),
                s.usage(),
                new WorkerResult.Clock(
                        agent.clock == null ? null : Double.valueOf(agent.clock.offsetNanos() / 1e3),
                        agent.clock == null ? null : Double.valueOf(clocks().worstNanos(name) / 1e3),
                        agent.own.isEmpty() ? null : TrialResult.Latency.of(agent.own)),
                straggler,
                agent.lost);
    }

    List<SelfWarmup> selfWarmups() {
        return agents.values().stream()
                .flatMap(agent -> agent.answer().selfWarmups().stream())
                .sorted(Comparator.comparing(SelfWarmup::worker))
                .toList();
    }

    LoadLimits limits(TrialPlacement placement) {
        Map<String, LoadLimits> said = new HashMap<>();
        agents.forEach((name, agent) -> said.put(name, agent.answer().limits()));
        return placement.together(said);
    }

    Produced produced() {
        return sum(agents.values().stream().map(agent -> agent.produced));
    }

    boolean anyOutcome() {
        return agents.values().stream().anyMatch(agent -> agent.outcome != null);
    }

    /** All outcomes, merged. Unless {@code heardOfAll}, the last reads of lost members are unknown. */
    TrialOutcome merged(boolean heardOfAll, boolean stopped) {
        Map<String, TrialOutcome> ended = new TreeMap<>();
        agents.forEach((name, agent) -> {
            if (agent.outcome != null) {
                ended.put(name, agent.outcome);
            }
        });
        Map<String, Long> consumed = new HashMap<>();
        List<Producers.ClientShare> shares = new ArrayList<>();
        List<GroupDelivery> read = new ArrayList<>(heardOfAll ? spreadDeliveries() : List.of());
        sorted().filter(agent -> agent.outcome != null).forEach(agent -> read.addAll(agent.whole));
        Map<String, Double> groups = new HashMap<>();
        List<@Nullable Double> opened = new ArrayList<>();
        double measured = 0;
        double consuming = 0;
        boolean complete = heardOfAll && !stopped;
        for (Map.Entry<String, TrialOutcome> agent : ended.entrySet()) {
            TrialOutcome o = agent.getValue();
            add(consumed, o.consumed());
            o.producers().forEach(share -> shares.add(ended.size() == 1 ? share : of(agent.getKey(), share)));
            opened.add(o.backlogOpenedSeconds());
            measured = Math.max(measured, o.measuredSeconds());
            consuming = Math.max(consuming, o.consumeSeconds());
            o.groupSeconds().forEach((group, seconds) -> groups.merge(group, seconds, Math::max));
            complete &= o.complete();
        }
        Double first =
                opened.stream().filter(Objects::nonNull).min(Double::compare).orElse(null);
        Produced all = sum(ended.values().stream().map(TrialOutcome::produced));
        return new TrialOutcome(all, consumed, measured, consuming, groups, complete, shares, first, read);
    }

    private static Producers.ClientShare of(String agent, Producers.ClientShare s) {
        String name = agent + ": " + s.name();
        return new Producers.ClientShare(
                name, s.clients(), s.records(), s.bytes(), s.arrived(), s.arrivedBytes(), s.seconds());
    }

    private static Produced sum(Stream<@Nullable Produced> of) {
        Map<String, Long> acknowledged = new HashMap<>();
        Map<String, Long> markers = new HashMap<>();
        of.filter(Objects::nonNull).forEach(p -> {
            add(acknowledged, p.acknowledged());
            add(markers, p.markers());
        });
        return new Produced(acknowledged, markers);
    }

    private static void add(Map<String, Long> sums, Map<String, Long> more) {
        more.forEach((k, v) -> sums.merge(k, v, Long::sum));
    }

    void add(RemoteAgent agent, List<GroupDelivery> deliveries) {
        for (GroupDelivery d : deliveries) {
            if (d.ranges() == null) {
                of(agent).whole.add(d);
            } else {
                spread.computeIfAbsent(d.group() + " " + d.topic() + "-" + d.partition(), k -> new ArrayList<>())
                        .add(d);
            }
        }
    }

    /** Merges deliveries: an offset that two agents processed was processed twice. */
    private List<GroupDelivery> spreadDeliveries() {
        return trail == null
                ? List.of()
                : spread.values().stream().map(parts -> together(trail, parts)).toList();
    }

    private static GroupDelivery together(AuditTrail trail, List<GroupDelivery> parts) {
        LongStream firsts =
                parts.stream().map(TrialAgents::ranges).filter(r -> !r.isEmpty()).mapToLong(r -> r.get(0));
        Deliveries union = new Deliveries(firsts.min().orElse(0));
        long again = 0;
        long position = 0;
        for (GroupDelivery part : parts) {
            List<Long> ranges = ranges(part);
            for (int i = 0; i < ranges.size(); i += 2) {
                union.processed(ranges.get(i), ranges.get(i + 1));
            }
            again += part.again();
            position = Math.max(position, part.position());
        }
        GroupDelivery any = parts.get(0);
        LogReading reading = trail.reading(new TopicPartition(any.topic(), any.partition()));
        long distinct = union.distinct(reading == null ? 0 : reading.from(), SequenceSet.LIMIT);
        return new GroupDelivery(
                any.group(), any.topic(), any.partition(), again + union.twice(), distinct, position, null, null);
    }

    private static List<Long> ranges(GroupDelivery part) {
        return Objects.requireNonNullElse(part.ranges(), List.of());
    }

    /** Updates the acknowledged bytes of one agent; returns entries with a complete backlog, each once. */
    List<Integer> piledUp(RemoteAgent agent, List<Long> bytes) {
        of(agent).bytes = bytes;
        List<ConsumerSpec> entries = scenario.consumers();
        List<Integer> enough = new ArrayList<>();
        for (int e = 0; e < entries.size(); e++) {
            if (entries.get(e).start() instanceof BacklogBytes backlog
                    && piledUp(e) >= backlog.bytes()
                    && reported.add(e)) {
                enough.add(e);
            }
        }
        return enough;
    }

    private long piledUp(int entry) {
        return agents.values().stream()
                .filter(agent -> entry < agent.bytes.size())
                .mapToLong(agent -> agent.bytes.get(entry))
                .sum();
    }

    /** Passes journals to the audit from now on; fails unless producers are numbered in the order of agents. */
    void beginJournals() {
        try {
            for (AgentTally agent : agents.values()) {
                if (adopted != null) {
                    List<ProducerProfile> producers = agent.answer().producers();
                    adopted.producers(producers, scenario.producedTopics());
                    agent.journalled = producers;
                }
            }
        } catch (IllegalArgumentException e) {
            throw Exit.INTERNAL.because(e, "fleet.producerNumbers");
        }
    }

    void add(RemoteAgent agent, Journalled journal) {
        of(agent).blocks++;
        if (adopted != null) {
            adopted.journal(journal.block());
        }
    }

    /** @return false if not all of the sent blocks arrived */
    boolean journalEnded(RemoteAgent agent, long sent) {
        boolean all = sent == of(agent).blocks;
        if (!all && adopted != null) {
            adopted.missed();
        }
        return all;
    }

    /** Notes that the outcome of the agent's last records is unknown. */
    void journalLost(RemoteAgent agent) {
        List<ProducerProfile> producers = of(agent).journalled;
        if (adopted != null && producers != null) {
            adopted.lost(producers);
        }
    }
}
