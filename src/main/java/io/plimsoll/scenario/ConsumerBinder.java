package io.plimsoll.scenario;

import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.scenario.ConsumerSpec.Start;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
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
    private final Optional<ClientDefaults> defaults;

    /**
     * @param topics known ones by name
     * @param withProducers true if the scenario also produces
     * @param defaults of an earlier version's clients; empty for those of the client in use
     */
    ConsumerBinder(
            Form form,
            Map<String, TopicSpec> topics,
            boolean withProducers,
            Scale scale,
            Optional<ClientDefaults> defaults) {
        this.form = form;
        this.topics = topics;
        this.withProducers = withProducers;
        this.scale = scale;
        this.defaults = defaults;
    }

    ConsumerSpec bind() {
        Map<String, String> config = form.config("config");
        for (String property : List.of("max.poll.records", "fetch.min.bytes", "fetch.max.bytes")) {
            Configs.wholeNumber(form, config, property);
        }
        Begin begin = start();
        List<String> names = TopicNames.referenced(form, topics.keySet());
        boolean oneTopicEach = form.flag("oneTopicEach", false);
        int groups = form.count("groups", 1, ProducerBinder.MOST_CLIENTS);
        TopicNames.requireEnough(form, oneTopicEach, names, groups, "groups");
        ConsumerSpec consumer = new ConsumerSpec(
                names,
                oneTopicEach,
                groups,
                form.count("members", 1, ProducerBinder.MOST_CLIENTS),
                begin.start(),
                begin.rewind(),
                commit(),
                form.choice("engine", Engine.names(Engine::consumes)).orElse(Engine.DEFAULT),
                scale.records(form.read("records", text -> Quantities.count(text, 1, Long.MAX_VALUE))),
                form.read("idleTimeout", Quantities::duration).orElse(DEFAULT_IDLE_TIMEOUT),
                defaults.map(d -> d.consumer(config)).orElse(config),
                form.config("on"));
        if (!withProducers && consumer.startsLate()) {
            form.problem("start", "waits for producers, but the scenario has none; use earliest");
        }
        return consumer;
    }

    /** When reading begins, and where. */
    private record Begin(Start start, Optional<Rewind> rewind) {}

    private Begin start() {
        YamlNode node = form.node("start").orElse(null);
        if (node instanceof YamlNode.Fields) {
            return form.form("start").map(this::startFrom).orElse(new Begin(EARLIEST, Optional.empty()));
        }
        Start start = form.choice("start", Map.of("earliest", EARLIEST, "latest", new Start.Latest()))
                .orElse(EARLIEST);
        return new Begin(start, Optional.empty());
    }

    private Begin startFrom(Form start) {
        Optional<Rewind> rewind = start.read("rewind", ConsumerBinder::rewind);
        boolean elsewhere = start.has("offset") || start.has("timestamp");
        if (start.has("rewind") && elsewhere) {
            start.problem("rewind says where to begin, and so does offset or timestamp; keep one of them");
        }
        if (start.has("rewind") && !start.has("after") && !start.has("backlog")) {
            return new Begin(EARLIEST, rewind);
        }
        Optional<String> kind = start.only(
                List.of("after", "backlog", "offset", "timestamp"),
                "one of the keys after, backlog, offset, timestamp or rewind");
        return new Begin(kind.flatMap(key -> from(start, key)).orElse(EARLIEST), rewind);
    }

    private Optional<Start> from(Form start, String key) {
        return switch (key) {
            case "after" -> start.choice("after", Map.of("produce", new Start.AfterProduce()));
            case "backlog" -> start.read("backlog", this::backlog);
            case "offset" ->
                start.read("offset", text -> Quantities.count(text, 0, Long.MAX_VALUE))
                        .map(Start.Offset::new);
            default -> start.read("timestamp", ConsumerBinder::instant).map(Start.Timestamp::new);
        };
    }

    private static Instant instant(String text) {
        try {
            return text.matches("[0-9]{1,18}") ? Instant.ofEpochMilli(Long.parseLong(text)) : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "expected a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970, found "
                            + Texts.quoted(text),
                    e);
        }
    }

    private Start backlog(String text) {
        if (text.strip().matches("[0-9._]+ *[KMGT]i?B")) {
            return new Start.BacklogBytes(scale.records(Quantities.amount(text)));
        }
        try {
            return new Start.Backlog(scale.time(Quantities.duration(text)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "expected a duration such as 10m, or an amount of data such as 500MB, found " + Texts.quoted(text),
                    e);
        }
    }

    private static Rewind rewind(String text) {
        if (text.strip().equals("0")) {
            return new Rewind.ToBeginning();
        }
        try {
            return new Rewind.ToTime(Instant.parse(text.strip()));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "expected 0 (the beginning) or a time such as 2026-01-31T12:00:00Z, found " + Texts.quoted(text),
                    e);
        }
    }

    private Commit commit() {
        YamlNode node = form.node("commit").orElse(null);
        if (node instanceof YamlNode.Fields) {
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
