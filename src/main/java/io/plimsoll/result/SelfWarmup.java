package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.text.Sentence;
import java.util.List;

/**
 * JIT warm-up of a load generator before the first trial, against a null broker in the same process, so that no record
 * reaches the cluster.
 *
 * @param worker name of the process; {@code local} if it is the only one
 * @param seconds duration
 * @param records records that the null broker received and served
 * @param end {@code steady} if throughput and CPU per record became steady, {@code limit} if they did not within the
 *     time limit, {@code failed} if the warm-up failed
 * @param without parts of the load that the warm-up omits, such as security and transactions
 */
public record SelfWarmup(
        String worker,
        double seconds,
        long records,
        String end,
        @JsonSetter(nulls = AS_EMPTY) List<Sentence> without) {
    public static final String STEADY = "steady";
    public static final String LIMIT = "limit";
    public static final String FAILED = "failed";

    /** The outcome as a clause of a sentence. */
    public Sentence outcome() {
        return Sentence.of(
                switch (end) {
                    case STEADY -> "result.selfWarmup.steady";
                    case LIMIT -> "result.selfWarmup.limit";
                    default -> "result.selfWarmup.failed";
                });
    }
}
