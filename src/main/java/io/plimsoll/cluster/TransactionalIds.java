package io.plimsoll.cluster;

import io.plimsoll.PlimsollException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTransactionsResult;
import org.apache.kafka.common.errors.TransactionalIdNotFoundException;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/** The transactional ids that a cluster remembers. Usable by several threads; does not close the admin client. */
public record TransactionalIds(Admin admin) {
    /**
     * Those that some producer has used already, within the cluster's {@code transactional.id.expiration.ms}.
     *
     * @return empty if the cluster does not tell: brokers before Kafka 3.0
     * @throws PlimsollException with one sentence, for example for want of the right to describe them
     */
    public Optional<Set<String>> existing(Collection<String> ids) {
        Set<String> existing = new TreeSet<>();
        DescribeTransactionsResult answers = admin.describeTransactions(ids);
        for (String id : ids) {
            try {
                answers.description(id).get();
                existing.add(id);
            } catch (ExecutionException e) {
                Throwable cause = KafkaErrors.unwrap(e);
                if (cause instanceof UnsupportedVersionException) {
                    return Optional.empty();
                }
                if (!(cause instanceof TransactionalIdNotFoundException)) {
                    throw KafkaErrors.explain(e, "describe transactional id", id);
                }
            } catch (InterruptedException e) {
                throw Answers.interrupted(e, "describe transactional id", id);
            }
        }
        return Optional.of(existing);
    }
}
