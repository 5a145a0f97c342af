package io.plimsoll.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One trial's worth of load, completely resolved: every default filled in, every topic pattern expanded. A scenario
 * file with {@code trials} or a {@code matrix} yields several of these, see {@link Plan}.
 *
 * @param duration the measured window of producers and consumers that have no {@code records} of their own
 * @param warmup time under load before the measured window; empty means the default of
 *     {@link #effectiveWarmup()}
 * @param abortOnFail the run ends as soon as one of the checks cannot be met any more
 * @param fleet what is asked of agents
 */
public record Scenario(
        String name,
        String about,
        List<TopicSpec> topics,
        List<ProducerSpec> producers,
        List<ConsumerSpec> consumers,
        Duration duration,
        Optional<Duration> warmup,
        boolean audit,
        List<Check> checks,
        List<FaultSpec> faults,
        boolean abortOnFail,
        FleetSpec fleet) {

    /** Warm-up of trials that are bound by time and do not say otherwise. */
    public static final Duration DEFAULT_WARMUP = Duration.ofSeconds(5);

    /** That goes on whatever its checks say. */
    public Scenario(
            String name,
            String about,
            List<TopicSpec> topics,
            List<ProducerSpec> producers,
            List<ConsumerSpec> consumers,
            Duration duration,
            Optional<Duration> warmup,
            boolean audit,
            List<Check> checks,
            List<FaultSpec> faults) {
        this(
                name,
                about,
                topics,
                producers,
                consumers,
                duration,
                warmup,
                audit,
                checks,
                faults,
                false,
                FleetSpec.DEFAULT);
    }

    public Scenario {
        topics = List.copyOf(topics);
        producers = List.copyOf(producers);
        consumers = List.copyOf(consumers);
        checks = List.copyOf(checks);
        faults = List.copyOf(faults);
    }

    /** Every topic that is written to, in the order of the entries. */
    public List<String> producedTopics() {
        return producers.stream().flatMap(p -> p.topics().stream()).distinct().toList();
    }

    /** True if any producer (or, without producers, any consumer) is bound by a number of records. */
    public boolean boundByRecords() {
        return producers.isEmpty()
                ? consumers.stream().anyMatch(c -> c.records().isPresent())
                : producers.stream().anyMatch(p -> p.records().isPresent());
    }

    /** The warm-up asked for, or none if the trial is bound by records, or {@link #DEFAULT_WARMUP}. */
    public Duration effectiveWarmup() {
        return warmup.orElse(boundByRecords() ? Duration.ZERO : DEFAULT_WARMUP);
    }
}
