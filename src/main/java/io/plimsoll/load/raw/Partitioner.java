package io.plimsoll.load.raw;

import java.util.List;
import java.util.SplittableRandom;

/** Chooses the partition of each record. Owned by one thread. */
interface Partitioner {
    /** The queue of the next record; unchanged until {@link #produced}. */
    PartitionQueue next();

    void produced(int wireBytes);

    static Partitioner inTurn(List<? extends Partitioner> routings) {
        return routings.size() == 1 ? routings.get(0) : new InTurn(routings.toArray(new Partitioner[0]));
    }

    record To(PartitionQueue next) implements Partitioner {
        @Override
        public void produced(int wireBytes) {
            // The next record uses the same queue.
        }
    }

    final class InTurn implements Partitioner {
        private final Partitioner[] routings;
        private int turn;

        private InTurn(Partitioner[] routings) {
            this.routings = routings;
        }

        @Override
        public PartitionQueue next() {
            return routings[turn].next();
        }

        @Override
        public void produced(int wireBytes) {
            routings[turn].produced(wireBytes);
            turn = turn + 1 == routings.length ? 0 : turn + 1;
        }
    }

    /** Chooses partitions by key, like Kafka's producer. */
    static final class KeyedPartitions implements Partitioner {
        private final int[] route;
        private final PartitionQueue[] queues;
        private int at;

        /**
         * @param route partitions of consecutive records, repeated cyclically
         * @param queues by partition
         */
        KeyedPartitions(int[] route, PartitionQueue[] queues) {
            this.route = route;
            this.queues = queues;
        }

        @Override
        public PartitionQueue next() {
            return queues[route[at]];
        }

        @Override
        public void produced(int wireBytes) {
            at = at + 1 == route.length ? 0 : at + 1;
        }
    }

    /**
     * Chooses partitions for records without a key, as Kafka's producer does since 3.3 (KIP-794). A partition gets
     * records until it has received {@code batch.size} bytes and its batch is full (at most twice {@code batch.size}).
     * Then another partition is picked at random, preferably one with a short queue.
     */
    static final class StickyPartitions implements Partitioner {
        private final PartitionQueue[] queues;
        private final int batchBytes;
        private final SplittableRandom random;
        private PartitionQueue current;
        private long producedBytes;

        StickyPartitions(PartitionQueue[] queues, int batchBytes, long seed) {
            this.queues = queues;
            this.batchBytes = batchBytes;
            this.random = new SplittableRandom(seed);
            this.current = queues[random.nextInt(queues.length)];
        }

        @Override
        public PartitionQueue next() {
            // The open batch can be sent between two records.
            if (producedBytes >= batchBytes && noneOpen()) {
                change();
            }
            return current;
        }

        @Override
        public void produced(int wireBytes) {
            producedBytes += wireBytes;
            if (producedBytes >= 2L * batchBytes || (producedBytes >= batchBytes && noneOpen())) {
                change();
            }
        }

        private boolean noneOpen() {
            PendingBatch last = current.batches.peekLast();
            return last == null || last.full;
        }

        private void change() {
            producedBytes = 0;
            int most = 0;
            int sum = 0;
            for (PartitionQueue queue : queues) {
                most = Math.max(most, queue.batches.size());
                sum += queue.batches.size();
            }
            int lot = random.nextInt(queues.length * (most + 1) - sum);
            int i = 0;
            while (lot >= most + 1 - queues[i].batches.size()) {
                lot -= most + 1 - queues[i++].batches.size();
            }
            current = queues[i];
        }
    }
}
