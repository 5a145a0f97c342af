package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
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
 * Creates the topics of a run. On a persistent cluster their names are recorded first, so that {@code plimsoll clean}
 * finds the leftovers of a killed run. The topics are marked with the run's tag, and their retention is limited to far
 * more than the run needs if the cluster default is longer. Settings of the user take precedence.
 *
 * @param topics of the cluster
 * @param temporary whether the cluster is removed with the run
 * @param tag of the run, 24 bits
 * @param longest planned duration of the run
 * @param record receives the names before creation
 * @param made receives the topic ids
 */
record RunTopics(
        Topics topics,
        boolean temporary,
        int tag,
        Duration longest,
        Consumer<TimelineEvent> record,
        Map<String, Uuid> made) {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Safety factor for slow consumers, on top of one day for suspended hosts. */
    private static final int SLOWER = 10;

    private static final Duration LEAST_RETENTION = Duration.ofHours(24);
    /** Assumed minimum rate of unpaced loads. */
    private static final double LEAST_RECORDS_PER_SECOND = 100;

    private static final Duration BETWEEN_TRIALS = Duration.ofMinutes(2);

    static RunTopics of(RunRequest request, ClusterSession cluster, long runId, Consumer<TimelineEvent> record) {
        return new RunTopics(
                cluster.topics(), cluster.isLab(), number(runId), longest(request.plan()), record, cluster.made);
    }

    /** The run's tag in client names. */
    static String tag(long runId) {
        return "plimsoll-" + Long.toHexString(runId | (1L << 63)).substring(0, 6);
    }

    static int number(long runId) {
        return Integer.parseInt(tag(runId).substring("plimsoll-".length()), 16);
    }

    /** A name with the run's tag, as clients have it. */
    String tagged(String name) {
        return String.format("plimsoll-%06x-%s", tag, name);
    }

    /** Maximum planned duration, waits and drains included. */
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
     * Creates all of these topics or none.
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
            // A cluster policy can reject the added properties: then only the record identifies the topics.
            if (same || e.exit() == Exit.INTERRUPTED || !topics.accepts(wanted) || topics.accepts(marked)) {
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
        OptionalLong usual = topics.usualRetentionMillis(topic.name());
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
