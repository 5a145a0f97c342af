package io.plimsoll.watch;

import io.plimsoll.cluster.ClusterConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** What tests of a watch ask for where nothing else matters. */
final class WatchSamples {
    private WatchSamples() {}

    /** @param rate records a second to each partition */
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
