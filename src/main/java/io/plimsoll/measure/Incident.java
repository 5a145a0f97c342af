package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonValue;
import io.plimsoll.measure.SlowBatch.Stage;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event of a broker, a host or the load generator that can delay records, or a stage of a slow request, with its exact
 * interval. Immutable.
 *
 * @param kind type of the event
 * @param where place of the event, as in {@link Observation#what}: {@code broker 1}, {@code host}, {@code generator},
 *     {@code host a1} for an agent, {@code cluster}, {@code topic-3} for a partition, or {@code group name}
 * @param fromNanos start, since the trial's start
 * @param toNanos end; equal to the start for an instant
 * @param errorNanos maximum error of both times, for example the interval between two polls; 0 if exact
 * @param detail a file, partition, collector or address; never a secret or a record
 */
public record Incident(
        Kind kind,
        String where,
        long fromNanos,
        long toNanos,
        long errorNanos,
        @Nullable String detail) {
    /**
     * The kind of an event. {@link #word} is the name in results. The sentence {@code result.incident.WORD} is a noun
     * phrase with the place as argument; the detail and the duration follow it.
     */
    public enum Kind {
        /** A stop-the-world garbage collection of a JVM. */
        GC("gc"),
        /** Any other stop of all threads of a JVM at a safepoint. */
        SAFEPOINT("safepoint"),
        /** A process did not run, because it was stopped by a signal or paused by its host. */
        PROCESS_PAUSE("processPause"),
        /** A log segment or index was forced to disk. */
        FLUSH("flush"),
        /** A broker created a new log segment. */
        LOG_ROLL("logRoll"),
        /** A write or read of a file took unusually long. */
        FILE_STALL("fileStall"),
        LOG_CLEANER("logCleaner"),
        /** A thread of a broker waited unusually long for a lock. */
        LOCK("lock"),
        /** Tasks of a host waited for a core, according to its pressure stall information. */
        CPU_PRESSURE("cpuPressure"),
        IO_PRESSURE("ioPressure"),
        MEMORY_PRESSURE("memoryPressure"),
        WRITEBACK("writeback"),
        DISK_BUSY("diskBusy"),
        STEAL("steal"),
        CGROUP_THROTTLE("cgroupThrottle"),
        RETRANSMIT("retransmit"),
        LEADER_CHANGE("leaderChange"),
        ISR_SHRINK("isrShrink"),
        ISR_EXPAND("isrExpand"),
        CONTROLLER_FAILOVER("controllerFailover"),
        BROKER_DOWN("brokerDown"),
        QUOTA("quota"),
        REBALANCE("rebalance"),
        DISCONNECT("disconnect"),
        REAUTHENTICATION("reauthentication"),
        METADATA("metadata"),
        TRANSACTION_ABORT("transactionAbort"),
        /** A transaction in a partition was open unusually long; the detail is the transactional or producer ID. */
        OPEN_TRANSACTION("openTransaction"),
        /** A member of a group did not poll. */
        CONSUMER_PAUSE("consumerPause"),
        /** All request handlers of a broker were busy. */
        HANDLERS_BUSY("handlersBusy"),
        TIERED_UPLOAD("tieredUpload"),
        /** A fault that the scenario injected. */
        FAULT("fault"),
        /** A slow produce request, in one of its stages at the broker; the detail is the ID of its client. */
        REQUEST_QUEUE("requestQueue", Stage.QUEUE),
        REQUEST_APPEND("requestAppend", Stage.APPEND),
        REQUEST_REPLICATION("requestReplication", Stage.REPLICATION),
        REQUEST_RESPONSE("requestResponse", Stage.RESPONSE),
        /** The broker has stopped reading from the client of the request. */
        REQUEST_THROTTLE("requestThrottle", Stage.THROTTLE);

        private final String word;
        private final Optional<Stage> stage;

        Kind(String word) {
            this.word = word;
            stage = Optional.empty();
        }

        Kind(String word, Stage stage) {
            this.word = word;
            this.stage = Optional.of(stage);
        }

        /** The stage if the event is a stage of a request; empty if it is an event that can delay records. */
        public Optional<Stage> stage() {
            return stage;
        }

        /** The name of the kind in results. */
        @JsonValue
        public String word() {
            return word;
        }
    }

    public Incident {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(where, "where");
        if (toNanos < fromNanos) {
            throw new IllegalArgumentException("An incident ends before it begins: " + fromNanos + " > " + toNanos);
        }
    }

    /** This event merged with another event of the same kind and place; a detail that differs is omitted. */
    public Incident with(Incident other) {
        return new Incident(
                kind,
                where,
                Math.min(fromNanos, other.fromNanos),
                Math.max(toNanos, other.toNanos),
                Math.max(errorNanos, other.errorNanos),
                Objects.equals(detail, other.detail) ? detail : null);
    }

    /** The same event at another place. */
    public Incident at(String place) {
        return new Incident(kind, place, fromNanos, toNanos, errorNanos, detail);
    }
}
