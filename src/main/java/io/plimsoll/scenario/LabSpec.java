package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Fields;
import java.time.Duration;
import java.util.List;

/** A lab (a local Kafka cluster), with values of {@link LabKeys}. Trials with equal labs share one. */
public record LabSpec(Settings settings) {
    public static final LabSpec USUAL = new LabSpec(Settings.NONE);

    /** A network link, in each direction; {@code bytesPerSecond} 0: no limit. */
    public record Link(Duration delay, Duration jitter, double bytesPerSecond) {
        public static final Link PLAIN = new Link(Duration.ZERO, Duration.ZERO, 0);
    }

    /** @param settings {@code name=value}, as on a command line, each a path below {@code lab} */
    public static LabSpec of(List<String> settings) {
        Problems problems = new Problems();
        Fields root = Fields.empty(Position.of("lab"));
        new Overrides(root, LabKeys.ALL, problems).apply(settings);
        LabSpec read = new LabSpec(EntryReading.of(root, LabKeys.ALL, problems).settings());
        problems.throwIfAny();
        return read;
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }
}
