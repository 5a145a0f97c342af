package io.plimsoll.audit;

public record LogPartition(String topic, int partition) implements Comparable<LogPartition> {

    @Override
    public int compareTo(LogPartition other) {
        int byTopic = topic.compareTo(other.topic);
        return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
    }

    @Override
    public String toString() {
        return topic + "-" + partition;
    }
}
