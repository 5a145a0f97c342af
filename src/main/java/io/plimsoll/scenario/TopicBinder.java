package io.plimsoll.scenario;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads {@code topics}. */
final class TopicBinder {
    private static final int MOST_PARTITIONS = 200_000;

    private TopicBinder() {}

    /** By name, in the order of the file. */
    static Map<String, TopicSpec> bind(Form scenario) {
        Map<String, TopicSpec> topics = new LinkedHashMap<>();
        if (!scenario.has("topics")) {
            scenario.problem("the key topics is missing; expected "
                    + ScenarioKeys.ROOT.keys().get("topics").expected());
            return topics;
        }
        List<Form> forms = scenario.forms("topics");
        if (forms.isEmpty()) {
            scenario.node("topics")
                    .filter(node -> node instanceof YamlNode.Items items
                            && items.values().isEmpty())
                    .ifPresent(node -> scenario.problem("topics", "expected at least one topic, found an empty list"));
        }
        for (Form form : forms) {
            for (TopicSpec topic : bindOne(form)) {
                if (topics.putIfAbsent(topic.name(), topic) != null) {
                    form.problem("name", "the topic " + Texts.quoted(topic.name()) + " is given twice");
                }
            }
        }
        return topics;
    }

    private static List<TopicSpec> bindOne(Form form) {
        List<String> names = form.required("name", TopicNames::expand, List.of());
        int partitions = form.count("partitions", 1, MOST_PARTITIONS);
        int replication = form.count("replication", 1, Short.MAX_VALUE);
        Map<String, String> config = form.config("config");
        Configs.wholeNumber(form, config, "max.message.bytes");
        boolean existing = form.flag("existing", false);
        boolean keep = form.flag("keep", false);
        if (existing && keep) {
            form.problem("keep", "a topic that exists already is always kept; remove keep");
        }
        int brokers = form.count("brokers", 0, Short.MAX_VALUE);
        if (existing && brokers > 0) {
            form.problem("brokers", "a topic that exists already is where it is; remove brokers");
        } else if (brokers > 0 && replication > brokers) {
            form.problem(
                    "replication",
                    "asks for " + replication + " copies on " + brokers + (brokers == 1 ? " broker" : " brokers")
                            + "; lower replication or raise brokers");
        }
        List<TopicSpec> topics = new ArrayList<>();
        names.forEach(
                name -> topics.add(new TopicSpec(name, partitions, replication, config, existing, keep, brokers)));
        return topics;
    }
}
