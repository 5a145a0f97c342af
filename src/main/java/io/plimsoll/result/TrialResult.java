package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One trial of {@code result.json}.
 *
 * @param steady null if there were too few seconds to tell
 * @param complete false if the trial was interrupted or killed
 * @param valid false if the generator, not the cluster, was the limit
 * @param produce null without producers
 * @param consume null without consumers
 * @param setup client configuration that differs from the default, by part
 * @param seconds one entry a second of the whole trial, for charts and tables
 */
public record TrialResult(
        String name,
        Map<String, String> parameters,
        Instant startedAt,
        double warmupSeconds,
        double measuredSeconds,
        Boolean steady,
        boolean complete,
        boolean valid,
        Produce produce,
        Consume consume,
        List<PartitionResult> partitions,
        Audit audit,
        Generator generator,
        List<Map<String, Object>> brokers,
        List<CheckResult> checks,
        List<String> warnings,
        Map<String, Map<String, String>> setup,
        List<Second> seconds) {

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
            int clients,
            boolean closedLoop,
            long records,
            long bytes,
            double recordsPerSecond,
            double bytesPerSecond,
            Double offeredRecordsPerSecond,
            long unacknowledged,
            long unsent,
            long warmupRecords,
            long requests,
            double requestsPerSecond,
            Double recordsPerBatch,
            Double bytesPerBatch,
            Double compressionRatio,
            long wireBytes,
            double bufferWaitSeconds,
            double throttledSeconds,
            long retries,
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
     * @param timestampType what end-to-end latency is measured from: {@code intended time}, {@code CreateTime} or
     *     {@code LogAppendTime}
     */
    public record Consume(
            String engine,
            long records,
            long bytes,
            double recordsPerSecond,
            double bytesPerSecond,
            long requests,
            double requestsPerSecond,
            Latency endToEnd,
            long negativeEndToEnd,
            String timestampType,
            Errors errors,
            List<Group> groups,
            Long asked,
            Long missing,
            Backlog backlog) {}

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
     * What was verified.
     *
     * @param method how: {@code end offsets} or {@code identities}
     * @param read records found in the log
     * @param unknown records of which neither success nor failure is known
     * @param complete false if not everything could be examined
     */
    public record Audit(
            String method,
            long acknowledged,
            long read,
            long lost,
            Long duplicated,
            Long reordered,
            Long corrupted,
            Long phantom,
            long unknown,
            Long unknownRead,
            boolean complete,
            List<String> findings) {}

    /**
     * @param cpuMicrosPerRecord per record produced plus records consumed; null without records
     * @param busiestThread null if unknown
     * @param limited true if the generator was the limit
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
            boolean limited) {}

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
            double cpuCores) {}

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
