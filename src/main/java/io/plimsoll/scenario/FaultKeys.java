package io.plimsoll.scenario;

import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** The keys of an entry of {@code faults}: those that all kinds have in common, and shapes for those of each. */
public final class FaultKeys {
    static final Sentence BROKER = Sentence.of("scenario.a.broker");
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

    /** A key whose value is a command of the user. */
    public static Key.Draft<Optional<String>> command(String name) {
        return Key.of(
                name,
                new KeyShape.Value(Sentence.of("scenario.a.command")),
                Optional.<String>empty(),
                (entry, key) -> entry.read(key, text -> text).map(Optional::of));
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
}
