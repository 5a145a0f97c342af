package io.plimsoll.load.raw;

import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.DueTimes;
import io.plimsoll.load.PlantedCluster;
import io.plimsoll.load.PreciseWait;
import io.plimsoll.load.SenderContract;
import io.plimsoll.load.VirtualTime;
import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.Acknowledgment;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.payload.RecordGenerator;
import io.plimsoll.scenario.ProducerSpec;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Guards the life of a raw client at one record per batch: see {@link SenderContract}. */
class RawSenderTest extends SenderContract {
    private static final int RECORD_BYTES = 100;

    /** Drives the source like the client's thread, with the planted cluster instead of the network. */
    private final class Client implements PlantedSender {
        private final RecordSource source;
        private final PartitionQueue queue;
        private final AckMeter acks;
        private final Set<PendingBatch> open = new LinkedHashSet<>();
        private final boolean closedLoop;
        private final PreciseWait exactly = new PreciseWait(time, cores);
        private long startNanos;
        private boolean stopped;
        private boolean dead;

        Client(RecordSource source, PartitionQueue queue, AckMeter acks, boolean closedLoop) {
            this.source = source;
            this.queue = queue;
            this.acks = acks;
            this.closedLoop = closedLoop;
        }

        @Override
        public void run() {
            exactly.begin();
            while (!source.ended() && !dead) {
                if (stopped) {
                    source.stop();
                }
                source.take(time.nanoTime());
                try {
                    sendAll();
                } catch (IllegalStateException | OutOfMemoryError e) {
                    dead = true;
                }
                if (!source.ended() && !dead) {
                    waitForTheNext();
                }
            }
        }

        private void waitForTheNext() {
            long due = closedLoop ? startNanos : source.nextDue();
            if (due == Long.MAX_VALUE || due <= time.nanoTime()) {
                time.park(VirtualTime.MILLI / 10);
            } else {
                exactly.until(Math.min(due, time.nanoTime() + 50 * VirtualTime.MILLI), time.nanoTime());
            }
        }

        private void sendAll() {
            while (cluster.unanswered < cluster.room) {
                PendingBatch batch = queue.batches.isEmpty() ? atOnce() : queue.batches.peek();
                if (batch == null) {
                    return;
                }
                cluster.take(good -> answer(batch, good));
                queue.batches.remove(batch);
                open.add(batch);
            }
        }

        private PendingBatch atOnce() {
            if (!closedLoop) {
                return null;
            }
            return source.takeAtOnce(queue, time.nanoTime());
        }

        private void answer(PendingBatch batch, boolean good) {
            if (!open.remove(batch)) {
                return;
            }
            if (!good) {
                for (int i = 0; i < batch.count; i++) {
                    acks.failed(batch.due[i], PlantedCluster.REFUSED);
                }
            } else if (batch.atOnce) {
                acks.acknowledged(
                        new Acknowledgment().at(0, 0, -1, time.nanoTime()),
                        batch.due[0],
                        batch.due[0],
                        batch.count,
                        RECORD_BYTES);
            } else {
                acks.acknowledged(
                        new Acknowledgment().at(0, 0, -1, time.nanoTime()),
                        batch.due,
                        batch.handed,
                        batch.count,
                        RECORD_BYTES);
            }
            source.recycle(batch);
        }

        @Override
        public void abandon() {
            source.stop();
            for (PendingBatch batch : source.unfinished()) {
                for (int i = 0; i < batch.count; i++) {
                    acks.abandoned(batch.due[i], time.nanoTime());
                }
            }
            open.clear();
        }

        @Override
        public void start(TrialClock clock) {
            startNanos = clock.startNanos();
            source.start(clock);
        }

        @Override
        public void stop() {
            stopped = true;
        }

        @Override
        public boolean sent() {
            return source.ended() || dead;
        }

        @Override
        public DueTimes times() {
            return source.times;
        }

        @Override
        public AckMeter acks() {
            return acks;
        }
    }

    /** Batches of one record, so that the cluster acknowledges each, and a buffer with the capacity of the cluster. */
    @Override
    protected PlantedSender sender(ProducerSpec spec, DueTimes times, AckMeter acks, SendMeter sends) {
        double recordBytes = plan(spec, settings(1_000_000)).recordBytes();
        RawSettings settings = settings(Math.round(cluster.room * recordBytes));
        PartitionPlan plan = plan(spec, settings);
        RecordSource source = new RecordSource(times, plan, settings, sends, acks);
        return new Client(source, plan.queues[0], acks, times.closedLoop());
    }

    private static RawSettings settings(long bufferBytes) {
        Map<String, Object> properties = Map.of(
                "bootstrap.servers",
                "127.0.0.1:1",
                "key.serializer",
                ByteArraySerializer.class.getName(),
                "value.serializer",
                ByteArraySerializer.class.getName(),
                "batch.size",
                1,
                "buffer.memory",
                bufferBytes);
        return RawSettings.of(ClientProperties.parseProducer(properties, "producers-0"), 1);
    }

    private static PartitionPlan plan(ProducerSpec spec, RawSettings settings) {
        PartitionPlan plan = new PartitionPlan(spec, settings, new int[] {1}, 0, 1, null);
        plan.build(
                () -> RecordGenerator.of(
                        spec.record(), 1, 0, 1, 1, PayloadSource.load(spec.record(), 1), RecordGenerator.NO_PRODUCER),
                1);
        return plan;
    }
}
