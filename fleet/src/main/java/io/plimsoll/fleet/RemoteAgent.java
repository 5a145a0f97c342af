package io.plimsoll.fleet;

import io.plimsoll.fleet.FleetMessage.BeatAnswer;
import io.plimsoll.fleet.FleetMessage.Claimed;
import io.plimsoll.fleet.FleetMessage.Info;
import io.plimsoll.fleet.plan.ClockOffset;
import io.plimsoll.fleet.plan.WarmupTurn.Waiting;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One agent from the perspective of the coordinator. Thread-safe. */
public final class RemoteAgent {
    final String address;
    private final ClockOffset clock = new ClockOffset();
    private volatile @Nullable Info info;
    /** The agent's answer to the claim; null until it arrives. */
    volatile @Nullable Claimed answer;

    /** Number of responses to heartbeats. */
    volatile int beats;

    /**
     * Time at which the agent was last named in the options or by another agent, in running time. Guarded by the fleet.
     */
    long foundNanos;

    /** Time of the last message from the agent, in running time of this process. */
    private volatile long heardNanos;
    /** Reason for the loss; null while the agent is present. */
    private volatile @Nullable Sentence lost;

    /** Sends a message about a trial without waiting. */
    interface Post {
        /** @return the reason why the message is too large to be sent; null otherwise */
        @Nullable
        Sentence send(RemoteAgent to, String trial, FleetMessage message);
    }

    RemoteAgent(String address) {
        this.address = address;
    }

    /** The address of the agent as {@code host:port}. */
    public String place() {
        return FleetNode.place(address);
    }

    void introduce(Info said) {
        info = said;
    }

    void heard(long ranNanos) {
        heardNanos = ranNanos;
    }

    boolean introduced() {
        return info != null;
    }

    /** The agent's latest description of itself. Call only if {@link #introduced}. */
    Info info() {
        return Objects.requireNonNull(info, address);
    }

    /** Expiry of the agent's certificate; empty if it has only a token. */
    Optional<Instant> certificateEnds() {
        return Optional.ofNullable(info().certificateEnds()).map(Instant::ofEpochSecond);
    }

    public String name() {
        return info().name();
    }

    synchronized void saw(BeatAnswer seen, long nowNanos) {
        beats++;
        clock.add(seen.sentNanos(), seen.receivedNanos(), seen.answeredNanos(), nowNanos);
    }

    Waiting waiting(Scenario scenario) {
        Set<String> engines = Stream.concat(
                        scenario.producers().stream().map(ProducerSpec::engine),
                        scenario.consumers().stream().map(ConsumerSpec::engine))
                .collect(Collectors.toSet());
        Info info = info();
        return new Waiting(info.host(), info.cores(), info.warm().containsAll(engines));
    }

    long silentNanos(long ranNanos) {
        return ranNanos - heardNanos;
    }

    /** The offset of the agent's clock; empty before the first answer. */
    public synchronized Optional<ClockOffset.OffsetEstimate> clock(long nowNanos) {
        return clock.at(nowNanos);
    }

    /** Marks the agent as lost. Returns true for the first call. */
    synchronized boolean lose(Sentence how) {
        boolean first = lost == null;
        lost = first ? how : lost;
        return first;
    }

    boolean lost() {
        return lost != null;
    }

    @Nullable
    Sentence howLost() {
        return lost;
    }

    Sentence describe(long nowNanos) {
        Info info = info();
        Sentence clocks = clock(nowNanos)
                .map(c -> Sentence.of(
                        "fleet.clock",
                        signed(c.offsetNanos() / 1e6, 3),
                        Units.decimals(c.errorNanos() / 1e6, 3),
                        c.driftPerMillion() == null
                                ? Sentence.NONE
                                : Sentence.of("fleet.drift", signed(c.driftPerMillion(), 1))))
                .orElse(Sentence.of("fleet.clockUnknown"));
        List<Sentence> best = new ArrayList<>();
        new TreeMap<>(info.calibrated())
                .forEach((engine, most) -> best.add(Sentence.of(
                        "fleet.calibratedFor", engine, shortened(most.recordsPerSecond()), most.recordBytes())));
        return Sentence.of(
                "fleet.status",
                List.of(
                        this + (info.labels().isEmpty() ? "" : " " + new TreeMap<>(info.labels())),
                        "plimsoll " + info.build(),
                        Sentence.of("fleet.cores", info.cores()),
                        info.networkCard() == null ? Sentence.of("fleet.networkUnknown") : info.networkCard(),
                        clocks,
                        certificateEnds()
                                .map(ends -> Sentence.of("fleet.certificateUntil", Certificates.date(ends)))
                                .orElse(Sentence.of("fleet.byToken")),
                        best.isEmpty() ? Sentence.of("fleet.notCalibrated") : Sentence.of("fleet.calibrated", best),
                        info.busyWith() == null
                                ? Sentence.of("fleet.idle")
                                : Sentence.of("fleet.busyWith", info.busyWith())));
    }

    private static String signed(double value, int decimals) {
        return String.format(Locale.ROOT, "%+." + decimals + "f", value);
    }

    private static String shortened(double rate) {
        if (rate >= 1e6) {
            return String.format(Locale.ROOT, "%.1fM", rate / 1e6);
        }
        return rate >= 1e4 ? String.format(Locale.ROOT, "%.0fk", rate / 1e3) : String.format(Locale.ROOT, "%.0f", rate);
    }

    @Override
    public String toString() {
        return (introduced() && !name().equals(place()) ? name() + " (" + place() + ")" : place());
    }
}
