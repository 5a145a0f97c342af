package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterRules;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Makes the topics of a run. On a cluster that outlives the run their names are written down before, so that {@code plimsoll
 * clean} finds what a killed run has left; they are marked with the run's tag; and their records go after a time that is far
 * longer than the run needs them, if the cluster itself would keep them longer. What the user has set stays as it is.
 *
 * @param topics of the cluster
 * @param dry what the cluster would make of topics
 * @param temporary whether the cluster goes with the run
 * @param tag of the run, 24 bits
 * @param longest the run was meant to last
 * @param record takes what is written down
 * @param made takes the ids of the topics
 */
record RunTopics(
        Topics topics,
        ClusterRules dry,
        boolean temporary,
        int tag,
        Duration longest,
        Consumer<TimelineEvent> record,
        Map<String, Uuid> made) {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Whoever reads may be so much slower than planned, and is let sleep for a day. */
    private static final int SLOWER = 10;

    private static final Duration LEAST_RETENTION = Duration.ofHours(24);
    /** Of loads without a rate: ten times less than anybody would wait for. */
    private static final double LEAST_RECORDS_PER_SECOND = 100;

    private static final Duration BETWEEN_TRIALS = Duration.ofMinutes(2);

    static RunTopics of(RunRequest request, ClusterSession cluster, long runId, Consumer<TimelineEvent> record) {
        return new RunTopics(
                cluster.topics(),
                cluster.rules(),
                cluster.isLab(),
                number(runId),
                longest(request.plan()),
                record,
                cluster.made);
    }

    /** The tag of a run as its clients' names have it. */
    static String tag(long runId) {
        return "plimsoll-" + Long.toHexString(runId | (1L << 63)).substring(0, 6);
    }

    static int number(long runId) {
        return Integer.parseInt(tag(runId).substring("plimsoll-".length()), 16);
    }

    /** A name of this run, as its clients have them. */
    String tagged(String name) {
        return String.format("plimsoll-%06x-%s", tag, name);
    }

    /** The longest that a plan may take, its waits and drains included. */
    static Duration longest(Plan plan) {
        return plan.trials().stream().map(t -> longest(t.scenario())).reduce(Duration.ZERO, Duration::plus);
    }

    private static Duration longest(Scenario scenario) {
        double seconds = scenario.duration().toSeconds();
        for (ProducerSpec p : scenario.producers()) {
            seconds = Math.max(seconds, p.duration().orElse(Duration.ZERO).toSeconds());
            seconds += p.records().orElse(0) / LEAST_RECORDS_PER_SECOND;
        }
        for (ConsumerSpec c : scenario.consumers()) {
            seconds += c.records().orElse(0) / LEAST_RECORDS_PER_SECOND;
        }
        return scenario.effectiveWarmup().atMost().plus(BETWEEN_TRIALS).plusSeconds((long)
                Math.min(seconds, Integer.MAX_VALUE));
    }

    /**
     * Makes all of these, or none.
     *
     * @param trial null for the run as a whole
     */
    void create(String trial, List<NewTopic> wanted) {
        if (temporary) {
            made.putAll(topics.create(wanted, LIMIT));
            return;
        }
        note(trial, wanted.stream().map(NewTopic::name).toList(), List.of());
        List<NewTopic> marked = wanted.stream().map(this::marked).toList();
        boolean same = marked.equals(wanted);
        try {
            made.putAll(topics.create(marked, LIMIT));
        } catch (PlimsollException e) {
            // A policy of the cluster may refuse any property: then they are known by what was written down alone.
            if (same || e.exit() == Exit.INTERRUPTED || !dry.accepts(wanted) || dry.accepts(marked)) {
                throw e;
            }
            made.putAll(topics.create(wanted, LIMIT));
        }
    }

    void note(String trial, Collection<String> names, Collection<String> groups) {
        if (!temporary && !(names.isEmpty() && groups.isEmpty())) {
            record.accept(new TimelineEvent.Made(Instant.now(), trial, tag, List.copyOf(names), List.copyOf(groups)));
        }
    }

    private NewTopic marked(NewTopic topic) {
        Map<String, String> config = new HashMap<>(topic.configs() == null ? Map.of() : topic.configs());
        if (!TopicMark.fits(config)) {
            return topic;
        }
        config.put(TopicMark.PROPERTY, new TopicMark(tag, Instant.now(), longest).text());
        long needed = LEAST_RETENTION.plus(longest.multipliedBy(SLOWER)).toMillis();
        OptionalLong usual = dry.usualRetentionMillis(topic.name());
        boolean shorter = usual.isPresent() && (usual.getAsLong() < 0 || usual.getAsLong() > needed);
        if (shorter && !config.containsKey(TopicConfig.RETENTION_MS_CONFIG)) {
            config.put(TopicConfig.RETENTION_MS_CONFIG, String.valueOf(needed));
        }
        return copy(topic).configs(config);
    }

    private static NewTopic copy(NewTopic topic) {
        return topic.replicasAssignments() == null
                ? new NewTopic(
                        topic.name(),
                        topic.numPartitions() < 0 ? Optional.empty() : Optional.of(topic.numPartitions()),
                        topic.replicationFactor() < 0 ? Optional.empty() : Optional.of(topic.replicationFactor()))
                : new NewTopic(topic.name(), topic.replicasAssignments());
    }
}
