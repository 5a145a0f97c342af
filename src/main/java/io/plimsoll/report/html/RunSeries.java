package io.plimsoll.report.html;

import io.plimsoll.result.RunDirectory;
import io.plimsoll.result.TimelineEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What happened in the seconds of a run, by trial, folded from its timeline in bounded memory. Not thread-safe. */
public final class RunSeries {
    private final Map<String, TrialSeries> trials = new LinkedHashMap<>();

    /** @throws io.plimsoll.PlimsollException as {@link RunDirectory#readTimeline()} */
    public static RunSeries of(RunDirectory directory) {
        try (Stream<TimelineEvent> timeline = directory.readTimeline()) {
            return of(timeline);
        }
    }

    public static RunSeries of(Stream<TimelineEvent> timeline) {
        RunSeries series = new RunSeries();
        timeline.forEachOrdered(series::accept);
        return series;
    }

    public void accept(TimelineEvent event) {
        if (event instanceof TimelineEvent.Measured e) {
            trial(e.snapshot().trial()).accept(e.snapshot());
        } else if (event instanceof TimelineEvent.Observed e) {
            trial(e.trial()).accept(e.observation());
        } else if (event instanceof TimelineEvent.Imported e) {
            trial(e.trial().name()).accept(e.trial());
        }
    }

    private TrialSeries trial(String name) {
        return trials.computeIfAbsent(String.valueOf(name), n -> new TrialSeries());
    }

    /** By name; trials without data are absent. */
    public Map<String, TrialSeries> trials() {
        return trials;
    }
}
