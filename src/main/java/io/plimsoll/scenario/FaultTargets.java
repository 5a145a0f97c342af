package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Target;
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

    /** @throws IllegalArgumentException with what was expected */
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
            default ->
                throw new IllegalArgumentException("expected " + FaultKeys.BROKER + ", found " + Texts.quoted(text));
        };
    }

    private Target leaderOf(String topic, int partition) {
        TopicSpec spec = topics.get(topic);
        if (spec == null) {
            throw new IllegalArgumentException("there is no topic " + Texts.quoted(topic) + " in this scenario"
                    + Suggestions.hint(topic, topics.keySet()));
        }
        if (!spec.existing() && partition >= spec.partitions()) {
            throw new IllegalArgumentException("topic " + topic + " has " + spec.partitions()
                    + (spec.partitions() == 1 ? " partition" : " partitions") + ", numbered from 0, so there is no "
                    + topic + "-" + partition);
        }
        return new Target.LeaderOf(topic, partition);
    }

    private static boolean joinsGroups(ConsumerSpec spec) {
        return Engine.all().get(spec.engine()).joinsGroups();
    }

    /** @throws IllegalArgumentException with what was expected */
    Target member(String text) {
        if (consumers.stream().noneMatch(FaultTargets::joinsGroups)) {
            throw new IllegalArgumentException("the scenario has no consumers with engine: "
                    + String.join(" or ", Engine.names(Engine::joinsGroups).keySet())
                    + ", and only those are members of a group");
        }
        if (text.strip().equals("any")) {
            return new Target.MemberOf(OptionalInt.empty());
        }
        Matcher entry = ENTRY.matcher(text.strip());
        if (!entry.matches()) {
            throw new IllegalArgumentException(
                    "expected any or an entry such as consumers[0], found " + Texts.quoted(text));
        }
        int index = Integer.parseInt(entry.group(1));
        if (index >= consumers.size()) {
            throw new IllegalArgumentException(
                    "there is no consumers[" + index + "]; the scenario has " + consumers.size()
                            + (consumers.size() == 1 ? " entry, consumers[0]" : " entries from consumers[0]"));
        }
        if (!joinsGroups(consumers.get(index))) {
            throw new IllegalArgumentException("consumers[" + index + "] has engine: "
                    + consumers.get(index).engine() + ", which makes no members of a group");
        }
        return new Target.MemberOf(OptionalInt.of(index));
    }
}
