package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A fault to inject under load, with values of {@link FaultKeys} and of the keys of its kind. */
public record FaultSpec(FaultKind kind, Target target, Timing timing, Settings settings) {
    /**
     * @param at start of the first occurrence, after the start of the measured window
     * @param every period from start to start; empty: once
     * @param lasting time in effect, until the fault is reverted; empty: until the load has ended
     */
    public record Timing(Duration at, Optional<Duration> every, Optional<Duration> lasting) {}

    /** Such as {@code kill leader of events-0}. */
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

        /** The controllers' leader. */
        record Controller() implements Target {}

        /** Any broker that runs. */
        record Any() implements Target {}

        /** Each broker once, in the order of their ids. */
        record Each() implements Target {}

        /** @param names of topics; empty: all topics of the run */
        record Topics(List<String> names) implements Target {}

        /** All brokers together. */
        record Brokers() implements Target {}

        /** @param entry index in the scenario's {@code consumers}; empty: any */
        record MemberOf(OptionalInt entry) implements Target {}
    }
}
