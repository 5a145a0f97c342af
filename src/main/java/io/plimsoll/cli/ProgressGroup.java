package io.plimsoll.cli;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import io.plimsoll.result.SearchView;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.text.Sentence;
import java.util.List;

/** Several that watch the same run; each is closed by who made it, since some show how the run ended after that. */
record ProgressGroup(List<Progress> all) implements Progress {
    @Override
    public void phase(String trial, String phase, double fraction, double etaSeconds) {
        all.forEach(each -> each.phase(trial, phase, fraction, etaSeconds));
    }

    @Override
    public void snapshot(Snapshot snapshot) {
        all.forEach(each -> each.snapshot(snapshot));
    }

    @Override
    public void search(SearchView view) {
        all.forEach(each -> each.search(view));
    }

    @Override
    public void fault(Sentence what) {
        all.forEach(each -> each.fault(what));
    }

    @Override
    public void checks(List<String> held, List<String> missed) {
        all.forEach(each -> each.checks(held, missed));
    }

    @Override
    public void event(TimelineEvent event) {
        all.forEach(each -> each.event(event));
    }

    @Override
    public void note(Sentence text) {
        all.forEach(each -> each.note(text));
    }

    @Override
    public void close() {}
}
