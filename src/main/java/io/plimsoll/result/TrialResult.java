package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.plimsoll.measure.Counts;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One trial of {@code result.json}. In a trial that was measured by another tool and imported, everything that is not
 * known is null. Nested values that JSON does not show lie flat in the trial.
 *
 * @param produce null without producers
 * @param consume null without consumers
 * @param audit null if nothing was audited
 */
public record TrialResult(
        String name,
        @JsonUnwrapped Course course,
        Produce produce,
        Consume consume,
        AuditResult audit,
        @JsonUnwrapped Observed observed,
        @JsonUnwrapped Judgement judgement,
        @JsonUnwrapped Detail detail) {

    /**
     * How a trial went.
     *
     * @param startedAt null if unknown
     * @param warmupSeconds null if unknown
     * @param warmup how the warm-up went; null if unknown
     * @param steady null if there were too few seconds to tell
     * @param complete false if the trial was interrupted or killed
     * @param valid false if it is not usable as a figure of the cluster ({@link Invalidity}); null if imported
     * @param topicsSeconds until the topics that were created for it had all their leaders; null if none were, or if unknown
     */
    public record Course(
            Instant startedAt,
            Double warmupSeconds,
            WarmupResult warmup,
            double measuredSeconds,
            Boolean steady,
            boolean complete,
            Boolean valid,
            Double topicsSeconds) {
        Course invalid() {
            return new Course(
                    startedAt, warmupSeconds, warmup, measuredSeconds, steady, complete, false, topicsSeconds);
        }
    }

    /**
     * Everything that was seen beside the load itself.
     *
     * @param generator null if unknown
     * @param brokers what each was seen to do within the measured window, by figure; null where its sources do not tell
     * @param host what the host of the load generator did meanwhile, likewise; empty if it was not observed
     * @param cluster what Kafka's Admin said of the trial's topics meanwhile; empty if it was not asked
     * @param clients what the clients said of themselves meanwhile, by entry of the scenario, or entry and broker
     * @param workers of a fleet, by name; empty if one process made the load
     * @param guards what kept the load from hurting others on the cluster; empty, and absent, if nothing had to
     * @param groups what groups of others did meanwhile, by figure; empty, and absent, if none was observed
     */
    public record Observed(
            Generator generator,
            List<Map<String, Object>> brokers,
            Map<String, Object> host,
            Map<String, Object> cluster,
            Map<String, Map<String, Double>> clients,
            List<WorkerResult> workers,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<GuardResult> guards,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Map<String, Object>> groups) {
        public Observed {
            // Results of earlier versions and of other tools have none of these.
            brokers = brokers == null ? List.of() : brokers;
            host = host == null ? Map.of() : host;
            cluster = cluster == null ? Map.of() : cluster;
            clients = clients == null ? Map.of() : clients;
            workers = workers == null ? List.of() : List.copyOf(workers);
            guards = guards == null ? List.of() : List.copyOf(guards);
            groups = groups == null ? List.of() : groups;
        }

        /** Topics of the trial as brokers saw them; empty if none told. */
        @SuppressWarnings("unchecked")
        @JsonIgnore
        public List<Map<String, Object>> topics() {
            return (List<Map<String, Object>>) cluster.getOrDefault("topics", List.of());
        }
    }

    /**
     * What is to be said of a trial.
     *
     * @param limits what held it back; null if that was not asked, or there was nothing to explain
     */
    public record Judgement(List<CheckResult> checks, List<Sentence> warnings, Limits limits) {
        Judgement with(Limits found) {
            return new Judgement(checks, warnings, found);
        }
    }

    /**
     * A trial in its parts.
     *
     * @param parameters what distinguishes it from other trials of the run
     * @param setup client configuration that differs from the default, by part
     * @param seconds one entry a second of the whole trial, or a minute where more than an hour followed, for charts and tables
     * @param faults in the order in which they happened
     * @param figures others over the measured window, by id, see {@link FigureCatalogue}
     * @param distributions likewise; absent if there are none
     */
    public record Detail(
            Map<String, String> parameters,
            Map<String, Map<String, String>> setup,
            List<PartitionResult> partitions,
            List<Second> seconds,
            List<FaultResult> faults,
            Map<String, Double> figures,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Latency> distributions) {
        public Detail {
            // Results of earlier versions have none of these.
            parameters = parameters == null ? Map.of() : parameters;
            partitions = partitions == null ? List.of() : partitions;
            figures = figures == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(figures));
            faults = faults == null ? List.of() : List.copyOf(faults);
            distributions =
                    distributions == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(distributions));
        }
    }

    /** The seconds of the measured window. */
    public Stream<Second> measured() {
        return detail.seconds().stream().filter(s -> "measure".equals(s.phase()));
    }

    /** Whether it differs from the run's other trials by what consumers do, perhaps among others. */
    public boolean variesConsumers() {
        return detail.parameters().keySet().stream().anyMatch(key -> key.startsWith("consumers"));
    }

    /** Whether a schedule said what its producers were to send. */
    public boolean paced() {
        return produce != null && Boolean.FALSE.equals(produce.schedule().closedLoop());
    }

    /** Whether its producers sent as fast as they could. */
    public boolean pushed() {
        return produce != null && Boolean.TRUE.equals(produce.schedule().closedLoop());
    }

    /** Of a trial that only consumes, what it read; null if it does neither. */
    Volume volume() {
        return produce != null ? produce.volume() : consume == null ? null : consume.volume();
    }

    /** The same, judged otherwise. */
    TrialResult with(Course other) {
        return new TrialResult(name, other, produce, consume, audit, observed, judgement, detail);
    }

    public TrialResult with(Judgement other) {
        return new TrialResult(name, course, produce, consume, audit, observed, other, detail);
    }

    /**
     * What producers did.
     *
     * @param errors null if unknown
     * @param events things that happened but are no failed record, by kind
     */
    public record Produce(
            @JsonUnwrapped Sources sources,
            @JsonUnwrapped Volume volume,
            @JsonUnwrapped Schedule schedule,
            @JsonUnwrapped Wire wire,
            @JsonUnwrapped Waits waits,
            @JsonUnwrapped Times times,
            Errors errors,
            Map<String, Long> events) {}

    /**
     * Where records came from.
     *
     * @param clients producer instances
     * @param producers what each client contributed; of an entry with very many clients, all of them in one
     */
    public record Sources(String engine, Integer clients, List<ProducerShare> producers) {
        public Sources {
            producers = producers == null ? List.of() : List.copyOf(producers);
        }
    }

    /**
     * How much went through.
     *
     * @param records acknowledged or read records of the measured window, however late
     * @param bytes of their keys and values
     * @param recordsPerSecond what came within the window, per second
     */
    public record Volume(Long records, Long bytes, Double recordsPerSecond, Double bytesPerSecond) {}

    /**
     * What was to be produced, and what was left of it.
     *
     * @param closedLoop true if no schedule held the producers back
     * @param offeredRecordsPerSecond what the schedule asked for; null in a closed loop
     * @param unacknowledged records given up at the end
     * @param unsent records due but never handed over
     * @param warmupRecords acknowledged records that belong to the warm-up
     * @param asked records that the scenario asked for; null if bound by time
     */
    public record Schedule(
            Boolean closedLoop,
            Double offeredRecordsPerSecond,
            Long unacknowledged,
            Long unsent,
            Long warmupRecords,
            Long asked) {}

    /**
     * What producers sent, batches and requests.
     *
     * @param compressionRatio bytes after ÷ bytes before compression; null if unknown
     * @param wireBytes of the batches, after compression
     * @param retries records sent again
     */
    public record Wire(
            Long requests,
            Double requestsPerSecond,
            Double recordsPerBatch,
            Double bytesPerBatch,
            Double compressionRatio,
            Long wireBytes,
            Long retries) {}

    /** Times that producers had to wait, all clients together. */
    public record Waits(Double bufferWaitSeconds, Double throttledSeconds) {}

    /** The three latencies of producing; null if they are unknown. */
    public record Times(Latency responseTime, Latency serviceTime, Latency sendDelay) {}

    /**
     * A producer client's part. All start together, so that these rates may be added up.
     *
     * @param clients how many clients this line is about, at least 1
     * @param seconds that the rates refer to: the window, or until this client's last acknowledgement
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
     * What consumers did.
     *
     * @param errors null if unknown
     * @param events what else a kind of consumer counted, by name
     */
    public record Consume(
            String engine,
            @JsonUnwrapped Volume volume,
            @JsonUnwrapped Fetches fetches,
            @JsonUnwrapped EndToEnd times,
            Errors errors,
            List<Group> groups,
            @JsonUnwrapped Reading reading,
            Map<String, Long> events) {
        public Consume {
            groups = groups == null ? List.of() : groups;
            events = events == null ? Map.of() : events;
        }
    }

    /** Fetch requests. */
    public record Fetches(Long requests, Double requestsPerSecond) {}

    /**
     * What was to be read.
     *
     * @param asked records that the scenario asked for, of all groups; null if they read until the producers were done
     * @param missing records that were to be read and were not; null if unknown
     * @param backlog what groups that were held back worked off; null without such groups
     * @param rateSeconds that the rates of consumers refer to; null, and absent, where it is the measured window
     */
    public record Reading(
            Long asked,
            Long missing,
            Backlog backlog,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double rateSeconds) {}

    /**
     * The latency from producer to consumer, and how far clocks may be trusted with it.
     *
     * @param endToEnd null if it is unknown
     * @param neverReceived records of {@code endToEnd} that a group had to read and has not; null if unknown
     * @param timestampType what it is measured from: {@code intended time}, {@code CreateTime},
     *     {@code batch CreateTime} or {@code LogAppendTime}; null if unknown
     * @param negativeEndToEnd records that seemed to arrive before they were due
     * @param clockErrorMicros how far the clocks of the hosts may be apart, unnoticed; null if there is one clock
     * @param endToEndUnknown why figures of {@code endToEnd} are null: they are less than that; null if none is
     * @param ownEndToEnd of a sample that each worker has written and read again itself, by its one clock; null without
     */
    public record EndToEnd(
            Latency endToEnd,
            Long neverReceived,
            Long negativeEndToEnd,
            String timestampType,
            Double clockErrorMicros,
            Sentence endToEndUnknown,
            Latency ownEndToEnd,
            @JsonUnwrapped FromAppend fromAppend) {
        public EndToEnd {
            // Results of earlier versions have none.
            fromAppend = fromAppend == null ? FromAppend.NONE : fromAppend;
        }
    }

    /**
     * @param lagAtEnd null if it could not be asked
     * @param pace whether it received what was produced; absent if it was not to follow the producers
     * @param recordsPerSecond from when it began to read to its last record; absent with {@code pace}, and if unknown
     * @param bytesPerSecond likewise
     */
    public record Group(
            String id,
            int members,
            long records,
            long bytes,
            Long lagAtEnd,
            long commits,
            long rebalances,
            @JsonInclude(JsonInclude.Include.NON_NULL) GroupPace pace,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double recordsPerSecond,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double bytesPerSecond) {}

    /**
     * @param leader id of the broker that led it at the end, negative if none did; null if unknown
     * @param producedPerSecond from the first second in which something was acknowledged to the last; null if unknown
     * @param consumedPerSecond likewise
     */
    public record PartitionResult(
            String topic,
            int partition,
            Integer leader,
            long produced,
            long consumed,
            Double producedPerSecond,
            Double consumedPerSecond) {}

    /**
     * One second of a trial, or one minute.
     *
     * @param at seconds after the trial's start, of the end of this second
     * @param phase {@code warmup}, {@code measure} or {@code drain}
     * @param lag records that consumers had not read at its end; null if unknown
     * @param cpuCores of the load generator; null if unknown
     * @param figures others that checks of single seconds look up, see {@link SecondFigures}; not in JSON
     * @param seconds its length where it is a minute of a long trial; absent if it is a second
     */
    public record Second(
            double at,
            String phase,
            @JsonUnwrapped Rates rates,
            @JsonUnwrapped Response response,
            Long lag,
            Double cpuCores,
            @JsonIgnore Map<String, Double> figures,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double seconds) {
        public Second {
            figures = figures == null ? Map.of() : Collections.unmodifiableMap(figures);
        }

        /** How long it was, as far as it is known: 1 of a second. */
        public double length() {
            return seconds == null ? 1 : seconds;
        }

        Second of(double length) {
            double rounded = Math.round(length * 1e3) / 1e3;
            return new Second(at, phase, rates, response, lag, cpuCores, figures, rounded);
        }
    }

    /**
     * What a second had, per second; of errors how many.
     *
     * @param offered null if unknown
     * @param produced acknowledged records
     */
    public record Rates(Double offered, double produced, double producedBytes, double consumed, long errors) {}

    /**
     * The response time in a second, and the longest service time, in microseconds; null without samples.
     *
     * @param serviceMean absent but in what other tools have measured
     */
    public record Response(
            Long responseP50,
            Long responseP99,
            Long responseMax,
            Long serviceMax,
            @JsonInclude(JsonInclude.Include.NON_NULL) Double serviceMean) {}

    /**
     * A distribution, from its least to its greatest value; null where nothing can be said.
     *
     * @param unit {@code us}
     */
    public record Latency(
            String unit,
            long count,
            Long min,
            Double mean,
            @JsonUnwrapped Percentiles percentiles,
            Long max) {}

    /** In microseconds; null where fewer than ten samples lie beyond one. */
    public record Percentiles(
            Long p50,
            Long p75,
            Long p90,
            Long p95,
            Long p99,
            @JsonProperty("p99.9") Long p999,
            @JsonProperty("p99.99") Long p9999) {}
}
