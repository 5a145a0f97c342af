package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cli.InProcess;
import io.plimsoll.cluster.GroupWatch.Progress;
import io.plimsoll.cluster.Topics.TopicReport;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import io.plimsoll.run.guards.ForeignCluster.ClusterGuard;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A group with unreplicated partitions, one of them on a stopped broker. */
class GroupWatchTest {
    private static final TopicPartition STAYS = new TopicPartition("half", 0);
    private static final TopicPartition GOES = new TopicPartition("half", 1);

    private static void send(Lab lab, int partition, int records) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>("half", partition, null, new byte[1]))
                        .get();
            }
        }
    }

    /** Number of records that a reader of the whole topic reads, without the partition that has no leader. */
    private static long read(Lab lab) {
        LogReader reader = new LogReader(
                ClusterConnection.of(lab.bootstrapServers(), null, List.of()),
                new LogReader.Options(
                        "half",
                        new LogReader.Start.Earliest(),
                        OptionalInt.empty(),
                        OptionalLong.empty(),
                        Optional.of(Duration.ofSeconds(30)),
                        Optional.empty(),
                        true));
        assertThat(reader.skipped()).containsExactly(GOES);
        return reader.read(new LogReader.Sink() {
                    @Override
                    public void accept(ConsumerRecord<byte[], byte[]> consumed) {}

                    @Override
                    public boolean endOfBatch() {
                        return true;
                    }
                })
                .read();
    }

    @Test
    @Tag("nightly")
    void leaderlessPartitionDoesNotHideOtherPartitions() throws Exception {
        try (Lab lab = SharedLab.ownForeign(3);
                Admin admin = ClusterConnection.of(lab.bootstrapServers(), null, List.of())
                        .admin()) {
            // The coordinator of the group stays.
            new Topics(admin)
                    .create(
                            List.of(new NewTopic("half", Map.of(0, List.of(1), 1, List.of(3)))),
                            Duration.ofSeconds(30));
            admin.alterConsumerGroupOffsets(
                            "readers", Map.of(STAYS, new OffsetAndMetadata(0), GOES, new OffsetAndMetadata(0)))
                    .all()
                    .get();
            admin.alterConsumerGroupOffsets("gone", Map.of(GOES, new OffsetAndMetadata(0)))
                    .all()
                    .get();
            send(lab, 0, 5);
            send(lab, 1, 7);
            try (GroupWatch watch = new GroupWatch(
                            ClusterConnection.of(lab.bootstrapServers(), null, List.of()), admin, "readers");
                    GroupWatch later = new GroupWatch(
                            ClusterConnection.of(lab.bootstrapServers(), null, List.of()), admin, "readers")) {
                assertThat(watch.progress().known().get(STAYS).unread()).isEqualTo(5);
                assertThat(watch.progress().known().get(GOES).unread()).isEqualTo(7);
                lab.kill(3);
                send(lab, 0, 1);
                Progress known = watch.progress();
                assertThat(known.known().get(STAYS).unread()).isEqualTo(6);
                assertThat(known.known().get(GOES).unread()).as("as it was").isEqualTo(7);
                Progress first = later.progress();
                assertThat(first.known().get(STAYS).unread()).isEqualTo(6);
                assertThat(first.positions()).as("who came later").containsOnlyKeys(STAYS);
                assertThat(later.withoutEndOffset()).containsExactly("half-1");
                InProcess lag = InProcess.run(
                        "lag", "gone", "readers", "--for", "2s", "--bootstrap-server", lab.bootstrapServers());
                assertThat(lag.exit()).as(lag.err()).isEqualTo(6);
                assertThat(lag.out()).contains("readers");
                assertThat(lag.err()).containsPattern(Said.en("cli.groupNotSeen", "gone", null));
                TopicReport report =
                        TopicReport.of(new Topics(admin), List.of("half")).get(0);
                assertThat(report.records()).isNull();
                assertThat(new ClusterGuard(admin, false)
                                .deleting(List.of("half"))
                                .beyond())
                        .containsExactly(Sentence.of("guards.deletesUnknown", "half"));
                assertThat(read(lab)).isEqualTo(6);
                lab.restart(3);
                send(lab, 1, 2);
                Progress again = watch.progress();
                while (again.known().get(GOES).unread() < 9) {
                    again = watch.progress();
                }
                assertThat(again.known().get(GOES).unread()).isEqualTo(9);
            }
        }
    }
}
