package io.plimsoll.scenario;

import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Start;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads an element of {@code consumers}. */
final class ConsumerBinder {
    private static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofSeconds(10);
    private static final Start EARLIEST = new Start.Earliest();
    private static final Commit AUTO = new Commit.Auto();

    private final Form form;
    private final Map<String, TopicSpec> topics;
    private final boolean withProducers;
    private final Scale scale;

    /**
     * @param topics known ones by name
     * @param withProducers true if the scenario also produces
     */
    ConsumerBinder(Form form, Map<String, TopicSpec> topics, boolean withProducers, Scale scale) {
        this.form = form;
        this.topics = topics;
        this.withProducers = withProducers;
        this.scale = scale;
    }

    ConsumerSpec bind() {
        Map<String, String> config = form.config("config");
        for (String property : List.of("max.poll.records", "fetch.min.bytes", "fetch.max.bytes")) {
            Configs.wholeNumber(form, config, property);
        }
        Start start = start();
        if (!withProducers && (start instanceof Start.AfterProduce || start instanceof Start.Backlog)) {
            form.problem("start", "waits for producers, but the scenario has none; use earliest");
        }
        List<String> names = TopicNames.referenced(form, topics.keySet());
        boolean oneTopicEach = form.flag("oneTopicEach", false);
        int groups = form.count("groups", 1, ProducerBinder.MOST_CLIENTS);
        TopicNames.requireEnough(form, oneTopicEach, names, groups, "groups");
        return new ConsumerSpec(
                names,
                oneTopicEach,
                groups,
                form.count("members", 1, ProducerBinder.MOST_CLIENTS),
                start,
                commit(),
                form.choice("engine", ProducerBinder.ENGINES).orElse(Engine.CLIENT),
                scale.records(form.read("records", text -> Quantities.count(text, 1, Long.MAX_VALUE))),
                form.read("idleTimeout", Quantities::duration).orElse(DEFAULT_IDLE_TIMEOUT),
                config);
    }

    private Start start() {
        Node node = form.node("start").orElse(null);
        if (node instanceof Node.Fields) {
            return form.form("start").flatMap(this::startFrom).orElse(EARLIEST);
        }
        return form.choice("start", Map.of("earliest", EARLIEST, "latest", new Start.Latest()))
                .orElse(EARLIEST);
    }

    private Optional<Start> startFrom(Form start) {
        Optional<String> kind = start.only(List.of("after", "backlog"), "one of the keys after or backlog");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        if (kind.get().equals("after")) {
            return start.choice("after", Map.of("produce", new Start.AfterProduce()));
        }
        return start.read("backlog", Quantities::duration).map(scale::time).map(Start.Backlog::new);
    }

    private Commit commit() {
        Node node = form.node("commit").orElse(null);
        if (node instanceof Node.Fields) {
            return form.form("commit").flatMap(ConsumerBinder::commitFrom).orElse(AUTO);
        }
        return form.choice("commit", Map.of("auto", AUTO, "none", new Commit.None()))
                .orElse(AUTO);
    }

    private static Optional<Commit> commitFrom(Form commit) {
        Optional<String> kind = commit.only(List.of("sync", "async"), "one of the keys sync or async");
        return kind.flatMap(commit::form).map(form -> {
            long polls = form.required("every", text -> Quantities.count(text, 1, Long.MAX_VALUE), 1L);
            return kind.get().equals("sync") ? new Commit.Sync(polls) : new Commit.Async(polls);
        });
    }
}
