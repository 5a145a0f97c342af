package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.Latencies;
import io.plimsoll.result.Json.AbsentIfEmpty;
import io.plimsoll.scenario.Labels;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One trial of {@code result.json}. In a trial imported from another tool, unknown values are null. In JSON, fields of
 * records marked as unwrapped are fields of the trial.
 *
 * @param produce producer figures; null without producers
 * @param consume consumer figures; null without consumers
 * @param audit audit of the records; null if nothing was audited
 */
public record TrialResult(
        String name,
        @JsonUnwrapped Course course,
        @Nullable Produce produce,
        @Nullable Consume consume,
        @Nullable AuditResult audit,
        @JsonUnwrapped Observed observed,
        @JsonUnwrapped Judgement judgement,
        @JsonUnwrapped Detail detail) {

    /** The part of {@link Detail#setup} with acks, replication and {@link #DURABILITY_OF_TOPICS}. */
    public static final String DURABILITY = "durability";

    public static final List<String> DURABILITY_OF_TOPICS =
            List.of("min.insync.replicas", "flush.messages", "flush.ms", "unclean.leader.election.enable");

    /**
     * Course of a trial.
     *
     * @param startedAt start time; null if unknown
     * @param warmupSeconds duration of the warm-up; null if unknown
     * @param warmup course of the warm-up; null if unknown
     * @param steady whether the load was steady; null with too few seconds to decide
     * @param complete false if the trial was interrupted or killed
     * @param valid false if the trial does not measure the cluster ({@link Invalidity}); null if imported
     * @param topicsSeconds time until all partitions of the topics created for the trial had leaders; null if no topics
     *     were created, or if unknown
     */
    public record Course(
            @Nullable Instant startedAt,
            @Nullable Double warmupSeconds,
            @Nullable WarmupResult warmup,
            double measuredSeconds,
            @Nullable Boolean steady,
            boolean complete,
            @Nullable Boolean valid,
            @Nullable Double topicsSeconds) {
        Course invalid() {
            return new Course(
                    startedAt, warmupSeconds, warmup, measuredSeconds, steady, complete, false, topicsSeconds);
        }
    }

    /**
     * Observations during the load.
     *
     * @param generator the load generator; null if unknown
     * @param brokers figures of each broker in the measured window; null where its sources do not report one
     * @param host figures of the load generator's host in the measured window; empty if it was not observed
     * @param cluster state of the trial's topics in the measured window, from the Admin client; empty if it was not
     *     queried
     * @param clients client metrics in the measured window, by entry of the scenario, or by entry and broker
     * @param workers workers of a fleet, by name; empty with a single process
     * @param guards findings of the guards that protect a shared cluster; empty, and absent, if none
     * @param groups figures of third-party consumer groups; empty, and absent, if none was observed
     */
    public record Observed(
            @Nullable Generator generator,
            @JsonSetter(nulls = AS_EMPTY) List<Map<String, Object>> brokers,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Object> host,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Object> cluster,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Map<String, Double>> clients,
            @JsonSetter(nulls = AS_EMPTY) List<WorkerResult> workers,
            @AbsentIfEmpty List<GuardResult> guards,
            @AbsentIfEmpty List<Map<String, Object>> groups) {

        /** The observations of a trial in which only the load was measured. */
        public static final Observed NONE =
                new Observed(null, List.of(), Map.of(), Map.of(), Map.of(), List.of(), List.of(), List.of());

        /** Figures of the trial's topics as reported by brokers; empty if no broker reports them. */
        @SuppressWarnings("unchecked")
        @JsonIgnore
        public List<Map<String, Object>> topics() {
            return (List<Map<String, Object>>) cluster.getOrDefault("topics", List.of());
        }
    }

    /**
     * Evaluation of a trial.
     *
     * @param limits limiting causes; null if they were not evaluated, or no limit needed an explanation
     */
    public record Judgement(
            List<CheckResult> checks,
            List<Sentence> warnings,
            @Nullable Limits limits) {
        Judgement with(@Nullable Limits found) {
            return new Judgement(checks, warnings, found);
        }
    }

    /**
     * Details of a trial.
     *
     * @param parameters settings that distinguish the trial from other trials of the run
     * @param setup client and topic settings that differ from the default, by part; {@code durability} contains
     *     settings that determine when a record is safe, including defaults
     * @param seconds one entry per second of the whole trial; in a long trial, per minute for times more than an hour
     *     before the end of the trial
     * @param faults injected faults, in order
     * @param figures other figures of the measured window, by id; see {@link FigureCatalogue}
     * @param distributions other distributions of the measured window, by id; absent if none
     * @param slowMoments periods in which records were unusually slow, slowest first; absent if none
     * @param labels figures by label and, with several groups, by consumer group; absent if none
     */
    public record Detail(
            @JsonSetter(nulls = AS_EMPTY) Map<String, String> parameters,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Map<String, String>> setup,
            @JsonSetter(nulls = AS_EMPTY) List<PartitionResult> partitions,
            List<Second> seconds,
            @JsonSetter(nulls = AS_EMPTY) List<FaultResult> faults,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Double> figures,
            @AbsentIfEmpty Map<String, Latency> distributions,
            @AbsentIfEmpty List<SlowMoment> slowMoments,
            @AbsentIfEmpty List<Labeled> labels) {}

    /**
     * Figures of the clients with a label.
     * @param label name and value, separated by an equals sign; for a consumer group, the name is {@code group} and the
     *     value its {@code group.id} or entry
     * @param produce figures of the producers with the label, without clients and requested records; null without such
     *     producers
     * @param consume figures of the consumers with the label; null without such consumers
     * @param seconds entries of single seconds, for checks; not in JSON
     */
    public record Labeled(
            String label,
            @Nullable Produce produce,
            @Nullable Consume consume,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Double> figures,
            @AbsentIfEmpty Map<String, Latency> distributions,
            @JsonIgnore List<Second> seconds) {
        public Labeled {
            label = label == null ? "" : label;
            seconds = seconds == null ? List.of() : seconds;
        }
    }

    /**
     * The trial with only the figures of the clients with a label, or without figures if no client has this label. A
     * null label means all clients.
     */
    public TrialResult of(@Nullable String label) {
        if (label == null
                || Labels.isOnlyGroup(
                        label, detail.labels().stream().map(Labeled::label).toList())) {
            return this;
        }
        Labeled part = detail.labels().stream()
                .filter(l -> l.label().equals(label))
                .findFirst()
                .orElseGet(() -> new Labeled(label, null, null, Map.of(), Map.of(), List.of()));
        return new TrialResult(
                name,
                course,
                part.produce(),
                part.consume(),
                null,
                Observed.NONE,
                judgement,
                new Detail(
                        Map.of(),
                        Map.of(),
                        List.of(),
                        part.seconds(),
                        List.of(),
                        part.figures(),
                        part.distributions(),
                        List.of(),
                        List.of()));
    }

    /** The seconds of the measured window. */
    public Stream<Second> measured() {
        return detail.seconds().stream().filter(s -> "measure".equals(s.phase()));
    }

    /** Records of a second: produced, or consumed if the trial only consumes. */
    double rate(Second second) {
        return produce == null ? second.rates().consumed() : second.rates().produced();
    }

    /** Whether consumer settings are among the settings that distinguish the trial from other trials of the run. */
    public boolean variesConsumers() {
        return detail.parameters().keySet().stream().anyMatch(key -> key.startsWith("consumers"));
    }

    /** Whether the producers follow a schedule (open loop). */
    public boolean paced() {
        return produce != null && Boolean.FALSE.equals(produce.schedule().closedLoop());
    }

    /** Whether the producers send at full speed (closed loop). */
    public boolean pushed() {
        return produce != null && Boolean.TRUE.equals(produce.schedule().closedLoop());
    }

    /** Errors of producers and of consumers, as far as known. */
    public Stream<Errors> errors() {
        return Stream.of(produce == null ? null : produce.errors(), consume == null ? null : consume.errors())
                .filter(Objects::nonNull);
    }

    /** Volume produced, or consumed if the trial only consumes; nothing if it does neither. */
    public Volume volume() {
        return produce != null ? produce.volume() : consume != null ? consume.volume() : Volume.NOTHING;
    }

    TrialResult with(Course other) {
        return new TrialResult(name, other, produce, consume, audit, observed, judgement, detail);
    }

    public TrialResult with(Judgement other) {
        return new TrialResult(name, course, produce, consume, audit, observed, other, detail);
    }

    /**
     * Producer figures.
     *
     * @param errors failed records; null if unknown
     * @param events number of events other than failed records, by kind
     */
    public record Produce(
            @JsonUnwrapped Sources sources,
            @JsonUnwrapped Volume volume,
            @JsonUnwrapped Schedule schedule,
            @JsonUnwrapped Wire wire,
            @JsonUnwrapped Waits waits,
            @JsonUnwrapped Times times,
            @Nullable Errors errors,
            Map<String, Long> events) {}

    /**
     * Producers and their shares.
     *
     * @param clients number of producer clients
     * @param producers share of each client; an entry with a large number of clients has a single share
     */
    public record Sources(
            String engine,
            @Nullable Integer clients,
            @JsonSetter(nulls = AS_EMPTY) List<ProducerShare> producers) {}

    /**
     * Volume and throughput.
     *
     * @param records records of the measured window that were acknowledged or read, within the window or later
     * @param bytes bytes of their keys and values
     * @param recordsPerSecond records acknowledged or read within the window, per second
     */
    public record Volume(
            @Nullable Long records,
            @Nullable Long bytes,
            @Nullable Double recordsPerSecond,
            @Nullable Double bytesPerSecond) {
        /** No records. */
        public static final Volume NOTHING = new Volume(0L, 0L, 0.0, 0.0);

        /** Mean size of a record; null without records, or if unknown. */
        public @Nullable Double bytesPerRecord() {
            return bytes == null || records == null ? null : Sums.ratio(bytes, records);
        }
    }

    /**
     * Offered load, and the part of it that was not acknowledged.
     *
     * @param closedLoop true if no schedule limited the producers
     * @param offeredRecordsPerSecond offered load; null in a closed loop
     * @param unacknowledged records without an acknowledgment at the end
     * @param unsent records that were due but never sent
     * @param warmupRecords acknowledged records of the warm-up
     * @param asked number of records that the scenario requests; null if the load is limited by time
     */
    public record Schedule(
            @Nullable Boolean closedLoop,
            @Nullable Double offeredRecordsPerSecond,
            @Nullable Long unacknowledged,
            @Nullable Long unsent,
            @Nullable Long warmupRecords,
            @Nullable Long asked) {}

    /**
     * Batches and requests of producers.
     *
     * @param compressionRatio bytes after ÷ bytes before compression; null if unknown
     * @param wireBytes bytes of the batches after compression
     * @param retries number of records resent
     */
    public record Wire(
            @Nullable Long requests,
            @Nullable Double requestsPerSecond,
            @Nullable Double recordsPerBatch,
            @Nullable Double bytesPerBatch,
            @Nullable Double compressionRatio,
            @Nullable Long wireBytes,
            @Nullable Long retries) {}

    /** Time that producers waited, summed over all clients. */
    public record Waits(
            @Nullable Double bufferWaitSeconds, @Nullable Double throttledSeconds) {}

    /** The three producer latencies; null if unknown. */
    public record Times(
            @Nullable Latency responseTime,
            @Nullable Latency serviceTime,
            @Nullable Latency sendDelay) {}

    /**
     * Share of one producer client. All clients start together, so the rates add up.
     *
     * @param clients number of clients in this entry, at least 1
     * @param seconds period of the rates: the window, or until this client's last acknowledgment
     */
    public record ProducerShare(
            String name,
            int clients,
            long records,
            long bytes,
            double seconds,
            double recordsPerSecond,
            double bytesPerSecond) {}

    public record Errors(long total, Map<String, Long> byKind) {
        static Errors of(Map<String, Long> byKind) {
            return new Errors(Counts.total(byKind), new TreeMap<>(byKind));
        }
    }

    /**
     * Consumer figures.
     *
     * @param errors failed polls and commits; null if unknown
     * @param events other counts of a consumer engine, by name
     */
    public record Consume(
            String engine,
            @JsonUnwrapped Volume volume,
            @JsonUnwrapped Fetches fetches,
            @JsonUnwrapped EndToEnd times,
            @Nullable Errors errors,
            @JsonSetter(nulls = AS_EMPTY) List<Group> groups,
            @JsonUnwrapped Reading reading,
            @JsonSetter(nulls = AS_EMPTY) Map<String, Long> events) {}

    /** Fetch requests. */
    public record Fetches(@Nullable Long requests, @Nullable Double requestsPerSecond) {}

    /**
     * Records to read.
     *
     * @param asked number of records that the scenario requests from all groups; null if they read until the producers
     *     finish
     * @param missing requested records that were not read or, without a requested number, the lag at the end; null if
     *     unknown
     * @param backlog drain of the backlog of groups with a delayed start; null without such groups
     * @param rateSeconds period of the consumer rates; null, and absent, if it is the measured window
     */
    public record Reading(
            @Nullable Long asked,
            @Nullable Long missing,
            @Nullable Backlog backlog,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double rateSeconds) {}

    /**
     * End-to-end latency and the clock error in it.
     *
     * @param endToEnd end-to-end latency; null if unknown
     * @param neverReceived records in {@code endToEnd} that a group never received; null if unknown
     * @param timestampType start of the end-to-end latency: {@code intended time}, {@code CreateTime}, {@code batch
     *     CreateTime} or {@code LogAppendTime}; null if unknown
     * @param negativeEndToEnd records received before they were due, because of a clock error
     * @param clockErrorMicros maximum undetected clock difference between the hosts; null with a single clock
     * @param endToEndUnknown the reason why statistics of {@code endToEnd} below the clock error are null; null if none
     *     is below it
     * @param ownEndToEnd latency of sampled records that each worker wrote and read itself, on one clock; null without
     *     a sample
     */
    public record EndToEnd(
            @Nullable Latency endToEnd,
            @Nullable Long neverReceived,
            @Nullable Long negativeEndToEnd,
            @Nullable String timestampType,
            @Nullable Double clockErrorMicros,
            @Nullable Sentence endToEndUnknown,
            @Nullable Latency ownEndToEnd,
            @JsonUnwrapped FromAppend fromAppend) {
        public EndToEnd {
            // Results of earlier versions do not have these figures.
            fromAppend = fromAppend == null ? FromAppend.NONE : fromAppend;
        }
    }

    /**
     * @param lagAtEnd unread records at the end; null if it could not be queried
     * @param pace whether the group kept up with the producers; absent if the group does not have to keep up
     * @param recordsPerSecond rate from the start of reading to the last record; absent with {@code pace}, and if
     *     unknown
     * @param bytesPerSecond rate in bytes; absent with {@code pace}, and if unknown
     */
    public record Group(
            String id,
            int members,
            long records,
            long bytes,
            @Nullable Long lagAtEnd,
            long commits,
            long rebalances,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            GroupPace pace,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double recordsPerSecond,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double bytesPerSecond) {
        /** The pace; undecided if the group does not have to keep up. */
        public GroupPace paceOrUnknown() {
            return pace == null ? GroupPace.UNKNOWN : pace;
        }
    }

    /**
     * @param leader id of the broker that led the partition at the end, negative without a leader; null if unknown
     * @param producedPerSecond rate from the first to the last second with an acknowledgment; null if unknown
     * @param consumedPerSecond rate from the first to the last second with a read; null if unknown
     */
    public record PartitionResult(
            String topic,
            int partition,
            @Nullable Integer leader,
            long produced,
            long consumed,
            @Nullable Double producedPerSecond,
            @Nullable Double consumedPerSecond) {}

    /**
     * One second of a trial, or one minute of a long trial.
     *
     * @param at end of this second, in seconds after the start of the trial
     * @param phase {@code warmup}, {@code measure} or {@code drain}
     * @param lag unread records at the end of this second; null if unknown
     * @param cpuCores cores used by the load generator; null if unknown
     * @param figures other figures for checks of single seconds, see {@link Checks}; not in JSON
     * @param seconds length in seconds of a minute entry; absent for a second
     */
    public record Second(
            double at,
            String phase,
            @JsonUnwrapped Rates rates,
            @JsonUnwrapped Response response,
            @Nullable Long lag,
            @Nullable Double cpuCores,
            @JsonIgnore Map<String, Double> figures,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double seconds) {
        public Second {
            figures = figures == null ? Map.of() : Collections.unmodifiableMap(figures);
        }

        /** Length in seconds; 1 for a second. */
        public double length() {
            return seconds == null ? 1 : seconds;
        }

        Second of(double length) {
            double rounded = Math.round(length * 1e3) / 1e3;
            return new Second(at, phase, rates, response, lag, cpuCores, figures, rounded);
        }
    }

    /**
     * Rates of a second; errors are a count.
     *
     * @param offered offered load; null if unknown
     * @param produced acknowledged records
     */
    public record Rates(
            @Nullable Double offered, double produced, double producedBytes, double consumed, long errors) {}

    /**
     * Response time of a second, and its longest service time, in microseconds; null without samples.
     *
     * @param serviceMean mean service time; only in results of other tools
     */
    public record Response(
            @Nullable Long responseP50,
            @Nullable Long responseP99,
            @Nullable Long responseMax,
            @Nullable Long serviceMax,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double serviceMean) {}

    /**
     * A latency distribution; statistics are null where samples are too few.
     *
     * @param unit {@code us}
     */
    public record Latency(
            String unit,
            long count,
            @Nullable Long min,
            @Nullable Double mean,
            @JsonUnwrapped Percentiles percentiles,
            @Nullable Long max) {
        public static Latency of(Latencies latencies) {
            boolean empty = latencies.isEmpty();
            return new Latency(
                    "us",
                    latencies.count(),
                    empty ? null : latencies.minMicros(),
                    empty ? null : latencies.meanMicros(),
                    Percentiles.of(statistic -> statistic.percentile(latencies)),
                    empty ? null : latencies.maxMicros());
        }

        /** The same distribution without statistics below this bound. */
        Latency above(double leastMicros) {
            UnaryOperator<Long> known = micros -> micros == null || micros < leastMicros ? null : micros;
            return new Latency(
                    unit,
                    count,
                    known.apply(min),
                    mean == null || mean < leastMicros ? null : mean,
                    Percentiles.of(statistic -> known.apply((Long) statistic.of(this))),
                    known.apply(max));
        }
    }

    /** Percentiles in microseconds; null where fewer than ten samples are above a percentile. */
    public record Percentiles(
            @Nullable Long p50,
            @Nullable Long p75,
            @Nullable Long p90,
            @Nullable Long p95,
            @Nullable Long p99,
            @JsonProperty("p99.9") @Nullable Long p999,
            @JsonProperty("p99.99") @Nullable Long p9999) {
        public static Percentiles of(Function<Statistic, Long> value) {
            return new Percentiles(
                    value.apply(Statistic.P50),
                    value.apply(Statistic.P75),
                    value.apply(Statistic.P90),
                    value.apply(Statistic.P95),
                    value.apply(Statistic.P99),
                    value.apply(Statistic.P999),
                    value.apply(Statistic.P9999));
        }
    }
}
