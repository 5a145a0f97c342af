package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads to whom a fault happens, and holds it against the rest of the scenario. */
final class FaultTargets {
    private static final Pattern LEADER = Pattern.compile("leader of (\\S+)-(\\d{1,6})");
    private static final Pattern ENTRY = Pattern.compile("consumers\\[(\\d{1,4})]");

    private final Map<String, TopicSpec> topics;
    private final List<ConsumerSpec> consumers;

    FaultTargets(Map<String, TopicSpec> topics, List<ConsumerSpec> consumers) {
        this.topics = topics;
        this.consumers = consumers;
    }

    /** @throws InvalidValueException with what was expected */
    Target broker(String text) {
        String plain = text.strip();
        Matcher leader = LEADER.matcher(plain);
        if (leader.matches()) {
            return leaderOf(leader.group(1), Integer.parseInt(leader.group(2)));
        }
        if (plain.matches("\\d{1,9}")) {
            return new Target.Broker(Integer.parseInt(plain));
        }
        return switch (plain) {
            case "controller" -> new Target.Controller();
            case "any" -> new Target.Any();
            case "each" -> new Target.Each();
            default -> throw InvalidValueException.expected(FaultKeys.BROKER, text);
        };
    }

    private Target leaderOf(String topic, int partition) {
        TopicSpec spec = topics.get(topic);
        if (spec == null) {
            throw new InvalidValueException(
                    "scenario.noTopicHere", Texts.quoted(topic), Suggestions.hint(topic, topics.keySet()));
        }
        if (!spec.existing() && partition >= spec.partitions()) {
            throw new InvalidValueException("scenario.noPartition", topic, spec.partitions(), partition);
        }
        return new Target.LeaderOf(topic, partition);
    }

    private static boolean joinsGroups(ConsumerSpec spec) {
        return Engine.all().get(spec.engine()).joinsGroups();
    }

    /** @throws InvalidValueException with what was expected */
    Target member(String text) {
        if (consumers.stream().noneMatch(FaultTargets::joinsGroups)) {
            throw new InvalidValueException(
                    "scenario.noMembers",
                    Sentence.or(Engine.all().values().stream()
                            .filter(Engine::joinsGroups)
                            .map(Engine::name)
                            .toList()));
        }
        if (text.strip().equals("any")) {
            return new Target.MemberOf(OptionalInt.empty());
        }
        Matcher entry = ENTRY.matcher(text.strip());
        if (!entry.matches()) {
            throw InvalidValueException.expected(FaultKeys.MEMBER, text);
        }
        int index = Integer.parseInt(entry.group(1));
        if (index >= consumers.size()) {
            throw new InvalidValueException("scenario.noConsumers", index, consumers.size());
        }
        if (!joinsGroups(consumers.get(index))) {
            throw new InvalidValueException(
                    "scenario.notMembers", index, consumers.get(index).engine());
        }
        return new Target.MemberOf(OptionalInt.of(index));
    }
}
