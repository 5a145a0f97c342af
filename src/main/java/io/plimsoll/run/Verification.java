package io.plimsoll.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.PlimsollException;
import io.plimsoll.audit.JournalReader;
import io.plimsoll.audit.LogPartition;
import io.plimsoll.audit.Outcomes;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.audit.SequenceSet;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.cluster.Topics;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.LoadContext;
import io.plimsoll.result.AuditHeader;
import io.plimsoll.result.AuditResult;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunDirectory;
import io.plimsoll.text.Sentence;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;

/** Audits a finished or killed run again, on this cluster or, if empty, on the run's own cluster. */
public record Verification(Path directory, Optional<ClusterConnection> cluster, Consumer<Sentence> notes) {
    public Verification {
        directory = RunDirectory.open(directory).path();
    }

    /** @param ended whether the run ended; false if it was killed, so that the outcome of its last records is unknown */
    public record Verified(String trial, boolean ended, AuditResult audit) {}

    /**
     * @throws PlimsollException {@link Exit#USAGE} if the run has no journal or its topics no longer exist, {@link
     *     Exit#CLUSTER} if the cluster is unreachable
     */
    public List<Verified> verify() {
        List<Verified> all = new ArrayList<>();
        // Trials with only consumers have no journal, so indexes can be missing.
        RunDirectory.audited(directory).forEach(index -> all.add(verify(index)));
        Exit.USAGE.when(all.isEmpty(), "run.noAudit", directory);
        return all;
    }

    private Verified verify(int index) {
        AuditHeader header = header(directory.resolve(RunDirectory.auditHeader(index)));
        Path journal = directory.resolve(RunDirectory.auditJournal(index));
        ClusterConnection connection =
                cluster.orElseGet(() -> ClusterConnection.of(header.bootstrapServers(), null, List.of()));
        ClusterDescription description = connection.check();
        Exit.USAGE.when(
                header.clusterId() != null && !header.clusterId().equals(description.clusterId()),
                "run.otherCluster",
                header.trial(),
                header.clusterId(),
                description.clusterId());
        try (Admin admin = connection.admin()) {
            Topics topics = new Topics(admin);
            checkTopics(header, topics);
            AuditTrail trail = new AuditTrail(header.runIdBits());
            boolean ended = restore(trail, header, journal);
            LoadContext context = new LoadContext(
                            connection.clientProperties(), "plimsoll-verify-" + index, header.runIdBits(), 0, notes)
                    .with(trail);
            Map<String, Integer> leaders = LogEnds.byName(topics.leaders(header.topics()));
            LogAudit audit = new LogAudit(header, journal, context, trail, topics, () -> false);
            return new Verified(header.trial(), ended, audit.result(audit.run(), leaders, List.of()));
        } catch (InterruptedException e) {
            throw Exit.interrupted(e, "run.interruptedStep");
        }
    }

    private static AuditHeader header(Path file) {
        try {
            return Json.MAPPER.readValue(InputFile.text(file, InputFile.SAVED), AuditHeader.class);
        } catch (JsonProcessingException e) {
            throw Exit.USAGE.because(e, "run.notARunsFile", file, e.getOriginalMessage());
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "run.cannotRead", file, e.getMessage());
        }
    }

    private static void checkTopics(AuditHeader header, Topics topics) {
        Map<String, Optional<TopicDescription>> there = topics.lookup(header.topics());
        for (String name : header.topics()) {
            Optional<TopicDescription> topic = there.getOrDefault(name, Optional.empty());
            Exit.USAGE.when(topic.isEmpty(), "run.topicGone", name, header.trial());
            String id = topic.get().topicId().toString();
            Exit.USAGE.when(
                    !id.equals(header.topicIds().getOrDefault(name, id)), "run.topicAnew", name, header.trial());
        }
    }

    /** @return whether the journal is complete */
    private static boolean restore(AuditTrail trail, AuditHeader header, Path journal) {
        for (ProducerProfile profile : header.producers()) {
            trail.producer(profile, header.topics());
        }
        Outcomes outcomes = new Outcomes(header.producers()) {
            @Override
            public void batches(int producer, long kafkaId, short epoch, LogPartition partition, long sequence) {
                trail.known(producer, kafkaId, epoch, partition, sequence);
            }
        };
        try (InputStream in = new BufferedInputStream(Files.newInputStream(journal))) {
            new JournalReader(header.topics()).read(in, outcomes);
        } catch (IOException e) {
            throw Exit.USAGE.because(e, "run.cannotRead", journal, e.getMessage());
        }
        for (ProducerProfile profile : header.producers()) {
            // A killed run may have sent more records than its journal contains.
            trail.sent(profile.id(), outcomes.complete() ? outcomes.sent(profile.id()) : SequenceSet.LIMIT);
        }
        return outcomes.complete();
    }
}
