package io.plimsoll.load;

import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.SendMeter;
import io.plimsoll.measure.TrialClock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The meters of an entry's clients and of its sending threads. A meter takes about a megabyte once it is used, so more
 * than {@value #MOST} clients or threads share meters. Made by the worker's thread.
 */
public final class ProducerMeters {
    private static final int MOST = 16;

    private final boolean closedLoop;
    final List<AckMeter> acks = new ArrayList<>();
    final List<SendMeter> sends = new ArrayList<>();

    ProducerMeters(boolean closedLoop) {
        this.closedLoop = closedLoop;
    }

    /**
     * The meter of one client.
     *
     * @param index of the client, those that are here counted from 0
     * @param clients how many there are here
     * @param partitions of each topic of the entry
     */
    public AckMeter acks(int index, int clients, int[] partitions) {
        if (acks.size() <= index % MOST) {
            acks.add(AckMeter.of(partitions, closedLoop, clients > MOST));
        }
        return acks.get(index % MOST);
    }

    /** The meter of one sending thread, as {@link #acks(int, int, int[])}. */
    public SendMeter sends(int index, int threads) {
        if (sends.size() <= index % MOST) {
            sends.add(SendMeter.of(closedLoop, threads > MOST));
        }
        return sends.get(index % MOST);
    }

    void start(TrialClock clock) {
        acks.forEach(meter -> meter.start(clock));
        sends.forEach(meter -> meter.start(clock));
    }

    long sum(ToLongFunction<AckMeter> count) {
        return acks.stream().mapToLong(count).sum();
    }
}
