package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RATIO;

import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What reports of load tests show beside throughput and latency: memory, disks and network cards of brokers and hosts, sums
 * over the brokers, and the percentiles that brokers have themselves.
 */
public final class ResourceFigures implements FigureSet {
    private static final String[] HOST = {"host", "主机"};
    private static final String[] BROKER_HOST = {"host of broker", "broker 主机"};

    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>();
        for (String request : List.of("fetch", "produce")) {
            for (String percentile : List.of("95", "99", "999")) {
                all.add(own(request, percentile));
            }
        }
        all.add(Figure.of("cluster.cpu", "share of the brokers' cores that the brokers used", RATIO)
                .read(ResourceFigures::cpuShare));
        all.add(sum("bytesIn", BYTES_PER_SECOND, "from producers, all brokers together"));
        all.add(sum("bytesOut", BYTES_PER_SECOND, "to consumers, all brokers together"));
        all.add(sum("messagesIn", COUNT, "records a second from producers, all brokers together"));
        all.add(sum("bytesRejected", BYTES_PER_SECOND, "refused, all brokers together"));
        all.add(broker("messagesIn", COUNT, "records a second from producers", "messagesIn")
                .called("records in", "入 条/秒"));
        all.add(broker("bytesRejected", BYTES_PER_SECOND, "of records that were refused", "rejected")
                .called("rejected", "拒绝"));
        all.add(Figure.of("broker.memory", "bytes of memory that the process holds, on this host", COUNT)
                .seen(new ObservedFigure(ObservedFigure.BROKER, "memoryBytes", null, "process.memoryBytes", 1, false))
                .called("memory", "内存")
                .chart(new ChartLine("memory", null).ifAny()));
        all.add(Figure.of("cluster.logBytes", "bytes of the trial's topics on disks, all replicas", COUNT)
                .seen(new ObservedFigure("cluster", "logBytes", null, "logBytes", 1, false))
                .called("logs", "日志")
                .chart(new ChartLine("logs", "c3").ifAny()));
        hosts(all);
        return all;
    }

    /** The same of the load generator's host and of the brokers' hosts, as far as an exporter tells of those. */
    private static void hosts(List<Figure> all) {
        host(all, "diskRead", BYTES_PER_SECOND, "read from disks", "diskReadBytes", "diskRead");
        all.add(ofBrokerHost("hostDiskWrite", BYTES_PER_SECOND, "written to disks", "diskWriteBytes", "disk"));
        host(all, "diskQueue", COUNT, "requests that waited for disks or were served", "diskQueueSeconds", "diskQueue");
        host(all, "networkIn", BYTES_PER_SECOND, "received by its network cards", "networkInBytes", "network");
        host(all, "networkOut", BYTES_PER_SECOND, "sent by its network cards", "networkOutBytes", "networkOut");
        String await = "mean time of a disk request, waiting included";
        all.add(Figure.of("host.diskAwait", await, MICROSECONDS)
                .seen(new ObservedFigure("host", "diskAwaitMs", "diskWaitMs", "diskRequests", 1e3, false))
                .called(HOST[0], HOST[1])
                .chart(new ChartLine("diskAwait", "c7").dashed().ifAny()));
        all.add(Figure.of("broker.hostDiskAwait", "of a broker's host: " + await, MICROSECONDS)
                .seen(new ObservedFigure(
                        ObservedFigure.BROKER, "host.diskAwaitMs", "host.diskWaitMs", "host.diskRequests", 1e3, false))
                .called(BROKER_HOST[0], BROKER_HOST[1])
                .chart(new ChartLine("diskAwait", null).ifAny()));
        all.add(ofBrokerHost("hostCpu", COUNT, "cores that were busy", "cpuSeconds", "cpu"));
        all.add(ofBrokerHost("hostDiskBusy", COUNT, "disks that were busy, on average", "diskBusySeconds", "diskBusy"));
        all.add(Figure.of("host.memoryAvailable", "bytes of memory that are free or can be freed", COUNT)
                .seen(new ObservedFigure("host", "memoryAvailableBytes", null, "memoryAvailableBytes", 1, true))
                .called(HOST[0], HOST[1])
                .chart(new ChartLine("memoryAvailable", "c7").dashed()));
        all.add(Figure.of(
                        "broker.hostMemoryAvailable",
                        "of a broker's host: bytes of memory that are free or can be freed",
                        COUNT)
                .seen(new ObservedFigure(
                        ObservedFigure.BROKER, "host.memoryAvailableBytes", null, "host.memoryAvailableBytes", 1, true))
                .called(BROKER_HOST[0], BROKER_HOST[1])
                .chart(new ChartLine("memoryAvailable", null).ifAny()));
    }

    private static void host(
            List<Figure> all, String name, Dimension dimension, String what, String sum, String chart) {
        String key = sum.equals("diskQueueSeconds") ? "diskQueue" : sum;
        all.add(Figure.of("host." + name, "of the load generator's host: " + what, dimension)
                .seen(new ObservedFigure("host", key, sum, "seconds", 1, false))
                .called(HOST[0], HOST[1])
                .chart(new ChartLine(chart, "c7").dashed().ifAny()));
        String inBroker = "host" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        all.add(ofBrokerHost(inBroker, dimension, what, sum, chart));
    }

    private static Figure ofBrokerHost(String name, Dimension dimension, String what, String sum, String chart) {
        return Figure.of("broker." + name, "of a broker's host: " + what, dimension)
                .seen(new ObservedFigure(ObservedFigure.BROKER, "host." + sum, "host." + sum, "seconds", 1, false))
                .called(BROKER_HOST[0], BROKER_HOST[1])
                .chart(new ChartLine(chart, null).ifAny());
    }

    private static Figure broker(String key, Dimension dimension, String what, String chart) {
        return Figure.of("broker." + key, what, dimension)
                .seen(new ObservedFigure(ObservedFigure.BROKER, key, key, "seconds", 1, false))
                .chart(new ChartLine(chart, null).ifAny());
    }

    /** A percentile that a broker has itself: over the minutes before, weighted towards now, and so of no trial alone. */
    private static Figure own(String request, String percentile) {
        String bean = request.equals("fetch") ? "FetchConsumer" : "Produce";
        String gauge = request + ".p" + percentile + "Ms";
        return Figure.of(
                        "broker." + request + "P" + percentile,
                        "the broker's own, from `RequestMetrics`, `TotalTimeMs` of `" + bean + "`, `" + percentile
                                + "thPercentile`: over the minutes before, weighted towards now",
                        MICROSECONDS)
                .seen(new ObservedFigure(ObservedFigure.BROKER, gauge, null, gauge, 1e3, false));
    }

    private static Figure sum(String key, Dimension dimension, String what) {
        return Figure.of("cluster." + key, what, dimension).read(trial -> {
            DoubleSummaryStatistics values = trial.observed().brokers().stream()
                    .map(b -> b.get(key))
                    .filter(Number.class::isInstance)
                    .mapToDouble(n -> ((Number) n).doubleValue())
                    .summaryStatistics();
            return values.getCount() == 0 ? null : Double.valueOf(values.getSum());
        });
    }

    /** Brokers that are seen as processes of this host share its cores. */
    private static Double cpuShare(TrialResult trial) {
        double used = 0;
        double own = 0;
        double shared = 0;
        for (Map<String, Object> broker : trial.observed().brokers()) {
            Object cores = Objects.requireNonNullElse(
                    broker.get("processors"), trial.observed().host().getOrDefault("cores", 0));
            if (!(broker.get("cpu") instanceof Number cpu) || !(cores instanceof Number n) || n.doubleValue() <= 0) {
                return null;
            }
            used += cpu.doubleValue();
            boolean here = broker.get("sources") instanceof List<?> sources && sources.contains("proc");
            shared = here ? Math.max(shared, n.doubleValue()) : shared;
            own += here ? 0 : n.doubleValue();
        }
        return own + shared > 0 ? Double.valueOf(used / (own + shared)) : null;
    }
}
