package io.plimsoll.load.client;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.KafkaErrors;
import io.plimsoll.load.LoadContext;
import io.plimsoll.scenario.ConsumerSpec;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.GroupState;

/**
 * Waits until the assignments of consumer groups are stable. With Kafka's newer protocol, the first member keeps all partitions
 * until its next heartbeat, seconds later, and members that joined in between appear to have an empty assignment: only the
 * brokers know that a rebalance is pending. Used by one thread.
 */
final class GroupReadiness implements AutoCloseable {
    /** A new assignment can be replaced when the last member joins. */
    private static final long SETTLED_NANOS = 300_000_000L;

    private static final long LOOK_MILLIS = 5;
    private static final long ASK_NANOS = 100_000_000L;

    private final ConsumerSpec spec;
    /** Null if no wait is needed, or the members know the state themselves. */
    private final Admin admin;

    private long askedNanos;

    GroupReadiness(LoadContext context, ConsumerSpec spec) {
        this.spec = spec;
        Map<String, Object> properties = new HashMap<>(context.clientProperties());
        properties.keySet().retainAll(AdminClientConfig.configNames());
        properties.remove(CommonClientConfigs.CLIENT_ID_CONFIG);
        String name = ConsumerConfig.GROUP_PROTOCOL_CONFIG;
        Object protocol = spec.config().containsKey(name)
                ? spec.config().get(name)
                : context.clientProperties().get(name);
        boolean asks = spec.members() > 1 && "consumer".equalsIgnoreCase(String.valueOf(protocol));
        this.admin = asks ? Admin.create(properties) : null;
    }

    /**
     * Waits for groups.
     *
     * @param looksReady state according to the members; fails if a member has failed
     * @return false on timeout
     */
    boolean await(BooleanSupplier looksReady, Collection<String> ids, long deadlineNanos) {
        long readySince = 0;
        while (true) {
            boolean ready = looksReady.getAsBoolean();
            long now = System.nanoTime();
            readySince = ready ? (readySince == 0 ? now : readySince) : 0;
            // A group with one member is ready.
            if (ready && (spec.members() == 1 || now - readySince > SETTLED_NANOS) && stable(ids, now)) {
                return true;
            }
            if (now > deadlineNanos) {
                return false;
            }
            sleep(LOOK_MILLIS);
        }
    }

    private boolean stable(Collection<String> ids, long nowNanos) {
        if (admin == null) {
            return true;
        }
        if (nowNanos - askedNanos < ASK_NANOS) {
            return false;
        }
        askedNanos = nowNanos;
        try {
            for (ConsumerGroupDescription group :
                    admin.describeConsumerGroups(ids).all().get().values()) {
                if (group.groupState() != GroupState.STABLE || group.members().size() < spec.members()) {
                    return false;
                }
            }
            return true;
        } catch (ExecutionException e) {
            // Without the right to describe the group, rely on its members.
            return !(KafkaErrors.unwrap(e) instanceof org.apache.kafka.common.errors.RetriableException);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static PlimsollException interrupted(InterruptedException e) {
        return Exit.interrupted(e, "load.interruptedJoining");
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close(java.time.Duration.ZERO);
        }
    }
}
