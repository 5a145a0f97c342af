package io.plimsoll.load.client;

import static io.plimsoll.load.VirtualTime.MILLI;
import static io.plimsoll.load.VirtualTime.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.load.DueTimes;
import io.plimsoll.load.PreciseWait;
import io.plimsoll.load.SenderContract;
import io.plimsoll.load.client.SendLoop.Records;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.measure.MeterCounts;
import io.plimsoll.measure.Produced;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.pace.Arrivals.UniformArrivals;
import io.plimsoll.pace.ConstantSchedule;
import io.plimsoll.pace.Throttle;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;

/** Guards the life of a sending thread of the official client: see {@link SenderContract}. */
class ClientSenderTest extends SenderContract {

    /** Blocks like a full producer, and can be interrupted. */
    private final class Sink extends MockProducer<byte[], byte[]> {
        private final ArrayDeque<Callback> open = new ArrayDeque<>();

        @Override
        public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback outcome) {
            while (cluster.unanswered >= cluster.room) {
                if (Thread.interrupted()) {
                    throw new InterruptException(new InterruptedException());
                }
                time.passToNext();
            }
            CompletableFuture<RecordMetadata> future = new CompletableFuture<>();
            cluster.take(good -> {
                open.remove(outcome);
                answer(outcome, good ? null : new RecordTooLargeException());
                future.complete(null);
            });
            open.add(outcome);
            return future;
        }

        private void answer(Callback outcome, Exception failure) {
            outcome.onCompletion(new RecordMetadata(new TopicPartition("t", 0), 0, 0, 0, 0, 0), failure);
        }

        @Override
        public void beginTransaction() {
            // At once.
        }

        @Override
        public void commitTransaction() {
            time.passTo(time.nanoTime() + 10 * MILLI);
        }

        @Override
        public void close(Duration timeout) {
            open.forEach(outcome -> answer(outcome, new NetworkException()));
        }
    }

    @Override
    protected PlantedSender sender(ProducerSpec spec, DueTimes times, AckMeter acks, SendMeter sends) {
        ProducerClient client = new ProducerClient(new Sink(), acks, time, false, new int[] {1}, new ClientEvents());
        RecordGenerator generator = RecordGenerator.of(
                spec.record(), 1, 0, 1, 1, PayloadSource.load(spec.record(), 1), RecordGenerator.NO_PRODUCER);
        Records records = new Records(spec.topics(), -1, List.of(), List.of(), true);
        SendLoop loop = new SendLoop(
                client,
                sends,
                new SendLoop.Task(records, times, spec.send(), false, generator, null, null, 0),
                new TransactionPacer(client, spec.transactions(), 1, null),
                time,
                new PreciseWait(time, cores),
                text -> {});
        return new PlantedSender() {
            @Override
            public void run() {
                loop.run();
            }

            @Override
            public void abandon() {
                client.abandonAndClose();
            }

            @Override
            public void start(TrialClock clock) {
                loop.start(clock);
            }

            @Override
            public void stop() {
                loop.stop();
            }

            @Override
            public boolean sent() {
                return loop.sent();
            }

            @Override
            public DueTimes times() {
                return times;
            }

            @Override
            public AckMeter acks() {
                return acks;
            }
        };
    }

    /** Sends for a second; each commit takes 10 ms. */
    private void sendInTransactions(int perSecond, String every, AckMeter acks, SendMeter sends) {
        DueTimes times = new DueTimes(
                new UniformArrivals(new ConstantSchedule(perSecond), 0, 1), Long.MAX_VALUE, new Throttle(0));
        ProducerSpec spec = spec("rate: " + perSecond + "/s, transactions: {every: " + every + "}");
        PlantedSender sender = sender(spec, times, acks, sends);
        TrialClock clock = new TrialClock(time.nanoTime(), time.nanoTime(), time.nanoTime() + SECOND, 0);
        acks.start(clock);
        sends.start(clock);
        sender.start(clock);
        sender.run();
    }

    @Test
    void commitsNoEmptyTransactions() {
        AckMeter acks = AckMeter.of(new int[] {1}, false, false);
        sendInTransactions(5, "20ms", acks, SendMeter.of(false, false));
        assertThat(MeterCounts.of(acks).measured().get(Produced.EVENTS)).containsEntry("transactionCommitted", 5L);
    }

    /** The thread was awake and waited for the commit between two records. */
    @Test
    void recordDelayedByCommitIsNoLateWakeUp() {
        SendMeter sends = SendMeter.of(false, false);
        sendInTransactions(50, "95ms", AckMeter.of(new int[] {1}, false, false), sends);
        Snapshot read = MeterCounts.of(time.nanoTime(), sends);
        assertThat(read.measured().get(Produced.SEND_DELAY).maxMicros()).isGreaterThan(4_900L);
        assertThat(read.whole().get(GeneratorUse.TICKS)).isGreaterThan(40);
        assertThat(read.whole().get(GeneratorUse.LATE_TICKS)).isZero();
    }
}
