package io.plimsoll.load;

import io.plimsoll.measure.AckMeter;
import io.plimsoll.measure.ClientFigures;
import java.util.List;

/**
 * The price of the first things that the clients of one entry do: each time is that of the slowest client. Its times are
 * taken by the thread that makes the clients, before any other asks for the figures.
 */
public final class ColdStart {
    private long metadataNanos;
    private long connectedNanos;

    /** A client knows the metadata of its topics, so long after its constructor was called. */
    public void knowsMetadata(long nanos) {
        metadataNanos = Math.max(metadataNanos, nanos);
    }

    /** A client has a connection to each leader, likewise. */
    public void connected(long nanos) {
        connectedNanos = Math.max(connectedNanos, nanos);
    }

    /**
     * Adds what is known by now.
     *
     * @param part name of the entry
     * @param meters of its clients
     */
    public void addTo(ClientFigures into, String part, List<AckMeter> meters) {
        long first = meters.stream().mapToLong(AckMeter::firstRecordNanos).max().orElse(0);
        set(into, part, "metadataMs", metadataNanos);
        set(into, part, "connectedMs", connectedNanos);
        set(into, part, "firstRecordMs", first);
    }

    private static void set(ClientFigures into, String part, String figure, long nanos) {
        if (nanos > 0) {
            into.set(part, figure, nanos / 1e6);
        }
    }
}
