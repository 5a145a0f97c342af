package io.plimsoll.measure;

/**
 * Times of a consumer's polls, and the stages of its records between polls. A pause much longer than usual is a {@link
 * Incident.Kind#CONSUMER_PAUSE}. Used by the consumer's thread; times are nanoTime.
 */
public final class Polls {
    /** Number of remembered pauses between polls. */
    private static final int MOST = 64;

    private static final long LEAST_NANOS = 1_000_000;
    private static final long LEAST_EVENT_NANOS = 100_000_000;
    private static final int OUTSTANDING = 5;
    private static final int SMOOTHED = 16;

    private final String group;
    private final String client;
    private final ClientEvents events;
    private final long[] pausedFrom = new long[MOST];
    private final long[] pausedTo = new long[MOST];
    private int next;
    private long begunNanos;
    private long endedNanos = Acknowledgment.UNKNOWN;
    /** Usual duration of a pause. */
    private double usualNanos;
    /** Usual duration of a poll; never above the maximum duration. */
    private double usualPollNanos = Double.MAX_VALUE;

    private final Acknowledgment way = new Acknowledgment();

    /** @param client ID of the client */
    public Polls(String group, String client, ClientEvents events) {
        this.group = group;
        this.client = client;
        this.events = events;
    }

    /** Records that a poll begins. */
    public void begun(long nowNanos) {
        begunNanos = nowNanos;
        long nanos = endedNanos == Acknowledgment.UNKNOWN ? 0 : nowNanos - endedNanos;
        if (nanos >= LEAST_NANOS) {
            paused(endedNanos, nowNanos, 0, nanos > OUTSTANDING * usualNanos);
        }
        usualNanos += (nanos - usualNanos) / SMOOTHED;
    }

    /**
     * Records that the poll returned. If the poll lasted much longer than its maximum, the thread was paused. The pause
     * began at about the time at which a poll usually returns.
     *
     * @param mostNanos maximum duration of the poll
     */
    public void ended(long nowNanos, long mostNanos) {
        endedNanos = nowNanos;
        long nanos = nowNanos - begunNanos;
        usualPollNanos = Math.min(usualPollNanos, mostNanos);
        if (nanos - LEAST_EVENT_NANOS >= mostNanos) {
            paused(begunNanos + (long) usualPollNanos, nowNanos, mostNanos, true);
        } else {
            usualPollNanos += (nanos - usualPollNanos) / SMOOTHED;
        }
    }

    private void paused(long fromNanos, long toNanos, long errorNanos, boolean unusual) {
        pausedFrom[next] = fromNanos;
        pausedTo[next] = toNanos;
        next = (next + 1) % MOST;
        if (unusual && toNanos - fromNanos >= LEAST_EVENT_NANOS) {
            events.add(new Incident(
                    Incident.Kind.CONSUMER_PAUSE, "group " + group, fromNanos, toNanos, errorNanos, client));
        }
    }

    /** End of the last poll. */
    public long endedNanos() {
        return endedNanos;
    }

    private long paused(long fromNanos, long toNanos) {
        long sum = 0;
        for (int i = 0; i < MOST; i++) {
            sum += Math.max(0, Math.min(toNanos, pausedTo[i]) - Math.max(fromNanos, pausedFrom[i]));
        }
        return sum;
    }

    /** The stages of a record from its append to the poll that returned it. The object is valid until the next call. */
    Acknowledgment way(int topic, int partition, long offset, int broker, long inLog, long polled, long done) {
        return way.at(topic, partition, offset, done).to(broker, inLog + paused(inLog, polled), polled);
    }
}
