package io.plimsoll.run;

import io.plimsoll.load.Consumers;
import io.plimsoll.load.Producers;
import io.plimsoll.measure.TrialClock;
import java.util.HashMap;
import java.util.Map;

/** Makes the outcome of a trial in this process, once everything is closed. */
final class WorkerOutcome {
    private final TrialClients clients;
    private final TrialClock clock;
    private final long stoppedNanos;
    private final boolean stopped;

    private WorkerOutcome(TrialClients clients, TrialClock clock, long stoppedNanos) {
        this.clients = clients;
        this.clock = clock;
        this.stoppedNanos = stoppedNanos;
        this.stopped = stoppedNanos != Long.MAX_VALUE;
    }

    /** @param stoppedNanos when the trial was stopped; {@link Long#MAX_VALUE} if it came to its end */
    static TrialOutcome of(TrialClients clients, TrialClock clock, long stoppedNanos) {
        return new WorkerOutcome(clients, clock, stoppedNanos).outcome();
    }

    private TrialOutcome outcome() {
        Map<String, Long> consumed = new HashMap<>();
        clients.consumers().forEach(c -> c.consumedByPartition().forEach((k, v) -> consumed.merge(k, v, Long::sum)));
        double consumeSeconds = clients.consumers().stream()
                .flatMap(c -> c.span().stream())
                .mapToDouble(Consumers.Span::seconds)
                .max()
                .orElse(0);
        if (stopped) {
            // The windows of those that read along end with the trial, however long it was meant to be.
            consumeSeconds = Math.min(consumeSeconds, Math.max(0, System.nanoTime() - clock.measureStartNanos()) / 1e9);
        }
        return new TrialOutcome(
                new WorkerBarrier.Produced(
                        clients.byPartition(Producers::acknowledgedByPartition),
                        clients.byPartition(Producers::markersByPartition)),
                consumed,
                measuredSeconds(consumeSeconds),
                consumeSeconds,
                !stopped,
                clients.producers().stream().flatMap(p -> p.shares().stream()).toList(),
                backlogOpenedSeconds(),
                clients.consumers().stream()
                        .flatMap(c -> c.deliveries().stream())
                        .toList());
    }

    /** When the first groups that wait for a backlog were let read, in seconds of the trial; null if none were. */
    private Double backlogOpenedSeconds() {
        long first = Long.MAX_VALUE;
        for (int c = 0; c < clients.consumers().size(); c++) {
            if (clients.scenario().consumers().get(c).isBacklog()) {
                first = Math.min(first, clients.consumers().get(c).openedNanos());
            }
        }
        // A backlog by time is due at a time that an interrupted trial has never seen.
        return first > System.nanoTime() ? null : Double.valueOf((first - clock.startNanos()) / 1e9);
    }

    private double measuredSeconds(double consumeSeconds) {
        if (clients.producers().isEmpty() && clock.measureEndNanos() == Long.MAX_VALUE) {
            return consumeSeconds;
        }
        long end = Math.min(Math.min(System.nanoTime(), stoppedNanos), clock.measureEndNanos());
        if (clock.measureEndNanos() == Long.MAX_VALUE) {
            long lastAck = clients.producers().stream()
                    .mapToLong(Producers::lastAckNanos)
                    .max()
                    .orElse(0);
            end = lastAck == 0 ? end : lastAck;
        }
        return Math.max(0, end - clock.measureStartNanos()) / 1e9;
    }
}
