package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.plimsoll.text.Sentence;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * One trial of {@code result.json}. In a trial that was measured by another tool and imported, everything that is not
 * known is null.
 *
 * @param steady null if there were too few seconds to tell
 * @param complete false if the trial was interrupted or killed
 * @param valid false if the generator, not the cluster, was the limit; null if imported
 * @param produce null without producers
 * @param consume null without consumers
 * @param setup client configuration that differs from the default, by part
 * @param seconds one entry a second of the whole trial, for charts and tables
 * @param brokers what each was seen to do within the measured window, by figure; null where its sources do not tell
 * @param faults in the order in which they happened
 * @param host what the host of the load generator did meanwhile, likewise; empty if it was not observed
 * @param cluster what Kafka's Admin said of the trial's topics meanwhile; empty if it was not asked
 * @param clients what the clients said of themselves meanwhile, by entry of the scenario, or entry and broker
 * @param limits what held it back; null if that was not asked, or there was nothing to explain
 * @param workers of a fleet, by name; empty if one process made the load
 */
public record TrialResult(
        String name,
        Map<String, String> parameters,
        Instant startedAt,
        Double warmupSeconds,
        double measuredSeconds,
        Boolean steady,
        boolean complete,
        Boolean valid,
        Produce produce,
        Consume consume,
        List<PartitionResult> partitions,
        AuditResult audit,
        Generator generator,
        List<Map<String, Object>> brokers,
        List<CheckResult> checks,
        List<Sentence> warnings,
        Map<String, Map<String, String>> setup,
        List<Second> seconds,
        List<FaultResult> faults,
        Map<String, Object> host,
        Map<String, Object> cluster,
        Map<String, Map<String, Double>> clients,
        Limits limits,
        List<WorkerResult> workers) {
    public TrialResult {
        workers = workers == null ? List.of() : List.copyOf(workers);
        // Results of earlier versions have none.
        faults = faults == null ? List.of() : List.copyOf(faults);
        host = host == null ? Map.of() : host;
        cluster = cluster == null ? Map.of() : cluster;
        clients = clients == null ? Map.of() : clients;
    }

    /** Without anything that the clients said of themselves. */
    public TrialResult(
            String name,
            Map<String, String> parameters,
            Instant startedAt,
            Double warmupSeconds,
            double measuredSeconds,
            Boolean steady,
            boolean complete,
            Boolean valid,
            Produce produce,
            Consume consume,
            List<PartitionResult> partitions,
            AuditResult audit,
            Generator generator,
            List<Map<String, Object>> brokers,
            List<CheckResult> checks,
            List<Sentence> warnings,
            Map<String, Map<String, String>> setup,
            List<Second> seconds,
            List<FaultResult> faults,
            Map<String, Object> host,
            Map<String, Object> cluster) {
        this(
                name,
                parameters,
                startedAt,
                warmupSeconds,
                measuredSeconds,
                steady,
                complete,
                valid,
                produce,
                consume,
                partitions,
                audit,
                generator,
                brokers,
                checks,
                warnings,
                setup,
                seconds,
                faults,
                host,
                cluster,
                Map.of(),
                null,
                List.of());
    }

    /** The same with what was found to limit it. */
    public TrialResult withLimits(Limits found) {
        return new TrialResult(
                name,
                parameters,
                startedAt,
                warmupSeconds,
                measuredSeconds,
                steady,
                complete,
                valid,
                produce,
                consume,
                partitions,
                audit,
                generator,
                brokers,
                checks,
                warnings,
                setup,
                seconds,
                faults,
                host,
                cluster,
                clients,
                found,
                workers);
    }

    /**
     * @param clients producer instances
     * @param records acknowledged records of the measured window, however late
     * @param recordsPerSecond acknowledgements that came in the window, per second
     * @param offeredRecordsPerSecond what the schedule asked for
     * @param closedLoop true if no schedule held the producers back
     * @param unacknowledged records given up at the end
     * @param unsent records due but never handed over
     * @param asked records that the scenario asked for; null if bound by time
     * @param producers what each client contributed; of an entry with very many clients, all of them in one
     * @param compressionRatio bytes after ÷ bytes before compression; null if unknown
     */
    public record Produce(
            String engine,
            Integer clients,
            Boolean closedLoop,
            Long records,
            Long bytes,
            Double recordsPerSecond,
            Double bytesPerSecond,
            Double offeredRecordsPerSecond,
            Long unacknowledged,
            Long unsent,
            Long warmupRecords,
            Long requests,
            Double requestsPerSecond,
            Double recordsPerBatch,
            Double bytesPerBatch,
            Double compressionRatio,
            Long wireBytes,
            Double bufferWaitSeconds,
            Double throttledSeconds,
            Long retries,
            Errors errors,
            Map<String, Long> events,
            Latency responseTime,
            Latency serviceTime,
            Latency sendDelay,
            Long asked,
            List<ProducerShare> producers) {
        public Produce {
            producers = producers == null ? List.of() : List.copyOf(producers);
        }
    }

    /**
     * A producer client's part. All start together, so that these rates may be added up.
     *
     * @param clients how many clients this line is about
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

    public record Errors(long total, Map<String, Long> byKind) {}

    /**
     * @param asked records that the scenario asked for, of all groups; null if they read until the producers were done
     * @param missing records that were to be read and were not; null if unknown
     * @param backlog what groups that were held back worked off; null without such groups
     * @param timestampType what end-to-end latency is measured from: {@code intended time}, {@code CreateTime},
     *     {@code batch CreateTime} or {@code LogAppendTime}
     * @param clockErrorMicros how far the clocks of the hosts may be apart, unnoticed; null if there is one clock
     * @param endToEndUnknown why figures of {@code endToEnd} are null: they are less than that; null if none is
     * @param ownEndToEnd of a sample that each worker has written and read again itself, by its one clock; null without
     */
    public record Consume(
            String engine,
            Long records,
            Long bytes,
            Double recordsPerSecond,
            Double bytesPerSecond,
            Long requests,
            Double requestsPerSecond,
            Latency endToEnd,
            Long negativeEndToEnd,
            String timestampType,
            Errors errors,
            List<Group> groups,
            Long asked,
            Long missing,
            Backlog backlog,
            Double clockErrorMicros,
            Sentence endToEndUnknown,
            Latency ownEndToEnd) {

        /** By one clock. */
        public Consume(
                String engine,
                Long records,
                Long bytes,
                Double recordsPerSecond,
                Double bytesPerSecond,
                Long requests,
                Double requestsPerSecond,
                Latency endToEnd,
                Long negativeEndToEnd,
                String timestampType,
                Errors errors,
                List<Group> groups,
                Long asked,
                Long missing,
                Backlog backlog) {
            this(
                    engine,
                    records,
                    bytes,
                    recordsPerSecond,
                    bytesPerSecond,
                    requests,
                    requestsPerSecond,
                    endToEnd,
                    negativeEndToEnd,
                    timestampType,
                    errors,
                    groups,
                    asked,
                    missing,
                    backlog,
                    null,
                    null,
                    null);
        }
    }

    /**
     * The way of held-back groups through what had piled up for them.
     *
     * @param records that had piled up when they were let read, of all these groups together
     * @param openedSeconds when that was, in seconds of the trial
     * @param drained false if they had not caught up when the trial ended
     * @param drainSeconds until they had caught up: no more left to read than was produced within a second
     * @param recordsPerSecond that they read meanwhile, new ones included
     * @param responseP99Before of the producers, in microseconds, before reading began; null if unknown
     * @param responseP99During meanwhile
     */
    public record Backlog(
            long records,
            double openedSeconds,
            boolean drained,
            double drainSeconds,
            double recordsPerSecond,
            double bytesPerSecond,
            Long responseP99Before,
            Long responseP99During) {}

    /** @param lagAtEnd null if it could not be asked */
    public record Group(
            String id, int members, long records, long bytes, Long lagAtEnd, long commits, long rebalances) {}

    /**
     * @param leader id of the broker that led it at the end; null if unknown
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
            Double consumedPerSecond) {

        /** With rates unknown. */
        public PartitionResult(String topic, int partition, Integer leader, long produced, long consumed) {
            this(topic, partition, leader, produced, consumed, null, null);
        }
    }

    /**
     * @param cpuMicrosPerRecord per record produced plus records consumed; null without records
     * @param busiestThread null if unknown
     * @param limited true if the generator was the limit
     * @param calibratedShare done ÷ what can be done on this host; null if it was not calibrated for that
     */
    public record Generator(
            double cpuSeconds,
            double cpuCores,
            Double cpuMicrosPerRecord,
            BusiestThread busiestThread,
            long ticks,
            long lateTicks,
            double gcSeconds,
            long heapUsedBytes,
            boolean limited,
            Double calibratedShare) {}

    public record BusiestThread(String name, double share) {}

    /**
     * @param check as written in the scenario
     * @param measured null if the figure does not exist in this trial; the check has then failed
     * @param unit of {@code measured}: {@code us}, {@code bytes/s}, {@code records/s}, {@code count} or {@code ratio}
     */
    public record CheckResult(String check, Double measured, String unit, boolean passed) {}

    /**
     * One second of a trial; latencies in microseconds, null without samples.
     *
     * @param at seconds after the trial's start, of the end of this second
     * @param phase {@code warmup}, {@code measure} or {@code drain}
     * @param figures others that checks of single seconds look up, see {@link SecondFigures}; not in JSON
     */
    public record Second(
            double at,
            String phase,
            double offered,
            double produced,
            double producedBytes,
            Long responseP50,
            Long responseP99,
            Long responseMax,
            long errors,
            double consumed,
            Long lag,
            double cpuCores,
            @JsonIgnore Map<String, Double> figures) {
        public Second {
            figures = figures == null ? Map.of() : Collections.unmodifiableMap(figures);
        }
    }

    /** All in microseconds; a percentile is null where fewer than ten samples lie beyond it. */
    public record Latency(
            String unit,
            long count,
            Long min,
            Double mean,
            Long p50,
            Long p75,
            Long p90,
            Long p95,
            Long p99,
            @JsonProperty("p99.9") Long p999,
            @JsonProperty("p99.99") Long p9999,
            Long max) {}
}
