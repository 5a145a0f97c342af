package io.plimsoll.observe.incident;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.PeriodicTask;
import java.util.List;
import java.util.function.Consumer;

/** Polls sources of incidents in a separate thread, and delivers new incidents about once a second. */
public final class IncidentWatch {
    /** Interval of polls in ns. It does not divide a second evenly, so that periodic events are sampled at all of their phases. */
    public static final long EVERY_NANOS = 19_400_000L;

    private static final int DELIVERY = 50;
    private static final long PATIENCE_MILLIS = 1_000;

    private final IncidentSink sink;
    private final List<IncidentSource> sources;
    private final Consumer<List<Incident>> delivered;
    private final PeriodicTask task;
    private long looks;

    /** Starts the watch immediately. */
    public IncidentWatch(IncidentSink sink, List<IncidentSource> sources, Consumer<List<Incident>> delivered) {
        this.sink = sink;
        this.sources = List.copyOf(sources);
        this.delivered = delivered;
        this.task = PeriodicTask.each("plimsoll-incidents", System.nanoTime(), EVERY_NANOS, 0, this::look);
    }

    private void look() {
        for (IncidentSource source : sources) {
            if (looks % source.every() == 0) {
                look(source);
            }
        }
        if (++looks % DELIVERY == 0) {
            deliver();
        }
    }

    /** Polls a source. If its format is unexpected, the other sources are still polled. */
    private void look(IncidentSource source) {
        try {
            source.look(System.nanoTime(), sink);
        } catch (RuntimeException e) {
            // The source is read again at the next poll.
        }
    }

    private void deliver() {
        List<Incident> found = sink.take();
        if (!found.isEmpty()) {
            delivered.accept(found);
        }
    }

    /** Ends the watch after a last poll. No incident is delivered after this method returns. */
    public void end() {
        task.end(PATIENCE_MILLIS);
        for (IncidentSource source : sources) {
            look(source);
            source.end(System.nanoTime(), sink);
            source.close();
        }
        deliver();
    }
}
