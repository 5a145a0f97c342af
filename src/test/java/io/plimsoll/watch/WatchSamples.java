package io.plimsoll.watch;

import io.plimsoll.cluster.ClusterConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Arguments of watch tests, where other values are irrelevant. */
final class WatchSamples {
    private WatchSamples() {}

    static WatchedMoments moments(String topic) {
        return new WatchedMoments(topic, System.nanoTime(), 400_000_000, List.of());
    }

    /** @param rate records per second to each partition */
    static WatchSettings settings(ClusterConnection connection, String topic, double rate, Path state) {
        return new WatchSettings(
                connection,
                topic,
                WatchSettings.Layout.DEFAULT,
                new WatchSettings.Load(rate, 100, 1e6, Map.of(), Map.of()),
                Duration.ofSeconds(1),
                Duration.ofMillis(400),
                0.999,
                state);
    }
}
