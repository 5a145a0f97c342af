package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.scenario.ConsumerSpec;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** How one kind makes consumers, and what others have to know of them. Any thread. */
public interface ConsumerKind {

    /**
     * One entry of {@code consumers} on one worker.
     *
     * @param slice of the members of the entry's groups that are made here
     * @param part name of the entry in client ids and messages, such as {@code consumers-0}
     * @param source what end-to-end latency is measured from
     * @param feed takes what the first group reads; null if an audit reads by itself, or there is none
     * @param partitions how many partitions each of these topics has; asks the cluster
     */
    record Entry(
            LoadContext context,
            ConsumerSpec spec,
            Slice slice,
            String part,
            EndToEndSource source,
            AuditTrail feed,
            Function<List<String>, int[]> partitions) {}

    /** Makes the consumers of an entry, which are not connected yet. */
    Consumers create(Entry entry);

    /** @throws PlimsollException {@link io.plimsoll.Exit#USAGE} for what consumers of this kind cannot do */
    default void check(ConsumerSpec spec, String part) {}

    /** @throws PlimsollException {@link Exit#USAGE} if members are to poll while they work, which this kind has no need of */
    static void checkBlocking(ConsumerSpec spec, String part) {
        if (spec.work().filter(work -> !work.blocking()).isPresent()) {
            throw LoadKind.refused(part + ".work.blocking", "load.onlyBlocking", spec.engine());
        }
    }

    /**
     * Makes a client and closes it again, without a connection.
     *
     * @throws PlimsollException {@link io.plimsoll.Exit#USAGE} if the properties do not allow that
     */
    default void tryOut(LoadContext context, ConsumerSpec spec, String part) {}

    /** The id of one group of an entry, also if the cluster does not know it. */
    default String groupId(LoadContext context, ConsumerSpec spec, String part, int group) {
        String own = context.runTag() + "-" + part + "-group-" + group;
        return spec.config().getOrDefault(ConsumerConfig.GROUP_ID_CONFIG, own);
    }

    /** The ids of all groups of an entry, as snapshots name them. */
    default Set<String> groupIds(LoadContext context, ConsumerSpec spec, String part) {
        Set<String> ids = new LinkedHashSet<>();
        for (int g = 0; g < spec.groups(); g++) {
            ids.add(groupId(context, spec, part, g));
        }
        return ids;
    }

    /**
     * Whether at any time each partition has one member at most, which alone knows where the group reads it. Without,
     * a group has no lag that could be told, its end is not known from offsets, and nobody can say what it left out.
     */
    boolean ownsOffsets();

    /** Whether what such consumers read is what was committed alone. */
    default boolean readsCommitted(ConsumerSpec spec) {
        return "read_committed".equals(spec.config().get("isolation.level"));
    }

    /**
     * Whether an audit may take what the first group reads for the log itself, if it reads all there is.
     *
     * @param byBatch some records are known by the header of their batch alone
     */
    boolean feedsAudit(boolean byBatch);
}
