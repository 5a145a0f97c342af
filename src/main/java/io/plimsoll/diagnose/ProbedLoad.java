package io.plimsoll.diagnose;

import io.plimsoll.diagnose.Perturbation.Changed;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * A load with a suspected limit to prove.
 *
 * @param brokers ids of all brokers
 * @param lighter engines that can generate the same load with less CPU
 */
public record ProbedLoad(Scenario scenario, List<Integer> brokers, List<String> lighter) {
    /** Below the default message.max.bytes of all Kafka releases; brokers reject batches above that limit. */
    private static final long MOST_BATCH_BYTES = 1_000_000;

    public ProbedLoad {
        brokers = brokers.stream().sorted().toList();
        lighter = List.copyOf(lighter);
    }

    /** Settings of the first producer. A change applies to all producers as if they had the same settings. */
    Map<String, String> config() {
        return scenario.producers().get(0).config();
    }

    /** A numeric producer setting; {@code otherwise} if it is missing or not a number. */
    public long number(String name, long otherwise) {
        try {
            return Long.parseLong(config().getOrDefault(name, String.valueOf(otherwise)));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /** The largest batch in bytes that every topic accepts, at most the default limit of brokers. */
    public long mostBatchBytes() {
        return scenario.topics().stream()
                .map(t -> t.config().get("max.message.bytes"))
                .filter(Objects::nonNull)
                .mapToLong(Long::parseLong)
                .reduce(MOST_BATCH_BYTES, Math::min);
    }

    /** Whether the partitions are fixed: a topic exists already, or a producer sends to given partitions. */
    boolean placed() {
        return scenario.topics().stream().anyMatch(TopicSpec::existing)
                || scenario.producers().stream().anyMatch(p -> !p.partitions().isEmpty());
    }

    boolean replicated() {
        return scenario.topics().stream().anyMatch(t -> t.replication() > 1);
    }

    /** The load with other settings for all producers. The first setting names the change. */
    Changed settings(String name, Object before, Map<String, String> to) {
        return producers(Sentence.of("diagnose.change.setting", name, before, to.get(name)), p -> {
            Map<String, String> config = new TreeMap<>(p.config());
            config.putAll(to);
            return p.with(ProducerSpec.CONFIG, config);
        });
    }

    Changed producers(Sentence change, UnaryOperator<ProducerSpec> each) {
        List<ProducerSpec> changed = scenario.producers().stream().map(each).toList();
        return Changed.of(change, scenario.with(Scenario.PRODUCERS, changed));
    }

    Changed topics(Sentence change, UnaryOperator<TopicSpec> each) {
        List<TopicSpec> changed = scenario.topics().stream().map(each).toList();
        return Changed.of(change, scenario.with(Scenario.TOPICS, changed));
    }
}
