package io.plimsoll.cli;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.TimelineEvent;

/** Two that watch the same run. */
record ProgressPair(Progress first, Progress second) implements Progress {
    @Override
    public void phase(String trial, String phase, double fraction, double etaSeconds) {
        first.phase(trial, phase, fraction, etaSeconds);
        second.phase(trial, phase, fraction, etaSeconds);
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        first.snapshot(snapshot);
        second.snapshot(snapshot);
    }

    @Override
    public void search(SearchView view) {
        first.search(view);
        second.search(view);
    }

    @Override
    public void fault(String what) {
        first.fault(what);
        second.fault(what);
    }

    @Override
    public void event(TimelineEvent event) {
        first.event(event);
        second.event(event);
    }

    @Override
    public void note(String text) {
        first.note(text);
        second.note(text);
    }

    /** Only the first is closed: the second shows how the run ended, after that. */
    @Override
    public void close() {
        first.close();
    }
}
