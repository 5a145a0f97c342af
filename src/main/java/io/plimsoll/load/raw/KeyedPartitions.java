package io.plimsoll.load.raw;

/** Where records with keys go, as Kafka's producer chooses by their hash. Owned by one thread. */
final class KeyedPartitions implements Partitioner {
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
