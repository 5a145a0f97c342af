package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.measure.Endings;
import io.plimsoll.measure.SlowBatch;
import io.plimsoll.result.ErrorAdvice;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Stage;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The diagnosis names limits that were planted into the figures of a trial. */
class DiagnosisTest {

    private static Arguments plant(String limit, String where, Consumer<Planted> how) {
        return Arguments.of(limit, where, how);
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                plant("quota", "producers", p -> p.producer("throttleShare", 0.1, "bufferWaitShare", 0.9)),
                plant("latency", null, p -> {
                    p.pipelinesFull(21);
                    p.cluster.put("idleRoundTripMs", 20.0);
                }),
                plant("bandwidth", null, p -> p.pipelinesFull(40)),
                plant("bandwidth", "this host", p -> p.pipelinesFull(4)
                        .everyBroker("totalMs", 3.5)
                        .host("linkShare", 0.97)),
                plant("buffer", null, p -> p.producer("bufferMemory", 32_768, "bufferWaitShare", 0.9)),
                plant("generator", null, p -> p.thread = 0.98),
                plant("generator", null, p -> p.calibratedShare = 0.97),
                // Requests are in flight for long because no thread reads their responses.
                plant(
                        "generator",
                        null,
                        p -> p.pipelinesFull(3).producer("ioIdle", 0.08).cluster.put("idleRoundTripMs", 2.0)),
                plant("gc", "load generator", p -> p.gcSeconds = 3),
                plant("gc", "broker 2", p -> p.broker(2, "gcShare", 0.3)),
                plant("host", "other programs", p -> {
                    p.host("cpu", 8.0, "runnable", 20.0);
                    p.pipelinesFull(15);
                    p.everyBroker("handlerIdle", 0.15, "totalMs", 3);
                }),
                // Small requests wait for a CPU just like large ones: this is not distance.
                plant("host", "other programs", p -> {
                    p.pipelinesFull(4).host("cpu", 7.8, "cpuStall", 0.8);
                    p.cluster.put("idleRoundTripMs", 3.6);
                }),
                plant("brokerCpu", null, p -> p.pipelinesFull(5)
                        .everyBroker("cpu", 2.6, "totalMs", 4.5)
                        .host("cpu", 8.0)),
                plant("batches", null, p -> {
                    p.bytesPerBatch = 300;
                    p.pipelinesFull(3).everyBroker("totalMs", 2.5);
                }),
                plant("handlers", "broker 3", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 19)
                        .broker(3, "handlerIdle", 0.03, "requestQueueMs", 17, "localMs", 0.6)),
                plant("others", "broker 1", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 19)
                        .broker(1, "produceRequests", 9_000, "handlerIdle", 0.03, "requestQueueMs", 17)),
                // The brokers' threads are idle but their host is not, and it works for other programs.
                plant("others", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 900_000;
                    p.host("cpu", 8.0, "cpuStall", 0.9).pipelinesFull(400);
                    p.everyBroker("cpu", 2.1, "bytesIn", 43e6, "totalMs", 16).failed("produce.response.p90 < 100ms");
                }),
                plant("tooLarge", null, p -> p.producer("bufferWaitShare", 0.99, "batchSize", 200_000)
                        .everyBroker("bytesIn", 2.5e6, "bytesRejected", 1.4e6)),
                plant("rolls", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 500_000;
                    p.setup.put("topic orders", Map.of("segment.ms", "20"));
                    p.host("cpu", 8.0, "cpuStall", 0.9).pipelinesFull(400);
                    p.everyBroker("cpu", 2.1, "produceRequests", 12, "localMs", 34, "remoteMs", 68, "totalMs", 106)
                            .failed("produce.response.p90 < 100ms");
                }),
                // A segment size that is filled many times per second.
                plant("rolls", null, p -> {
                    p.setup.put("topic orders", Map.of("segment.bytes", "100000"));
                    p.pipelinesFull(20).everyBroker("localMs", 18, "totalMs", 19);
                }),
                plant("compression", null, p -> {
                    p.setup.put("producers[0]", Map.of("compression.type", "zstd", "compression.zstd.level", "15"));
                    p.generatorCores = 1.4;
                    p.thread = 0.95;
                }),
                plant("standstill", "broker 2", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 5)
                        .broker(2, "stillShare", 0.5, "localMs", 4)),
                plant("synchronous", null, p -> p.producer("synchronous", 1, "lingerMs", 0, "threads", 50)),
                // A lagging sender: the window ends before its first record is sent.
                plant("synchronous", null, p -> {
                    p.closedLoop = false;
                    p.achieved = 0.01;
                    p.unanswered = true;
                    p.unsent = 30_000;
                    p.meanMicros = 5e6;
                    p.producer("synchronous", 1, "lingerMs", 5, "queueMs", 5, "requestMs", 20, "threads", 60)
                            .everyBroker("totalMs", 19, "localMs", 18);
                }),
                plant("linger", null, p -> {
                    p.producer("synchronous", 1, "lingerMs", 17, "queueMs", 17, "threads", 50);
                }),
                plant("transactions", null, p -> p.producer("inCommits", 0.7)),
                plant("clientFlush", null, p -> p.producer("inFlush", 0.7)),
                // A sender that flushes hands over records late, but is not slow itself.
                plant("clientFlush", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 920_000;
                    p.sendDelayMicros = 900_000;
                    p.producer("inFlush", 0.7).failed("produce.response.p90 < 10ms");
                }),
                plant("leaderless", null, p -> {
                    p.closedLoop = false;
                    p.achieved = 0.7;
                    p.cluster.put("leaderless", 1.0);
                }),
                // Records that wait for a leader fill the memory: more memory does not help.
                plant("leaderChanges", null, p -> {
                    p.retries = 3_000;
                    p.cluster.put("leaderChanges", 30.0);
                    p.producer("bufferWaitShare", 0.9);
                }),
                plant("minIsr", null, p -> {
                    p.closedLoop = false;
                    p.achieved = 0.7;
                    p.broker(2, "underMinIsr", 1).pipelinesFull(20).everyBroker("totalMs", 19);
                }),
                plant("leaderChanges", null, p -> {
                    p.retries = 3_000;
                    p.cluster.put("leaderChanges", 30.0);
                    p.link(2, 500, 60).producer("requests", 2_500, "requestMs", 16);
                }),
                // Two brokers wait for the third, and requests to them wait for each other: the network is not
                // involved.
                plant("replication", "broker 3", p -> {
                    p.closedLoop = false;
                    p.meanMicros = 42_000;
                    p.link(1, 667, 45)
                            .link(2, 667, 45)
                            .link(3, 1_333, 1.5)
                            .everyBroker("totalMs", 15, "remoteMs", 14.4, "produceRequests", 30)
                            .broker(3, "totalMs", 1, "remoteMs", 0.2, "produceRequests", 60, "followerLag", 40)
                            .producer("requests", 2_667, "requestMs", 23, "queueMs", 9)
                            .failed("produce.response.p90 < 10ms");
                }),
                plant("networkThreads", "broker 1", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 19)
                        .broker(1, "networkIdle", 0.02, "responseQueueMs", 17)),
                plant("cpuQuota", "broker 1", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 5)
                        .broker(1, "cpuThrottled", 0.9, "localMs", 4, "stillShare", 0.3)),
                plant("format", "broker 2", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 19, "conversions", 0, "messagesIn", 1_000)
                        .broker(2, "handlerIdle", 0.03, "requestQueueMs", 9, "localMs", 9, "conversions", 990)),
                plant("downConversion", "broker 3", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 19, "fetchConversions", 0, "fetchConvertingSeconds", 0)
                        .broker(3, "networkIdle", 0.02, "responseQueueMs", 17, "cpu", 3)
                        .broker(3, "fetchConversions", 500_000, "fetchConvertingSeconds", 2)),
                plant("flush", "broker 2", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 19)
                        .broker(
                                2,
                                "handlerIdle",
                                0.03,
                                "requestQueueMs",
                                9,
                                "localMs",
                                9,
                                "flushes",
                                100,
                                "flushMs",
                                8.5)),
                plant("append", "broker 2", p -> p.pipelinesFull(20)
                        .everyBroker("totalMs", 19)
                        .broker(2, "localMs", 18)),
                plant("disk", "this host", p -> p.pipelinesFull(5)
                        .everyBroker("totalMs", 4.5)
                        .host("diskBusy", 0.99)),
                // Brokers on other hosts, observed by exporters.
                plant("disk", "broker 2", p -> {
                    p.pipelinesFull(5).everyBroker("totalMs", 4.5);
                    p.brokers.forEach(b -> b.put("sources", List.of("prometheus")));
                    p.brokers.get(1).put("host", Map.of("diskBusy", 0.99, "diskWriteBytes", 2e8));
                }),
                plant("replication", "broker 3", p -> p.pipelinesFull(60)
                        .everyBroker("totalMs", 58, "remoteMs", 55)
                        .broker(3, "followerLag", 400)),
                plant("slowBroker", "broker 2", p -> p.link(2, 500, 100)
                        .producer("requests", 2_500, "requestMs", 22, "bufferWaitShare", 0.9)),
                // Producers avoid a slow broker: it gets few records, and all of them wait.
                plant("slowBroker", "broker 2", p -> p.link(1, 7_000, 9)
                        .link(3, 7_000, 9)
                        .link(2, 500, 95)
                        .broker(2, "localMs", 4, "requestQueueMs", 5, "totalMs", 11)
                        .producer("requests", 14_500, "requestMs", 12, "bufferWaitShare", 0.9)),
                plant("hotPartition", "orders-1", p -> {
                    p.partitions.set(1, new PartitionResult("orders", 1, 2, 80_000, 0, null, null));
                    p.link(2, 5_000, 10).producer("requests", 7_000, "requestMs", 8, "bufferWaitShare", 0.9);
                }),
                // Half of the brokers are slow, so producers without keys choose partitions of the other half.
                plant("slowBroker", "broker 2", p -> {
                    p.partitions.set(0, new PartitionResult("orders", 0, 1, 80_000, 0, null, null));
                    p.link(1, 7_000, 4)
                            .link(3, 2_000, 4)
                            .link(2, 500, 95)
                            .link(4, 500, 90)
                            .producer("requests", 10_000, "requestMs", 13, "bufferWaitShare", 0.9);
                }),
                // More memory would only hold more records that wait for the broker.
                plant("gc", "broker 2", p -> p.producer("bufferMemory", 32_768, "bufferWaitShare", 0.9)
                        .broker(2, "gcShare", 0.6)),
                plant("consumer", "group readers", p -> p.consumers(1_500, "pollIdle", 0.05)),
                plant("idleMembers", "group readers", p -> {
                    p.members = 8;
                    p.consumers(1_500, "pollIdle", 0.6, "workBound", 1_500);
                }),
                plant("pollInterval", "group readers", p -> {
                    p.rebalances = 60;
                    p.consumers(1_500, "pollIdle", 0.1, "maxPollIntervalMs", 1_000, "betweenPollsMs", 1_040);
                }),
                plant("consumer", "group readers", p -> p.consumers(1_500, "pollIdle", 0.3, "commitShare", 0.7)),
                plant("fetch", null, p -> p.consumers(1_500, "pollIdle", 0.95, "fetchMs", 200)),
                // The producer has all its allowed requests in flight, and still keeps its schedule.
                plant("fetch", null, p -> {
                    p.closedLoop = false;
                    p.achieved = 0.9965;
                    p.pipelinesFull(40).consumers(1_500, "pollIdle", 0.95, "fetchMs", 200);
                }),
                // A check may abbreviate the latency.
                plant("fetchWait", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 8_500;
                    p.endToEndMicros = 1_121_000;
                    p.failed("consume.e2e.p90 < 300ms")
                            .consumers(
                                    3_000,
                                    "pollIdle",
                                    0.99,
                                    "fetchMs",
                                    2_016,
                                    "fetchMinBytes",
                                    1_000_000,
                                    "fetchMaxWaitMs",
                                    2_000);
                }),
                plant("rebalances", "group readers", p -> {
                    p.rebalances = 12;
                    p.consumers(2_800, "pollIdle", 0.95, "fetchMs", 40, "rebalanceShare", 0.6);
                }),
                plant("rebalances", "group readers", p -> {
                    p.closedLoop = false;
                    p.rebalances = 12;
                    p.endToEndMicros = 499_000;
                    p.failed("consume.e2e.p90 < 100ms")
                            .consumers(3_000, "pollIdle", 0.95, "fetchMs", 40, "rebalanceShare", 0.4);
                }),
                // A group with one rebalance a minute is blocked for other reasons.
                plant("fetch", null, p -> {
                    p.rebalances = 1;
                    p.consumers(1_500, "pollIdle", 0.95, "fetchMs", 200, "rebalanceShare", 0.01);
                }),
                plant("stall", "broker 2", p -> p.rarelySlow()
                        .moment("gc", "broker 2", 240, 0.9, SlowBatch.Stage.NETWORK)
                        .moment("gc", "broker 2", 240, 0.9, SlowBatch.Stage.APPEND)
                        .failed("produce.response.p99 < 100ms")),
                plant("openTransaction", null, p -> {
                    p.cluster.putAll(Map.of("stuckSeconds", 8.0, "openRecords", 12_000.0));
                    p.consumers(1_500, "pollIdle", 0.95, "fetchMs", 200, "readCommitted", 1);
                }),
                // Another application's transactions of 3 s, seen once a second; fetches wait for them.
                plant("openTransaction", null, p -> {
                    p.closedLoop = false;
                    p.endToEndMicros = 1_500_000;
                    p.cluster.putAll(Map.of("stuckSeconds", 2.0, "openRecords", 1_500.0));
                    p.failed("consume.e2e.p90 < 100ms")
                            .consumers(3_000, "pollIdle", 0.95, "fetchMs", 400, "readCommitted", 1);
                }),
                // Share groups that read existing records; their work allows 800 records per second.
                plant("recordLocks", "group readers", p -> p.shared(338, 1_990, 0.55, 900)),
                plant("smallPolls", "group readers", p -> p.shared(300, 8, 0.6, 1)),
                plant("fetch", null, p -> p.shared(300, 40, 0.6, 50)),
                plant("host", "load generator", p -> {
                    p.host("cpu", 7.9, "cpuStall", 0.9, "runnable", 20.0).thread = 0.5;
                    p.generatorCores = 6;
                    p.shared(160, 1_300, 0.05, 20);
                }),
                plant("consumer", "group readers", p -> p.sharedBeside(790, 1_300, 0.02, 20)),
                plant("recordLocks", "group readers", p -> p.sharedBeside(400, 2_600, 0.5, 500)),
                plant("unevenMembers", "group readers", p -> {
                    p.closedLoop = false;
                    p.consumers(1_500, "pollIdle", 0.75, "leastPollIdle", 0.02, "workBound", 6_000);
                    p.assigned(4, 4, 4, 4);
                }),
                // As even as partitions allow, but one member still has most of the records.
                plant("hotPartition", "orders-0", p -> {
                    p.closedLoop = false;
                    p.partitions.set(0, new PartitionResult("orders", 0, 1, 80_000, 0, null, null));
                    p.consumers(1_500, "pollIdle", 0.65, "leastPollIdle", 0.02, "fetchMs", 3);
                    p.assigned(3, 3, 3, 1);
                }),
                plant("otherMembers", "group readers", p -> {
                    p.closedLoop = false;
                    p.consumers(1_000, "pollIdle", 0.95, "fetchMs", 3).assigned(12, 2, 4, 2);
                }),
                // Appended records are invisible to consumers until the followers have them.
                plant("replication", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 5_000;
                    p.endToEndMicros = 400_000;
                    p.producer("acks", 1).everyBroker("followerRequests", 10);
                    p.failed("consume.e2e.p90 < 100ms").consumers(3_000, "pollIdle", 0.99, "fetchMs", 400);
                }),
                plant("reconnects", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 6_400;
                    p.producer("connects", 90, "requests", 180, "lingerMs", 0, "queueMs", 5, "requestMs", 1.2)
                            .failed("produce.response.p50 < 3ms");
                }),
                plant("leaderSkew", "broker 1", p -> {
                    p.partitions.replaceAll(
                            q -> new PartitionResult("orders", q.partition(), 1, 10_000, 0, null, null));
                    p.link(1, 2_500, 20).producer("requests", 2_500, "requestMs", 20, "bufferWaitShare", 0.9);
                    p.clients.keySet().removeAll(List.of("producers-0 broker 2", "producers-0 broker 3"));
                }),
                plant("reconnects", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 190_000;
                    p.retries = 3_000;
                    p.producer("connects", 59, "requests", 1_400, "lingerMs", 0, "queueMs", 144, "requestMs", 54)
                            .failed("produce.response.p90 < 100ms");
                }),
                plant("failed", null, p -> {
                    p.closedLoop = false;
                    p.achieved = 0.5;
                    p.errors.put("authorization", 30_000L);
                    p.host("cpu", 8.0, "cpuStall", 0.9).everyBroker("cpu", 2.1);
                }),
                // No partition has an owner until the end of the rebalance, which may take minutes.
                plant("rebalances", "group readers", p -> p.consumers(30, "pollIdle", 0.98, "noneAssigned", 1)
                        .assigned(12, 2, 0, 0)),
                plant("coordinator", "group readers", p -> {
                    p.closedLoop = false;
                    p.readErrors.put("commit.timeout", 6L);
                    p.consumers(1, "pollIdle", 0.01, "commitShare", 1.1);
                }),
                plant("offlineDirs", "broker 1", p -> {
                    p.closedLoop = false;
                    p.achieved = 0.5;
                    p.cluster.put("leaderless", 6.0);
                    p.broker(1, "offlineLogDirs", 0.9);
                }),
                // A new replica receives all existing data, as fast as possible.
                plant("copying", null, p -> {
                    p.host("cpu", 8.0, "cpuStall", 0.9)
                            .everyBroker("cpu", 2.1, "bytesIn", 1e6, "replicationBytesIn", 3e7);
                    p.everyBroker("reassignmentBytesIn", 2.5e7);
                }),
                plant("copying", null, p -> p.pipelinesFull(40)
                        .everyBroker("bytesIn", 1e6, "replicationBytesIn", 3e7, "underReplicated", 2)
                        .everyBroker("remoteMs", 30, "totalMs", 35)),
                plant("loggers", null, p -> {
                    p.cluster.put("verboseLoggers", 240.0);
                    p.host("cpu", 8.0, "cpuStall", 0.9).everyBroker("cpu", 2.5);
                }),
                // Clients that read or query a lot do not show in the records that brokers receive.
                plant("others", "broker 1", p -> p.everyBroker("bytesIn", 1e6, "bytesOut", 5e7, "handlerIdle", 0.1)),
                plant("others", "broker 1", p -> p.everyBroker("handlerIdle", 0.1, "askedMs:Metadata", 2_000)
                        .everyBroker("asked:Metadata", 900, "produceRequests", 100, "localMs", 0.5)),
                plant("failedReads", null, p -> {
                    p.closedLoop = false;
                    p.readErrors.put("authorization", 2L);
                    p.consumers(0.1, "pollIdle", 0.1).assigned(12, 2, 0, 0);
                }),
                plant("retention", "group readers", p -> {
                    p.closedLoop = false;
                    p.cluster.put("recordsDeleted", 20_000.0);
                    p.consumers(3_000, "pollIdle", 0.9).read(3_000, 3_000, 3_000);
                }),
                plant("unreadPartitions", "group readers", p -> {
                    p.closedLoop = false;
                    p.consumers(1_000, "pollIdle", 0.97, "fetchMs", 26).read(10_000, 0, 0);
                }),
                plant("missingTopic", null, p -> {
                    p.closedLoop = false;
                    p.achieved = 0.001;
                    p.cluster.put("missingTopics", 1.0);
                    p.producer("ioIdle", 1);
                }),
                // Leaders wait for the flushes of followers; the kernel's part of it is CPU of this host.
                plant("flush", null, p -> {
                    p.closedLoop = false;
                    p.meanMicros = 170_000;
                    p.leastMicros = 10_000;
                    p.pipelinesFull(127)
                            .host("cpu", 7.7, "cpuStall", 0.82)
                            .producer("queueMs", 21, "bufferWaitShare", 0);
                    p.everyBroker("totalMs", 25, "localMs", 9.5, "remoteMs", 14, "flushes", 478, "flushMs", 1.6)
                            .failed("produce.response.p90 < 100ms");
                }),
                plant("lockTime", "group readers", p -> {
                    p.shared(300, 900, 0.05, 20);
                    p.lockTimeouts(2_000);
                }),
                // A single partition has one leader.
                plant("leaderSkew", "broker 1", p -> {
                    p.partitions.clear();
                    p.partitions.add(new PartitionResult("orders", 0, 1, 30_000, 0, null, null));
                    p.link(1, 2_500, 20).producer("requests", 2_500, "requestMs", 20, "bufferWaitShare", 0.9);
                    p.clients.keySet().removeAll(List.of("producers-0 broker 2", "producers-0 broker 3"));
                }),
                // A full host explains at most the delay that the fastest record also had.
                plant("far", null, p -> far(p, 125_000)),
                plant("host", null, p -> far(p, 10_000)),
                plant("cache", null, p -> p.consumers(1_500, "pollIdle", 0.95, "fetchMs", 200)
                        .everyBroker("diskReadBytes", 9e5)));
    }

    private static void far(Planted p, double leastMicros) {
        p.closedLoop = false;
        p.meanMicros = 179_000;
        p.leastMicros = leastMicros;
        p.host("cpu", 8.0, "cpuStall", 0.9)
                .producer("requestMs", 170, "queueMs", 6)
                .everyBroker("totalMs", 2)
                .failed("produce.response.p90 < 100ms");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("limits")
    void namesPlantedLimitFirst(String limit, String where, Consumer<Planted> how) {
        Planted planted = new Planted();
        how.accept(planted);
        Suspect first = Diagnosis.of(planted.trial()).first();
        assertThat(first).isNotNull();
        assertThat(first.limit().key()).isEqualTo("diagnose.cause." + limit);
        if (where != null) {
            assertThat(first.where().english()).isEqualTo(where);
        }
        assertThat(first.sentence().english()).doesNotContain("null").endsWith(".");
        assertThat(first.evidence()).isNotEmpty().noneMatch(e -> e.english().contains("null"));
    }

    /** Of 30,000 records, 527 are beyond 100 ms, interpolated between p95 and p99. */
    @Test
    void stallExplainsRecordsOfItsMoments() {
        assertThat(stall(p -> p.moment("gc", "broker 2", 421, 0.9, SlowBatch.Stage.NETWORK)))
                .isEqualTo(0.95);
        assertThat(stall(p -> p.moment("gc", "broker 2", 290, 0.9, SlowBatch.Stage.NETWORK)))
                .isBetween(0.46, 0.5);
        // Moments at other places are other causes.
        assertThat(stall(p -> p.moment("gc", "broker 2", 290, 0.9, SlowBatch.Stage.NETWORK)
                        .moment("gc", "broker 3", 130, 0.9, SlowBatch.Stage.NETWORK)))
                .isBetween(0.46, 0.5);
        assertThat(stall(p -> p.moment("gc", "broker 2", 421, 0.35, SlowBatch.Stage.NETWORK)))
                .isZero();
        // Records that are read late were acknowledged in time.
        assertThat(stall(p -> p.moment("openTransaction", "orders-1", 421, 0.9, SlowBatch.Stage.FETCH)))
                .isZero();
        // Faults of the scenario have a rule of their own.
        assertThat(stall(p -> p.moment("fault", "broker 2", 421, 0.9, SlowBatch.Stage.NETWORK)))
                .isZero();
    }

    private static double stall(Consumer<Planted> how) {
        Planted planted = new Planted().rarelySlow().failed("produce.response.p99 < 100ms");
        how.accept(planted);
        return Diagnosis.of(planted.trial()).causes().stream()
                .filter(s -> s.limit().key().equals("diagnose.cause.stall"))
                .mapToDouble(Suspect::score)
                .max()
                .orElse(0);
    }

    @Test
    void doesNotBlameNetworkWithoutBrokerFigures() {
        Planted planted = new Planted();
        planted.pipelinesFull(40);
        planted.brokers.clear();
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.unseen");
    }

    /** The first finding states which of several reasons it is. */
    static Stream<Arguments> reasons() {
        return Stream.of(
                says("diagnose.says.slowWay", p -> p.link(2, 200, 60).producer("requestMs", 9, "bufferWaitShare", 0.9)),
                says("send.buffer.bytes", p -> {
                    p.setup.put("producers[0]", Map.of("send.buffer.bytes", "4096"));
                    p.pipelinesFull(160);
                    p.cluster.put("idleRoundTripMs", 20.0);
                }),
                says(
                        "max.partition.fetch.bytes",
                        p -> p.consumers(
                                1_000,
                                "pollIdle",
                                0.95,
                                "fetchMs",
                                20,
                                "fetches",
                                400,
                                "fetchBytes",
                                400 * 900,
                                "fetchMaxBytes",
                                1_000)),
                says("diagnose.says.farFetch", p -> {
                    p.cluster.put("idleRoundTripMs", 40.0);
                    p.consumers(1_000, "pollIdle", 0.95, "fetchMs", 42, "fetches", 400, "fetchBytes", 400_000);
                }),
                says(
                        "receive.buffer.bytes",
                        p -> p.consumers(1_000, "pollIdle", 0.95, "fetchMs", 300, "fetches", 400, "fetchBytes", 4e7)),
                says(
                        "Metadata",
                        p -> p.everyBroker("handlerIdle", 0.1, "askedMs:Metadata", 2_000, "asked:Metadata", 900)),
                says("max.poll.records", p -> p.consumers(
                                384, "pollIdle", 0.002, "workPerPollMs", 50, "polls", 19.5, "maxPollRecords", 10)
                        .assigned(12, 2, 12, 6)),
                says("transactional.id", p -> {
                    p.closedLoop = false;
                    p.readErrors.put("producerFenced", 9L);
                    p.consumers(100, "pollIdle", 0.9);
                }));
    }

    private static Arguments says(String words, Consumer<Planted> how) {
        return Arguments.of(words, how);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("reasons")
    void firstFindingStatesItsReason(String words, Consumer<Planted> how) {
        Planted planted = new Planted();
        how.accept(planted);
        Sentence said = Diagnosis.of(planted.trial()).first().sentence();
        assertThat(said.key() + " " + said.english()).contains(words);
    }

    /** The load's own consumers cause the brokers' traffic, and records may be deleted after they were read. */
    @Test
    void doesNotBlameForeignClientsForOwnLoad() {
        Planted planted = new Planted();
        planted.everyBroker("handlerIdle", 0.1, "bytesIn", 1e6, "bytesOut", 5e7);
        planted.consumers(30_000, "pollIdle", 0.5, "fetches", 3_000, "fetchBytes", 1.5e9);
        planted.read(10_000, 10_000, 10_000);
        planted.cluster.put("recordsDeleted", 300_000.0);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .extracting(c -> c.limit().key())
                .contains("diagnose.cause.handlers")
                .doesNotContain("diagnose.cause.others", "diagnose.cause.retention");
    }

    private static List<String> ofReaders(Consumer<Planted> plant) {
        Planted planted = new Planted();
        planted.closedLoop = false;
        plant.accept(planted);
        return Diagnosis.of(planted.trial()).causes().stream()
                .map(c -> c.limit().key())
                .filter(Set.of("diagnose.cause.consumer", "diagnose.cause.fetch", "diagnose.cause.retention")::contains)
                .toList();
    }

    /** Half of the produced records go to a topic that no group reads, or to the topic of another group. */
    @Test
    void groupReadingAllOfItsTopicsIsNotBehind() {
        assertThat(ofReaders(p -> p.consumers(1_500, "pollIdle", 0.05))).contains("diagnose.cause.consumer");
        assertThat(ofReaders(p -> p.consumers(1_500, "pollIdle", 0.05)
                        .read(10_000, 10_000, 10_000)
                        .andAnotherTopic()))
                .isEmpty();
        assertThat(ofReaders(p -> {
                    p.lagAtEnd = 10;
                    p.consumers(1_500, "pollIdle", 0.05);
                }))
                .isEmpty();
        assertThat(ofReaders(p -> {
                    p.cluster.put("recordsDeleted", 20_000.0);
                    p.consumers(1_500, "pollIdle", 0.9)
                            .read(10_000, 10_000, 10_000)
                            .andAnotherTopic();
                }))
                .as("of the topic that nobody reads")
                .isEmpty();
    }

    @Test
    void namesLingerIfItDominatesResponseTime() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.meanMicros = 58_000;
        planted.producer("lingerMs", 50, "queueMs", 51);
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.linger");
    }

    @Test
    void blamesSegmentRollsOnlyForSmallSegments() {
        Planted planted = new Planted();
        // Thirty segments per second, of 100 MB, and of 100 KB.
        planted.recordBytes = 1_000_000;
        planted.setup.put("topic orders", Map.of("segment.bytes", "100000000"));
        planted.pipelinesFull(20).everyBroker("localMs", 18, "totalMs", 19);
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.append");
        planted.recordBytes = 1_000;
        planted.setup.put("topic orders", Map.of("segment.bytes", "100000"));
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.rolls");
    }

    @Test
    void doesNotMistakeConsumerWorkForCompression() {
        Planted planted = new Planted();
        planted.setup.put("producers[0]", Map.of("compression.type", "zstd"));
        planted.generatorCores = 1.4;
        planted.thread = 0.98;
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.compression");
        planted.consumers(3_000, "pollIdle", 0.5, "workBound", 3_100);
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.generator");
    }

    @Test
    void relatesRequestsToLifetimeOfDeadBroker() {
        Planted planted = new Planted();
        // The clients sent 2,500 requests to each broker, within the one second in which it lived.
        planted.pipelinesFull(20)
                .everyBroker("totalMs", 19, "handlerIdle", 0.03, "requestQueueMs", 17)
                .everyBroker("produceRequests", 2_500, "seconds", 1);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.others"));
        planted.everyBroker("seconds", Planted.SECONDS);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .anyMatch(s -> s.limit().key().equals("diagnose.cause.others"));
    }

    @Test
    void doesNotMistakeOwnCommitsForForeignLoad() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.meanMicros = 900_000;
        planted.host("cpu", 8.0, "cpuStall", 0.9).pipelinesFull(400);
        planted.everyBroker("cpu", 2.1, "bytesIn", 43e6, "produceRequests", 12.5, "totalMs", 16)
                .failed("produce.response.p90 < 100ms");
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.others"));
    }

    @Test
    void doesNotBlameCheapCodecForBusyThread() {
        Planted planted = new Planted();
        planted.setup.put("producers[0]", Map.of("compression.type", "lz4"));
        planted.thread = 0.98;
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.generator");
    }

    @Test
    void namesNothingFarFromAnyLimit() {
        Planted planted = new Planted();
        assertThat(Diagnosis.of(planted.trial()).first()).isNull();
        planted.closedLoop = false;
        assertThat(Diagnosis.of(planted.trial()).causes()).isEmpty();
        assertThat(Diagnosis.wanted(planted.trial())).isFalse();
    }

    @Test
    void brokerWithMoreThanItsShareIsNotSlow() {
        Planted planted = new Planted();
        planted.link(2, 5_000, 10).producer("requests", 7_000, "requestMs", 8);
        Suspect first = Diagnosis.of(planted.trial()).first();
        assertThat(first == null || !first.limit().key().equals("diagnose.cause.slowBroker"))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({"1, diagnose.says.hotPartition", "0, diagnose.says.hotUnkeyed"})
    void blamesKeysOnlyIfRecordsHaveThem(int keyed, String says) {
        Planted planted = new Planted();
        planted.partitions.set(1, new PartitionResult("orders", 1, 2, 80_000, 0, null, null));
        planted.link(2, 5_000, 10).producer("requests", 7_000, "requestMs", 8, "bufferWaitShare", 0.9, "keyed", keyed);
        assertThat(Diagnosis.of(planted.trial()).first().sentence().key()).isEqualTo(says);
    }

    /** A few records that fit into one batch are in one partition by chance, and its broker leads them. */
    @ParameterizedTest
    @CsvSource({"true, false", "false, true"})
    void noPartitionIsHotByChanceOrWithASingleLeader(boolean few, boolean alone) {
        Planted planted = new Planted();
        planted.partitions.replaceAll(q -> new PartitionResult(
                "orders", q.partition(), alone ? 2 : q.leader(), q.partition() == 1 ? 900 : 1, 0, null, null));
        planted.producer("keyed", alone ? 1 : 0, "batchSize", few ? 1 << 24 : 16_384);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.hotPartition"));
    }

    /** Moving a partition does not help if the scenario places the topic on one broker. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"none, diagnose.says.leaderSkew", "1, diagnose.says.pinned"})
    void blamesLeaderSkewUnlessScenarioPinsLeaders(String brokers, String says) {
        Planted planted = new Planted();
        planted.partitions.replaceAll(q -> new PartitionResult("orders", q.partition(), 1, 10_000, 0, null, null));
        planted.link(1, 2_500, 20).producer("requests", 2_500, "requestMs", 20, "bufferWaitShare", 0.9);
        planted.clients.keySet().removeAll(List.of("producers-0 broker 2", "producers-0 broker 3"));
        if (brokers != null) {
            planted.setup.put("topic orders", Map.of("brokers", brokers));
        }
        assertThat(Diagnosis.of(planted.trial()).first().sentence().key()).isEqualTo(says);
    }

    @Test
    void bufferBeyondInFlightCapacityIsNoLimit() {
        Planted planted = new Planted();
        planted.producer("bufferWaitShare", 0.9);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.buffer"));
        planted.producer("bufferMemory", 100_000);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .anyMatch(s -> s.limit().key().equals("diagnose.cause.buffer"));
    }

    /** The other records of a rejected batch fail with it, and outnumber it. */
    @Test
    void explainsFailuresByMostInformativeError() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.achieved = 0.5;
        planted.errors.putAll(Map.of("kafka", 24_000L, "invalidRecord", 7_000L));
        assertThat(Diagnosis.of(planted.trial()).first().sentence())
                .isEqualTo(Sentence.of("diagnose.says.failed", "31,000", "61,000", ErrorAdvice.of("invalidRecord")));
    }

    /** A trial can end with its last producer, with no record missing until then. */
    @Test
    void namesEarlyEndedProducerWithoutMissingRecords() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.achieved = 1;
        planted.produceEvents.put(Endings.event("fenced"), 1L);
        assertThat(Diagnosis.of(planted.trial()).causes()).anyMatch(s -> s.sentence()
                .equals(Sentence.of("diagnose.says.endedEarly", 1L, ErrorAdvice.of("fenced"))));
    }

    @Test
    void explainsTimeoutsByTheirCause() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.achieved = 0.5;
        planted.errors.put("timeout", 30_000L);
        planted.pipelinesFull(20).everyBroker("totalMs", 19).broker(3, "handlerIdle", 0.03, "requestQueueMs", 17);
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.handlers");
    }

    @Test
    void rebalancingPartitionsAreNotWithOtherMembers() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.rebalances = 9;
        planted.consumers(1_000, "pollIdle", 0.95, "fetchMs", 3, "rebalanceShare", 0.6)
                .assigned(12, 2, 6, 3);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.otherMembers"));
    }

    @Test
    void doesNotBlameReplicationForFetchAwaitingNextRecord() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.endToEndMicros = 400_000;
        planted.producer("acks", 1).everyBroker("followerRequests", 10);
        planted.failed("consume.e2e.p90 < 100ms").consumers(3_000, "pollIdle", 0.99, "fetchMs", 2);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.replication"));
    }

    @Test
    void fastBrokerAmongWaitingOnesIsNotSlow() {
        Planted planted = new Planted();
        planted.link(2, 1_000, 2).link(1, 1_000, 3).link(3, 1_000, 3);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.slowBroker"));
    }

    @Test
    void reportsUnmeasuredLimitsAsNotAvailable() {
        Planted planted = new Planted();
        planted.clients.clear();
        planted.brokers.clear();
        planted.host.clear();
        planted.cluster.clear();
        Limits limits = Diagnosis.of(planted.trial());
        assertThat(limits.causes()).isEmpty();
        assertThat(limits.stages()).isEmpty();
        assertThat(limits.notAvailable())
                .anyMatch(t -> t.arguments().contains(Sentence.of("diagnose.cause.quota")))
                .anyMatch(t -> t.arguments().contains(Sentence.of("diagnose.cause.handlers")))
                .anyMatch(t -> t.arguments().contains(Sentence.of("diagnose.cause.replication")))
                .anyMatch(t -> t.arguments().contains(Sentence.of("diagnose.cause.host")));
    }

    @Test
    void doesNotBlameReplicationWithAcks1() {
        Planted planted = new Planted();
        planted.pipelinesFull(60).everyBroker("totalMs", 58, "remoteMs", 55).producer("acks", 1);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.replication"));
    }

    @Test
    void weighsTrialWithHigherLoadMore() {
        Planted below = new Planted();
        below.closedLoop = false;
        Planted above = new Planted();
        above.producer("throttleShare", 0.3, "bufferWaitShare", 0.9);
        assertThat(Diagnosis.between(below.trial(), above.trial())
                        .first()
                        .limit()
                        .key())
                .isEqualTo("diagnose.cause.quota");
        assertThat(Diagnosis.between(null, above.trial()).first().score())
                .isGreaterThan(
                        Diagnosis.between(below.trial(), above.trial()).first().score());
    }

    /** Records also wait longer in the batch, but only because requests take longer. */
    @Test
    void namesStageThatGrewWithLoad() {
        Planted below = new Planted();
        below.everyBroker("totalMs", 3, "requestQueueMs", 1, "localMs", 1.5);
        Planted above = new Planted();
        above.meanMicros = 90_000;
        above.producer("requestMs", 30).everyBroker("totalMs", 28, "requestQueueMs", 20, "localMs", 6);
        Limits.Growth growth = Diagnosis.between(below.trial(), above.trial()).growth();
        assertThat(growth.stage().key()).isEqualTo("diagnose.stage.requestQueueMs");
        assertThat(growth.fromMs()).isEqualTo(1);
        assertThat(growth.toMs()).isEqualTo(20);
        assertThat(Diagnosis.between(below.trial(), below.trial()).growth()).isNull();
        assertThat(Diagnosis.between(null, above.trial()).growth()).isNull();
    }

    @Property(tries = 300)
    void stagesAddUpToMeanDespiteInconsistentFigures(
            @ForAll @DoubleRange(min = 0.1, max = 5_000) double meanMs,
            @ForAll @DoubleRange(min = 0.1, max = 5_000) double requestMs,
            @ForAll @DoubleRange(min = 0, max = 3_000) double brokerMs,
            @ForAll @DoubleRange(min = 0, max = 300) double bufferSeconds,
            @ForAll @LongRange(min = 0, max = 100_000) long unsent,
            @ForAll boolean closedLoop) {
        Planted planted = new Planted();
        planted.closedLoop = closedLoop;
        planted.unsent = unsent;
        planted.meanMicros = meanMs * 1e3;
        planted.sendDelayMicros = closedLoop ? 0 : meanMs * 200;
        planted.bufferWaitSeconds = bufferSeconds;
        planted.producer("requestMs", requestMs).everyBroker("localMs", brokerMs, "remoteMs", brokerMs);
        var stages = Diagnosis.of(planted.trial()).stages();
        assertThat(stages.stream().mapToDouble(Stage::ms).sum()).isCloseTo(meanMs, within(meanMs * 1e-6));
        assertThat(stages).allMatch(s -> s.ms() > 0 && s.share() <= 1 + 1e-9);
    }

    /** A broker that died, or is only observed from outside. */
    @Test
    void toleratesBrokersWithoutRequestFigures() {
        Planted planted = new Planted();
        planted.pipelinesFull(20).everyBroker("totalMs", 19, "localMs", 18);
        planted.brokers.get(2).keySet().retainAll(List.of("id", "sources"));
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.append");
        planted.brokers.forEach(b -> b.keySet().retainAll(List.of("id", "sources")));
        assertThat(Diagnosis.of(planted.trial()).notAvailable()).isNotEmpty();
    }

    /** Records that were due and unsent waited before the send for all of their time, and not in a batch. */
    @Test
    void unsentBacklogCountsAsWaitBeforeSend() {
        Planted planted = new Planted();
        planted.closedLoop = false;
        planted.achieved = 0.1;
        planted.unsent = 30_000;
        planted.unanswered = true;
        planted.meanMicros = 5e6;
        planted.producer("synchronous", 1);
        var stages = Diagnosis.of(planted.trial()).stages();
        assertThat(stages).hasSize(1);
        assertThat(stages.get(0).name().key()).isEqualTo("diagnose.stage.late");
        assertThat(stages.get(0).ms()).isCloseTo(5_000, within(1e-6));
    }

    @Property(tries = 300)
    void scoresStayInRangeForAnyFigures(
            @ForAll @DoubleRange(min = 0, max = 1e6) double value,
            @ForAll @DoubleRange(min = 0, max = 1) double share) {
        Planted planted = new Planted();
        planted.clients
                .values()
                .forEach(figures -> figures.replaceAll((name, old) ->
                        name.endsWith("Share") || name.endsWith("Idle") ? share : name.equals("clients") ? 1 : value));
        planted.brokers.forEach(b -> new LinkedHashMap<>(b).forEach((name, old) -> {
            if (old instanceof Double) {
                b.put(name, name.endsWith("Idle") || name.endsWith("Share") ? share : value);
            }
        }));
        Map<String, Object> host = planted.host;
        host.replaceAll((name, old) -> name.equals("cores") ? 4.0 : share * 4);
        planted.thread = share;
        Limits limits = Diagnosis.of(planted.trial());
        assertThat(limits.causes())
                .allMatch(s -> s.score() >= 0 && s.score() <= 1)
                .isSortedAccordingTo((a, b) -> Double.compare(b.score(), a.score()));
    }

    /** A generator near its calibrated maximum is not blamed because of an idle thread. */
    @Test
    void doesNotNameIdleThread() {
        Planted planted = new Planted();
        planted.calibratedShare = 0.97;
        assertThat(sentence(planted)).isEqualTo(generator("diagnose.didCalibrated", "97 %"));
        planted.thread = 0.98;
        assertThat(sentence(planted)).isEqualTo(generator("diagnose.threadUsed", "sender", "98 %"));
        planted.thread = 0.3;
        planted.producer("ioIdle", 0.02);
        assertThat(sentence(planted)).isEqualTo(generator("diagnose.networkThreadBusy", "98 %"));
    }

    /**
     * Many threads are runnable at the moment of the sample, once a second; but the cores are idle most of the time.
     */
    @Test
    void noThreadIsStarvedWhileCoresAreIdle() {
        Planted planted = new Planted();
        planted.thread = 0.34;
        planted.host("cores", 2.0, "cpu", 1.2, "runnable", 7.0);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.generator") && s.score() > 0);
        planted.thread = 0.45;
        planted.host("cpu", 1.7);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.generator") && s.score() > 0);
        planted.thread = 0.03;
        planted.host("cpu", 1.99, "runnable", 60.0);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .noneMatch(s -> s.limit().key().equals("diagnose.cause.generator") && s.score() > 0);
        planted.thread = 0.45;
        planted.host("cpu", 1.96, "runnable", 7.0);
        assertThat(Diagnosis.of(planted.trial()).causes())
                .anyMatch(s -> s.limit().key().equals("diagnose.cause.generator") && s.score() > 0.3);
    }

    /** Five requests at a time to a broker on the same host, each in flight for less than a millisecond. */
    @Test
    void shortRoundTripLimitsHostWithSpareCpu() {
        Planted planted = new Planted().pipelinesFull(0.8).host("cores", 2.0, "cpu", 1.17);
        planted.everyBroker("totalMs", 0.02);
        planted.cluster.put("idleRoundTripMs", 0.5);
        assertThat(Diagnosis.of(planted.trial()).first().limit().key()).isEqualTo("diagnose.cause.latency");
    }

    private static Sentence generator(String reason, Object... figures) {
        return Sentence.of("diagnose.says.generator", Sentence.of(reason, figures));
    }

    private static Sentence sentence(Planted planted) {
        return Diagnosis.of(planted.trial()).causes().get(0).sentence();
    }
}
