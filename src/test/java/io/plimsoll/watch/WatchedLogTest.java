package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.SharedLab;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sending and reading continue, regardless of a partition's leader. */
class WatchedLogTest {
    @TempDir
    Path directory;

    private static void awaitMore(WatchedPartitions partitions, int number, int more) throws InterruptedException {
        long next = sent(partitions, number);
        while (sent(partitions, number) < next + more) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static long sent(WatchedPartitions partitions, int number) {
        return partitions.save().get(number).next();
    }

    @Test
    @Timeout(120)
    void skipsOnlyLeaderlessPartitions() throws Exception {
        Lab lab = SharedLab.foreign();
        String topic = "leaderless-" + UUID.randomUUID();
        ClusterConnection connection = new ClusterConnection(lab.bootstrapServers(), Map.of());
        WatchSettings settings = WatchSamples.settings(connection, topic, 50, directory);
        try (Admin admin = connection.admin()) {
            new Topics(admin).create(List.of(new NewTopic(topic, 2, (short) 1)), Duration.ofSeconds(30));
        }
        Ledger ledger = new Ledger(new WatchClock(20_000_000), settings.slow(), settings.outage(), outage -> {});
        Map<Integer, Integer> leaders = new ConcurrentHashMap<>(Map.of(0, 1, 1, 1));
        WatchedMoments moments = WatchSamples.moments(topic);
        WatchedPartitions partitions =
                new WatchedPartitions(ledger, moments, UUID.randomUUID(), WatchFiles.Audited.NONE, 0);
        try (WatchedLog log = new WatchedLog(
                settings, ledger, new Refusals(what -> {}), leaders::get, leaders::get, partitions, moments)) {
            log.use(null, List.of(0, 1));
            awaitMore(partitions, 1, 10);
            leaders.remove(1);
            awaitMore(partitions, 0, 10);
            long left = sent(partitions, 1);
            awaitMore(partitions, 0, 10);
            assertThat(sent(partitions, 1)).isEqualTo(left);
            leaders.put(1, 1);
            awaitMore(partitions, 1, 10);
            assertThat(partitions.audit().clean()).isTrue();
        }
    }
}
