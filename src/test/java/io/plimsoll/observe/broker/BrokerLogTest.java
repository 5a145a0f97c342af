package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events in a broker's log are found with the times and names of their lines, as Kafka 2.8 to 4.3 writes them. */
class BrokerLogTest {
    private static final long MILLI = 1_000_000;
    private static final String DAY = "[2026-11-29 04:53:";

    @TempDir
    Path directory;

    private final long zeroMillis = LocalDateTime.parse("2026-11-29T04:53:00")
                    .atZone(ZoneId.systemDefault())
                    .toEpochSecond()
            * 1_000;
    private final IncidentSink sink = new IncidentSink(0, zeroMillis * MILLI + MILLI / 2);

    private List<Incident> of(String... lines) {
        BrokerLog log = new BrokerLog(3, Path.of("none"));
        LogTail tail = new LogTail(Path.of("none"));
        for (String line : lines) {
            tail.line(line, sink, (nanos, text) -> log.line(nanos, text, sink));
        }
        log.end(50_000 * MILLI, sink);
        return sink.take();
    }

    private static Incident incident(Kind kind, String where, long fromMillis, long toMillis, String detail) {
        return new Incident(kind, where, fromMillis * MILLI, toMillis * MILLI, MILLI, detail);
    }

    @Test
    void findsPartitionAndLogEvents() {
        assertThat(of(
                        DAY
                                + "01,100] INFO [LocalLog partition=orders-3, dir=/tmp/x] Rolled new log segment at offset 17 in"
                                + " 40 ms. (org.apache.kafka.storage.internals.log.LocalLog)",
                        DAY + "01,200] INFO [Log partition=a-b-0, dir=/x] Rolled new log segment at offset 1 in 5 ms."
                                + " (kafka.log.Log)",
                        DAY + "02,000] INFO [Partition orders-1 broker=3] Shrinking ISR from 3,1,2 to 3,1. Leader:"
                                + " (kafka.cluster.Partition)",
                        DAY
                                + "03,000] INFO [Partition orders-1 broker=3] ISR updated to 3,2,1  and version updated to 2"
                                + " (kafka.cluster.Partition)",
                        DAY
                                + "04,000] INFO [Broker id=3] Leader orders-0 with topic id Some(Px) starts at leader epoch 0"
                                + " from offset 0 with partition epoch 0, high watermark 0, ISR [3], adding replicas []"
                                + " and removing replicas [] . Previous leader None and previous leader epoch was -1."
                                + " (state.change.logger)",
                        DAY
                                + "05,291] INFO [Broker id=3] Leader orders-2 with topic id Some(Fx) starts at leader epoch 1"
                                + " from offset 0 with partition epoch 1, high watermark 0, ISR [3,1], adding replicas []"
                                + " and removing replicas [] . Previous leader Some(2) and previous leader epoch was 0."
                                + " (state.change.logger)",
                        DAY
                                + "05,400] WARN [ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Error in response for"
                                + " fetch request (type=FetchRequest, replicaId=3, maxWait=500, minBytes=1)"
                                + " (kafka.server.ReplicaFetcherThread)",
                        "java.io.IOException: Connection to 1 was disconnected before the response was read",
                        DAY + "06,000] INFO Cleaner 0: Beginning cleaning of log c-0 (org.apache.kafka.Cleaner)",
                        DAY + "06,500] INFO [kafka-log-cleaner-thread-0]: ",
                        "\tLog cleaner thread 0 cleaned log c-0 (dirty section = [0, 300])"))
                .containsExactly(
                        incident(Kind.LOG_ROLL, "broker 3", 1_060, 1_100, "orders-3"),
                        incident(Kind.LOG_ROLL, "broker 3", 1_195, 1_200, "a-b-0"),
                        incident(Kind.ISR_SHRINK, "broker 3", 2_000, 2_000, "orders-1"),
                        incident(Kind.ISR_EXPAND, "broker 3", 3_000, 3_000, "orders-1"),
                        incident(Kind.LEADER_CHANGE, "broker 3", 5_291, 5_291, "orders-2"),
                        incident(Kind.DISCONNECT, "broker 1", 5_400, 5_400, null),
                        incident(Kind.LOG_CLEANER, "broker 3", 6_000, 6_500, "c-0"));
    }

    @Test
    void findsGroupAndTransactionEvents() {
        assertThat(of(
                        DAY + "14,888] INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=1] Preparing to"
                                + " rebalance group g-0 in state PreparingRebalance with old generation 0 (reason: Adding"
                                + " new member m). (org.apache.kafka.coordinator.group.GroupMetadataManager)",
                        DAY
                                + "14,971] INFO [GroupCoordinator id=1 topic=__consumer_offsets partition=1] Stabilized group"
                                + " g-0 generation 1 with 2 members. (o.a.k.GroupMetadataManager)",
                        DAY + "15,000] INFO [GroupCoordinator 1]: Preparing to rebalance group old in state"
                                + " PreparingRebalance with old generation 3 (__consumer_offsets-13) (reason: r)"
                                + " (kafka.coordinator.group.GroupCoordinator)",
                        DAY + "15,500] INFO [GroupCoordinator 1]: Stabilized group old generation 4"
                                + " (__consumer_offsets-13) (kafka.coordinator.group.GroupCoordinator)",
                        DAY
                                + "16,132] INFO [GroupCoordinator id=3 topic=__consumer_offsets partition=3] [GroupId new-0]"
                                + " Bumped group epoch to 3 with metadata hash -68. (o.a.k.GroupMetadataManager)",
                        DAY + "17,000] INFO [TransactionCoordinator id=3] Completed rollback of ongoing transaction for"
                                + " transactionalId t-1 due to timeout (kafka.coordinator.transaction)",
                        DAY
                                + "18,000] INFO [TransactionCoordinator id=3] Initialized transactionalId t-2 with producerId"
                                + " 4001 and producer epoch 0 on partition __transaction_state-24 (kafka.coordinator)",
                        DAY
                                + "19,000] INFO [TransactionCoordinator id=3] Initialized transactionalId t-2 with producerId"
                                + " 4001 and producer epoch 1 on partition __transaction_state-24 (kafka.coordinator)"))
                .containsExactly(
                        incident(Kind.REBALANCE, "group g-0", 14_888, 14_971, null),
                        incident(Kind.REBALANCE, "group old", 15_000, 15_500, null),
                        incident(Kind.REBALANCE, "group new-0", 16_132, 16_132, null),
                        incident(Kind.TRANSACTION_ABORT, "broker 3", 17_000, 17_000, "t-1"),
                        incident(Kind.TRANSACTION_ABORT, "broker 3", 19_000, 19_000, "t-2"));
    }

    /** A follower that only voted has seen no failover, and a fenced broker is down until it is granted to return. */
    @Test
    void findsControllerAndBrokerEvents() {
        assertThat(of(
                        DAY
                                + "10,000] INFO [RaftManager id=3] Completed transition to UnattachedState(epoch=2) (o.a.k.r)",
                        DAY
                                + "10,100] INFO [RaftManager id=3] Completed transition to FollowerState(epoch=2) (o.a.k.r)",
                        DAY
                                + "14,193] INFO [RaftManager id=3] Completed transition to CandidateState(localId=3) (o.a.k.r)",
                        DAY + "14,331] INFO [RaftManager id=3] Completed transition to Leader(local=3) (o.a.k.r)",
                        DAY
                                + "14,496] INFO [QuorumController id=3] Becoming the active controller at epoch 2, next write"
                                + " offset 427. (org.apache.kafka.controller.QuorumController)",
                        DAY
                                + "23,609] INFO [QuorumController id=3] Fencing broker 1 at epoch 18 because its session has"
                                + " timed out. (org.apache.kafka.controller.ReplicationControlManager)"))
                .containsExactly(
                        incident(Kind.CONTROLLER_FAILOVER, "broker 3", 14_193, 14_496, null),
                        incident(Kind.BROKER_DOWN, "broker 1", 23_609, 50_000, null));
    }

    /** Only lines from the first look on count, each once, and only when they are complete. */
    @Test
    void followsLogFile() throws IOException {
        Path file = directory.resolve("broker.log");
        String roll = "INFO [LocalLog partition=t-0, dir=/x] Rolled new log segment at offset 1 in 0 ms. (l)\n";
        Files.writeString(file, DAY + "01,000] " + roll);
        BrokerLog log = new BrokerLog(3, file);
        log.look(0, sink);
        assertThat(sink.take()).isEmpty();
        Files.writeString(file, DAY + "02,000] " + roll.substring(0, 40), StandardOpenOption.APPEND);
        log.look(0, sink);
        assertThat(sink.take()).isEmpty();
        Files.writeString(file, roll.substring(40), StandardOpenOption.APPEND);
        log.look(0, sink);
        assertThat(sink.take()).containsExactly(incident(Kind.LOG_ROLL, "broker 3", 2_000, 2_000, "t-0"));
        Files.writeString(file, DAY + "03,000] " + roll);
        log.look(0, sink);
        assertThat(sink.take()).containsExactly(incident(Kind.LOG_ROLL, "broker 3", 3_000, 3_000, "t-0"));
    }
}
