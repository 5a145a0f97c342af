package io.plimsoll.run.guards;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.result.Units;
import io.plimsoll.run.guards.ForeignCluster.Findings;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * Safety checks of commands that act on a cluster without a run; {@link ForeignCluster} is the counterpart for loads.
 *
 * @param own whether the cluster is a lab: no findings then
 */
public record ClusterGuard(Admin admin, boolean own) {

    /**
     * Uses the caller's own client, because another one could be connected to a different cluster.
     *
     * @throws PlimsollException if the cluster is unreachable
     */
    public static ClusterGuard of(Admin admin) {
        return new ClusterGuard(admin, Lab.isOwn(new Topics(admin).clusterId()));
    }

    /** Checks the deletion of these existing topics. */
    public Findings deleting(Collection<String> names) {
        if (own || names.isEmpty()) {
            return Findings.NONE;
        }
        Topics topics = new Topics(admin);
        Map<String, Map<String, String>> configs = topics.readableConfigs(names);
        Set<String> lasting = new TreeSet<>();
        List<String> others = new ArrayList<>();
        for (String name : names) {
            Optional<TopicMark> mark = TopicMark.of(configs.getOrDefault(name, Map.of()));
            if (mark.isEmpty()) {
                others.add(name);
            } else if (mark.get().over().isAfter(Instant.now())) {
                lasting.add(name);
            }
        }
        List<Sentence> used = topics.written(lasting).stream()
                .map(name -> Sentence.of("guards.deletesWritten", name))
                .toList();
        Map<TopicPartition, Long> ends = topics.endOffsets(others);
        Map<TopicPartition, Long> starts = topics.earliestOffsets(others);
        List<Sentence> beyond = new ArrayList<>(used);
        for (String name : others) {
            long records = ends.entrySet().stream()
                    .filter(e -> e.getKey().topic().equals(name))
                    .mapToLong(e -> e.getValue() - starts.getOrDefault(e.getKey(), 0L))
                    .sum();
            beyond.add(Sentence.of("guards.deletes", name, Units.count(records)));
        }
        return new Findings(List.of(), beyond, Sentence.of("guards.consentToDeed"));
    }

    /** Checks joining this group as a committing member. */
    public Findings joining(String group) {
        int members = own ? 0 : new Groups(admin).members(Set.of(group)).getOrDefault(group, 0);
        return members == 0
                ? Findings.NONE
                : new Findings(List.of(Sentence.of("guards.activeGroup", group, members)), List.of(), Sentence.NONE);
    }
}
