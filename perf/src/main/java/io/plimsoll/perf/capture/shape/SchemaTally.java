package io.plimsoll.perf.capture.shape;

import io.plimsoll.scenario.SchemaSpec.Framing;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tallies the schema IDs before keys or values, after a zero byte: 4 bytes in Confluent's framing and 8 in Apicurio's.
 * Both start IDs at 1, so an 8-byte ID begins with 4 zero bytes. Owned by one thread.
 */
public final class SchemaTally {
    /**
     * Maximum number of counted IDs. Real IDs repeat; random content has so many values that the counted ones cover few
     * records.
     */
    private static final int MOST_IDS = 32;

    private final Map<Framing, TreeMap<Long, Long>> counts = new EnumMap<>(Framing.class);
    private long records;

    /** @param share of the records that are not null */
    public record IdShare(long id, double share) {}

    /** @param ids in the order of their shares; empty without framing */
    public record SchemaIds(Framing framing, List<IdShare> ids) {
        static final SchemaIds NONE = new SchemaIds(Framing.NONE, List.of());
    }

    /** @param length of the key or value; negative if absent */
    public void add(ByteBuffer data, int at, int length) {
        // An 8-byte number, such as a time in milliseconds, can look like an ID.
        if (length < 0 || length == Long.BYTES) {
            return;
        }
        records++;
        if (length <= Integer.BYTES || data.get(at) != 0) {
            return;
        }
        int first = data.getInt(at + 1);
        if (first > 0) {
            count(Framing.CONFLUENT, first);
        } else if (first == 0 && length > Long.BYTES && data.getLong(at + 1) > 0) {
            count(Framing.APICURIO, data.getLong(at + 1));
        }
    }

    private void count(Framing framing, long id) {
        TreeMap<Long, Long> ids = counts.computeIfAbsent(framing, f -> new TreeMap<>());
        if (ids.size() < MOST_IDS || ids.containsKey(id)) {
            ids.merge(id, 1L, Long::sum);
        }
    }

    /** The IDs in the framing of the majority of records; none if the majority has no framing. */
    SchemaIds ids() {
        return counts.entrySet().stream()
                .filter(e ->
                        2 * e.getValue().values().stream().mapToLong(c -> c).sum() > records)
                .findFirst()
                .map(e -> new SchemaIds(
                        e.getKey(),
                        e.getValue().entrySet().stream()
                                .sorted(Collections.reverseOrder(Comparator.comparingLong(Map.Entry::getValue)))
                                .map(id -> new IdShare(id.getKey(), TopicShape.share(id.getValue(), records)))
                                .toList()))
                .orElse(SchemaIds.NONE);
    }
}
