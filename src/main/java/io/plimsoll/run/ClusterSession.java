package io.plimsoll.run;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.cluster.ClusterRules;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.LogDirs;
import io.plimsoll.cluster.Topics;
import io.plimsoll.cluster.TransactionalIds;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabLogins;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.guards.ForeignCluster;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;

/** The cluster of a run: the user's, or a lab that lives as long as the session. */
record ClusterSession(Optional<Lab> lab, ClusterConnection connection, ClusterDescription description, Admin admin)
        implements AutoCloseable {
    static ClusterSession open(RunRequest request, Interruption interruption) {
        Optional<Lab> lab = request.cluster().isPresent()
                ? Optional.empty()
                : Optional.of(interruption.during(() -> Lab.start(request.labOptions())));
        try {
            ClusterConnection connection = request.cluster()
                    .orElseGet(() -> new ClusterConnection(
                            lab.get().bootstrapServers(),
                            lab.get().logins().map(LabLogins::client).orElse(Map.of())));
            ClusterDescription description = interruption.during(connection::check);
            return new ClusterSession(lab, connection, description, connection.admin());
        } catch (RuntimeException e) {
            lab.ifPresent(Lab::close);
            throw e;
        }
    }

    List<Integer> brokerIds() {
        return description.brokers().stream().map(ClusterDescription.Broker::id).toList();
    }

    Topics topics() {
        return new Topics(admin);
    }

    LogDirs logDirs() {
        return new LogDirs(
                admin, description.brokers().stream().map(b -> b.id()).toList());
    }

    ClusterRules rules() {
        return new ClusterRules(admin);
    }

    Groups groups() {
        return new Groups(admin);
    }

    /** Warnings for the user about the lab. */
    List<Sentence> warnings() {
        return lab.map(l -> l.unknownConfig().stream()
                        .map(name -> Sentence.of("run.unknownProperty", name))
                        .toList())
                .orElse(List.of());
    }

    BrokerRoles roles() {
        return new BrokerRoles(admin);
    }

    boolean isLab() {
        return lab.isPresent();
    }

    /** Whether nobody else's data can be there: the run's own lab, or one that was started before. */
    boolean isOwn() {
        return isLab() || Lab.isOwn(description.clusterId());
    }

    ForeignCluster guarded() {
        return new ForeignCluster(
                logDirs(),
                groups(),
                new TransactionalIds(admin),
                description.brokers().size());
    }

    RunResult.Cluster forResult() {
        return new RunResult.Cluster(
                description.clusterId(),
                lab.isPresent() ? RuntimeKafka.version() : null,
                description.brokers().stream()
                        .map(b -> new RunResult.Broker(
                                b.id(), b.host(), b.port(), b.rack().isEmpty() ? null : b.rack()))
                        .toList(),
                isLab());
    }

    /** Copies the brokers' logs; does nothing for a cluster that is not ours. */
    void keepLogs(Path directory) {
        lab.ifPresent(l -> l.keepLogs(directory));
    }

    @Override
    public void close() {
        admin.close(Duration.ofSeconds(2));
        lab.ifPresent(Lab::close);
    }
}
