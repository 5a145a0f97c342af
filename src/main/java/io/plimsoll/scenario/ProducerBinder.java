package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
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

/** Reads the values of {@link ProducerKeys} that have forms of their own, and holds them against each other. */
final class ProducerBinder {
    private static final long DEFAULT_MAX_REQUEST_BYTES = 1_048_576;
    private static final long DEFAULT_MAX_MESSAGE_BYTES = 1_048_588;
    private static final SendMode ASYNC = new SendMode.Async();

    private static final Key<?> TIMEOUT = Key.part("timeout", Key.DURATION)
            .about("how long a thread waits at most for an acknowledgement", "线程最多等待确认多久");

    static final Section SEND = Section.of(
            "async, sync, {sync: {timeout: 100ms}} or {flushEvery: 100}",
            Key.part("sync", Section.of("a map such as {timeout: 100ms}", TIMEOUT))
                    .about(
                            "it waits for each acknowledgement; `{sync: {timeout: 100ms}}` waits at most for the"
                                    + " `timeout`, counts that, and goes on: the record may still succeed. Waits of more"
                                    + " than 50 ms and of more than 100 ms are counted, too",
                            "等待每一次确认；`{sync: {timeout: 100ms}}` 最多等待 `timeout`，计数后继续：该记录仍可能成功。"
                                    + "超过 50 ms 和超过 100 ms 的等待也会计数"),
            Key.part("flushEvery", "a whole number of 1 or more")
                    .about("it flushes the client after every so many records", "每发送这么多条记录就对 client 执行一次 flush"));

    static final Section TRANSACTIONS = Section.of(
            "none, {every: 1s} or {records: 1000}, each map with an optional abortRatio",
            Key.part("every", Key.DURATION).about("commit when a transaction is this old", "事务持续这么久后提交"),
            Key.part("records", "a whole number of 1 or more")
                    .about("commit when a transaction has this many records", "事务中有这么多条记录后提交"),
            Key.part("abortRatio", "a number from 0 to 1")
                    .about(
                            "beside one of the two: the share of transactions that is aborted instead (default 0)",
                            "与以上二者之一并用：改为中止的事务所占比例（默认 0）"));

    private ProducerBinder() {}

    static Optional<List<Integer>> partitions(EntryReading entry, String key) {
        Form form = entry.form();
        YamlNode value = form.node(key).orElseThrow();
        Set<Integer> partitions = new LinkedHashSet<>();
        for (YamlNode element :
                value instanceof Items list && !list.values().isEmpty() ? list.values() : List.of(value)) {
            if (!(element instanceof Scalar scalar) || scalar.kind() == Kind.NULL) {
                form.unexpected(key, element);
                continue;
            }
            try {
                partitions.add((int) Quantities.count(scalar.text(), 0, Integer.MAX_VALUE));
            } catch (IllegalArgumentException e) {
                form.problem(element, key, e.getMessage());
            }
        }
        return Optional.of(List.copyOf(partitions));
    }

    static Optional<SendMode> send(EntryReading entry, String key) {
        if (entry.form().node(key).orElseThrow() instanceof YamlNode.Fields) {
            return entry.form().form(key).flatMap(ProducerBinder::sendFrom);
        }
        return entry.choice(key, Map.of("async", ASYNC, "sync", new SendMode.Sync(Optional.empty())));
    }

    /** A way of sending as it is written. */
    static String text(SendMode mode) {
        if (mode instanceof SendMode.Sync sync) {
            return "sync"
                    + sync.timeout().map(t -> " for " + Quantities.text(t)).orElse("");
        }
        return mode instanceof SendMode.FlushEvery flush ? "flushEvery " + flush.records() : "async";
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

    static Optional<Transactions> transactions(EntryReading entry, String key) {
        if (entry.form().node(key).orElseThrow() instanceof YamlNode.Fields) {
            return entry.form().form(key).map(ProducerBinder::transactionsFrom);
        }
        return entry.choice(key, Map.of("none", Transactions.NONE));
    }

    /** When transactions end, as it is written. */
    static String text(Transactions transactions) {
        String records = transactions.records().isPresent()
                ? "of " + transactions.records().getAsLong() + " records"
                : "";
        String every = transactions.every().map(t -> "of " + Quantities.text(t)).orElse("");
        return transactions.enabled() ? (every + " " + records).strip() : "none";
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

    static void checkAcks(EntryReading entry, Map<String, String> config) {
        String acks = config.get("acks");
        if (acks != null && !List.of("0", "1", "all", "-1").contains(acks)) {
            entry.form().configProblem("config", "acks", "expected 0, 1, all or -1, found " + Texts.quoted(acks));
        }
    }

    static void checkThreads(EntryReading entry, int threads) {
        if (threads > 1 && entry.get(ProducerKeys.TRANSACTIONS).enabled()) {
            entry.problem(
                    "threads", "a client with transactions has one sending thread; for more threads give more clients");
        }
    }

    static void checkPartitions(EntryReading entry, List<Integer> partitions) {
        int highest = partitions.stream().mapToInt(Integer::intValue).max().orElse(-1);
        for (String name : entry.get(ProducerKeys.TOPIC)) {
            TopicSpec topic = entry.topics().get(name);
            if (topic != null && !topic.existing() && highest >= topic.partitions()) {
                entry.problem(
                        "partitions",
                        "topic " + name + " has " + topic.partitions() + " partitions, numbered from 0; there is no "
                                + highest);
                return;
            }
        }
    }

    static void checkSizes(EntryReading entry, RecordSpec record) {
        Map<String, String> config = entry.get(ProducerKeys.CONFIG);
        if (!RecordSizes.known(record)) {
            return;
        }
        long estimate = RecordSizes.estimatedByProducer(record);
        long maxRequest = Configs.number(config, "max.request.size", DEFAULT_MAX_REQUEST_BYTES);
        if (estimate > maxRequest) {
            tooLarge(entry, estimate, "the producer's max.request.size of " + maxRequest + "; raise it in config");
        }
        if (!config.getOrDefault("compression.type", "none").equals("none")) {
            return; // What the broker sees depends on the payload.
        }
        long batch = RecordSizes.leastBatch(record);
        for (String name : entry.get(ProducerKeys.TOPIC)) {
            TopicSpec topic = entry.topics().get(name);
            long fallback = topic == null || topic.existing() ? Long.MAX_VALUE : DEFAULT_MAX_MESSAGE_BYTES;
            long maxMessage = topic == null ? fallback : Configs.number(topic.config(), "max.message.bytes", fallback);
            if (batch > maxMessage) {
                tooLarge(
                        entry,
                        batch,
                        "the max.message.bytes of topic " + name + ", which is " + maxMessage
                                + "; raise it in the topic's config");
                return;
            }
        }
    }

    private static void tooLarge(EntryReading entry, long bytes, String limit) {
        String message = "a record takes " + bytes + " bytes with its batch header, more than " + limit
                + " or make the record smaller";
        Form form = entry.form();
        form.node("record")
                .filter(YamlNode.Fields.class::isInstance)
                .flatMap(node -> form.form("record"))
                .filter(r -> r.has("size"))
                .ifPresentOrElse(r -> r.problem("size", message), () -> form.problem("record", message));
    }
}
