package io.plimsoll.scenario;

import io.plimsoll.scenario.ConsumerSpec.Begin;
import io.plimsoll.scenario.ConsumerSpec.Commit;
import io.plimsoll.scenario.ConsumerSpec.Rewind;
import io.plimsoll.scenario.ConsumerSpec.Start;
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
import java.util.function.BiFunction;
import java.util.function.LongFunction;

/** The keys of an entry of {@code consumers}. */
public final class ConsumerKeys {
    private static final int MOST_THREADS = 1000;
    private static final String TIME = "2026-01-31T12:00:00Z";
    public static final Key<List<String>> TOPIC = LoadKeys.topics();
    public static final Key<Integer> GROUPS = Key.count("groups", 1, LoadKeys.MOST_CLIENTS);
    public static final Key<Boolean> ONE_TOPIC_EACH = Key.flag("oneTopicEach").rule(LoadKeys.enough(TOPIC, GROUPS));
    public static final Key<Integer> MEMBERS = Key.count("members", 1, LoadKeys.MOST_CLIENTS);
    public static final Key<Boolean> STATIC_MEMBERS = Key.flag("staticMembers");
    private static final Key<String> AFTER = Key.choice("after", "produce", List.of("produce"), word -> word);
    private static final Key<Start> BACKLOG =
            start("backlog", Sentence.of("scenario.a.backlog"), ConsumerKeys::backlog);
    private static final Key<Start> OFFSET = start(
            "offset",
            Quantities.count(0),
            (entry, text) -> new Start.Offset(Quantities.count(text, 0, Long.MAX_VALUE)));
    private static final Key<Start> TIMESTAMP = start(
            "timestamp",
            Sentence.of("scenario.a.timestamp", TIME),
            (entry, text) -> new Start.Timestamp(instant(text)));
    private static final Key<Optional<Rewind>> REWIND = Key.scalar(
            "rewind", Sentence.of("scenario.a.rewind", TIME), Optional.<Rewind>empty(), ConsumerKeys::rewind);
    private static final Key<Boolean> COLD = Key.flag("cold");
    public static final Key<Begin> START = new Forms<Begin>()
            .word("earliest", Begin.EARLIEST)
            .word("latest", new Begin(new Start.Latest(), Optional.empty(), false))
            .keys(AFTER, BACKLOG, OFFSET, TIMESTAMP, REWIND, COLD)
            .map(ConsumerKeys::begin)
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

    /** All keys in the order in which they are read, including the keys of each engine. */
    public static final Section ALL = Section.of("{topic: events, members: 3}", TOPIC, ONE_TOPIC_EACH, GROUPS, MEMBERS)
            .and(List.of(STATIC_MEMBERS, START, COMMIT, ENGINE, KIND, WORK, SCHEMA))
            .and(List.of(RECORDS, IDLE_TIMEOUT, EXISTING_GROUP, CONFIG, ON))
            .and(LoadKeys.own(Engine::consumerKeys));

    private ConsumerKeys() {}

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
