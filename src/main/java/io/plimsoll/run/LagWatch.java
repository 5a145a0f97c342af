package io.plimsoll.run;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.Consumers;
import io.plimsoll.measure.Consumed;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.PeriodicTask;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/**
 * Knows how far behind the consumer groups of this process are. The cluster is asked for the ends of the partitions once a
 * second. Between its answers, and while it does not answer in time, partitions end where the producers of this process
 * have had records acknowledged. Records count from {@link #IN_FLIGHT_NANOS} on after they were acknowledged, because a lag
 * that counts records of this very instant never comes to 0 while producing goes on.
 *
 * <p>Threads of its own ask and look, so that a slow broker delays no snapshot; {@link #read} belongs to the thread that makes
 * the snapshots.
 */
final class LagWatch implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final long IN_FLIGHT_NANOS = 100_000_000L;
    /** Looks are between the whole seconds of snapshots, the last one well before. */
    private static final long BEFORE_SNAPSHOT_NANOS = 80_000_000L;
    /** With more of them, looking so often costs too much: the lag is looked at with each snapshot only. */
    private static final int MOST_PARTITIONS = 1_000;

    private final Topics topics;
    private final Collection<String> names;
    private final TrialClients clients;
    private final List<PeriodicTask> tasks;
    private final Map<String, Long> least = new HashMap<>();
    private Map<String, Long> acknowledgedBefore = Map.of();
    private volatile Map<TopicPartition, Long> ends = Map.of();

    /**
     * @param names of topics
     * @param clients nothing is asked for where no consumer is
     * @param startNanos of the trial, from which snapshots are made every second
     */
    LagWatch(Topics topics, Collection<String> names, TrialClients clients, long startNanos) {
        this.topics = topics;
        this.names = names;
        this.clients = clients;
        this.tasks = clients.consumers.isEmpty()
                ? List.of()
                : List.of(
                        PeriodicTask.each(
                                "plimsoll-end-offsets", startNanos - IN_FLIGHT_NANOS, EVERY_NANOS, 0, this::ask),
                        PeriodicTask.each(
                                "plimsoll-lag", startNanos - BEFORE_SNAPSHOT_NANOS, IN_FLIGHT_NANOS, 0, this::look));
    }

    private void ask() {
        try {
            ends = topics.endOffsets(names);
        } catch (PlimsollException e) {
            // A broker that is down in mid-run: the figure is absent until it answers again.
            ends = Map.of();
        }
    }

    /** The last look before a snapshot, too, raises what the next one counts. */
    private synchronized void look() {
        if (ends.size() <= MOST_PARTITIONS) {
            lags(clients.consumers.stream().filter(Consumers::ownsOffsets))
                    .forEach((group, lag) -> least.merge(group, lag, Math::min));
        }
        acknowledgedBefore = clients.acknowledged();
    }

    private Map<String, Long> lags(Stream<Consumers> entries) {
        Map<TopicPartition, Long> raised = new HashMap<>(ends);
        raised.replaceAll((partition, end) -> {
            Long first = clients.before().offsets().get(partition.toString());
            return first == null
                    ? end
                    : Math.max(end, first + acknowledgedBefore.getOrDefault(partition.toString(), 0L));
        });
        Map<String, Long> lags = new HashMap<>();
        if (!raised.isEmpty()) {
            entries.forEach(entry -> lags.putAll(entry.lag(raised)));
        }
        return lags;
    }

    /**
     * Adds the lag of each group now, and, of those whose offsets are known here, the least since the last call; nothing
     * while no broker answers.
     */
    synchronized void read(Counts.Sum whole) {
        Map<String, Long> now = lags(clients.consumers.stream());
        least.keySet().retainAll(now.keySet());
        least.replaceAll((group, lag) -> Math.min(lag, now.get(group)));
        whole.add(Consumed.LAG, now).add(Consumed.LEAST_LAG, Map.copyOf(least));
        least.clear();
    }

    /** A question that is not answered is given up. */
    @Override
    public void close() {
        tasks.forEach(task -> task.end(1));
    }
}
