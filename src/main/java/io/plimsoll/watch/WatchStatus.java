package io.plimsoll.watch;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a watch knows at a time, as its files, its page and its metrics show it.
 *
 * @param schema {@value #SCHEMA}
 * @param since when the accounts were begun, by this process or an earlier one
 * @param objective the share that is to be good
 * @param brokers that the topic is led by
 * @param outages the last ones, the oldest first
 * @param incidents the same outages as what they are: those that one broker has caused are one; null in files of earlier versions
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
        List<Incident> incidents) {
    public static final String SCHEMA = "plimsoll.watch/1";
    /** The broker of an account of all together. */
    public static final int ALL = -1;

    /**
     * Where it watches, what its audit has found, and how long it has not watched.
     *
     * @param stoodSeconds for which this process stood still since it began
     * @param unsavedSeconds since the accounts and the audit were last written to their directory
     */
    public record Place(String clusterId, String topic, Audit audit, double stoodSeconds, double unsavedSeconds) {}

    /**
     * The audit of all records.
     *
     * @param waiting acknowledged and not read yet, or missing and not held to be lost yet
     * @param unknown acknowledged, and gone with their age or with the topic before they were read
     * @param foreign records of somebody else
     * @param lostAfterRead of those that are lost, those that had been read: they are among {@code confirmed}, too
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
        /** Whether each record that was acknowledged was read once and in order, as far as reading has come. */
        @JsonIgnore
        public boolean clean() {
            return lost == 0 && duplicated == 0 && disordered == 0;
        }

        /** Acknowledged records that were read where they should be, and are there as far as it is known. */
        public long there() {
            return Math.max(0, confirmed - lostAfterRead);
        }

        /** Whether records were acknowledged and nobody could look for a single one. */
        @JsonIgnore
        public boolean blind() {
            return acknowledged > 0 && confirmed + lost + unknown == 0;
        }
    }

    /**
     * A signal of a broker.
     *
     * @param broker its id; {@value #ALL} for all together
     * @param good attempts since the accounts were begun
     * @param bad the others
     * @param windows availability by the length of the window, such as {@code 1h}; without those in which nothing was tried
     * @param days availability of each of the last 30 days, the oldest first; null where nothing was tried
     * @param minutes the same of each of the last 60 minutes; null in files of earlier versions
     */
    public record SignalStatus(
            Signal signal,
            int broker,
            long good,
            long bad,
            Map<String, Window> windows,
            Latency recent,
            Latency day,
            List<Double> days,
            List<Double> minutes) {}

    /**
     * A time up to now.
     *
     * @param burnRate how many times as fast as the objective allows the budget of failures is used up; 1 uses it up just so
     */
    public record Window(double availability, double burnRate) {}

    /** Milliseconds; null where nothing was measured. */
    public record Latency(Double p50, Double p99, Double p999, Double max) {}

    /**
     * Outages that belong together: a broker that does not answer with all that was out with it, or what was out at the same time while
     * all brokers answered.
     *
     * @param broker that is down; null where all answer
     * @param to null while it goes on; of a broker, until it answers again
     * @param error what clients were told of it first; null if nothing
     * @param outages the earliest first
     */
    public record Incident(Integer broker, Instant from, Instant to, String error, List<Outage> outages) {
        @JsonIgnore
        public boolean goesOn() {
            return to == null;
        }
    }

    /**
     * A time in which nothing of a signal succeeded at a broker.
     *
     * @param to null while it goes on
     * @param error what clients were told of it first, by kind or in the words of who said it; null if nothing, as by a broker that
     *     hangs
     */
    public record Outage(Signal signal, int broker, Instant from, Instant to, String error) {
        @JsonIgnore
        public boolean goesOn() {
            return to == null;
        }
    }
}
