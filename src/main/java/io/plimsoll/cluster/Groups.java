package io.plimsoll.cluster;

import io.plimsoll.PlimsollException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;

/**
 * The consumer groups of a cluster. Every method is bounded in time by the admin client and throws
 * {@link PlimsollException} with one sentence. Usable by several threads; does not close the admin client.
 */
public final class Groups {
    /**
     * A member that has just left may still be counted; one that could not say so, with thousands of commits under way,
     * is until its session ends: 10 s later in clients of 2.x.
     */
    private static final int ATTEMPTS = 120;

    private static final long BETWEEN_ATTEMPTS_MILLIS = 100;

    private final Admin admin;

    public Groups(Admin admin) {
        this.admin = admin;
    }

    /** The groups that are there, as far as this user may see them. */
    public Set<String> existing(Collection<String> ids) {
        Set<String> existing = new TreeSet<>(ids);
        try {
            existing.retainAll(admin.listGroups().all().get().stream()
                    .map(GroupListing::groupId)
                    .toList());
            return existing;
        } catch (ExecutionException e) {
            throw KafkaErrors.explain(e, "list", "the consumer groups");
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "list", "the consumer groups");
        }
    }

    /** Deletes these groups with their committed offsets; one that is not there is no failure. */
    public void delete(Collection<String> ids) {
        Set<String> left = new TreeSet<>(ids);
        for (int attempt = 1; !left.isEmpty(); attempt++) {
            Map<String, KafkaFuture<Void>> deletions =
                    admin.deleteConsumerGroups(left).deletedGroups();
            for (Map.Entry<String, KafkaFuture<Void>> deletion : deletions.entrySet()) {
                if (deleted(deletion.getKey(), deletion.getValue(), attempt == ATTEMPTS)) {
                    left.remove(deletion.getKey());
                }
            }
            if (!left.isEmpty()) {
                pause(left);
            }
        }
    }

    private static boolean deleted(String id, KafkaFuture<Void> deletion, boolean lastAttempt) {
        try {
            deletion.get();
            return true;
        } catch (ExecutionException e) {
            Throwable cause = KafkaErrors.unwrap(e);
            if (cause instanceof GroupIdNotFoundException) {
                return true;
            }
            if (cause instanceof GroupNotEmptyException && !lastAttempt) {
                return false;
            }
            throw KafkaErrors.explain(e, "delete consumer group", id);
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "delete consumer group", id);
        }
    }

    private static void pause(Set<String> ids) {
        try {
            Thread.sleep(BETWEEN_ATTEMPTS_MILLIS);
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "delete consumer group", String.join(", ", ids));
        }
    }
}
