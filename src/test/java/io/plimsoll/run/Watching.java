package io.plimsoll.run;

import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Progress;
import java.util.function.Consumer;

/** Progress that passes on snapshots only. */
record Watching(Consumer<Snapshot> snapshots) implements Progress {
    @Override
    public void phase(String trial, String phase, double fraction, double etaSeconds) {}

    @Override
    public void snapshot(Snapshot snapshot) {
        snapshots.accept(snapshot);
    }

    @Override
    public void close() {}
}
