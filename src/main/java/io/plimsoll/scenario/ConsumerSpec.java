package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.WorkSpec.Shape;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A number of consumer groups with equal settings.
 *
 * @param settings values of the keys below and of the keys of the engine
 */
public record ConsumerSpec(Settings settings) {
    private static final int MOST_THREADS = 1000;
    private static final String TIME = "2026-01-31T12:00:00Z";
    public static final Key<List<String>> TOPIC = LoadKeys.topics();
    public static final Key<Integer> GROUPS = Key.count("groups", 1, LoadKeys.MOST_CLIENTS);
    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach").rule(LoadKeys.enough(TOPIC, GROUPS));
    public static final Key<Integer> MEMBERS = Key.count("members", 1, LoadKeys.MOST_CLIENTS);
    public static final Key<Boolean> STATIC_MEMBERS = Key.flag("staticMembers");
    private static final Key<String> AFTER = Key.choice("after", "produce", List.of("produce"), word -> word);
    private static final Key<Start> BACKLOG =
            start("backlog", Sentence.of("scenario.a.backlog"), ConsumerSpec::backlog);
    private static final Key<Start> OFFSET = start(
            "offset",
            Quantities.count(0),
            (entry, text) -> new Start.Offset(Quantities.count(text, 0, Long.MAX_VALUE)));
    private static final Key<Start> TIMESTAMP = start(
            "timestamp",
            Sentence.of("scenario.a.timestamp", TIME),
            (entry, text) -> new Start.Timestamp(instant(text)));
    private static final Key<Optional<Rewind>> REWIND = Key.scalar(
            "rewind", Sentence.of("scenario.a.rewind", TIME), Optional.<Rewind>empty(), ConsumerSpec::rewind);
    private static final Key<Boolean> COLD = Key.flag("cold");
    public static final Key<Begin> START = new Forms<Begin>()
            .word("earliest", Begin.EARLIEST)
            .word("latest", new Begin(new Start.Latest(), Optional.empty(), false))
            .keys(AFTER, BACKLOG, OFFSET, TIMESTAMP, REWIND, COLD)
            .map(ConsumerSpec::begin)
            .key(
                    "start",
                    Texts.either("earliest | latest | {after: produce} | {backlog: 10m} | {offset: 1000} | {timestamp: "
                            + TIME + "} | {rewind: 0}"),
                    Begin.EARLIEST,
                    Begin.class)
            .rule((entry, start) -> {
                if (start.isLate() && !entry.whole().hasSome("producers")) {
                    entry.problemAt("start", "scenario.nothingToWaitFor");
                }
            });
    private static final Key<Long> POLLS = Quantities.many("every").required();
    private static final Key<Commit> SYNC = commits("sync", Commit.Sync::new);
    private static final Key<Commit> ASYNC = commits("async", Commit.Async::new);
    public static final Key<Commit> COMMIT = new Forms<Commit>()
            .word("auto", new Commit.Auto())
            .word("none", new Commit.None())
            .form(SYNC, commit -> commit)
            .form(ASYNC, commit -> commit)
            .key(
                    "commit",
                    Texts.either("auto | none | {sync: {every: 1}} | {async: {every: 1000}}"),
                    new Commit.Auto(),
                    Commit.class)
            .shown(Commit::text);
    public static final Key<String> ENGINE = LoadKeys.engine(Engine::consumes, Engine::consumerKeys);
    private static final Key<Object> KIND = LoadKeys.kind(Engine::consumes);

    private static final Duration NO_WORK = Duration.ofMillis(1);
    private static final Key<Duration> EACH = Key.duration("each", NO_WORK).noneByDefault();
    private static final Key<Duration> EXPONENTIAL =
            Key.duration("exponential", NO_WORK).noneByDefault();
    private static final Key<Duration> PER_BATCH =
            Key.duration("perBatch", NO_WORK).noneByDefault();
    private static final Key<Integer> THREADS = Key.count("threads", 1, MOST_THREADS);
    private static final Key<Boolean> BLOCKING = Key.flag("blocking", true);
    private static final Key<Boolean> CPU = Key.flag("cpu");
    private static final Key<Double> FAILURES = Key.ratio("failures");
    private static final Forms<WorkSpec> WORK_FORMS = new Forms<WorkSpec>()
            .form(EACH, (entry, time) -> made(entry, Shape.EACH, time))
            .form(EXPONENTIAL, (entry, time) -> made(entry, Shape.EXPONENTIAL, time))
            .form(PER_BATCH, (entry, time) -> made(entry, Shape.PER_BATCH, time))
            .keys(THREADS, BLOCKING, CPU, FAILURES);

    public static final Key<Optional<WorkSpec>> WORK = Key.optional(
                    "work",
                    WORK_FORMS.shape(Sentence.of("scenario.a.map", "{each: 5ms}")),
                    WorkSpec.class,
                    WORK_FORMS::read)
            .noneByDefault()
            .shown(work -> work.map(WorkSpec::text).orElse(""));

    public static final Key<Optional<SchemaSpec.Decoding>> SCHEMA = SchemaKeys.DECODING;

    public static final Key<OptionalLong> RECORDS = Key.records("records").endOfLoad();
    public static final Key<Duration> IDLE_TIMEOUT = Key.duration("idleTimeout", Duration.ofSeconds(10));
    public static final Key<Map<String, String>> CONFIG = Key.properties("config", "{max.poll.records: 500}")
            .noneByDefault()
            .rule(LoadKeys.wholeNumbers("max.poll.records", "fetch.min.bytes", "fetch.max.bytes"));
    public static final Key<Boolean> EXISTING_GROUP = Key.flag("existingGroup");
    public static final Key<Map<String, String>> ON = LoadKeys.agents();
    public static final Key<Map<String, String>> LABELS = Labels.key();

    /** All keys in the order in which they are read, including the keys of every engine. */
    public static final Section ALL = Section.of("{topic: events, members: 3}", TOPIC, ONE_TOPIC_EACH, GROUPS, MEMBERS)
            .and(List.of(STATIC_MEMBERS, START, COMMIT, ENGINE, KIND, WORK, SCHEMA))
            .and(List.of(RECORDS, IDLE_TIMEOUT, EXISTING_GROUP, CONFIG, LABELS, ON))
            .and(LoadKeys.own(Engine::consumerKeys));

    /** Default of {@code max.poll.records}. */
    private static final long DEFAULT_POLL_RECORDS = 500;

    /** A consumer entry with default settings. */
    public static ConsumerSpec of(List<String> topics) {
        return new ConsumerSpec(Settings.NONE.with(ConsumerSpec.TOPIC, topics));
    }

    public <T> ConsumerSpec with(Key<T> key, T value) {
        return new ConsumerSpec(settings.with(key, value));
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    public List<String> topics() {
        return get(TOPIC);
    }

    public List<String> topicsOf(int group) {
        return oneTopicEach() ? List.of(topics().get(group % topics().size())) : topics();
    }

    /** Whether each group reads only one of the topics, assigned in turn. */
    public boolean oneTopicEach() {
        return get(ONE_TOPIC_EACH);
    }

    /** Number of groups, at least 1; each group reads all records of its topics. */
    public int groups() {
        return get(GROUPS);
    }

    /** Number of consumers per group, at least 1. */
    public int members() {
        return get(MEMBERS);
    }

    public Start start() {
        return get(START).start();
    }

    /** The position to which the group's offsets are set before it joins; empty to leave them unchanged. */
    public Optional<Rewind> rewind() {
        return get(START).rewind();
    }

    public Commit commit() {
        return get(COMMIT);
    }

    public String engine() {
        return get(ENGINE);
    }

    /** Topics to which the consumers write their records. */
    public Set<String> writes() {
        return Engine.of(engine()).writes(this);
    }

    /** Whether the consumers change settings of existing groups. */
    public boolean changesGroups() {
        return Engine.of(engine()).changesGroups(this);
    }

    /**
     * Number of records after which a group ends; if empty, the group ends when it has caught up after the producers
     * have finished.
     */
    public OptionalLong records() {
        return get(RECORDS);
    }

    public Map<String, String> config() {
        return get(CONFIG);
    }

    /** Simulated processing by each member; empty for none. */
    public Optional<WorkSpec> work() {
        return get(WORK);
    }

    /** The check of the records read; empty for none. */
    public Optional<SchemaSpec.Decoding> decoding() {
        return get(ConsumerSpec.SCHEMA);
    }

    /**
     * Maximum records per second of one group, given the work of its members; can be infinite.
     *
     * @param partitions number of partitions of its topics, which limits the number of busy members
     */
    public double mostPerSecond(int partitions) {
        if (work().isEmpty()) {
            return Double.POSITIVE_INFINITY;
        }
        WorkSpec work = work().get();
        double records = work.threads();
        if (work.shape() == WorkSpec.Shape.PER_BATCH) {
            records = engine().equals(Engine.DEFAULT)
                    ? LoadKeys.number(config(), "max.poll.records", DEFAULT_POLL_RECORDS)
                    : Double.POSITIVE_INFINITY;
        }
        int busy = Engine.of(engine()).sharesPartitions() ? members() : Math.min(members(), partitions);
        return busy * records * 1e9 / work.time().toNanos();
    }

    /** Labels by which the entry's figures are summed. */
    public Map<String, String> labels() {
        return get(LABELS);
    }

    /**
     * The name of a group in checks and figures: its {@code group.id} or, without one, the name of the entry, with a
     * number if the entry has several groups.
     * @param part name of the entry, such as {@code consumers-0}
     */
    public String groupName(String part, int group) {
        return config().getOrDefault("group.id", groups() > 1 ? part + "-group-" + group : part);
    }

    public Set<String> groupNames(String part) {
        return IntStream.range(0, groups()).mapToObj(g -> groupName(part, g)).collect(Collectors.toSet());
    }

    /** Required labels of the fleet agents that run the entry; empty for any agent. */
    public Map<String, String> on() {
        return get(ON);
    }

    /** Where reading starts, the offsets to set before the group joins, and whether groups read from disk. */
    public record Begin(Start start, Optional<Rewind> rewind, boolean cold) {
        static final Begin EARLIEST = new Begin(new Start.Earliest(), Optional.empty(), false);

        /** Whether the groups start after the producers. */
        boolean isLate() {
            return start instanceof Start.AfterProduce
                    || start instanceof Start.Backlog
                    || start instanceof Start.BacklogBytes;
        }
    }

    /** Whether the groups start after the producers and have a separate window. */
    public boolean startsLate() {
        return get(START).isLate();
    }

    /** Whether the groups read only when their topics are on disk and not in the page cache of the brokers' host. */
    public boolean startsCold() {
        return get(START).cold();
    }

    /** Whether the groups start to read once a backlog has built up. */
    public boolean isBacklog() {
        return start() instanceof Start.Backlog || start() instanceof Start.BacklogBytes;
    }

    /** The position and time of the first read. */
    public sealed interface Start {
        record Earliest() implements Start {}

        record Latest() implements Start {}

        /** At the first record, once all producers of the trial are done. */
        record AfterProduce() implements Start {}

        /** At the first record, after the producers have run for this time. */
        record Backlog(Duration time) implements Start {}

        /** At this offset in each partition, or the closest existing offset. */
        record Offset(long offset) implements Start {}

        /** At the first record of each partition with this or a later timestamp, or at the end. */
        record Timestamp(Instant time) implements Start {}

        /** At the first record, once this number of key and value bytes is acknowledged in its topics, including the warm-up. */
        record BacklogBytes(long bytes) implements Start {}
    }

    /** A position to which offsets are set, as by {@code kafka-consumer-groups --reset-offsets}. */
    public sealed interface Rewind {
        /** The first record of each partition. */
        record ToBeginning() implements Rewind {}

        /** The first record of each partition with this or a later timestamp. */
        record ToTime(Instant time) implements Rewind {}
    }

    public sealed interface Commit {

        default String text() {
            if (this instanceof Sync sync) {
                return "sync every " + sync.everyPolls();
            } else if (this instanceof Async async) {
                return "async every " + async.everyPolls();
            }
            return this instanceof None ? "none" : "auto";
        }
        /** The client commits automatically, every {@code auto.commit.interval.ms}. */
        record Auto() implements Commit {}

        record None() implements Commit {}

        /** Commits synchronously after this number of polls that returned records. */
        record Sync(long everyPolls) implements Commit {}

        /** Commits asynchronously after this number of polls that returned records. */
        record Async(long everyPolls) implements Commit {}
    }

    private static Key<Start> start(String name, Sentence expected, BiFunction<EntryReading, String, Start> parser) {
        return Key.scalar(name, expected, Begin.EARLIEST.start(), parser);
    }

    private static Begin begin(EntryReading entry) {
        boolean rewinds = entry.has("rewind");
        if (rewinds && (entry.has("offset") || entry.has("timestamp"))) {
            entry.problem("scenario.beginsTwice");
        }
        List<String> places = List.of("after", "backlog", "offset", "timestamp");
        if ((rewinds || entry.has("cold")) && places.stream().noneMatch(entry::has)) {
            return new Begin(Begin.EARLIEST.start(), entry.get(REWIND), entry.get(COLD));
        }
        Start start = entry.only(places)
                .map(key -> switch (key) {
                    case "after" -> new Start.AfterProduce();
                    case "backlog" -> entry.get(BACKLOG);
                    case "offset" -> entry.get(OFFSET);
                    default -> entry.get(TIMESTAMP);
                })
                .orElse(Begin.EARLIEST.start());
        return new Begin(start, entry.get(REWIND), entry.get(COLD));
    }

    private static Start backlog(EntryReading entry, String text) {
        if (text.strip().matches("[0-9._]+ *[KMGT]i?B")) {
            return new Start.BacklogBytes(entry.scale().records(Quantities.amount(text)));
        }
        try {
            return new Start.Backlog(entry.scale().time(Quantities.duration(text)));
        } catch (InvalidValueException e) {
            throw InvalidValueException.expected("scenario.a.backlog", text);
        }
    }

    private static Instant instant(String text) {
        try {
            return text.matches("[0-9]{1,18}") ? Instant.ofEpochMilli(Long.parseLong(text)) : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.timestamp", TIME), text);
        }
    }

    private static Optional<Rewind> rewind(String text) {
        try {
            return Optional.of(
                    text.strip().equals("0")
                            ? new Rewind.ToBeginning()
                            : new Rewind.ToTime(Instant.parse(text.strip())));
        } catch (DateTimeParseException e) {
            throw InvalidValueException.expected(Sentence.of("scenario.a.rewind", TIME), text);
        }
    }

    private static Key<Commit> commits(String name, LongFunction<Commit> made) {
        return Key.section(
                name, Section.of("{every: 1}", POLLS), new Commit.Auto(), entry -> made.apply(entry.get(POLLS)));
    }

    private static WorkSpec made(EntryReading entry, Shape shape, Duration time) {
        return new WorkSpec(shape, time, entry.get(THREADS), entry.get(BLOCKING), entry.get(CPU), entry.get(FAILURES));
    }
}
