package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.LogDirs;
import io.plimsoll.cluster.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A broker that loses a disk continues without its partitions, and recovers them with the disk. */
@Tag("nightly")
@Timeout(300)
class LostDiskTest {
    private static final String TOPIC = "lost";

    @Test
    void losesAndRecoversOnlyPartitionsOfTheDisk() throws Exception {
        try (Lab lab = Lab.start(LabOptions.ephemeral(2).withHeapMegabytes(384).withDisks(2));
                Admin admin = Admin.create(Map.of("bootstrap.servers", lab.bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(TOPIC, 8, (short) 2))).all().get();
            replicate(lab);
            Map<String, Map<Integer, List<Integer>>> copies = new Topics(admin).copies(Set.of(TOPIC));
            LogDirs disks = new LogDirs(admin, List.of(1, 2));
            LabRehearsal rehearsal = new LabRehearsal(lab);
            rehearsal.loseDisk(2);
            Set<Integer> gone =
                    partitions(LabExtras.lost(lab.nodes().get(1).disks().get(1)));
            assertThat(gone).hasSizeBetween(1, 7);
            assertThat(disks.survivingReplicas(copies)).hasSameSizeAs(gone).allSatisfy((partition, left) -> {
                assertThat(gone).contains(partition.partition());
                assertThat(left).containsExactly(1);
            });
            assertThat(lab.describe(2).alive()).isTrue();
            rehearsal.returnDisk(2);
            assertThat(disks.survivingReplicas(copies)).isEmpty();
        }
    }

    @Test
    void refusesToLoseTheOnlyDisk() {
        try (Lab lab = Lab.start(LabOptions.ephemeral(1).withHeapMegabytes(384))) {
            assertThatThrownBy(() -> new LabRehearsal(lab).loseDisk(1))
                    .isInstanceOf(PlimsollException.class)
                    .hasMessageContaining("lab.disks=2");
        }
    }

    /** With acks=all, an acknowledgment proves that a record is on both brokers. */
    private static void replicate(Lab lab) throws Exception {
        try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", lab.bootstrapServers(), "acks", "all"),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
            for (int partition = 0; partition < 8; partition++) {
                producer.send(new ProducerRecord<>(TOPIC, partition, null, new byte[1]))
                        .get();
            }
        }
    }

    private static Set<Integer> partitions(Path disk) throws IOException {
        try (Stream<Path> all = Files.list(disk)) {
            return all.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith(TOPIC + "-"))
                    .map(name -> Integer.valueOf(name.substring(TOPIC.length() + 1)))
                    .collect(Collectors.toSet());
        }
    }
}
