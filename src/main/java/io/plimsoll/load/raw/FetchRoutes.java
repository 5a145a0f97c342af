package io.plimsoll.load.raw;

import io.plimsoll.wire.ClusterView;
import io.plimsoll.wire.FetchSession;
import io.plimsoll.wire.RawLink;
import io.plimsoll.wire.TopicRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Which partition of a reading thread is fetched over which connection. Owned by that thread. */
final class FetchRoutes {
    private static final ReadPartition[] NONE = {};

    private final ReadPartition[] partitions;
    private final RawCluster cluster;
    private final Function<RawLink, FetchSession> opener;
    private final Map<RawLink, FetchSession> byLink = new HashMap<>();
    private final Map<RawLink, ReadPartition[]> assigned = new HashMap<>();
    /** The topics as requests address them. */
    private final Map<String, TopicRef> topics = new HashMap<>();

    private FetchSession[] sessions = {};

    /** @param partitions those of one topic follow each other */
    FetchRoutes(ReadPartition[] partitions, RawCluster cluster, Function<RawLink, FetchSession> opener) {
        this.partitions = partitions;
        this.cluster = cluster;
        this.opener = opener;
    }

    /** Those that have partitions to fetch. */
    FetchSession[] sessions() {
        return sessions;
    }

    /**
     * Assigns the partitions that have a leader and a position and need not be left alone.
     *
     * @return when this is due again in any case, in nanoTime
     */
    long assign(long nowNanos) {
        ClusterView view = cluster.view();
        if (view == null) {
            return Long.MAX_VALUE;
        }
        boolean renamed = addressTopics(view);
        long again = Long.MAX_VALUE;
        Map<RawLink, List<ReadPartition>> lists = new HashMap<>();
        for (ReadPartition partition : partitions) {
            partition.link = link(view, partition);
            partition.topic = topics.get(partition.name.topic());
            if (partition.link == null || !partition.positioned()) {
                continue;
            }
            if (nowNanos < partition.retryAtNanos) {
                again = Math.min(again, partition.retryAtNanos);
            } else {
                lists.computeIfAbsent(partition.link, l -> new ArrayList<>()).add(partition);
            }
        }
        List<FetchSession> busy = new ArrayList<>();
        assigned.keySet().forEach(link -> lists.computeIfAbsent(link, l -> List.of()));
        lists.forEach((link, list) -> {
            ReadPartition[] now = list.toArray(NONE);
            FetchSession session = byLink.computeIfAbsent(link, opener);
            if (renamed || !Arrays.equals(now, assigned.get(link))) {
                assigned.put(link, now);
                session.assign(now);
            }
            if (now.length > 0) {
                busy.add(session);
            }
        });
        sessions = busy.toArray(new FetchSession[0]);
        return again;
    }

    /** True if a topic is addressed otherwise than before: it was made anew, or brokers learned ids. */
    private boolean addressTopics(ClusterView view) {
        boolean changed = false;
        for (Map.Entry<String, ClusterView.Topic> entry : view.topics().entrySet()) {
            TopicRef known = topics.get(entry.getKey());
            if (known == null || !known.id().equals(entry.getValue().id())) {
                topics.put(
                        entry.getKey(),
                        new TopicRef(entry.getKey(), entry.getValue().id()));
                changed = true;
            }
        }
        return changed;
    }

    private RawLink link(ClusterView view, ReadPartition partition) {
        ClusterView.Topic topic = view.topics().get(partition.name.topic());
        if (topic == null || partition.partition() >= topic.leaders().length) {
            return null;
        }
        return cluster.link(topic.leaders()[partition.partition()], partition.partition());
    }
}
