package io.plimsoll.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * One trial's worth of load, completely resolved: every default filled in, every topic pattern expanded. A scenario
 * file with {@code trials} or a {@code matrix} yields several of these, see {@link Plan}.
 *
 * @param settings values of {@link ScenarioKeys}, and of the keys that other rooms have added
 */
public record Scenario(Settings settings) {
    /** Warm-up of trials that are bound by time and do not say otherwise. */
    public static final Warmup DEFAULT_WARMUP = Warmup.lasting(Duration.ofSeconds(5));

    /** A scenario for which nothing but its name was said. */
    public static Scenario of(String name) {
        return new Scenario(Settings.NONE.with(ScenarioKeys.NAME, name));
    }

    public <T> Scenario with(Key<T> key, T value) {
        return new Scenario(settings.with(key, value));
    }

    /** The same with other producers and consumers in the places of these. */
    Scenario with(UnaryOperator<ProducerSpec> producer, UnaryOperator<ConsumerSpec> consumer) {
        return with(ScenarioKeys.PRODUCERS, producers().stream().map(producer).toList())
                .with(ScenarioKeys.CONSUMERS, consumers().stream().map(consumer).toList());
    }

    public <T> T get(Key<T> key) {
        return settings.get(key);
    }

    public String name() {
        return get(ScenarioKeys.NAME);
    }

    public String about() {
        return get(ScenarioKeys.ABOUT);
    }

    public List<TopicSpec> topics() {
        return get(ScenarioKeys.TOPICS);
    }

    public List<ProducerSpec> producers() {
        return get(ScenarioKeys.PRODUCERS);
    }

    public List<ConsumerSpec> consumers() {
        return get(ScenarioKeys.CONSUMERS);
    }

    public List<ConnectionSpec> connections() {
        return get(ScenarioKeys.CONNECTIONS);
    }

    public boolean onlyConnects() {
        return producers().isEmpty() && consumers().isEmpty();
    }

    /** The measured window of producers and consumers that have no {@code records} of their own. */
    public Duration duration() {
        return get(ScenarioKeys.DURATION);
    }

    /** The measured window of the trial, if no number of records bounds it: that of the producers that go on for longest. */
    public Duration window() {
        return producers().stream()
                .map(p -> p.duration().orElse(duration()))
                .max(Duration::compareTo)
                .orElse(duration());
    }

    /** Time under load before the measured window; empty means the default of {@link #effectiveWarmup()}. */
    public Optional<Warmup> warmup() {
        return get(ScenarioKeys.WARMUP);
    }

    public boolean audit() {
        return get(ScenarioKeys.AUDIT);
    }

    public List<Check> checks() {
        return get(ScenarioKeys.CHECKS);
    }

    public List<FaultSpec> faults() {
        return get(ScenarioKeys.FAULTS);
    }

    /** Whether the run ends as soon as one of the checks cannot be met any more. */
    public boolean abortOnFail() {
        return get(ScenarioKeys.ABORT_ON_FAIL);
    }

    public ObserveSpec observe() {
        return get(ScenarioKeys.OBSERVE);
    }

    public LabSpec lab() {
        return get(ScenarioKeys.LAB);
    }

    public FleetSpec fleet() {
        return get(ScenarioKeys.FLEET);
    }

    /** Every topic that is written to, in the order of the entries. */
    public List<String> producedTopics() {
        return producers().stream().flatMap(p -> p.topics().stream()).distinct().toList();
    }

    /** True if any producer (or, without producers, any consumer) is bound by a number of records. */
    public boolean boundByRecords() {
        return producers().isEmpty()
                ? consumers().stream().anyMatch(c -> c.records().isPresent())
                : producers().stream().anyMatch(p -> p.records().isPresent());
    }

    /** The warm-up asked for, or none if the trial is bound by records or writes and reads none, or {@link #DEFAULT_WARMUP}. */
    public Warmup effectiveWarmup() {
        return warmup().orElse(boundByRecords() || onlyConnects() ? Warmup.NO_TIME : DEFAULT_WARMUP);
    }
}
