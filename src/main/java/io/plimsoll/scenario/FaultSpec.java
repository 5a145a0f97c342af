package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Something that goes wrong on purpose while load runs, with values of {@link FaultKeys} and of its kind's keys. */
public record FaultSpec(FaultKind kind, Target target, Timing timing, Settings settings) {
    /**
     * When it happens.
     *
     * @param at (first), after the start of the measured window
     * @param every how often it happens again, from begin to begin; empty: once
     * @param lasting how long it lasts once it is in effect: until a process is started again, goes on, or what was wrong
     *     is put right; empty: until the load has ended
     */
    public record Timing(Duration at, Optional<Duration> every, Optional<Duration> lasting) {}

    /** Says what happens to whom, such as {@code kill leader of events-0}. */
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

    /** Somebody to whom a fault happens. */
    public sealed interface Target {
        record Broker(int id) implements Target {}

        record LeaderOf(String topic, int partition) implements Target {}

        /** The controllers' leader. */
        record Controller() implements Target {}

        /** Any broker that runs. */
        record Any() implements Target {}

        /** Each broker once, in the order of their ids. */
        record Each() implements Target {}

        /** @param names of topics; empty: all that the run may touch */
        record Topics(List<String> names) implements Target {}

        /** All brokers together. */
        record Brokers() implements Target {}

        /** @param entry index in the scenario's {@code consumers}; empty: any */
        record MemberOf(OptionalInt entry) implements Target {}
    }
}
