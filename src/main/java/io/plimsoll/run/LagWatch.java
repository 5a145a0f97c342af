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
 * Tracks the lag of this process's consumer groups. End offsets are requested once a second; in between, and during
 * outages, the end offset is the last acknowledgement of this process's producers. A record counts from {@link
 * #IN_FLIGHT_NANOS} after its acknowledgement; otherwise the lag would never reach 0 while producers are active.
 *
 * <p>Its own threads poll, so that a slow broker does not delay a snapshot. {@link #read} is called by the snapshot
 * thread.
 */
final class LagWatch implements AutoCloseable {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final long IN_FLIGHT_NANOS = 100_000_000L;
    /** Polls are placed between the snapshots on whole seconds, the last one well before. */
    private static final long BEFORE_SNAPSHOT_NANOS = 80_000_000L;
    /** Above this number of partitions, the lag is computed only with each snapshot. */
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
     * @param clients without consumers nothing is polled
     * @param startNanos start of the trial; snapshots are taken every second from there
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
            // A broker is down: the figure is absent until it responds again.
            ends = Map.of();
        }
    }

    /** Every poll can raise the next snapshot's lag, including the last one. */
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
     * Adds the current lag of each group and, if its offsets are known locally, the minimum since the last call;
     * nothing while brokers do not respond.
     */
    synchronized void read(Counts.Sum whole) {
        Map<String, Long> now = lags(clients.consumers.stream());
        least.keySet().retainAll(now.keySet());
        least.replaceAll((group, lag) -> Math.min(lag, now.get(group)));
        whole.add(Consumed.LAG, now).add(Consumed.LEAST_LAG, Map.copyOf(least));
        least.clear();
    }

    /** Abandons a pending request. */
    @Override
    public void close() {
        tasks.forEach(task -> task.end(1));
    }
}
