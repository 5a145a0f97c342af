package io.plimsoll.load.client;

import static io.plimsoll.load.VirtualTime.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.load.VirtualTime;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.scenario.Transactions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guards when transactions begin and end, and whether they commit. */
class TransactionPacerTest {
    private final VirtualTime time = new VirtualTime();
    private final List<String> calls = new ArrayList<>();
    private RuntimeException commitFails;
    private long commitNanos;
    /**
     * This number of further calls that end a transaction time out; Kafka's producer then accepts only the same call
     * again.
     */
    private int timeouts;

    private String pending;
    private final AckMeter acks = AckMeter.of(new int[] {2}, false, false);
    private final ProducerClient client =
            new ProducerClient(new Noting(), acks, time, true, new int[] {2}, new ClientEvents());

    /** Records the calls. */
    private final class Noting extends MockProducer<byte[], byte[]> {
        @Override
        public synchronized void flush() {
            calls.add("flush");
        }

        @Override
        public void beginTransaction() {
            calls.add("begin");
        }

        @Override
        public void commitTransaction() {
            time.passTo(time.nanoTime() + commitNanos);
            end("commit");
            if (commitFails != null) {
                throw commitFails;
            }
        }

        private void end(String call) {
            calls.add(call);
            if (pending != null && !pending.equals(call)) {
                throw new IllegalStateException(pending + " timed out and must be tried again");
            }
            pending = call;
            if (timeouts-- > 0) {
                throw new TimeoutException("planted");
            }
            pending = null;
        }

        @Override
        public void abortTransaction() {
            end("abort");
        }
    }

    private TransactionPacer pacer(Transactions transactions) {
        acks.start(new TrialClock(time.nanoTime(), time.nanoTime(), Long.MAX_VALUE, 0));
        return new TransactionPacer(client, transactions, 1, null);
    }

    private Map<String, Long> events() {
        return MeterCounts.of(acks).measured().get(Produced.EVENTS);
    }

    private static Transactions every(long millis) {
        return new Transactions(Optional.of(Duration.ofMillis(millis)), OptionalLong.empty(), 0);
    }

    private static Transactions records(long records, double abortRatio) {
        return new Transactions(Optional.empty(), OptionalLong.of(records), abortRatio);
    }

    private void send(TransactionPacer pacer) {
        pacer.before(time.nanoTime());
        client.completed(0, 1);
        pacer.afterRecord();
    }

    @Test
    void doesNothingWithoutTransactions() {
        TransactionPacer pacer = pacer(Transactions.NONE);
        assertThat(pacer.before(time.nanoTime())).isFalse();
        pacer.afterRecord();
        pacer.end();
        assertThat(pacer.nanosUntilCommit(time.nanoTime())).isEqualTo(Long.MAX_VALUE);
        assertThat(calls).isEmpty();
    }

    @Test
    void commitsAfterRecordLimitAndBeginsWithNextRecord() {
        TransactionPacer pacer = pacer(records(2, 0));
        for (int i = 0; i < 5; i++) {
            send(pacer);
        }
        assertThat(calls).containsExactly("begin", "commit", "begin", "commit", "begin");
        pacer.end();
        pacer.end();
        assertThat(calls).hasSize(6).endsWith("begin", "commit");
        assertThat(events()).containsEntry("transactionCommitted", 3L);
        // One marker per transaction in its partition.
        assertThat(client.markersOf(0, 1)).isEqualTo(3);
        assertThat(client.markersOf(0, 0)).isZero();
    }

    @Test
    void commitsWhenIntervalElapses() {
        TransactionPacer pacer = pacer(every(50));
        pacer.before(time.nanoTime());
        assertThat(pacer.nanosUntilCommit(time.nanoTime()))
                .as("an empty one waits")
                .isEqualTo(Long.MAX_VALUE);
        pacer.afterRecord();
        time.park(20 * MILLI);
        assertThat(pacer.nanosUntilCommit(time.nanoTime())).isEqualTo(30 * MILLI);
        send(pacer);
        assertThat(calls).containsExactly("begin");
        time.park(30 * MILLI);
        assertThat(pacer.nanosUntilCommit(time.nanoTime())).isZero();
        send(pacer);
        assertThat(calls).containsExactly("begin", "commit", "begin");
    }

    @Test
    void ageStartsAfterCommitOfPreviousTransaction() {
        TransactionPacer pacer = pacer(every(50));
        commitNanos = 40 * MILLI;
        send(pacer);
        time.park(50 * MILLI);
        send(pacer);
        assertThat(calls).containsExactly("begin", "commit", "begin");
        assertThat(pacer.nanosUntilCommit(time.nanoTime())).isEqualTo(50 * MILLI);
    }

    @Test
    void flushesAndAbortsRequestedShare() {
        TransactionPacer pacer = pacer(records(1, 1));
        send(pacer);
        assertThat(calls).containsExactly("begin", "flush", "abort");
        assertThat(events()).containsEntry("transactionAborted", 1L);
    }

    @Test
    void abortsAfterFailedCommitAndBeginsNext() {
        TransactionPacer pacer = pacer(records(1, 0));
        commitFails = new KafkaException("planted");
        send(pacer);
        commitFails = null;
        send(pacer);
        assertThat(calls).containsExactly("begin", "commit", "abort", "begin", "commit");
        assertThat(events()).containsEntry("transactionFailed", 1L).containsEntry("transactionCommitted", 1L);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1})
    void retriesTimedOutCommitOrAbort(double abortRatio) {
        TransactionPacer pacer = pacer(records(1, abortRatio));
        timeouts = 2;
        send(pacer);
        send(pacer);
        String call = abortRatio == 1 ? "abort" : "commit";
        calls.removeIf("flush"::equals);
        assertThat(calls).containsExactly("begin", call, call, call, "begin", call);
        assertThat(events())
                .containsEntry("transactionTimedOut", 2L)
                .containsEntry(abortRatio == 1 ? "transactionAborted" : "transactionCommitted", 2L)
                .doesNotContainKey("transactionFailed");
    }

    @Test
    void triesNothingElseAfterInterrupt() {
        TransactionPacer pacer = pacer(records(1, 0));
        commitFails = new InterruptException("planted");
        assertThatThrownBy(() -> send(pacer)).isSameAs(commitFails);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(calls).containsExactly("begin", "commit");
        assertThat(events()).doesNotContainKeys("transactionFailed", "transactionCommitted");
    }

    @Test
    void triesNothingElseAfterFatalFailure() {
        TransactionPacer pacer = pacer(records(1, 0));
        commitFails = new ProducerFencedException("planted");
        assertThatThrownBy(() -> send(pacer)).isSameAs(commitFails);
        assertThat(calls).containsExactly("begin", "commit");
    }

    @Test
    void countsMarkersOfAddedPartitions() {
        TransactionPacer pacer = pacer(records(1, 0));
        send(pacer);
        pacer.before(time.nanoTime());
        client.completed(0, 5);
        pacer.afterRecord();
        assertThat(client.markersOf(0, 5)).isEqualTo(1);
        assertThat(client.markersOf(0, 1)).isEqualTo(1);
        assertThat(client.markersOf(0, 4)).isZero();
    }
}
