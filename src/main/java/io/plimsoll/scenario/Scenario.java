package io.plimsoll.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The load of one trial, with all defaults and topic patterns resolved. A file with {@code trials} or {@code matrix} is
 * a {@link Plan} of several scenarios.
 *
 * @param settings values of {@link ScenarioKeys}
 */
public record Scenario(Settings settings) {
    /** Default warm-up of trials that are bound by time. */
    public static final Warmup DEFAULT_WARMUP = Warmup.lasting(Duration.ofSeconds(5));

    /** A scenario with default settings. */
    public static Scenario of(String name) {
        return new Scenario(Settings.NONE.with(ScenarioKeys.NAME, name));
    }

    public <T> Scenario with(Key<T> key, T value) {
        return new Scenario(settings.with(key, value));
    }

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

    /** The measured window of a trial that is bound by time: the longest of its producers. */
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

    /** Whether the run ends as soon as a check can no longer pass. */
    public boolean abortOnFail() {
        return get(ScenarioKeys.ABORT_ON_FAIL);
    }

    public Observe observe() {
        return get(ScenarioKeys.OBSERVE);
    }

    public LabSpec lab() {
        return get(ScenarioKeys.LAB);
    }

    public Fleet fleet() {
        return get(ScenarioKeys.FLEET);
    }

    /**
     * Options for the agents of a fleet.
     *
     * @param goesOn whether a trial continues without a lost agent
     * @param apart no agent both produces and consumes
     */
    public record Fleet(boolean goesOn, boolean apart) {
        static final Fleet DEFAULT = new Fleet(false, false);
    }

    /**
     * Third-party components to observe during the load.
     *
     * @param groups ids of consumer groups
     * @param replicas of the application of these groups, set before a trial; 0: unchanged
     * @param scaleWith command that sets them, with {@code {n}} for the number
     */
    public record Observe(List<String> groups, int replicas, Optional<String> scaleWith) {
        static final Observe NONE = new Observe(List.of(), 0, Optional.empty());

        public Observe {
            groups = List.copyOf(groups);
        }
    }

    /** All topics of producers, in the order of the entries. */
    public List<String> producedTopics() {
        return producers().stream().flatMap(p -> p.topics().stream()).distinct().toList();
    }

    /** Whether a producer or, without producers, a consumer is bound by records. */
    public boolean boundByRecords() {
        return producers().isEmpty()
                ? consumers().stream().anyMatch(c -> c.records().isPresent())
                : producers().stream().anyMatch(p -> p.records().isPresent());
    }

    /** The configured or default warm-up; none for trials that are bound by records or only connect. */
    public Warmup effectiveWarmup() {
        return warmup().orElse(boundByRecords() || onlyConnects() ? Warmup.NO_TIME : DEFAULT_WARMUP);
    }
}
