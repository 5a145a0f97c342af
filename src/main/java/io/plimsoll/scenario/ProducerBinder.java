package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads an element of {@code producers}. */
final class ProducerBinder {
    static final int MOST_CLIENTS = 10_000;

    private static final long DEFAULT_MAX_REQUEST_BYTES = 1_048_576;
    private static final long DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;
    private static final SendMode ASYNC = new SendMode.Async();

    private final Form form;
    private final Map<String, TopicSpec> topics;
    private final Scale scale;
    private final Optional<ClientDefaults> defaults;

    /**
     * @param topics known ones by name
     * @param defaults of an earlier version's clients; empty for those of the client in use
     */
    ProducerBinder(Form form, Map<String, TopicSpec> topics, Scale scale, Optional<ClientDefaults> defaults) {
        this.form = form;
        this.topics = topics;
        this.scale = scale;
        this.defaults = defaults;
    }

    ProducerSpec bind() {
        Map<String, String> config = form.config("config");
        Transactions transactions = transactions();
        ProducerSpec producer = new ProducerSpec(
                TopicNames.referenced(form, topics.keySet()),
                form.flag("oneTopicEach", false),
                form.count("clients", 1, MOST_CLIENTS),
                form.count("threads", 1, MOST_CLIENTS),
                form.choice("engine", Engine.names(Engine::produces)).orElse(Engine.DEFAULT),
                form.count("connections", 1, MOST_CLIENTS),
                RateBinder.bind(form, scale),
                form.choice(
                                "arrivals",
                                Map.of(
                                        "uniform", ProducerSpec.Arrivals.UNIFORM,
                                        "poisson", ProducerSpec.Arrivals.POISSON))
                        .orElse(ProducerSpec.Arrivals.UNIFORM),
                scale.records(form.read("records", text -> Quantities.count(text, 1, Long.MAX_VALUE))),
                form.read("duration", Quantities::duration).map(scale::time),
                RecordBinder.bind(form),
                send(),
                transactions,
                defaults.map(d -> d.producer(config, transactions.enabled())).orElse(config),
                partitions(),
                form.config("on"));
        checkConfig(config);
        checkCombinations(producer);
        checkPartitions(producer);
        checkSizes(producer);
        return producer;
    }

    private List<Integer> partitions() {
        YamlNode value = form.node("partitions").orElse(null);
        if (value == null) {
            return List.of();
        }
        Set<Integer> partitions = new LinkedHashSet<>();
        for (YamlNode element :
                value instanceof Items list && !list.values().isEmpty() ? list.values() : List.of(value)) {
            if (!(element instanceof Scalar scalar) || scalar.kind() == Kind.NULL) {
                form.unexpected("partitions", element);
                continue;
            }
            try {
                partitions.add((int) Quantities.count(scalar.text(), 0, Integer.MAX_VALUE));
            } catch (IllegalArgumentException e) {
                form.problem(element, "partitions", e.getMessage());
            }
        }
        return List.copyOf(partitions);
    }

    private SendMode send() {
        YamlNode node = form.node("send").orElse(null);
        if (node instanceof YamlNode.Fields) {
            return form.form("send").flatMap(ProducerBinder::sendFrom).orElse(ASYNC);
        }
        SendMode sync = new SendMode.Sync(Optional.empty());
        return form.choice("send", Map.of("async", ASYNC, "sync", sync)).orElse(ASYNC);
    }

    private static Optional<SendMode> sendFrom(Form send) {
        Optional<String> kind = send.only(List.of("sync", "flushEvery"), "one of the keys sync or flushEvery");
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        if (kind.get().equals("sync")) {
            return send.form("sync").map(sync -> new SendMode.Sync(sync.read("timeout", Quantities::duration)));
        }
        return send.read("flushEvery", text -> Quantities.count(text, 1, Long.MAX_VALUE))
                .map(SendMode.FlushEvery::new);
    }

    private Transactions transactions() {
        YamlNode node = form.node("transactions").orElse(null);
        if (node instanceof YamlNode.Fields) {
            return form.form("transactions")
                    .map(ProducerBinder::transactionsFrom)
                    .orElse(Transactions.NONE);
        }
        return form.choice("transactions", Map.of("none", Transactions.NONE)).orElse(Transactions.NONE);
    }

    private static Transactions transactionsFrom(Form transactions) {
        Optional<Duration> every = transactions.read("every", Quantities::duration);
        OptionalLong records =
                new Scale(1).records(transactions.read("records", text -> Quantities.count(text, 1, Long.MAX_VALUE)));
        double abortRatio = transactions.read("abortRatio", Quantities::ratio).orElse(0.0);
        if (!transactions.has("every") && !transactions.has("records")) {
            transactions.problem(
                    "expected every or records, which say when a transaction ends, such as {records: 1000}");
        }
        return new Transactions(every, records, abortRatio);
    }

    private void checkConfig(Map<String, String> config) {
        for (String property : List.of("max.request.size", "batch.size", "linger.ms", "buffer.memory")) {
            Configs.wholeNumber(form, config, property);
        }
        String acks = config.get("acks");
        if (acks != null && !List.of("0", "1", "all", "-1").contains(acks)) {
            form.configProblem("config", "acks", "expected 0, 1, all or -1, found " + Texts.quoted(acks));
        }
    }

    private void checkCombinations(ProducerSpec producer) {
        if (producer.records().isPresent() && producer.duration().isPresent()) {
            form.problem("duration", "a producer is bound by records or by duration; remove one of them");
        }
        TopicNames.requireEnough(form, producer.oneTopicEach(), producer.topics(), producer.clients(), "clients");
        if (producer.transactions().enabled() && producer.threads() > 1) {
            form.problem(
                    "threads", "a client with transactions has one sending thread; for more threads give more clients");
        }
        if (producer.arrivals() == ProducerSpec.Arrivals.POISSON && producer.rate() instanceof Rate.Unlimited) {
            form.problem("arrivals", "poisson arrivals need a rate, for example rate: 1000/s");
        }
    }

    private void checkPartitions(ProducerSpec producer) {
        int highest =
                producer.partitions().stream().mapToInt(Integer::intValue).max().orElse(-1);
        for (String name : producer.topics()) {
            TopicSpec topic = topics.get(name);
            if (topic != null && !topic.existing() && highest >= topic.partitions()) {
                form.problem(
                        "partitions",
                        "topic " + name + " has " + topic.partitions() + " partitions, numbered from 0; there is no "
                                + highest);
                return;
            }
        }
    }

    private void checkSizes(ProducerSpec producer) {
        RecordSpec record = producer.record();
        if (!RecordSizes.known(record)) {
            return;
        }
        long estimate = RecordSizes.estimatedByProducer(record);
        long maxRequest = Configs.number(producer.config(), "max.request.size", DEFAULT_MAX_REQUEST_BYTES);
        if (estimate > maxRequest) {
            tooLarge(estimate, "the producer's max.request.size of " + maxRequest + "; raise it in config");
        }
        if (!producer.config().getOrDefault("compression.type", "none").equals("none")) {
            return; // What the broker sees depends on the payload.
        }
        long batch = RecordSizes.leastBatch(record);
        for (String name : producer.topics()) {
            TopicSpec topic = topics.get(name);
            long fallback = topic == null || topic.existing() ? Long.MAX_VALUE : DEFAULT_MAX_MESSAGE_BYTES;
            long maxMessage = topic == null ? fallback : Configs.number(topic.config(), "max.message.bytes", fallback);
            if (batch > maxMessage) {
                tooLarge(
                        batch,
                        "the max.message.bytes of topic " + name + ", which is " + maxMessage
                                + "; raise it in the topic's config");
                return;
            }
        }
    }

    private void tooLarge(long bytes, String limit) {
        String message = "a record takes " + bytes + " bytes with its batch header, more than " + limit
                + " or make the record smaller";
        form.form("record")
                .filter(r -> r.has("size"))
                .ifPresentOrElse(r -> r.problem("size", message), () -> form.problem("record", message));
    }
}
