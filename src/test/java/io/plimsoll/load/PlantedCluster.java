package io.plimsoll.load;

/** Planned responses of a cluster: response times, stalls, rejected records, and the death of a sender. */
public final class PlantedCluster {
    public static final long SERVICE_NANOS = 2 * VirtualTime.MILLI;
    public static final String REFUSED = "recordTooLarge";

    public final VirtualTime time;
    /** Maximum number of records without an acknowledgment. */
    public int room = 1_000_000;

    public long stallFrom = Long.MAX_VALUE;
    public long stallTo = Long.MAX_VALUE;
    /** Rejects every n-th record; 0 rejects none. */
    public int refuseEvery;

    public long deadFrom = Long.MAX_VALUE;
    /** The fatal error; null for the exception. */
    public Error error;

    public int unanswered;
    private long sent;

    public PlantedCluster(VirtualTime time) {
        this.time = time;
    }

    /** A record arrives; its acknowledgment is sent when due, possibly never. */
    public void take(java.util.function.Consumer<Boolean> answer) {
        if (time.nanoTime() >= deadFrom) {
            if (error != null) {
                throw error;
            }
            throw new IllegalStateException("planted death");
        }
        boolean refused = refuseEvery > 0 && ++sent % refuseEvery == 0;
        unanswered++;
        answerAt(time.nanoTime() + SERVICE_NANOS, () -> {
            unanswered--;
            answer.accept(!refused);
        });
    }

    private void answerAt(long nanos, Runnable answer) {
        boolean stalls = nanos >= stallFrom && nanos < stallTo;
        if (!stalls) {
            time.at(nanos, answer);
        } else if (stallTo != Long.MAX_VALUE) {
            time.at(stallTo, answer);
        }
    }
}
