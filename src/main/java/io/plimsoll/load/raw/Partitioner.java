package io.plimsoll.load.raw;

import java.util.List;

/** Which partition each record goes to. Owned by one thread. */
interface Partitioner {
    /** The queue of the next record; the same until {@link #produced}. */
    PartitionQueue next();

    /** A record went to {@link #next}. */
    void produced(int wireBytes);

    /** The records go to several in turn. */
    static Partitioner inTurn(List<? extends Partitioner> routings) {
        return routings.size() == 1 ? routings.get(0) : new InTurn(routings.toArray(new Partitioner[0]));
    }

    record To(PartitionQueue next) implements Partitioner {
        @Override
        public void produced(int wireBytes) {
            // the next record goes there, too
        }
    }

    /** As a sending thread gives its records to several topics. */
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

    /** Where records with keys go, as Kafka's producer chooses by their hash. Owned by one thread. */
    static final class KeyedPartitions implements Partitioner {
        private final int[] route;
        private final PartitionQueue[] queues;
        private int at;

        /**
         * @param route the partitions of one record after the other, from the beginning again behind the last
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
}
