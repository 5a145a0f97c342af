package io.plimsoll.run.guards;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.result.Units;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * Guards the in-sync replicas and leaders of existing partitions. On clusters with many topics it samples {@value
 * #MOST_TOPICS}, evenly by name and always the same ones.
 */
public final class ReplicaGuard extends Guard {
    private static final int MOST_TOPICS = 500;
    private static final int MOST_NAMED = 3;

    private final BrokerRoles roles;
    private final Supplier<Set<String>> topics;
    private final Supplier<List<Integer>> away;
    private List<String> watched = List.of();
    private int all;
    /** Partitions unhealthy since before the load. */
    private final Set<TopicPartition> before = new HashSet<>();

    private volatile List<String> ailing = List.of();

    /**
     * @param topics of the cluster before the run created any
     * @param away brokers currently stopped by the run itself
     */
    public ReplicaGuard(BrokerRoles roles, Supplier<Set<String>> topics, Supplier<List<Integer>> away) {
        super("replicas", Sentence.NONE);
        this.away = away;
        this.roles = roles;
        this.topics = topics;
    }

    @Override
    Sentence watches() {
        return Sentence.of("guards.watches.replicas", Units.count(watched.size()), Units.count(all));
    }

    @Override
    public void prepare() {
        List<String> names = new ArrayList<>(topics.get());
        all = names.size();
        watched = all <= MOST_TOPICS
                ? names
                : IntStream.range(0, MOST_TOPICS)
                        .mapToObj(i -> names.get((int) ((long) i * all / MOST_TOPICS)))
                        .toList();
        roles.ailing(watched, away.get()).ifPresent(before::addAll);
    }

    @Override
    public void ask() {
        if (watched.isEmpty()) {
            return;
        }
        roles.ailing(watched, away.get()).ifPresent(now -> {
            before.retainAll(now);
            Set<String> news = new TreeSet<>();
            now.stream().filter(p -> !before.contains(p)).forEach(p -> news.add(p.toString()));
            ailing = List.copyOf(news);
        });
    }

    @Override
    public Optional<Sentence> judge() {
        List<String> now = ailing;
        return now.isEmpty()
                ? Optional.empty()
                : Optional.of(Sentence.of("guards.ailing", Units.count(now.size()), Sentence.list(now, MOST_NAMED)));
    }
}
