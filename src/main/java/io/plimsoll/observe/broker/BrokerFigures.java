package io.plimsoll.observe.broker;

import io.plimsoll.measure.Observation;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures read from beans: counters and sums. Kafka's own rates decay over minutes, so they cannot be assigned to a
 * trial. The sum of a timer is its mean times its count. The only percentiles taken from the broker are those for whole
 * requests, because published reports quote them.
 */
final class BrokerFigures {
    /** Length of the interval, present in every observation. */
    static final String SECONDS = "seconds";

    /** Stages of a request: the names in the beans, and the names of the figures. */
    private static final Map<String, String> STAGES = new TreeMap<>(Map.of(
            "RequestQueueTimeMs", "requestQueueMs",
            "LocalTimeMs", "localMs",
            "RemoteTimeMs", "remoteMs",
            "ThrottleTimeMs", "throttleMs",
            "ResponseQueueTimeMs", "responseQueueMs",
            "ResponseSendTimeMs", "responseSendMs",
            "TotalTimeMs", "totalMs"));

    private static final String[] PART = {"Count", "Mean"};
    private static final String[] WHOLE = {"Count", "Mean", "95thPercentile", "99thPercentile", "999thPercentile"};
    /** The broker's own percentiles, in the order of the attributes that are read. */
    private static final List<String> OWN = List.of("p95Ms", "p99Ms", "p999Ms");

    private static final Map<String, String> REQUESTS =
            new TreeMap<>(Map.of("Produce", "produce", "FetchConsumer", "fetch", "FetchFollower", "follower"));

    /** Types of requests without records; frequent ones can indicate a problem. */
    private static final List<String> ASKED = List.of(
            "ApiVersions",
            "Metadata",
            "FindCoordinator",
            "JoinGroup",
            "OffsetCommit",
            "ListOffsets",
            "InitProducerId",
            "DescribeConfigs");

    private static final String TOPICS = "kafka.server:type=BrokerTopicMetrics,name=";
    private static final String HANDLERS = "kafka.server:type=KafkaRequestHandlerPool,name=";
    private static final String REPLICAS = "kafka.server:type=ReplicaManager,name=";
    private static final String SERVER = "kafka.server:type=KafkaServer,name=";

    private static final List<Figure> COUNTERS = List.of(
            new Figure("bytesIn", TOPICS + "BytesInPerSec", "Count"),
            new Figure("bytesOut", TOPICS + "BytesOutPerSec", "Count"),
            new Figure("messagesIn", TOPICS + "MessagesInPerSec", "Count"),
            new Figure("bytesRejected", TOPICS + "BytesRejectedPerSec", "Count"),
            new Figure("replicationBytesIn", TOPICS + "ReplicationBytesInPerSec", "Count"),
            new Figure("replicationBytesOut", TOPICS + "ReplicationBytesOutPerSec", "Count"),
            new Figure("reassignmentBytesIn", TOPICS + "ReassignmentBytesInPerSec", "Count"),
            new Figure("failedProduce", TOPICS + "FailedProduceRequestsPerSec", "Count"),
            new Figure("failedFetch", TOPICS + "FailedFetchRequestsPerSec", "Count"),
            // Records that are rewritten for a topic's codec or format, or for consumers of an older format.
            new Figure("conversions", TOPICS + "ProduceMessageConversionsPerSec", "Count"),
            new Figure("fetchConversions", TOPICS + "FetchMessageConversionsPerSec", "Count"),
            // These beans exist only with tiered storage.
            new Figure("remoteFetchBytes", TOPICS + "RemoteFetchBytesPerSec", "Count"),
            new Figure("remoteCopyBytes", TOPICS + "RemoteCopyBytesPerSec", "Count"),
            new Figure("isrShrinks", REPLICAS + "IsrShrinksPerSec", "Count"),
            new Figure("isrExpands", REPLICAS + "IsrExpandsPerSec", "Count"),
            new Figure("diskReadBytes", SERVER + "linux-disk-read-bytes", "Value"),
            new Figure("diskWriteBytes", SERVER + "linux-disk-write-bytes", "Value"));
    private static final List<Figure> GAUGES = List.of(
            new Figure("requestQueueSize", "kafka.network:type=RequestChannel,name=RequestQueueSize", "Value"),
            new Figure(
                    "networkIdleNow", "kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent", "Value"),
            new Figure("remoteCopyLag", TOPICS + "RemoteCopyLagBytes", "Value"),
            new Figure("underReplicated", REPLICAS + "UnderReplicatedPartitions", "Value"),
            new Figure("underMinIsr", REPLICAS + "UnderMinIsrPartitionCount", "Value"),
            new Figure("offlineLogDirs", "kafka.log:type=LogManager,name=OfflineLogDirectoryCount", "Value"),
            new Figure("leaders", REPLICAS + "LeaderCount", "Value"),
            new Figure("followerLag", "kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica", "Value"));

    private record Figure(String name, String bean, String attribute) {}

    /** Share of the time in which a broker sends no response at all. */
    static final String STILL = "stillShare";

    /** Number of figures that brokers report for each topic. */
    private static final int OF_TOPICS = 3;

    /** @param stillSeconds time without any response so far; NaN if the broker was not probed */
    static Reading.Builder read(Beans beans, Collection<String> topics, double stillSeconds) throws IOException {
        Reading.Builder b = new Reading.Builder();
        b.counter(STILL, stillSeconds);
        for (Figure f : COUNTERS) {
            b.counter(f.name, number(beans, f.bean, f.attribute));
        }
        for (String topic : topics) {
            for (Figure f : COUNTERS.subList(0, OF_TOPICS)) {
                b.counter(
                        Observation.OF_TOPIC + f.name + ":" + topic,
                        number(beans, f.bean + ",topic=" + topic, f.attribute));
            }
        }
        for (Figure f : GAUGES) {
            b.gauge(f.name, number(beans, f.bean, f.attribute));
        }
        requests(beans, b);
        for (String asked : ASKED) {
            double[] timer = beans.numbers("kafka.network:type=RequestMetrics,name=LocalTimeMs,request=" + asked, PART);
            if (timer[0] > 0) {
                timer(timer, b, Observation.ASKED + asked, Observation.ASKED_MS + asked);
            }
        }
        String remote = "kafka.log.remote:type=RemoteLogManager,name=RemoteLogReaderFetchRateAndTimeMs";
        timer(beans.numbers(remote, PART), b, "remoteReads", "remoteReadMs");
        timer(beans.numbers("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs", PART), b, "flushes", "flushMs");
        String converting = "kafka.network:type=RequestMetrics,name=MessageConversionsTimeMs,request=";
        b.counter("convertingSeconds", sum(beans.numbers(converting + "Produce", PART)) / 1e3);
        b.counter("fetchConvertingSeconds", sum(beans.numbers(converting + "Fetch", PART)) / 1e3);
        threads(beans, b);
        process(beans, b);
        return b;
    }

    private static void timer(double[] timer, Reading.Builder b, String count, String millis) {
        b.counter(count, timer[0]);
        b.counter(millis, sum(timer));
    }

    private static void requests(Beans beans, Reading.Builder b) throws IOException {
        for (Map.Entry<String, String> request : REQUESTS.entrySet()) {
            for (Map.Entry<String, String> stage : STAGES.entrySet()) {
                boolean whole = stage.getKey().equals("TotalTimeMs");
                double[] timer = beans.numbers(
                        "kafka.network:type=RequestMetrics,name=" + stage.getKey() + ",request=" + request.getKey(),
                        whole ? WHOLE : PART);
                b.counter(request.getValue() + "." + stage.getValue(), sum(timer));
                if (whole) {
                    b.counter(request.getValue() + ".requests", timer[0]);
                    for (int i = PART.length; i < timer.length; i++) {
                        // Before the first request, the percentiles are 0, which is not a valid time.
                        b.gauge(
                                request.getValue() + "." + OWN.get(i - PART.length),
                                timer[0] > 0 ? timer[i] : Double.NaN);
                    }
                }
            }
        }
    }

    /** The sum of a timer; 0 if it has no count, because its mean is then undefined. */
    private static double sum(double[] timer) {
        return timer[0] == 0 ? 0 : timer[0] * timer[1];
    }

    private static void threads(Beans beans, Reading.Builder b) throws IOException {
        double idle = number(beans, HANDLERS + "BrokerRequestHandlerAvgIdlePercent", "Count");
        b.counter(
                "handlerIdleNanos",
                Double.isNaN(idle) ? number(beans, HANDLERS + "RequestHandlerAvgIdlePercent", "Count") : idle);
        Map<String, double[]> byListener = new HashMap<>();
        for (Beans.Named n : beans.all(
                "kafka.server:type=socket-server-metrics,listener=*,networkProcessor=*", "io-wait-time-ns-total")) {
            double[] sum = byListener.computeIfAbsent(listener(n.bean()), l -> new double[2]);
            sum[0] += n.number();
            sum[1]++;
        }
        // The mean over a listener's threads; only one listener is busy with a load.
        byListener.forEach((listener, sum) -> b.counter("networkIdleNanos." + listener, sum[0] / sum[1]));
    }

    private static String listener(String bean) {
        int from = bean.indexOf("listener=") + "listener=".length();
        int to = bean.indexOf(',', from);
        return bean.substring(from, to < 0 ? bean.length() : to);
    }

    private static void process(Beans beans, Reading.Builder b) throws IOException {
        double[] os = beans.numbers(
                "java.lang:type=OperatingSystem", "ProcessCpuTime", "AvailableProcessors", "OpenFileDescriptorCount");
        b.counter("cpuSeconds", os[0] / 1e9);
        b.gauge("processors", os[1]);
        b.gauge("openFiles", os[2]);
        for (Beans.Named pool : beans.all("java.lang:type=MemoryPool,name=*", "CollectionUsage")) {
            // Memory of the old generation after its last collection; 0 before the first one. Other pools are emptied
            // by each collection.
            String name = pool.bean().toLowerCase(Locale.ROOT);
            if (pool.number() > 0 && (name.contains("old") || name.contains("tenured"))) {
                b.gauge("heapAfterCollection", pool.number());
            }
        }
        List<Beans.Named> collectors = beans.all("java.lang:type=GarbageCollector,name=*", "CollectionTime");
        for (Beans.Named collector : collectors) {
            // Collectors with one of these words in their name report concurrent work, which pauses no thread.
            String name = collector.bean().toLowerCase(Locale.ROOT);
            if (!name.contains("concurrent") && !name.contains("cycles")) {
                b.counter("gcSeconds", collector.number() / 1e3);
            }
        }
    }

    private static double number(Beans beans, String bean, String attribute) throws IOException {
        return beans.numbers(bean, attribute)[0];
    }

    /** The managed beans of one broker, from any source. Used by one thread at a time. */
    interface Beans {

        /** Attributes of a bean, such as {@code kafka.network:type=RequestMetrics,name=TotalTimeMs}; NaN for missing ones. */
        double[] numbers(String bean, String... attributes) throws IOException;

        /** One attribute of each bean that matches a pattern with asterisks; beans without the attribute are omitted. */
        List<Named> all(String pattern, String attribute) throws IOException;

        record Named(String bean, double number) {}
    }
}
