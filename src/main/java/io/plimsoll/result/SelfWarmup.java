package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.List;

/**
 * How a load generator has let its own code run before the first trial: against a null broker in the same process, so that
 * compiling is no part of what is measured and no record reaches the cluster.
 *
 * @param worker name of the process, {@code local} for the only one
 * @param seconds that it took
 * @param records that the null broker took and served
 * @param end {@code steady}, {@code limit} or {@code failed}: throughput and CPU per record had come to rest; they had not
 *     when its time was over; it could not go on
 * @param without the parts of the load that a null broker cannot stand in for
 */
public record SelfWarmup(String worker, double seconds, long records, String end, List<Sentence> without) {
    public static final String STEADY = "steady";
    public static final String LIMIT = "limit";
    public static final String FAILED = "failed";

    public SelfWarmup {
        without = without == null ? List.of() : List.copyOf(without);
    }

    /** What became of it, as a clause. */
    public Sentence outcome() {
        return Sentence.of(
                switch (end) {
                    case STEADY -> "result.selfWarmup.steady";
                    case LIMIT -> "result.selfWarmup.limit";
                    default -> "result.selfWarmup.failed";
                });
    }
}
