package io.plimsoll.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Records of one batch that waited unusually long, and the stages of the slowest record. Immutable.
 *
 * @param of producer entry or consumer group, as in the scenario
 * @param partition name of the partition, such as {@code orders-3}
 * @param broker the leader that responded; negative if unknown
 * @param offset offset of the first record; negative if unknown
 * @param records number of slow records that ended at the same time
 * @param fromNanos time at which the slowest record was due, since the trial's start
 * @param stages nanoseconds in each stage, in order and without gaps; stages without time are absent
 */
public record SlowBatch(
        String of,
        String partition,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) int broker,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) long offset,
        int records,
        long fromNanos,
        Map<Stage, Long> stages) {
    private static final long LEAST_NANOS = 10_000_000;
    /** Number of slowest batches of each second that are always kept. */
    private static final int ALWAYS = 3;

    /** A stage of a record, in the order in which records pass the stages. {@link #word} is the name in results. */
    public enum Stage {
        /** From the intended time until the client accepted the record: the load generator, or a blocked send. */
        SEND("send"),
        /** In the client until the first request: linger, a full buffer, or the limit of requests in flight. */
        BATCH("batch"),
        /** From the first request to the acknowledged request. */
        RETRY("retry"),
        /** From the request to its response: network and broker, if these cannot be separated. */
        REQUEST("request"),
        /** In the broker's request queue. */
        QUEUE("queue"),
        /** In the request handler: append to the log. */
        APPEND("append"),
        /** Wait until the followers had the records. */
        REPLICATION("replication"),
        /** Delay by a quota. */
        THROTTLE("throttle"),
        /** In the broker's response queue. */
        RESPONSE("response"),
        /** The remaining time of the request: connection, network, sending the request and reading the response. */
        NETWORK("network"),
        /** From sending to the acknowledgment, for a client that does not report requests. */
        ANSWER("answer"),
        /** Before a record is read: from its intended time to its timestamp. */
        PRODUCE("produce"),
        /** The consumer did not poll, because it processed earlier records or was paused. */
        POLL("poll"),
        /** The remaining time until a poll returned the record: high watermark, last stable offset, and fetch. */
        FETCH("fetch"),
        /** From the return of the poll until the record was processed, after earlier records of the same poll. */
        WORK("work");

        private final String word;

        Stage(String word) {
            this.word = word;
        }

        /** The name of the stage in results. */
        @JsonValue
        public String word() {
            return word;
        }
    }

    public SlowBatch {
        stages = Collections.unmodifiableMap(new TreeMap<>(stages));
    }

    /** The total time of the slowest record. */
    public long nanos() {
        return stages.values().stream().mapToLong(Long::longValue).sum();
    }

    /** End of the last stage, since the trial's start. */
    public long toNanos() {
        return fromNanos + nanos();
    }

    /** A copy in which the request time is divided in these proportions; unchanged if none is above 0. */
    public SlowBatch divided(Map<Stage, Double> shares) {
        double sum = shares.values().stream().mapToDouble(Double::doubleValue).sum();
        if (!(sum > 0)) {
            return this;
        }
        Map<Stage, Long> parts = new TreeMap<>(stages);
        long request = parts.remove(Stage.REQUEST);
        shares.forEach((stage, share) -> {
            long part = Math.round(request * (share / sum));
            if (part > 0) {
                parts.put(stage, part);
            }
        });
        return new SlowBatch(of, partition, broker, offset, records, fromNanos, parts);
    }

    /** Whether a consumer received the records. */
    public boolean reads() {
        return stages.keySet().stream().anyMatch(stage -> stage.compareTo(Stage.PRODUCE) >= 0);
    }

    /** A copy with the leader of the partition, if the broker was unknown. */
    public SlowBatch ledBy(Map<String, Integer> leaders) {
        int leader = broker < 0 ? leaders.getOrDefault(partition, broker) : broker;
        return new SlowBatch(of, partition, leader, offset, records, fromNanos, stages);
    }

    /** The longest stage. */
    public Stage stage() {
        return Collections.max(stages.entrySet(), Map.Entry.comparingByValue()).getKey();
    }

    /** Start of a stage, since the trial's start. */
    public long startOf(Stage stage) {
        return fromNanos
                + stages.entrySet().stream()
                        .takeWhile(part -> part.getKey().compareTo(stage) < 0)
                        .mapToLong(Map.Entry::getValue)
                        .sum();
    }

    /** The batches with a latency far above the median, and always the slowest few. */
    static List<SlowBatch> standingOut(List<SlowBatch> of, long medianNanos) {
        long bound = Math.max(LEAST_NANOS, 3 * medianNanos);
        List<SlowBatch> slowest = slowest(of, SlowTail.MOST);
        return IntStream.range(0, slowest.size())
                .filter(i -> i < ALWAYS || slowest.get(i).nanos() >= bound)
                .mapToObj(slowest::get)
                .toList();
    }

    /** The slowest batches, slowest first: at most {@code most} each of producers and of consumers. */
    public static List<SlowBatch> slowest(List<SlowBatch> of, int most) {
        Comparator<SlowBatch> slowestFirst =
                Comparator.comparingLong(SlowBatch::nanos).reversed();
        return Stream.of(true, false)
                .flatMap(reads -> of.stream()
                        .filter(batch -> batch.reads() == reads)
                        .sorted(slowestFirst)
                        .limit(most))
                .sorted(slowestFirst)
                .toList();
    }
}
