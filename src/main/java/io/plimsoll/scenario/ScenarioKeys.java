package io.plimsoll.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every key of a scenario file, in one place: what is not here is a mistake in the file, cannot be overridden, and need
 * not be documented; what is here is.
 */
final class ScenarioKeys {

    /** What may stand at a place of the file. */
    sealed interface Shape {
        /** For messages: what belongs here, with an example. */
        String expected();
    }

    /** A scalar or a list without keys of its own. */
    record Value(String expected) implements Shape {}

    /** A map with known keys; some can also be given in a short form without keys. */
    record Section(String expected, Map<String, Shape> keys) implements Shape {}

    /** A list of sections. */
    record Entries(String expected, Section each) implements Shape {}

    /** A map with any keys; in a path, everything after it is one key. */
    record Open(String expected) implements Shape {}

    private static final Shape DURATION = new Value("a duration such as 500ms, 15s, 10m or 1h");
    private static final Shape COUNT = new Value("a whole number of 1 or more");
    private static final Shape RECORDS = new Value("a number of records such as 1000000 or 1M");
    private static final Shape TEXT = new Value("text");
    private static final Shape ENGINE =
            new Value(String.join(" or ", Engine.all().keySet()));
    private static final Shape TOPICS =
            new Value("a topic's name, a list of names, or a pattern such as events-[1-10]");

    static final Section TOPIC = section("a topic such as {name: events, partitions: 6}")
            .key("name", new Value("a topic's name, or a pattern such as events-[1-10]"))
            .key("partitions", COUNT)
            .key("replication", COUNT)
            .key("config", new Open("a map such as {retention.ms: 60000}"))
            .key("existing", new Value("true or false"))
            .key("keep", new Value("true or false"))
            .key("brokers", COUNT)
            .build();

    static final Section DAILY = section("a map such as {mean: 1000/s, amplitude: 0.5, period: 24h}")
            .key("mean", new Value("a rate such as 1000/s or 20MB/s"))
            .key("amplitude", new Value("a number from 0 to 1"))
            .key("period", DURATION)
            .build();

    static final Section RATE = section("a rate such as 50000/s, 20MB/s, 20MB/s wire, unlimited,"
                    + " {ramp: [1000/s, 50000/s], over: 30s} or {steps: [1000/s, 5000/s], each: 10s}")
            .key("ramp", new Value("a list of two rates such as [1000/s, 50000/s]"))
            .key("over", DURATION)
            .key("steps", new Value("a list of rates such as [1000/s, 5000/s]"))
            .key("each", DURATION)
            .key("daily", DAILY)
            .build();

    static final Section ZIPF = section("a map such as {s: 1.1, n: 10000}")
            .key("s", new Value("a number more than 0 such as 1.1"))
            .key("n", COUNT)
            .build();

    static final Section KEY = section("none, sequential, {sequential: true}, {uniform: 1000}, {roundRobin: 1000},"
                    + " {zipf: {s: 1.1, n: 10000}} or {fixed: \"abc\"}, each map with an optional type")
            .key("sequential", new Value("true"))
            .key("uniform", COUNT)
            .key("roundRobin", COUNT)
            .key("zipf", ZIPF)
            .key("fixed", TEXT)
            .key("type", new Value("int, string or bytes"))
            .key("size", new Value("a number of characters from 1 to 1000"))
            .build();

    static final Section PAYLOAD = section("random, letters, constant, {file: data.txt}, {files: [a.bin, b.bin]} or"
                    + " {template: \"order ${sequence}\"}")
            .key("file", new Value("the path of a file"))
            .key("files", new Value("a list of paths such as [a.bin, b.bin]"))
            .key("delimiter", new Value("text such as \"\\n\""))
            .key("template", TEXT)
            .build();

    static final Section HEADERS = section(
                    "a number of headers, or a map such as {count: 2, keySize: 8, valueSize: 16}")
            .key("count", new Value("a whole number of 0 or more"))
            .key("keySize", new Value("a size such as 8"))
            .key("valueSize", new Value("a size such as 16 or 1KB"))
            .build();

    static final Section RECORD = section("a map such as {size: 100}")
            .key("size", new Open("a size such as 100, 1KB or 1KiB, or a map of weights such as {100: 9, 1KB: 1}"))
            .key("key", KEY)
            .key("payload", PAYLOAD)
            .key("randomBytesRatio", new Value("a number from 0 to 1"))
            .key("pool", COUNT)
            .key("headers", HEADERS)
            .build();

    static final Section SYNC_SEND =
            section("a map such as {timeout: 100ms}").key("timeout", DURATION).build();

    static final Section SEND = section("async, sync, {sync: {timeout: 100ms}} or {flushEvery: 100}")
            .key("sync", SYNC_SEND)
            .key("flushEvery", COUNT)
            .build();

    static final Section TRANSACTIONS = section(
                    "none, {every: 1s} or {records: 1000}, each map with an optional abortRatio")
            .key("every", DURATION)
            .key("records", COUNT)
            .key("abortRatio", new Value("a number from 0 to 1"))
            .build();

    static final Section PRODUCER = section("a producer such as {topic: events, rate: 1000/s}")
            .key("topic", TOPICS)
            .key("oneTopicEach", new Value("true or false"))
            .key("clients", COUNT)
            .key("threads", COUNT)
            .key("engine", ENGINE)
            .key("connections", COUNT)
            .key("rate", RATE)
            .key("arrivals", new Value("uniform or poisson"))
            .key("records", RECORDS)
            .key("duration", DURATION)
            .key("record", RECORD)
            .key("send", SEND)
            .key("transactions", TRANSACTIONS)
            .key("partitions", new Value("a partition such as 0, or a list such as [0, 2]"))
            .key("config", new Open("a map such as {acks: all, linger.ms: 5}"))
            .key("on", new Open("a map of labels such as {zone: a}"))
            .build();

    static final Section START = section(
                    "earliest, latest, {after: produce}, {backlog: 10m}, {offset: 1000}, {timestamp:"
                            + " 2026-01-31T12:00:00Z} or {rewind: 0}")
            .key("after", new Value("produce"))
            .key("backlog", new Value("a duration such as 10m, or an amount of data such as 500MB"))
            .key("offset", new Value("an offset of 0 or more"))
            .key("timestamp", new Value("a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970"))
            .key("rewind", new Value("0 (the beginning) or a time such as 2026-01-31T12:00:00Z"))
            .build();

    static final Section COMMIT_EVERY =
            section("a map such as {every: 1}").key("every", COUNT).build();

    static final Section COMMIT = section("auto, none, {sync: {every: 1}} or {async: {every: 1000}}")
            .key("sync", COMMIT_EVERY)
            .key("async", COMMIT_EVERY)
            .build();

    static final Section CONSUMER = section("a consumer such as {topic: events, members: 3}")
            .key("topic", TOPICS)
            .key("oneTopicEach", new Value("true or false"))
            .key("groups", COUNT)
            .key("members", COUNT)
            .key("start", START)
            .key("commit", COMMIT)
            .key("engine", ENGINE)
            .key("records", RECORDS)
            .key("idleTimeout", DURATION)
            .key("config", new Open("a map such as {max.poll.records: 500}"))
            .key("on", new Open("a map of labels such as {zone: a}"))
            .build();

    static final Section FLEET = section("a map such as {onAgentLoss: continue, apart: true}")
            .key("onAgentLoss", new Value("abort or continue"))
            .key("apart", new Value("true or false"))
            .build();

    private static final Shape WHOM = new Value(FaultBinder.TARGETS);
    private static final Shape WHICH_MEMBER = new Value("any or an entry such as consumers[0]");

    static final Section FAULT = section("a fault such as {at: 10s, kill: leader of events-0, restartAfter: 5s}")
            .key("at", DURATION)
            .key("every", DURATION)
            .key("kill", WHOM)
            .key("stop", WHOM)
            .key("pause", WHOM)
            .key("slow", WHOM)
            .key("cut", WHOM)
            .key("halfOpen", WHOM)
            .key("fillDisk", WHOM)
            .key("killMember", WHICH_MEMBER)
            .key("pauseMember", WHICH_MEMBER)
            .key("exec", new Value("a command for the shell"))
            .key("restartAfter", DURATION)
            .key("for", DURATION)
            .key("delay", DURATION)
            .key("jitter", DURATION)
            .key("bandwidth", new Value("bytes per second such as 5MB/s"))
            .key("diskSize", new Value("a size such as 512MiB"))
            .key("on", WHOM)
            .key("undo", new Value("a command for the shell"))
            .build();

    static final Section TRIAL = section("a trial such as {name: slow, set: {duration: 15s}}")
            .key("name", new Value("a name such as slow"))
            .key("set", new Open("a map from paths to values such as {duration: 15s}"))
            .build();

    static final Section REFERENCE_ROW = section("a row such as {trial: slow, values: [1000, 20.5]}")
            .key("trial", new Value("the name of a trial"))
            .key("values", new Value("a list with one value a column"))
            .build();

    static final Section REFERENCE_TABLE = section(
                    "a table such as {columns: {\"p99 ms\": produce.response.p99 in ms}, rows: [{trial: slow, values:"
                            + " [20.5]}]}")
            .key("title", TEXT)
            .key("columns", new Open("a map from headings to figures such as {\"p99 ms\": produce.response.p99 in ms}"))
            .key("rows", new Entries("a list such as [{trial: slow, values: [20.5]}]", REFERENCE_ROW))
            .build();

    static final Section REFERENCE = section("a map with the keys source and tables")
            .key("source", TEXT)
            .key("tables", new Entries("a list of tables", REFERENCE_TABLE))
            .build();

    static final Section ROOT = section("a map with the keys topics, producers, consumers and others")
            .key("name", new Value("a name of letters, digits, dots, dashes and underscores"))
            .key("about", TEXT)
            .key("topics", new Entries("a list such as [{name: events, partitions: 6}]", TOPIC))
            .key("producers", new Entries("a list such as [{topic: events, rate: 1000/s}]", PRODUCER))
            .key("consumers", new Entries("a list such as [{topic: events}]", CONSUMER))
            .key("duration", DURATION)
            .key("warmup", DURATION)
            .key("audit", new Value("true or false"))
            .key("checks", new Value("a list such as [\"produce.response.p99 < 50ms\"]"))
            .key("abortOnFail", new Value("true or false"))
            .key("fleet", FLEET)
            .key("faults", new Entries("a list such as [{at: 10s, kill: leader of events-0, restartAfter: 5s}]", FAULT))
            .key("trials", new Entries("a list such as [{name: slow, set: {duration: 15s}}]", TRIAL))
            .key("matrix", new Open("a map from paths to lists of values such as {producers.config.acks: [1, all]}"))
            .key("reference", REFERENCE)
            .key("defaults", new Value("kafka-2.x, kafka-3.x or kafka-4.x"))
            .build();

    private ScenarioKeys() {}

    /** The names of all keys, wherever they belong. */
    static Set<String> names() {
        Set<String> names = new TreeSet<>();
        collect(ROOT, names);
        return names;
    }

    private static void collect(Shape shape, Set<String> names) {
        if (shape instanceof Section section) {
            names.addAll(section.keys().keySet());
            section.keys().values().forEach(below -> collect(below, names));
        } else if (shape instanceof Entries entries) {
            collect(entries.each(), names);
        }
    }

    private static Builder section(String expected) {
        return new Builder(expected);
    }

    private static final class Builder {
        private final String expected;
        private final Map<String, Shape> keys = new LinkedHashMap<>();

        Builder(String expected) {
            this.expected = expected;
        }

        Builder key(String name, Shape shape) {
            keys.put(name, shape);
            return this;
        }

        Section build() {
            return new Section(expected, Collections.unmodifiableMap(keys));
        }
    }
}
