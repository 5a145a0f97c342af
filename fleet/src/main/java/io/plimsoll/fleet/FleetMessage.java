package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.fleet.FleetNode.PeerAuthenticator;
import io.plimsoll.fleet.plan.WarmupTurn;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.GroupPart;
import io.plimsoll.load.GroupState.GroupDelivery;
import io.plimsoll.load.Slice;
import io.plimsoll.measure.AckLooks;
import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Latencies;
import io.plimsoll.measure.Observation;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.SelfWarmup;
import io.plimsoll.run.TrialOutcome;
import io.plimsoll.run.Worker;
import io.plimsoll.run.WorkerBarrier;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The messages between coordinator and agents, the only types read from the network. The {@link Envelope} names the session (a
 * run of a coordinator) and the trial.
 */
public sealed interface FleetMessage {

    /** Sent by both sides: the receiver attaches this token to each message to the sender, see {@link PeerAuthenticator}. */
    record Hello(String word) implements FleetMessage {}

    // Messages between agents.

    /** Makes the sender known to this agent, and to every node that asks it. */
    record Register() implements FleetMessage {}

    record Registered() implements FleetMessage {}

    /** The sender ends; also sent to the coordinator. */
    record Left() implements FleetMessage {}

    // Messages from the coordinator.

    /** Requests an agent's description of itself. */
    record Ask() implements FleetMessage {}

    /** Renews the lease, and compares clocks. */
    record Beat(long sentNanos) implements FleetMessage {}

    /** Claims the agent for a run. */
    record Claim(String run, String version) implements FleetMessage {}

    /** Prepares a trial. */
    record Prepare(Order order) implements FleetMessage {}

    /**
     * Starts the trial at this time of the agent's clock. The offset converts that clock to nanoseconds since 1970 by
     * the coordinator's clock.
     */
    record StartAt(long startNanos, long epochOffsetNanos) implements FleetMessage {}

    /** Corrects the clock offset, because clocks drift. */
    record ClockIs(long epochOffsetNanos) implements FleetMessage {}

    /** Reports that the producers of all agents are done. */
    record AllProduced(WorkerBarrier.Produced produced) implements FleetMessage {}

    /** State of groups with members on this agent, from all other agents. */
    record GroupsElsewhere(List<GroupPart> groups) implements FleetMessage {}

    /** The end of the warm-up, relative to the start. It is the same for all agents, so that their schedules agree. */
    record EndWarmup(long nanos) implements FleetMessage {}

    /** Halves the rate from this time on, relative to the start, to protect other clients of the cluster. */
    record Halve(long nanos) implements FleetMessage {}

    /** Starts the groups of this consumer entry, because their backlog is complete. */
    record OpenGate(int entry) implements FleetMessage {}

    /** An action on a member of a consumer group. */
    enum MemberFate {
        KILL,
        PAUSE,
        RESUME,
        REPLACE
    }

    /**
     * Performs an action on a local member, named as in {@code member 2 of GROUP}. Orders are numbered within a trial.
     */
    record MemberOrder(long number, String member, MemberFate fate) implements FleetMessage {}

    /** Stops the trial as soon as possible; {@code atOnce} means without sending buffered records or waiting for responses. */
    record Stop(boolean atOnce) implements FleetMessage {}

    /**
     * Releases the agent from the run.
     * @param lost whether the run already counts the agent as lost
     * @param refused whether the run did not begin, because another agent refused it
     */
    record Release(boolean lost, boolean refused) implements FleetMessage {}

    // Messages from an agent.

    /**
     * Throughput of producers on all cores of a host.
     * @param recordsPerSecond throughput with records of {@code recordBytes}
     * @param limit throughput by record size, with batches of the default size; null if not measured
     */
    record Calibrated(double recordsPerSecond, int recordBytes, @Nullable CalibratedLimit limit) {}

    /**
     * An agent's description of itself.
     * @param build version and commit
     * @param calibrated best calibrated rate by engine
     * @param busyWith current run; null if idle
     * @param certificateEnds expiry of the certificate in seconds since 1970; null with a token
     * @param host ID of the host
     * @param members addresses of the agents that this agent knows
     * @param warm engines that the agent warmed up while it waited
     */
    record Info(
            String name,
            Map<String, String> labels,
            String build,
            int cores,
            @Nullable String networkCard,
            Map<String, Calibrated> calibrated,
            @Nullable String busyWith,
            @Nullable Long certificateEnds,
            String host,
            List<String> members,
            Set<String> warm)
            implements FleetMessage {}

    /** The response to a heartbeat: send time by the coordinator's clock; receive and response times by the agent's. */
    record BeatAnswer(long sentNanos, long receivedNanos, long answeredNanos) implements FleetMessage {}

    /** The response to a claim; {@code refusal} is null if the claim is granted. */
    record Claimed(@Nullable Sentence refusal) implements FleetMessage {}

    /** The agent is ready to start: producers with identities, maximum rates, and warm-ups (empty if not requested). */
    record Prepared(List<ProducerProfile> producers, Worker.LoadLimits limits, List<SelfWarmup> selfWarmups)
            implements FleetMessage {}

    /** The producers of this agent are done. */
    record ProducedHere(WorkerBarrier.Produced produced) implements FleetMessage {}

    /** Acknowledged bytes of an agent's producers, for each consumer entry that waits for a backlog. */
    record PiledUp(List<Long> bytes) implements FleetMessage {}

    /** The response to an order: the reason for its failure; null on success. */
    record MemberAnswer(long number, @Nullable Sentence failure) implements FleetMessage {}

    /** State of groups with members both on this agent and elsewhere; sent on changes. */
    record GroupsHere(List<GroupPart> groups) implements FleetMessage {}

    /** Some deliveries to members on this agent. Sent before {@link Ended}, which would be too large with all of them. */
    record Delivered(List<GroupDelivery> deliveries) implements FleetMessage {}

    record SnapshotTaken(Snapshot snapshot) implements FleetMessage {}

    /** A block of the journal of record outcomes, in the order of writing. */
    record Journalled(byte[] block) implements FleetMessage {}

    /** Acknowledgment times, in a trial with faults. */
    record AckTimes(AckLooks looks) implements FleetMessage {}

    /** Metrics of the agent's host in one second, and events there; the events are null from older agents. */
    record HostObserved(Observation host, @Nullable List<Incident> incidents) implements FleetMessage {}

    record Noted(Sentence text) implements FleetMessage {}

    /** The trial is over: number of snapshots and of journal blocks sent, and end-to-end latencies of the agent's own sample. */
    record Ended(TrialOutcome outcome, long snapshots, long journals, Latencies own) implements FleetMessage {}

    /** The trial could not start, or failed. */
    record Failed(Exit exit, Sentence reason) implements FleetMessage {}

    /**
     * A trial for an agent, without the coordinator's own tasks (checks, faults, audit). Client properties include
     * secrets, so they are sent only over TLS and never stored. A null drain limit means the default.
     */
    record Order(
            String trial,
            Load load,
            Share share,
            RunKey run,
            Map<String, String> clientProperties,
            EndToEndSource endToEnd,
            @Nullable Duration drainLimit,
            boolean faults) {

        /** The load of all agents together. */
        record Load(
                List<TopicSpec> topics,
                List<ProducerSpec> producers,
                List<ConsumerSpec> consumers,
                List<ConnectionSpec> connections,
                Duration duration,
                Warmup warmup,
                WarmupTurn selfWarmup) {}

        /**
         * The part of the load for one agent.
         * @param producers slice of each producer entry
         * @param consumers slice of each consumer entry
         * @param connections slice of each entry of connections
         * @param firstProducer fleet-wide number of the agent's first producer; null if records have no identities
         * @param readsOwn whether the agent reads a sample of its own records, to measure latency with one clock
         * @param crowd see {@link io.plimsoll.fleet.plan.Crowd}
         */
        record Share(
                List<Slice> producers,
                List<Slice> consumers,
                List<Slice> connections,
                @Nullable Integer firstProducer,
                boolean readsOwn,
                int crowd) {}

        /** The identifiers that all agents of a run share. */
        record RunKey(String tag, long id, long seed) {}

        /** The same order with payload files resolved on this host. */
        Order withProducers(List<ProducerSpec> resolved) {
            Load local = new Load(
                    load.topics,
                    resolved,
                    load.consumers,
                    load.connections,
                    load.duration,
                    load.warmup,
                    load.selfWarmup);
            return new Order(trial, local, share, run, clientProperties, endToEnd, drainLimit, faults);
        }

        /** Whether agents must exchange the state of their groups during the trial. */
        boolean exchanges() {
            return spreadsGroups()
                    || load.consumers.stream().anyMatch(c -> c.start() instanceof ConsumerSpec.Start.BacklogBytes);
        }

        /** Whether groups with members on this agent can also have members on other agents. */
        private boolean spreadsGroups() {
            return IntStream.range(0, load.consumers.size()).anyMatch(entry -> {
                int members = load.consumers.get(entry).members();
                Slice slice = share.consumers.get(entry);
                return slice.from() % members != 0 || slice.to() % members != 0;
            });
        }

        /** The part of the scenario that an agent needs. */
        Scenario scenario() {
            return Scenario.of(trial)
                    .with(Scenario.TOPICS, load.topics)
                    .with(Scenario.PRODUCERS, load.producers)
                    .with(Scenario.CONSUMERS, load.consumers)
                    .with(Scenario.CONNECTIONS, load.connections)
                    .with(Scenario.DURATION, load.duration)
                    .with(Scenario.WARMUP, Optional.of(load.warmup))
                    .with(Scenario.AUDIT, share.firstProducer != null);
        }

        @Override
        public String toString() {
            return "Order[" + trial + "]";
        }
    }

    /**
     * A message with its sender's address and token (null before the exchange of tokens, see {@link
     * PeerAuthenticator}), and the session and trial, which are null outside of a run or trial.
     */
    record Envelope(
            String from,
            @Nullable String word,
            @Nullable String session,
            @Nullable String trial,
            FleetMessage message) {
        /** A text without the secret token. */
        @Override
        public String toString() {
            return "Envelope[" + from + ", " + session + ", " + trial + ", "
                    + message.getClass().getSimpleName() + "]";
        }
    }
}
