package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RATIO;

import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.result.Generator.BusiestThread;
import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** What was observed of the load generator, hosts, brokers and the cluster. */
public final class ObservedFigures implements FigureSet {
    private static final String[] HOST = {"host", "主机"};
    private static final String[] BROKER_HOST = {"host of broker", "broker 主机"};

    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(generator());
        all.add(seen("host.cpu", COUNT, "cores of the load generator's host that were busy", "cpu")
                .called(HOST[0], HOST[1])
                .chart(new ChartLine("cpu", "c7").dashed()));
        all.add(Figure.of(
                        "host.others",
                        "cores of that host that neither the generator nor brokers on it used, stolen time included",
                        COUNT)
                .read(BusyHost::others));
        all.add(seen("host.diskBusy", RATIO, "share of the time that its busiest disk was busy", "diskBusy")
                .called(HOST[0], HOST[1])
                .chart(new ChartLine("diskBusy", "c7").dashed().ifAny()));
        all.add(seen("host.diskWrite", BYTES_PER_SECOND, "written to its disks", "diskWriteBytes")
                .called(HOST[0], HOST[1])
                .chart(new ChartLine("disk", "c7").dashed()));
        all.add(seen("broker.cpu", COUNT, "cores", "cpu")
                .ofEachBroker(0, "CPU", "CPU")
                .chart("cpu", null));
        all.add(seen("broker.bytesIn", BYTES_PER_SECOND, "from producers", "bytesIn")
                .ofEachBroker(1, "in MB/s", "入 MB/s")
                .chart("bytesIn", null));
        all.add(seen("broker.bytesOut", BYTES_PER_SECOND, "to consumers", "bytesOut")
                .ofEachBroker(2, "out MB/s", "出 MB/s")
                .chart("bytesOut", null));
        all.add(seen("broker.produceRequests", COUNT, "produce requests a second", "produceRequests")
                .ofEachBroker(4, "requests/s", "生产请求/秒"));
        all.add(idle("handlerIdle", "request handlers").ofEachBroker(0, "handlers idle", "处理线程空闲"));
        all.add(idle("networkIdle", "network threads").ofEachBroker(1, "network idle", "网络线程空闲"));
        all.add(stage("requestQueue", "in the queue for a request handler").ofEachBroker(2, "queue", "队列"));
        all.add(stage("local", "of the leader's own work").ofEachBroker(0, "local", "本地"));
        all.add(stage("remote", "of waiting for followers").ofEachBroker(1, "remote", "远程"));
        all.add(stage("throttle", "held back by a quota").ofEachBroker(2, "throttle", "限流"));
        all.add(stage("responseQueue", "in the queue for a network thread"));
        all.add(stage("responseSend", "of sending the answer").ofEachBroker(3, "send", "发送"));
        all.add(stage("total", "altogether"));
        all.add(seen("broker.diskRead", BYTES_PER_SECOND, "read from disks", "diskReadBytes")
                .ofEachBroker(6, "disk reads MB/s", "磁盘读取 MB/s")
                .chart(new ChartLine("diskRead", null).ifAny()));
        all.add(seen("broker.diskWrite", BYTES_PER_SECOND, "written to disks", "diskWriteBytes")
                .ofEachBroker(5, "disk writes MB/s", "磁盘写入 MB/s")
                .chart("disk", null));
        all.add(seen("broker.gc", RATIO, "share of the time in garbage collection", "gcShare")
                .ofEachBroker(5, "GC", "GC")
                .chart("gc", null));
        all.addAll(tiers());
        all.add(gauge("broker.underReplicated", "partitions that lack a replica in sync")
                .ofEachBroker(3, "under-replicated", "副本不足"));
        all.add(gauge("cluster.underReplicated", "partitions of the trial's topics that lack one")
                .called("under-replicated", "副本不足")
                .chart(new ChartLine("replicas", "c2").ifAny()));
        all.add(gauge("cluster.leaderless", "partitions of the trial's topics without a leader")
                .called("without leader", "无 leader")
                .chart(new ChartLine("replicas", "c5").ifAny()));
        resources(all);
        return all;
    }

    /** Of brokers with a second tier. */
    private static List<Figure> tiers() {
        return List.of(
                seen("broker.remoteFetch", BYTES_PER_SECOND, "read from the second tier", "remoteFetchBytes")
                        .ofEachBroker(3, "remote reads MB/s", "远程读取 MB/s")
                        .chart(new ChartLine("remote", null).ifAny()),
                seen("broker.remoteCopy", BYTES_PER_SECOND, "copied there", "remoteCopyBytes")
                        .ofEachBroker(4, "remote copies MB/s", "远程写入 MB/s")
                        .chart(new ChartLine("remoteCopy", null).ifAny()),
                seen(
                                "broker.remoteRead",
                                MICROSECONDS,
                                "mean time of a read from there, until its first byte goes on",
                                "remoteReadMs")
                        .ofEachBroker(3, "remote read", "远程读取耗时"),
                gauge("broker.remoteCopyLag", "bytes of closed segments that are not there yet")
                        .ofEachBroker(5, "copy lag, bytes", "上传滞后字节")
                        .chart(new ChartLine("remoteCopyLag", null).ifAny()),
                gauge(
                                "cluster.openRecords",
                                "records that readers of committed ones are not shown yet: from the last stable offset"
                                        + " to the end")
                        .called("in or behind open transactions", "在未结束的事务中或其后")
                        .chart(new ChartLine("openRecords", "c3").ifAny()),
                seen(
                        "cluster.stuck",
                        MICROSECONDS,
                        "how long the last stable offset of a partition stood still with records behind it, at the"
                                + " most",
                        "stuckSeconds"),
                gauge("cluster.remoteRecords", "records of the trial's topics that are nowhere else")
                        .called("in the second tier alone", "仅在第二层")
                        .chart(new ChartLine("remoteRecords", "c3").ifAny()));
    }

    private static List<Figure> generator() {
        return List.of(
                Figure.of("generator.cpu", "cores that the load generator used", COUNT)
                        .called("load generator", "负载发生器")
                        .read(of(g -> g.cpu().cpuCores()))
                        .each(s -> s.perSecond(s.get(GeneratorUse.CPU_NANOS) / 1e9))
                        .chart(new ChartLine("cpu", "c0").dashed()),
                Figure.of("generator.spun", "cores that it spent on being awake before due times", COUNT)
                        .read(of(g -> g.wakeUps().spunCores()))
                        .each(s -> s.perSecond(s.get(GeneratorUse.SPUN_NANOS) / 1e9)),
                Figure.of("generator.gc", "share of the time in garbage collection", RATIO)
                        .called("load generator", "负载发生器")
                        .read(of(Generator::gcShare))
                        .each(s -> s.perSecond(s.get(GeneratorUse.GC_NANOS) / 1e9))
                        .chart(new ChartLine("gc", "c0").dashed()),
                Figure.of("generator.busiestThread", "share of a core that its busiest thread used", RATIO)
                        .read(of(g -> share(g.cpu().busiestThread())))
                        .each(s -> s.busiestShare()));
    }

    private static Double share(BusiestThread thread) {
        return thread == null ? null : Double.valueOf(thread.share());
    }

    private static Function<TrialResult, Number> of(Function<Generator, Number> figure) {
        return trial -> trial.observed().generator() == null
                ? null
                : figure.apply(trial.observed().generator());
    }

    private static Figure seen(String id, Dimension dimension, String meaning, String key) {
        return Figure.of(id, meaning, dimension).seen(what(id), key);
    }

    private static Figure gauge(String id, String meaning) {
        return seen(id, COUNT, meaning, id.substring(id.indexOf('.') + 1));
    }

    private static String what(String id) {
        String what = id.substring(0, id.indexOf('.'));
        return what.equals("broker") ? ObservedFigure.BROKER : what;
    }

    private static Figure idle(String key, String who) {
        return Figure.of("broker." + key, "share of the time that " + who + " had nothing to do", RATIO)
                .seenLowest(ObservedFigure.BROKER, ObservedMetric.named(ObservedFigure.BROKER, key));
    }

    /** A stage of a produce request in a broker, or all of it. */
    private static Figure stage(String stage, String what) {
        return seen("broker." + stage, MICROSECONDS, "mean time of a produce request " + what, stage + "Ms");
    }

    /** Memory, disks and network cards of brokers and hosts, sums over the brokers, and the percentiles that brokers have themselves. */
    private static void resources(List<Figure> all) {
        for (String request : List.of("fetch", "produce")) {
            for (String percentile : List.of("95", "99", "999")) {
                all.add(own(request, percentile));
            }
        }
        all.add(Figure.of("cluster.cpu", "share of the brokers' cores that the brokers used", RATIO)
                .read(ObservedFigures::cpuShare));
        all.add(sum("bytesIn", BYTES_PER_SECOND, "from producers, all brokers together"));
        all.add(sum("bytesOut", BYTES_PER_SECOND, "to consumers, all brokers together"));
        all.add(sum("messagesIn", COUNT, "records a second from producers, all brokers together"));
        all.add(sum("bytesRejected", BYTES_PER_SECOND, "refused, all brokers together"));
        all.add(broker("messagesIn", COUNT, "records a second from producers", "messagesIn")
                .called("records in", "入 条/秒"));
        all.add(broker("bytesRejected", BYTES_PER_SECOND, "of records that were refused", "rejected")
                .called("rejected", "拒绝"));
        all.add(seen("broker.memory", COUNT, "bytes of memory that the process holds, on this host", "memoryBytes")
                .called("memory", "内存")
                .chart(new ChartLine("memory", null).ifAny()));
        all.add(gauge("cluster.logBytes", "bytes of the trial's topics on disks, all replicas")
                .called("logs", "日志")
                .chart(new ChartLine("logs", "c3").ifAny()));
        hosts(all);
    }

    /** The same of the load generator's host and of the brokers' hosts, as far as an exporter tells of those. */
    private static void hosts(List<Figure> all) {
        host(all, "diskRead", BYTES_PER_SECOND, "read from disks", "diskReadBytes", "diskRead");
        all.add(ofBrokerHost("hostDiskWrite", BYTES_PER_SECOND, "written to disks", "diskWriteBytes", "disk"));
        host(all, "diskQueue", COUNT, "requests that waited for disks or were served", "diskQueueSeconds", "diskQueue");
        host(all, "networkIn", BYTES_PER_SECOND, "received by its network cards", "networkInBytes", "network");
        host(all, "networkOut", BYTES_PER_SECOND, "sent by its network cards", "networkOutBytes", "networkOut");
        String await = "mean time of a disk request, waiting included";
        all.add(seen("host.diskAwait", MICROSECONDS, await, "diskAwaitMs")
                .called(HOST[0], HOST[1])
                .chart(new ChartLine("diskAwait", "c7").dashed().ifAny()));
        all.add(ofBrokerHost("hostDiskAwait", MICROSECONDS, await, "diskAwaitMs", "diskAwait"));
        all.add(ofBrokerHost("hostCpu", COUNT, "cores that were busy", "cpuSeconds", "cpu"));
        all.add(ofBrokerHost("hostDiskBusy", COUNT, "disks that were busy, on average", "diskBusySeconds", "diskBusy"));
        all.add(Figure.of("host.memoryAvailable", "bytes of memory that are free or can be freed", COUNT)
                .seenLowest("host", ObservedMetric.named("host", "memoryAvailableBytes"))
                .called(HOST[0], HOST[1])
                .chart(new ChartLine("memoryAvailable", "c7").dashed()));
        all.add(Figure.of(
                        "broker.hostMemoryAvailable",
                        "of a broker's host: bytes of memory that are free or can be freed",
                        COUNT)
                .seenLowest(ObservedFigure.BROKER, ObservedMetric.ofBrokerHost("memoryAvailableBytes"))
                .called(BROKER_HOST[0], BROKER_HOST[1])
                .chart(new ChartLine("memoryAvailable", null).ifAny()));
    }

    private static void host(
            List<Figure> all, String name, Dimension dimension, String what, String sum, String chart) {
        String key = sum.equals("diskQueueSeconds") ? "diskQueue" : sum;
        all.add(seen("host." + name, dimension, "of the load generator's host: " + what, key)
                .called(HOST[0], HOST[1])
                .chart(new ChartLine(chart, "c7").dashed().ifAny()));
        String inBroker = "host" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        all.add(ofBrokerHost(inBroker, dimension, what, sum, chart));
    }

    private static Figure ofBrokerHost(String name, Dimension dimension, String what, String sum, String chart) {
        return Figure.of("broker." + name, "of a broker's host: " + what, dimension)
                .seen(ObservedFigure.BROKER, ObservedMetric.ofBrokerHost(sum))
                .called(BROKER_HOST[0], BROKER_HOST[1])
                .chart(new ChartLine(chart, null).ifAny());
    }

    private static Figure broker(String key, Dimension dimension, String what, String chart) {
        return seen("broker." + key, dimension, what, key).chart(new ChartLine(chart, null).ifAny());
    }

    /** A percentile that a broker has itself: over the minutes before, weighted towards now, and so of no trial alone. */
    private static Figure own(String request, String percentile) {
        String bean = request.equals("fetch") ? "FetchConsumer" : "Produce";
        String gauge = request + ".p" + percentile + "Ms";
        return seen(
                "broker." + request + "P" + percentile,
                MICROSECONDS,
                "the broker's own, from `RequestMetrics`, `TotalTimeMs` of `" + bean + "`, `" + percentile
                        + "thPercentile`: over the minutes before, weighted towards now",
                gauge);
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
