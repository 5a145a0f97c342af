package io.plimsoll.result;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.text.Sentence;
import java.util.List;

/** Observer of a running run. All methods may be called from any thread, return quickly, and never throw. */
public interface Progress extends AutoCloseable {

    /**
     * A step begins or has moved on.
     *
     * @param trial null outside of trials, such as while a lab starts
     * @param phase the step by its name in {@code report.phase}, such as {@code warm-up} or {@code starting brokers}
     * @param fraction done of this phase, 0 to 1; negative if unknown
     * @param etaSeconds until this phase ends; negative if unknown
     */
    default void phase(String trial, String phase, double fraction, double etaSeconds) {}

    default void snapshot(Snapshot snapshot) {}

    /** A search starts another trial. */
    default void search(SearchView view) {}

    /** The fault in effect has changed; null if none is. */
    default void fault(Sentence what) {}

    /** The state of checks as of the last second of a measured window, if a single second can decide them. */
    default void checks(List<String> held, List<String> missed) {}

    /** Receives each event after it was added to the timeline. */
    default void event(TimelineEvent event) {}

    /** One line worth keeping on the screen. */
    default void note(Sentence text) {}

    @Override
    void close();

    /** Shows nothing. */
    Progress NONE = () -> {};
}
