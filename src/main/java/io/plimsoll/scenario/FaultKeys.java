package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The keys of an entry of {@code faults}: those that all kinds have in common, and shapes for those of each. */
public final class FaultKeys {
    static final Sentence BROKER = Sentence.of("scenario.a.broker");
    static final Sentence TOPICS = Sentence.of("scenario.a.topicOrAll");
    static final Sentence SETTINGS = Sentence.of("scenario.a.topicOrBrokers");
    static final Sentence MEMBER = Sentence.of("scenario.a.member");

    public static final Key<Optional<Duration>> AT = Key.time("at", Quantities::durationOrZero)
            .byDefault("the same as `every`", "与 `every` 相同")
            .about("when it happens (first), after the start of the measured window", "（首次）发生的时刻，从测量窗口开始算起");

    public static final Key<Optional<Duration>> EVERY = Key.time("every", Quantities::duration)
            .byDefault("once", "一次")
            .about("how often it happens again", "每隔多久再次发生");

    public static final Key<Optional<Duration>> RESTART_AFTER = Key.time("restartAfter", Quantities::durationOrZero)
            .byDefault("not at all", "不重启")
            .about(
                    "for `kill`, `stop` and `killMember`: how long until it is started again. After a crash, Kafka"
                            + " lets a broker back only when its session has expired (9 s)",
                    "用于 `kill`、`stop` 和 `killMember`：多久之后重新启动。崩溃之后，Kafka 要等会话过期（9 秒）才让 broker 回来");

    public static final Key<Optional<Duration>> FOR = Key.time("for", Quantities::duration)
            .byDefault("until the load ends", "直到负载结束")
            .about("for all others: how long it lasts", "用于其余各种：持续多久");

    private FaultKeys() {}

    /** A key whose value says to which broker something happens. */
    public static Key.Draft<Optional<Target>> broker(String name) {
        return target(name, BROKER, FaultTargets::broker);
    }

    /** A key whose value says to which member of a consumer group something happens. */
    public static Key.Draft<Optional<Target>> member(String name) {
        return target(name, MEMBER, FaultTargets::member);
    }

    private static Key.Draft<Optional<Target>> target(
            String name, Sentence expected, BiFunction<FaultTargets, String, Target> found) {
        return Key.of(name, new KeyShape.Value(expected), Optional.<Target>empty(), (entry, key) -> {
            FaultTargets targets =
                    new FaultTargets(entry.topics(), entry.whole().get(ScenarioKeys.CONSUMERS));
            return entry.read(key, text -> found.apply(targets, text)).map(Optional::of);
        });
    }

    /** A key whose value says to which topics something happens. */
    public static Key.Draft<Optional<Target>> topics(String name) {
        return target(name, TOPICS, FaultTargets::topics);
    }

    /** A key whose value says to which topics, or to the brokers, something happens. */
    public static Key.Draft<Optional<Target>> settings(String name) {
        return target(
                name,
                SETTINGS,
                (targets, text) -> text.strip().equals("brokers") ? new Target.Brokers() : targets.topics(text));
    }

    /** A key whose value is a command of the user. */
    public static Key.Draft<Optional<String>> command(String name) {
        return Key.of(
                        name,
                        new KeyShape.Value(Sentence.of("scenario.a.command")),
                        Optional.<String>empty(),
                        (entry, key) -> entry.read(key, text -> text).map(Optional::of))
                .content(Key.Content.HIDDEN);
    }

    /** All of them, with those of each kind. */
    static List<Key<?>> all() {
        List<Key<?>> keys = new ArrayList<>(List.of(AT, EVERY));
        FaultKind.all().values().forEach(kind -> keys.add(kind.key()));
        keys.add(RESTART_AFTER);
        keys.add(FOR);
        FaultKind.all().values().forEach(kind -> keys.addAll(kind.keys()));
        return keys;
    }

    /** Reads to whom a fault happens, and holds it against the rest of the scenario. */
    private static final class FaultTargets {
        private static final Pattern LEADER = Pattern.compile("leader of (\\S+)-(\\d{1,6})");
        private static final Pattern ENTRY = Pattern.compile("consumers\\[(\\d{1,4})]");

        private final Map<String, TopicSpec> topics;
        private final List<ConsumerSpec> consumers;

        FaultTargets(Map<String, TopicSpec> topics, List<ConsumerSpec> consumers) {
            this.topics = topics;
            this.consumers = consumers;
        }

        /** @throws InvalidValueException with what was expected */
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
                default -> throw InvalidValueException.expected(BROKER, text);
            };
        }

        /** @throws InvalidValueException with what was expected */
        Target topics(String text) {
            String plain = text.strip();
            if (plain.equals("all")) {
                return new Target.Topics(List.of());
            }
            if (!topics.containsKey(plain)) {
                throw new InvalidValueException(
                        "scenario.noTopicHere", Texts.quoted(plain), Suggestions.hint(plain, topics.keySet()));
            }
            return new Target.Topics(List.of(plain));
        }

        private Target leaderOf(String topic, int partition) {
            TopicSpec spec = topics.get(topic);
            if (spec == null) {
                throw new InvalidValueException(
                        "scenario.noTopicHere", Texts.quoted(topic), Suggestions.hint(topic, topics.keySet()));
            }
            if (!spec.existing() && partition >= spec.partitions()) {
                throw new InvalidValueException("scenario.noPartition", topic, spec.partitions(), partition);
            }
            return new Target.LeaderOf(topic, partition);
        }

        private static boolean joinsGroups(ConsumerSpec spec) {
            return Engine.all().get(spec.engine()).joinsGroups();
        }

        /** @throws InvalidValueException with what was expected */
        Target member(String text) {
            if (consumers.stream().noneMatch(FaultTargets::joinsGroups)) {
                throw new InvalidValueException(
                        "scenario.noMembers",
                        Sentence.or(Engine.all().values().stream()
                                .filter(Engine::joinsGroups)
                                .map(Engine::name)
                                .toList()));
            }
            if (text.strip().equals("any")) {
                return new Target.MemberOf(OptionalInt.empty());
            }
            Matcher entry = ENTRY.matcher(text.strip());
            if (!entry.matches()) {
                throw InvalidValueException.expected(MEMBER, text);
            }
            int index = Integer.parseInt(entry.group(1));
            if (index >= consumers.size()) {
                throw new InvalidValueException("scenario.noConsumers", index, consumers.size());
            }
            if (!joinsGroups(consumers.get(index))) {
                throw new InvalidValueException(
                        "scenario.notMembers", index, consumers.get(index).engine());
            }
            return new Target.MemberOf(OptionalInt.of(index));
        }
    }
}
