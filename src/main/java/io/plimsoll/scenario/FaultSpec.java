package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A fault to inject under load, with values of the keys below and of the keys of its kind. */
public record FaultSpec(FaultKind kind, Target target, Timing timing, Settings settings) {
    static final Sentence BROKER = Sentence.of("scenario.a.broker");
    static final Sentence TOPICS = Sentence.of("scenario.a.topicOrAll");
    static final Sentence SETTINGS = Sentence.of("scenario.a.topicOrBrokers");
    static final Sentence MEMBER = Sentence.of("scenario.a.member");

    private static final Pattern LEADER = Pattern.compile("leader of (\\S+)-(\\d{1,6})");
    private static final Pattern ENTRY = Pattern.compile("consumers\\[(\\d{1,4})]");
    public static final Key<Optional<Duration>> AT = Key.time("at", Quantities::durationOrZero);
    public static final Key<Optional<Duration>> EVERY = Key.time("every", Quantities::duration);
    public static final Key<Optional<Duration>> RESTART_AFTER = Key.time("restartAfter", Quantities::durationOrZero);
    public static final Key<Optional<Duration>> FOR = Key.time("for", Quantities::duration);

    /**
     * @param at start of the first occurrence, after the start of the measured window
     * @param every period between starts; empty for one occurrence
     * @param lasting time until the fault is reverted; if empty, the fault lasts until the load ends
     */
    public record Timing(Duration at, Optional<Duration> every, Optional<Duration> lasting) {}

    /** Action and target, such as {@code kill leader of events-0}. */
    public Sentence planned() {
        return kind.planned(this);
    }

    public Duration at() {
        return timing.at();
    }

    public Optional<Duration> every() {
        return timing.every();
    }

    public Optional<Duration> lasting() {
        return timing.lasting();
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    /** The component that a fault affects. */
    public sealed interface Target {
        record Broker(int id) implements Target {}

        record LeaderOf(String topic, int partition) implements Target {}

        /** The active controller. */
        record Controller() implements Target {}

        /** Any running broker. */
        record Any() implements Target {}

        /** Each broker once, in the order of broker ids. */
        record Each() implements Target {}

        /** @param names names of topics; empty for all topics of the run */
        record Topics(List<String> names) implements Target {}

        /** All brokers together. */
        record Brokers() implements Target {}

        /** @param entry index in the scenario's {@code consumers}; empty for any entry */
        record MemberOf(OptionalInt entry) implements Target {}
    }

    /** A key with a broker as target. */
    public static Key<Optional<Target>> broker(String name) {
        return target(name, BROKER, FaultSpec::brokerOf);
    }

    /** A key with a member of a consumer group as target. */
    public static Key<Optional<Target>> member(String name) {
        return target(name, MEMBER, FaultSpec::memberOf);
    }

    private static Key<Optional<Target>> target(
            String name, Sentence expected, BiFunction<EntryReading, String, Target> found) {
        return Key.scalar(name, expected, Optional.empty(), (entry, text) -> Optional.of(found.apply(entry, text)));
    }

    /** A key with topics as target. */
    public static Key<Optional<Target>> topics(String name) {
        return target(name, TOPICS, FaultSpec::topicsOf);
    }

    /** A key with topics, or all brokers, as target. */
    public static Key<Optional<Target>> settings(String name) {
        return target(
                name,
                SETTINGS,
                (entry, text) -> text.strip().equals("brokers") ? new Target.Brokers() : topicsOf(entry, text));
    }

    /** A key with a shell command of the user. The command is never shown. */
    public static Key<Optional<String>> command(String name) {
        Sentence expected = Sentence.of("scenario.a.command");
        return Key.<Optional<String>>scalar(name, expected, Optional.empty(), (entry, text) -> Optional.of(text))
                .content(Key.Content.HIDDEN);
    }

    static List<Key<?>> all() {
        List<Key<?>> keys = new ArrayList<>(List.of(AT, EVERY));
        FaultKind.all().values().forEach(kind -> keys.add(kind.key()));
        keys.add(RESTART_AFTER);
        keys.add(FOR);
        FaultKind.all().values().forEach(kind -> keys.addAll(kind.keys()));
        return keys;
    }

    private static Target brokerOf(EntryReading entry, String text) {
        String plain = text.strip();
        Matcher leader = LEADER.matcher(plain);
        if (leader.matches()) {
            return leaderOf(entry, leader.group(1), Integer.parseInt(leader.group(2)));
        }
        if (plain.matches("\\d{1,9}")) {
            return new Target.Broker(Integer.parseInt(plain));
        }
        return switch (plain) {
            case "controller" -> new Target.Controller();
            case "any" -> new Target.Any();
            case "each" -> new Target.Each();
            default -> throw InvalidValueException.expected(BROKER, text);
        };
    }

    private static Target topicsOf(EntryReading entry, String text) {
        String plain = text.strip();
        return new Target.Topics(
                plain.equals("all") ? List.of() : List.of(topic(entry, plain).name()));
    }

    private static TopicSpec topic(EntryReading entry, String name) {
        Map<String, TopicSpec> topics = entry.topics();
        InvalidValueException.when(
                !topics.containsKey(name),
                "scenario.noTopicHere",
                Texts.quoted(name),
                Suggestions.hint(name, topics.keySet()));
        return Objects.requireNonNull(topics.get(name));
    }

    private static Target leaderOf(EntryReading entry, String name, int partition) {
        TopicSpec topic = topic(entry, name);
        InvalidValueException.when(
                !topic.existing() && partition >= topic.partitions(),
                "scenario.noPartition",
                name,
                topic.partitions(),
                partition);
        return new Target.LeaderOf(name, partition);
    }

    private static boolean joinsGroups(ConsumerSpec spec) {
        return Engine.of(spec.engine()).joinsGroups();
    }

    private static Target memberOf(EntryReading reading, String text) {
        List<ConsumerSpec> consumers = reading.whole().get(Scenario.CONSUMERS);
        InvalidValueException.when(
                consumers.stream().noneMatch(FaultSpec::joinsGroups),
                "scenario.noMembers",
                Sentence.or(LoadKeys.names(Engine::joinsGroups)));
        if (text.strip().equals("any")) {
            return new Target.MemberOf(OptionalInt.empty());
        }
        Matcher entry = ENTRY.matcher(text.strip());
        InvalidValueException.unexpected(!entry.matches(), MEMBER, text);
        int index = Integer.parseInt(entry.group(1));
        InvalidValueException.when(index >= consumers.size(), "scenario.noConsumers", index, consumers.size());
        if (!joinsGroups(consumers.get(index))) {
            throw new InvalidValueException(
                    "scenario.notMembers", index, consumers.get(index).engine());
        }
        return new Target.MemberOf(OptionalInt.of(index));
    }

    /** The fault of an entry; empty if its kind or target is invalid, which adds a problem. */
    static Optional<FaultSpec> bind(EntryReading entry, Optional<Duration> loadEnds) {
        Map<String, FaultKind> kinds = FaultKind.all();
        Optional<FaultKind> named = entry.only(kinds.keySet()).map(kinds::get);
        if (named.isEmpty()) {
            return Optional.empty();
        }
        FaultKind kind = named.get();
        all().forEach(key -> requireOwn(entry, key, kind));
        kind.check(entry);
        Optional<Target> aim = kind.target(entry.settings());
        Optional<Duration> every = entry.get(EVERY);
        if (!entry.has("at") && !entry.has("every")) {
            entry.problem("scenario.noTime");
        }
        Optional<Duration> lasting = entry.get(kind.end()).or(kind::usually);
        Duration first = entry.get(AT).or(() -> every).orElse(Duration.ZERO);
        if (loadEnds.isPresent() && first.compareTo(loadEnds.get()) >= 0) {
            entry.problemAt(
                    entry.has("at") ? "at" : "every",
                    "scenario.notWithin",
                    Quantities.text(first),
                    Quantities.text(loadEnds.get()));
        }
        checkRepeats(entry, kind, every, lasting);
        if (aim.isPresent() && aim.get() instanceof Target.Each && lasting.isEmpty()) {
            entry.problem("scenario.eachNeedsEnd", kind.end());
        }
        return aim.map(target -> new FaultSpec(kind, target, new Timing(first, every, lasting), entry.settings()));
    }

    private static void requireOwn(EntryReading entry, Key<?> key, FaultKind kind) {
        List<String> owners = FaultKind.all().values().stream()
                .filter(each -> each.keys().contains(key) || each.end().equals(key))
                .map(FaultKind::name)
                .toList();
        if (entry.has(key.name()) && !owners.isEmpty() && !owners.contains(kind.name())) {
            boolean end = key.equals(FOR) || key.equals(RESTART_AFTER);
            entry.problemIn(
                    Objects.requireNonNull(entry.fields().fields().get(key.name()))
                            .keyAt(),
                    key.name(),
                    end
                            ? Sentence.of("scenario.otherEnd", owners, kind.name(), kind.end())
                            : Sentence.of("scenario.otherKinds", owners, kind.name()));
        }
    }

    private static void checkRepeats(
            EntryReading entry, FaultKind kind, Optional<Duration> every, Optional<Duration> lasting) {
        if (every.isPresent() && lasting.isPresent() && lasting.get().compareTo(every.get()) >= 0) {
            entry.problemAt(
                    "every", "scenario.comesAgain", Quantities.text(every.get()), Quantities.text(lasting.get()));
        }
        if (every.isPresent() && lasting.isEmpty() && kind.needsEnd()) {
            entry.problemAt("every", "scenario.needsEnd");
        }
    }
}
