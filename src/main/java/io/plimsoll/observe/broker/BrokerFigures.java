package io.plimsoll.observe.broker;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The figures that are taken from beans. Counters and sums, not the rates that Kafka computes itself: those decay over minutes
 * and belong to no trial. Of a timer, the sum is its mean times its count. Percentiles of whole requests alone are taken as the
 * broker has them, because published reports quote them, and are called its own.
 */
final class BrokerFigures {
    /** Length of a stretch, as every observation has it. */
    static final String SECONDS = "seconds";

    /** Stages of a request, as the beans call them and as the figures do. */
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
    /** The broker's own percentiles, in the order of their attributes. */
    private static final List<String> OWN = List.of("p95Ms", "p99Ms", "p999Ms");

    private static final Map<String, String> REQUESTS =
            new TreeMap<>(Map.of("Produce", "produce", "FetchConsumer", "fetch", "FetchFollower", "follower"));

    /** Meters of all topics together. */
    private static final Map<String, String> TRAFFIC = new TreeMap<>(Map.of(
            "BytesInPerSec", "bytesIn",
            "BytesOutPerSec", "bytesOut",
            "MessagesInPerSec", "messagesIn",
            "BytesRejectedPerSec", "bytesRejected",
            "ReplicationBytesInPerSec", "replicationBytesIn",
            "ReplicationBytesOutPerSec", "replicationBytesOut",
            "FailedProduceRequestsPerSec", "failedProduce",
            "FailedFetchRequestsPerSec", "failedFetch",
            "ProduceMessageConversionsPerSec", "conversions"));

    private static final String TOPICS = "kafka.server:type=BrokerTopicMetrics,name=";
    private static final String HANDLERS = "kafka.server:type=KafkaRequestHandlerPool,name=";
    private static final String REPLICAS = "kafka.server:type=ReplicaManager,name=";

    private BrokerFigures() {}

    /** Share of the time for which a broker answers nothing at all. */
    static final String STILL = "stillShare";

    static Reading read(Beans beans) throws IOException {
        return read(beans, Double.NaN);
    }

    /** @param stillSeconds for which it answered nothing so far; NaN if nobody has tried */
    static Reading read(Beans beans, double stillSeconds) throws IOException {
        Reading.Builder b = new Reading.Builder();
        b.counter(STILL, stillSeconds);
        requests(beans, b);
        for (Map.Entry<String, String> t : TRAFFIC.entrySet()) {
            b.counter(t.getValue(), number(beans, TOPICS + t.getKey(), "Count"));
        }
        tiers(beans, b);
        threads(beans, b);
        replicas(beans, b);
        disk(beans, b);
        process(beans, b);
        return b.at(System.nanoTime());
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
                        // Before the first request they are 0, which is no time of any.
                        b.gauge(
                                request.getValue() + "." + OWN.get(i - PART.length),
                                timer[0] > 0 ? timer[i] : Double.NaN);
                    }
                }
            }
        }
        b.gauge("requestQueueSize", number(beans, "kafka.network:type=RequestChannel,name=RequestQueueSize", "Value"));
    }

    /** Nothing counted yet has no mean, and no sum either way. */
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
        // The mean of a listener's threads; only one listener is busy with a load.
        byListener.forEach((listener, sum) -> b.counter("networkIdleNanos." + listener, sum[0] / sum[1]));
        b.gauge(
                "networkIdleNow",
                number(beans, "kafka.network:type=SocketServer,name=NetworkProcessorAvgIdlePercent", "Value"));
    }

    private static String listener(String bean) {
        int from = bean.indexOf("listener=") + "listener=".length();
        int to = bean.indexOf(',', from);
        return bean.substring(from, to < 0 ? bean.length() : to);
    }

    /** What went to the second tier and came from there; there are no such beans without one. */
    private static void tiers(Beans beans, Reading.Builder b) throws IOException {
        b.counter("remoteFetchBytes", number(beans, TOPICS + "RemoteFetchBytesPerSec", "Count"));
        b.counter("remoteCopyBytes", number(beans, TOPICS + "RemoteCopyBytesPerSec", "Count"));
        b.gauge("remoteCopyLag", number(beans, TOPICS + "RemoteCopyLagBytes", "Value"));
        double[] reads = beans.numbers(
                "kafka.log.remote:type=RemoteLogManager,name=RemoteLogReaderFetchRateAndTimeMs", "Count", "Mean");
        b.counter("remoteReads", reads[0]);
        b.counter("remoteReadMs", sum(reads));
    }

    private static void replicas(Beans beans, Reading.Builder b) throws IOException {
        b.gauge("underReplicated", number(beans, REPLICAS + "UnderReplicatedPartitions", "Value"));
        b.gauge("underMinIsr", number(beans, REPLICAS + "UnderMinIsrPartitionCount", "Value"));
        b.gauge("leaders", number(beans, REPLICAS + "LeaderCount", "Value"));
        b.counter("isrShrinks", number(beans, REPLICAS + "IsrShrinksPerSec", "Count"));
        b.counter("isrExpands", number(beans, REPLICAS + "IsrExpandsPerSec", "Count"));
        b.gauge(
                "followerLag",
                number(beans, "kafka.server:type=ReplicaFetcherManager,name=MaxLag,clientId=Replica", "Value"));
    }

    private static void disk(Beans beans, Reading.Builder b) throws IOException {
        double[] flush = beans.numbers("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs", "Count", "Mean");
        b.counter("flushes", flush[0]);
        b.counter("flushMs", sum(flush));
        b.counter("diskReadBytes", number(beans, "kafka.server:type=KafkaServer,name=linux-disk-read-bytes", "Value"));
        b.counter(
                "diskWriteBytes", number(beans, "kafka.server:type=KafkaServer,name=linux-disk-write-bytes", "Value"));
    }

    private static void process(Beans beans, Reading.Builder b) throws IOException {
        double[] os = beans.numbers(
                "java.lang:type=OperatingSystem", "ProcessCpuTime", "AvailableProcessors", "OpenFileDescriptorCount");
        b.counter("cpuSeconds", os[0] / 1e9);
        b.gauge("processors", os[1]);
        b.gauge("openFiles", os[2]);
        List<Beans.Named> collectors = beans.all("java.lang:type=GarbageCollector,name=*", "CollectionTime");
        for (Beans.Named collector : collectors) {
            // These count work beside the running program, which stops nobody.
            String name = collector.bean().toLowerCase(Locale.ROOT);
            if (!name.contains("concurrent") && !name.contains("cycles")) {
                b.counter("gcSeconds", collector.number() / 1e3);
            }
        }
    }

    private static double number(Beans beans, String bean, String attribute) throws IOException {
        return beans.numbers(bean, attribute)[0];
    }
}
