package io.plimsoll.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.TopicConfig;

/** What a cluster would make of topics, which it does not make now. Usable by several threads; does not close the admin client. */
public record DryTopics(Admin admin) {
    /** Whether the cluster would make these topics. */
    public boolean accepts(Collection<NewTopic> wanted) {
        try {
            admin.createTopics(wanted, new CreateTopicsOptions().validateOnly(true))
                    .all()
                    .get();
            return true;
        } catch (ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            throw Answers.interrupted(
                    e, "create topic", wanted.iterator().next().name());
        }
    }

    /**
     * The {@code retention.ms} that a topic of this name would have.
     *
     * @return below 0 for no end; empty if the cluster does not tell: before Kafka 2.4, or if it would not make it
     */
    public OptionalLong usualRetentionMillis(String name) {
        NewTopic probe = new NewTopic(name, Optional.empty(), Optional.empty());
        try {
            ConfigEntry entry = admin.createTopics(List.of(probe), new CreateTopicsOptions().validateOnly(true))
                    .config(name)
                    .get()
                    .get(TopicConfig.RETENTION_MS_CONFIG);
            return entry == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(entry.value()));
        } catch (ExecutionException | NumberFormatException e) {
            return OptionalLong.empty();
        } catch (InterruptedException e) {
            throw Answers.interrupted(e, "create topic", name);
        }
    }
}
