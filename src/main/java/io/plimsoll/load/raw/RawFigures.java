package io.plimsoll.load.raw;

import io.plimsoll.load.raw.RoundTrips.Trips;
import io.plimsoll.measure.ClientFigures;
import io.plimsoll.measure.Counts;
import io.plimsoll.measure.WireUse;
import java.util.List;

/**
 * Collects what the raw clients of one entry say of themselves since they were last asked, named as the figures of the official
 * clients. Used by one thread.
 */
final class RawFigures {
    private final String part;
    private long readBeforeNanos;

    RawFigures(String part) {
        this.part = part;
    }

    /** @param sent by all clients since the last call */
    void producers(ClientFigures figures, RawSettings settings, List<RawClient> clients, Counts sent) {
        figures.set(part, "clients", clients.size());
        figures.set(part, "batchSize", settings.batch().batchBytes());
        figures.set(part, "lingerMs", settings.lingerNanos() / 1e6);
        figures.set(part, "bufferMemory", settings.bufferBytes());
        figures.set(
                part,
                "maxInFlight",
                settings.requests().maxInFlight() * (double) settings.requests().connections());
        figures.set(part, "acks", settings.delivery().acks());
        double seconds = seconds(System.nanoTime());
        figures.add(part, "clientSeconds", seconds * clients.size());
        figures.add(part, "batches", sent.get(WireUse.BATCHES));
        figures.add(part, "throttleMs", sent.get(WireUse.THROTTLED_NANOS) / 1e6);
        long queued = 0;
        for (RawClient client : clients) {
            queued += client.sender.wire.queuedNanos();
            client.sender.roundTrips.read((broker, trips) -> {
                String where = part + " broker " + broker;
                requests(figures, part, trips);
                requests(figures, where, trips);
                figures.add(where, "clientSeconds", seconds);
                figures.add(where, "bytesOut", trips.bytes());
            });
        }
        figures.add(part, "queueMs", queued / 1e6);
    }

    private static void requests(ClientFigures figures, String where, Trips trips) {
        figures.add(where, "requests", trips.answers());
        figures.add(where, "requestMs", trips.millis());
    }

    void readers(ClientFigures figures, List<RawReader> readers) {
        double seconds = seconds(System.nanoTime());
        figures.add(part, "clientSeconds", seconds * readers.size());
        long idle = 0;
        for (RawReader reader : readers) {
            idle += reader.idleNanos();
            reader.roundTrips.read((broker, trips) -> {
                String where = part + " broker " + broker;
                fetches(figures, part, trips);
                fetches(figures, where, trips);
                figures.add(where, "clientSeconds", seconds);
            });
        }
        figures.add(part, "pollIdleSeconds", Math.min(seconds * readers.size(), idle / 1e9));
    }

    private static void fetches(ClientFigures figures, String where, Trips trips) {
        figures.add(where, "fetches", trips.answers());
        figures.add(where, "fetchMs", trips.millis());
        figures.add(where, "fetchBytes", trips.bytes());
        figures.add(where, "throttleMs", trips.throttledMillis());
    }

    private double seconds(long nowNanos) {
        double seconds = readBeforeNanos == 0 ? 0 : (nowNanos - readBeforeNanos) / 1e9;
        readBeforeNanos = nowNanos;
        return seconds;
    }
}
