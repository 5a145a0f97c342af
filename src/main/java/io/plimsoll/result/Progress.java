package io.plimsoll.result;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Observes a run in progress. All methods can be called by any thread, must return quickly, and must never throw. */
public interface Progress extends AutoCloseable {

    /**
     * A step has begun or advanced.
     * @param trial null outside of trials, such as while a lab starts
     * @param phase the step by its name in {@code report.phase}, such as {@code warm-up} or {@code starting brokers}
     * @param fraction completed part of this phase, 0 to 1; negative if unknown
     * @param etaSeconds seconds until this phase ends; negative if unknown
     */
    default void phase(@Nullable String trial, String phase, double fraction, double etaSeconds) {}

    default void snapshot(Snapshot snapshot) {}

    /** A search starts another trial. */
    default void search(SearchView view) {}

    /** The fault in effect has changed; null if no fault is in effect. */
    default void fault(@Nullable Sentence what) {}

    /**
     * The checks that hold and the missed checks, as of the last second of a measured window; checks without a value
     * are omitted.
     */
    default void checks(List<String> held, List<String> missed) {}

    /** Receives each event after it was added to the timeline. */
    default void event(TimelineEvent event) {}

    /** A line to keep on the screen. */
    default void note(Sentence text) {}

    @Override
    void close();

    /** An observer that shows nothing. */
    Progress NONE = () -> {};
}
