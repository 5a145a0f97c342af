package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.run.guards.ClusterGuard;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** Deletes topics that earlier runs have left on a cluster, and nothing else. */
public final class OwnTopics {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MOST_NAMED = 3;

    private OwnTopics() {}

    /**
     * Makes the cluster empty of topics, if all that it has are ours.
     *
     * @param prefix with what the names of our topics begin
     * @param asked where that was asked for, for messages
     * @param consent asked where the cluster is not a lab, and no run has marked them
     * @return what was done, for the user; empty if there was nothing to do
     * @throws PlimsollException {@link Exit#USAGE} if there is any other topic: then none is deleted
     */
    public static List<Sentence> deleteAll(ClusterConnection connection, String prefix, String asked, Consent consent) {
        try (Admin admin = connection.admin()) {
            Topics topics = new Topics(admin);
            Set<String> all = topics.names(false);
            List<String> others =
                    all.stream().filter(name -> !name.startsWith(prefix)).toList();
            if (!others.isEmpty()) {
                String named = others.stream().limit(MOST_NAMED).collect(Collectors.joining(", "));
                throw Exit.USAGE.because(
                        "run.othersTopics", asked, others.size(), named + (others.size() > MOST_NAMED ? ", …" : ""));
            }
            ClusterGuard.of(connection, admin).deleting(all).enforce(consent);
            topics.delete(all, LIMIT);
            return all.isEmpty()
                    ? List.of()
                    : List.of(Sentence.of("run.deletedTopics", asked, all.size(), List.copyOf(all)));
        }
    }
}
