package io.plimsoll.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Something that goes wrong on purpose while load runs.
 *
 * @param text what and whom, as a person would say it, such as {@code kill leader of events-0}
 * @param at when it happens (first), after the start of the measured window
 * @param every how often it happens again, from begin to begin; empty: once
 * @param lasting how long it lasts once it is in effect: until a process is started again, goes on, or what was wrong is
 *     put right; empty: until the load has ended
 */
public record FaultSpec(
        String text, Action action, Target target, Duration at, Optional<Duration> every, Optional<Duration> lasting) {

    /** What happens. */
    public sealed interface Action {
        /** The process of a broker ends as by a crash (SIGKILL). */
        record Kill() implements Action {}

        /** A broker shuts down in good order (SIGTERM). */
        record Stop() implements Action {}

        /** The process of a broker is stopped without ending (SIGSTOP). */
        record Pause() implements Action {}

        /**
         * What goes to a broker and comes back takes longer.
         *
         * @param delay each way
         * @param jitter by which the delay varies up and down, at most {@code delay}
         * @param bytesPerSecond each way; 0 for no limit
         */
        record Slow(Duration delay, Duration jitter, double bytesPerSecond) implements Action {}

        /** Connections to a broker are reset, and new ones too. */
        record Cut() implements Action {}

        /** Connections to a broker stay, and nothing passes. */
        record HalfOpen() implements Action {}

        /** @param diskBytes size of each broker's disk, in the lab that is made for it */
        record FillDisk(long diskBytes) implements Action {}

        /** A member of a consumer group ends without leaving the group. */
        record KillMember() implements Action {}

        /** A member of a consumer group stops to poll. */
        record PauseMember() implements Action {}

        /**
         * A command of the user, run by the shell.
         *
         * @param undo run at the end
         */
        record Exec(String command, Optional<String> undo) implements Action {}

        /** Whether it needs a proxy in front of each broker. */
        default boolean onNetwork() {
            return this instanceof Slow || this instanceof Cut || this instanceof HalfOpen;
        }

        /** Whether it happens to our own consumers, not to a broker. */
        default boolean onMember() {
            return this instanceof KillMember || this instanceof PauseMember;
        }
    }

    /** To whom it happens. */
    public sealed interface Target {
        record Broker(int id) implements Target {}

        record LeaderOf(String topic, int partition) implements Target {}

        /** The controllers' leader. */
        record Controller() implements Target {}

        /** Any broker that runs. */
        record Any() implements Target {}

        /** Each broker once, in the order of their ids. */
        record Each() implements Target {}

        /** @param entry index in the scenario's {@code consumers}; empty: any */
        record MemberOf(OptionalInt entry) implements Target {}
    }
}
