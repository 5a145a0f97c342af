package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.measure.SlowBatch;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A period in which records were slow in the same stage and at the same brokers. Times are seconds since the trial's
 * start.
 * @param toSeconds end of the wait; records that the client kept back can wait longer
 * @param stage the stage in which the records spent most of their time, such as {@code append}; records that the client
 *     kept back do not count
 * @param brokers leaders of the slow records; empty if unknown
 * @param partitions partitions of the slow records, such as {@code orders-3}
 * @param of producers or consumer groups, as in the scenario
 * @param records number of slow records in memory; the number in the trial can be larger
 * @param worstMicros latency of the slowest record
 * @param worst slowest batches, slowest first, with the time in each stage
 * @param causes events that coincide with the moment and can explain it, most probable first; empty if none was
 *     observed
 */
public record SlowMoment(
        double fromSeconds,
        double toSeconds,
        String stage,
        @JsonSetter(nulls = AS_EMPTY) List<Integer> brokers,
        @JsonSetter(nulls = AS_EMPTY) List<String> partitions,
        @JsonSetter(nulls = AS_EMPTY) List<String> of,
        long records,
        long worstMicros,
        @JsonSetter(nulls = AS_EMPTY) List<SlowBatch> worst,
        @JsonSetter(nulls = AS_EMPTY) List<Cause> causes) {
    public SlowMoment {
        stage = Objects.requireNonNullElse(stage, "");
    }

    SlowMoment with(List<Cause> found) {
        return new SlowMoment(
                fromSeconds, toSeconds, stage, brokers, partitions, of, records, worstMicros, worst, found);
    }

    /**
     * An event that can explain a slow moment.
     *
     * @param event kind of the event, such as {@code gc}
     * @param where place of the event, such as {@code broker 1}, {@code host} or {@code generator}
     * @param fromSeconds start of the event, since the trial's start
     * @param detail a partition, file, or collector; absent if none
     * @param confidence 0 to 1: how much of the moment the event covers, and how well its place and stage agree
     */
    public record Cause(
            String event,
            String where,
            double fromSeconds,
            double toSeconds,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String detail,

            double confidence) {
        public Cause {
            event = Objects.requireNonNullElse(event, "");
            where = Objects.requireNonNullElse(where, "");
        }
    }
}
