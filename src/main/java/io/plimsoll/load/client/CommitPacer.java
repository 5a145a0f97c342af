package io.plimsoll.load.client;

import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.ClientMetrics;
import io.plimsoll.measure.ReceiveMeter;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/** Commits as the scenario says. Used by the consumer's thread, which also runs the callbacks. */
final class CommitPacer {
    private static final long READ_EVERY_NANOS = 1_000_000_000L;
    private static final String COMMITS = "commit-total";

    private final Consumer<?, ?> consumer;
    private final Commit mode;
    private final ReceiveMeter meter;
    private final ClientMetrics metrics;
    private long polls;
    private long uncommitted;
    private long readNanos;

    CommitPacer(Consumer<?, ?> consumer, Commit mode, ReceiveMeter meter) {
        this.consumer = consumer;
        this.mode = mode;
        this.meter = meter;
        this.metrics = new ClientMetrics(
                consumer::metrics,
                name -> name.group().equals("consumer-coordinator-metrics")
                                && name.name().equals(COMMITS)
                        ? COMMITS
                        : null);
    }

    void polled() {
        polls++;
        uncommitted++;
        if (mode instanceof Commit.Sync sync && polls % sync.everyPolls() == 0) {
            commitSync();
        } else if (mode instanceof Commit.Async async && polls % async.everyPolls() == 0) {
            uncommitted = 0;
            consumer.commitAsync((offsets, failure) -> {
                if (failure == null) {
                    meter.committed(1);
                } else {
                    meter.failed("commit." + KafkaErrors.kind(failure));
                }
            });
        }
    }

    /** Commits the rest before the member leaves; the client does so itself in auto mode. */
    void end() {
        boolean manual = mode instanceof Commit.Sync || mode instanceof Commit.Async;
        if (manual && uncommitted > 0) {
            commitSync();
        }
        readAutoCommits();
    }

    /** Commits of the client's own are only visible in its metrics. */
    void tick(long nowNanos) {
        if (mode instanceof Commit.Auto && (readNanos == 0 || nowNanos - readNanos > READ_EVERY_NANOS)) {
            readNanos = nowNanos;
            readAutoCommits();
        }
    }

    private void commitSync() {
        try {
            consumer.commitSync();
            uncommitted = 0;
            meter.committed(1);
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            meter.failed("commit." + KafkaErrors.kind(e));
        }
    }

    private void readAutoCommits() {
        if (!(mode instanceof Commit.Auto)) {
            return;
        }
        metrics.look(System.nanoTime());
        meter.committed(Math.round(metrics.since(COMMITS)));
    }
}
