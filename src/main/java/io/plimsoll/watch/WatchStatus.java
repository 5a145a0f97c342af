package io.plimsoll.watch;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.plimsoll.result.SlowMoment;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of a watch, for its files, page and metrics.
 *
 * @param schema {@value #SCHEMA}
 * @param since start of the statistics, possibly by an earlier process
 * @param objective required share of successes
 * @param brokers brokers that lead partitions of the topic
 * @param outages recent outages, oldest first
 * @param incidents the outages grouped by cause; null in files of earlier versions
 * @param slowMoments recent periods with slow records, oldest first, in seconds after {@code since}; null in files of
 *     earlier versions
 */
public record WatchStatus(
        String schema,
        Place place,
        Instant since,
        Instant at,
        double objective,
        List<Integer> brokers,
        List<SignalStatus> signals,
        List<Outage> outages,
        @Nullable List<Incident> incidents,
        @Nullable List<SlowMoment> slowMoments) {
    public static final String SCHEMA = "plimsoll.watch/1";
    /** Broker ID for the total over all brokers. */
    public static final int ALL = -1;

    /** The last status in the directory of a watch; empty for other directories. */
    public static Optional<WatchStatus> read(Path directory) {
        return WatchFiles.read(directory, WatchStatus.class);
    }

    /** A period with slow records, as an event. */
    public record Slow(Instant from, Instant to, SlowMoment slowMoment) {
        public static Slow of(SlowMoment m, Instant since) {
            Instant from = since.plusNanos(Math.round(m.fromSeconds() * 1e9));
            return new Slow(from, since.plusNanos(Math.round(m.toSeconds() * 1e9)), m);
        }
    }

    /**
     * The cluster, the audit and the unobserved time.
     *
     * @param stoodSeconds time in which this process was suspended since its start
     * @param unsavedSeconds time since accounts and audit were last written
     */
    public record Place(String clusterId, String topic, Audit audit, double stoodSeconds, double unsavedSeconds) {}

    /**
     * The audit of all records.
     *
     * @param waiting acknowledged records that are not yet read, or missing and not yet counted as lost
     * @param unknown acknowledged records that were deleted unread, by retention or with the topic
     * @param foreign records of other producers
     * @param lostAfterRead lost records that had been read before; also included in {@code confirmed}
     */
    public record Audit(
            long acknowledged,
            long confirmed,
            long waiting,
            long lost,
            long duplicated,
            long disordered,
            long unknown,
            long foreign,
            long lostAfterRead) {
        /** Whether every acknowledged record was read once and in order, up to the current position. */
        @JsonIgnore
        public boolean clean() {
            return lost == 0 && duplicated == 0 && disordered == 0;
        }

        /** Number of acknowledged records that were read at their offset and are not known to be lost. */
        public long there() {
            return Math.max(0, confirmed - lostAfterRead);
        }

        /** Whether records were acknowledged but none could be audited. */
        @JsonIgnore
        public boolean blind() {
            return acknowledged > 0 && confirmed + lost + unknown == 0;
        }
    }

    /**
     * A signal of a broker.
     * @param broker ID of the broker; {@value #ALL} for the total
     * @param good successful attempts since the start of the statistics
     * @param bad failed attempts
     * @param windows availability by window length, such as {@code 1h}; windows without attempts are absent
     * @param days availability of each of the last 30 days, oldest first; null without attempts
     * @param minutes availability of each of the last 60 minutes; null without attempts, and in files of earlier
     *     versions
     */
    public record SignalStatus(
            Signal signal,
            int broker,
            long good,
            long bad,
            Map<String, Window> windows,
            Latency recent,
            Latency day,
            @Nullable List<Double> days,
            @Nullable List<Double> minutes) {}

    /**
     * A window that ends now.
     * @param burnRate consumption of the error budget; at 1, the budget lasts exactly for the period of the objective
     */
    public record Window(double availability, double burnRate) {}

    /** Latencies in milliseconds; null without data. */
    public record Latency(
            @Nullable Double p50,
            @Nullable Double p99,
            @Nullable Double p999,
            @Nullable Double max) {}

    /**
     * Outages with a common cause: a broker that does not respond, with all consequences, or simultaneous outages while
     * all brokers responded.
     *
     * @param broker broker that is down; null if all respond
     * @param to end of the incident; null while it continues; for a broker, the time at which it responds again
     * @param error first error of the clients; null if none
     * @param outages by start time
     */
    public record Incident(
            @Nullable Integer broker,
            Instant from,
            @Nullable Instant to,
            @Nullable String error,
            List<Outage> outages) {
        @JsonIgnore
        public boolean ongoing() {
            return to == null;
        }
    }

    /**
     * A time without success of a signal at a broker.
     *
     * @param to end of the outage; null while it continues
     * @param error first error of the clients, as a kind or verbatim; null if none, as with a broker that hangs
     */
    public record Outage(
            Signal signal,
            int broker,
            Instant from,
            @Nullable Instant to,
            @Nullable String error) {
        @JsonIgnore
        public boolean ongoing() {
            return to == null;
        }
    }
}
