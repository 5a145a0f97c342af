package io.plimsoll.load.client;

import io.plimsoll.audit.Journal.Ending;
import io.plimsoll.load.ProducerTrail;
import io.plimsoll.scenario.Transactions;
import java.util.SplittableRandom;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends the transactions of one client. Used by its only sending thread. Without transactions, every call
 * returns immediately.
 */
final class TransactionPacer {
    private final ProducerClient client;
    private final Transactions transactions;
    private final long maxAgeNanos;
    private final long maxRecords;
    private final SplittableRandom random;
    private boolean open;
    private long openedNanos;
    private long records;
    private final @Nullable ProducerTrail trail;
    private long firstSequence;

    TransactionPacer(ProducerClient client, Transactions transactions, long seed, @Nullable ProducerTrail trail) {
        this.client = client;
        this.trail = trail;
        this.transactions = transactions;
        this.maxAgeNanos = transactions.every().map(d -> d.toNanos()).orElse(Long.MAX_VALUE);
        this.maxRecords = transactions.records().orElse(Long.MAX_VALUE);
        this.random = new SplittableRandom(seed);
    }

    /**
     * Before a record: ends an old transaction, and begins one if none is open.
     * @return whether transactions are enabled, in which case the call can take time
     */
    boolean before(long now) {
        if (!transactions.enabled()) {
            return false;
        }
        if (open && now - openedNanos >= maxAgeNanos) {
            end();
        }
        if (!open) {
            client.producer.beginTransaction();
            open = true;
            // The end of the previous transaction took time.
            openedNanos = client.nanoTime();
            records = 0;
            firstSequence = trail == null ? 0 : trail.sent();
        }
        return true;
    }

    void afterRecord() {
        if (transactions.enabled() && ++records >= maxRecords) {
            end();
        }
    }

    /** Time in ns until the next scheduled commit; {@link Long#MAX_VALUE} if none. */
    long nanosUntilCommit(long now) {
        return open && maxAgeNanos != Long.MAX_VALUE && records > 0
                ? Math.max(0, maxAgeNanos - (now - openedNanos))
                : Long.MAX_VALUE;
    }

    /** Commits or, according to the scenario's ratio, aborts the transaction. */
    void end() {
        if (!open) {
            return;
        }
        open = false;
        boolean abort = random.nextDouble() < transactions.abortRatio();
        try {
            if (abort) {
                // Without the flush, records in the buffer would fail instead of being written and aborted.
                client.producer.flush();
                untilDone(client.producer::abortTransaction);
            } else {
                untilDone(client.producer::commitTransaction);
            }
            ended(abort ? Ending.ABORTED : Ending.COMMITTED);
            client.acks.event(client.nanoTime(), abort ? "transactionAborted" : "transactionCommitted");
        } catch (InterruptException e) {
            // The client was closed, so the outcome of the transaction is unknown.
            throw e;
        } catch (KafkaException e) {
            client.acks.event(client.nanoTime(), "transactionFailed");
            if (ProducerClient.fatal(e)) {
                throw e;
            }
            untilDone(client.producer::abortTransaction);
            ended(Ending.ABORTED);
        }
    }

    /**
     * Retries after {@code max.block.ms}, because the producer accepts only the same call again. Due records wait, as
     * in an application.
     */
    private void untilDone(Runnable ending) {
        while (true) {
            try {
                ending.run();
                return;
            } catch (TimeoutException e) {
                client.acks.event(client.nanoTime(), "transactionTimedOut");
            }
        }
    }

    private void ended(Ending ending) {
        client.transactionEnded();
        if (trail != null) {
            trail.ended(ending, firstSequence, trail.sent() - firstSequence);
        }
    }
}
