package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.ConsumerSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;

/** A kind of consumer: its factory and its properties. Usable by any thread. */
public interface ConsumerKind {

    /**
     * One entry of {@code consumers} on one worker.
     * @param slice local members of the entry's groups
     * @param part name of the entry in client IDs and messages, such as {@code consumers-0}
     * @param source start of end-to-end latency
     * @param feed receives the records of the first group for the audit; null if the audit reads the log itself or is
     *     off
     * @param partitions returns the number of partitions of a topic; queries the cluster
     */
    record Entry(
            LoadContext context,
            ConsumerSpec spec,
            Slice slice,
            String part,
            EndToEndSource source,
            @Nullable AuditTrail feed,
            Function<List<String>, int[]> partitions) {}

    /** Creates the consumers of an entry, not yet connected. */
    Consumers create(Entry entry);

    /** @throws PlimsollException {@link io.plimsoll.Exit#USAGE} for settings that this kind does not support */
    default void check(ConsumerSpec spec, String part) {}

    /** @throws PlimsollException {@link Exit#USAGE} for non-blocking work, which this kind does not support */
    static void checkBlocking(ConsumerSpec spec, String part) {
        LoadKind.refuse(
                spec.work().filter(work -> !work.blocking()).isPresent(),
                part + ".work.blocking",
                "load.onlyBlocking",
                spec.engine());
    }

    /**
     * Creates and closes a client without connecting, to check its properties.
     *
     * @throws PlimsollException {@link io.plimsoll.Exit#USAGE} if the properties are invalid
     */
    default void tryOut(LoadContext context, ConsumerSpec spec, String part) {}

    /** The user's properties of the producers that write for the consumers; empty for consumers that only read. */
    default Map<String, String> outputConfig(ConsumerSpec spec) {
        return Map.of();
    }

    /** The ID of one group of an entry; the group does not have to exist in the cluster. */
    default String groupId(LoadContext context, ConsumerSpec spec, String part, int group) {
        String own = context.runTag() + "-" + part + "-group-" + group;
        return spec.config().getOrDefault(ConsumerConfig.GROUP_ID_CONFIG, own);
    }

    default Set<String> groupIds(LoadContext context, ConsumerSpec spec, String part) {
        Set<String> ids = new LinkedHashSet<>();
        for (int g = 0; g < spec.groups(); g++) {
            ids.add(groupId(context, spec, part, g));
        }
        return ids;
    }

    /**
     * Whether each partition has at most one member, which alone knows the position. Otherwise the members cannot
     * compute the lag, end the group by offsets, or detect skipped records.
     */
    default boolean ownsOffsets() {
        return true;
    }

    /** Whether consumers with these settings read only committed records. */
    default boolean readsCommitted(ConsumerSpec spec) {
        return "read_committed".equals(spec.config().get("isolation.level"));
    }

    /**
     * Whether an audit can use the records of the first group instead of reading the log, if the group reads
     * everything.
     * @param byBatch whether some records are identified only by the header of their batch
     */
    boolean feedsAudit(boolean byBatch);
}
