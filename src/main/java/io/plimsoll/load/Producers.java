package io.plimsoll.load;

import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.ProduceCounts;
import io.plimsoll.measure.TrialClock;
import io.plimsoll.measure.WireCounts;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The producers of one {@link io.plimsoll.scenario.ProducerSpec} on one worker. The calls come from the worker's
 * thread in the order {@link #prepare}, {@link #start}, any number of {@link #read}, {@link #stop},
 * {@link #awaitSent}, {@link #drain}, {@link #close}.
 */
public interface Producers extends AutoCloseable {

    /**
     * Creates the clients and makes them ready: metadata of every topic known, a connection open to the leader of every
     * partition. Writes nothing.
     *
     * @throws io.plimsoll.PlimsollException if that is not possible within the time
     */
    void prepare(Duration timeout);

    /** Starts the schedule; the first record is due at the clock's start. */
    void start(TrialClock clock);

    /** True once every thread has handed over its last record. */
    boolean sent();

    /** Ends sending as soon as possible; what is due and not sent is charged with the time it waited. */
    void stop();

    /** Waits until {@link #sent()}. */
    boolean awaitSent(Duration timeout) throws InterruptedException;

    /**
     * Waits for the acknowledgements that are still missing; may be called again, to wait longer.
     *
     * @return true once there are none, so that {@link #close} has nothing to give up on
     */
    boolean drain(Duration timeout) throws InterruptedException;

    /** Gives up on records without an answer, charging them with the time they have waited, and closes the clients. */
    @Override
    void close();

    /** Says what happened since the last reading. */
    Reading read();

    /** Adds what the clients have said of themselves up to the last {@link #read}, since the one before. */
    void figures(ClientFigures figures);

    /** Acknowledged records per {@code topic-partition} since the start; exact after {@link #close}. */
    Map<String, Long> acknowledgedByPartition();

    /** Acknowledged records since the start, quickly. */
    long acknowledgedTotal();

    /** Key + value bytes acknowledged since the start, warm-up included. */
    long acknowledgedBytes();

    /** Says what each client contributed to the measured window; exact after {@link #close}. */
    List<ClientShare> shares();

    /**
     * One client's part of the measured window; of an entry with so many clients that they share meters, all of them.
     *
     * @param name such as {@code producers-0 client 1}
     * @param clients how many clients these are
     * @param arrived acknowledgements that came within the window
     * @param seconds from the start of the window to its end, or to the last acknowledgement
     */
    record ClientShare(
            String name, int clients, long records, long bytes, long arrived, long arrivedBytes, double seconds) {}

    /** Transaction markers written per {@code topic-partition} since the start; exact after {@link #close}. */
    Map<String, Long> markersByPartition();

    /** When the last acknowledgement came, in nanoTime; 0 if none did. */
    long lastAckNanos();

    /** When the last acknowledgement of each {@code topic-partition} came, in nanoTime; 0 if none did. Any thread. */
    Map<String, Long> lastAckByPartition();

    /**
     * The counts since the last reading.
     *
     * @param ticks wake-ups of sending threads
     * @param lateTicks those that were late
     * @param appendErrorNanos see {@link io.plimsoll.measure.Snapshot.Stretch#appendErrorNanos()}
     */
    record Reading(
            ProduceCounts warmup,
            ProduceCounts measured,
            WireCounts wire,
            long ticks,
            long lateTicks,
            Long appendErrorNanos) {}
}
