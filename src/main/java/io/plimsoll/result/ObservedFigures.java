package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RATIO;

import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.result.Generator.BusiestThread;
import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** What was observed of the load generator, its host, and brokers. */
public final class ObservedFigures implements FigureSet {
    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(generator());
        all.add(seen("host.cpu", COUNT, "cores of the load generator's host that were busy", "cpu", "cpuSeconds")
                .called("host", "主机")
                .chart(new ChartLine("cpu", "c7").dashed()));
        all.add(Figure.of(
                        "host.others",
                        "cores of that host that neither the generator nor brokers on it used, stolen time included",
                        COUNT)
                .read(BusyHost::others));
        all.add(Figure.of("host.diskBusy", "share of the time that its busiest disk was busy", RATIO)
                .seen(new ObservedFigure("host", "diskBusy", null, "busiestDisk", 1, false))
                .called("host", "主机")
                .chart(new ChartLine("diskBusy", "c7").dashed().ifAny()));
        all.add(seen("host.diskWrite", BYTES_PER_SECOND, "written to its disks", "diskWriteBytes", "diskWriteBytes")
                .called("host", "主机")
                .chart(new ChartLine("disk", "c7").dashed()));
        all.add(seen("broker.cpu", COUNT, "cores", "cpu", "cpuSeconds")
                .ofEachBroker(0, "CPU", "CPU")
                .chart("cpu", null));
        all.add(seen("broker.bytesIn", BYTES_PER_SECOND, "from producers", "bytesIn", "bytesIn")
                .ofEachBroker(1, "in MB/s", "入 MB/s")
                .chart("bytesIn", null));
        all.add(seen("broker.bytesOut", BYTES_PER_SECOND, "to consumers", "bytesOut", "bytesOut")
                .ofEachBroker(2, "out MB/s", "出 MB/s")
                .chart("bytesOut", null));
        all.add(seen(
                        "broker.produceRequests",
                        COUNT,
                        "produce requests a second",
                        "produceRequests",
                        "produce.requests")
                .ofEachBroker(4, "requests/s", "生产请求/秒"));
        all.add(idle("handlerIdle", "request handlers", "handlerIdleNanos").ofEachBroker(0, "handlers idle", "处理线程空闲"));
        all.add(idle("networkIdle", "network threads", "networkIdleNanos.").ofEachBroker(1, "network idle", "网络线程空闲"));
        all.add(stage("requestQueue", "in the queue for a request handler").ofEachBroker(2, "queue", "队列"));
        all.add(stage("local", "of the leader's own work").ofEachBroker(0, "local", "本地"));
        all.add(stage("remote", "of waiting for followers").ofEachBroker(1, "remote", "远程"));
        all.add(stage("throttle", "held back by a quota").ofEachBroker(2, "throttle", "限流"));
        all.add(stage("responseQueue", "in the queue for a network thread"));
        all.add(stage("responseSend", "of sending the answer").ofEachBroker(3, "send", "发送"));
        all.add(stage("total", "altogether"));
        all.add(seen("broker.diskRead", BYTES_PER_SECOND, "read from disks", "diskReadBytes", "diskReadBytes")
                .ofEachBroker(6, "disk reads MB/s", "磁盘读取 MB/s")
                .chart(new ChartLine("diskRead", null).ifAny()));
        all.add(seen("broker.diskWrite", BYTES_PER_SECOND, "written to disks", "diskWriteBytes", "diskWriteBytes")
                .ofEachBroker(5, "disk writes MB/s", "磁盘写入 MB/s")
                .chart("disk", null));
        all.add(seen("broker.gc", RATIO, "share of the time in garbage collection", "gcShare", "gcSeconds")
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
        return all;
    }

    /** Of brokers with a second tier. */
    private static List<Figure> tiers() {
        return List.of(
                seen(
                                "broker.remoteFetch",
                                BYTES_PER_SECOND,
                                "read from the second tier",
                                "remoteFetchBytes",
                                "remoteFetchBytes")
                        .ofEachBroker(3, "remote reads MB/s", "远程读取 MB/s")
                        .chart(new ChartLine("remote", null).ifAny()),
                seen("broker.remoteCopy", BYTES_PER_SECOND, "copied there", "remoteCopyBytes", "remoteCopyBytes")
                        .ofEachBroker(4, "remote copies MB/s", "远程写入 MB/s")
                        .chart(new ChartLine("remoteCopy", null).ifAny()),
                Figure.of(
                                "broker.remoteRead",
                                "mean time of a read from there, until its first byte goes on",
                                MICROSECONDS)
                        .seen(new ObservedFigure(
                                ObservedFigure.BROKER, "remoteReadMs", "remoteReadMs", "remoteReads", 1e3, false))
                        .ofEachBroker(3, "remote read", "远程读取耗时"),
                gauge("broker.remoteCopyLag", "bytes of closed segments that are not there yet")
                        .ofEachBroker(5, "copy lag, bytes", "上传滞后字节")
                        .chart(new ChartLine("remoteCopyLag", null).ifAny()),
                gauge(
                                "cluster.openRecords",
                                "records that readers of committed ones are not shown yet: from the last stable offset to the"
                                        + " end")
                        .called("in or behind open transactions", "在未结束的事务中或其后")
                        .chart(new ChartLine("openRecords", "c3").ifAny()),
                Figure.of(
                                "cluster.stuck",
                                "how long the last stable offset of a partition stood still with records behind it, at the most",
                                MICROSECONDS)
                        .seen(new ObservedFigure("cluster", "stuckSeconds", null, "stuckSeconds", 1e6, false)),
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

    private static Figure seen(String id, Dimension dimension, String meaning, String key, String sum) {
        return Figure.of(id, meaning, dimension).seen(new ObservedFigure(what(id), key, sum, "seconds", 1, false));
    }

    private static Figure gauge(String id, String meaning) {
        String key = id.substring(id.indexOf('.') + 1);
        return Figure.of(id, meaning, COUNT).seen(new ObservedFigure(what(id), key, null, key, 1, false));
    }

    private static String what(String id) {
        String what = id.substring(0, id.indexOf('.'));
        return what.equals("broker") ? ObservedFigure.BROKER : what;
    }

    private static Figure idle(String key, String who, String sum) {
        return Figure.of("broker." + key, "share of the time that " + who + " had nothing to do", RATIO)
                .seen(new ObservedFigure(ObservedFigure.BROKER, key, sum, "seconds", 1e-9, true));
    }

    /** A stage of a produce request in a broker, or all of it. */
    private static Figure stage(String stage, String what) {
        String ms = stage + "Ms";
        return Figure.of("broker." + stage, "mean time of a produce request " + what, MICROSECONDS)
                .seen(new ObservedFigure(ObservedFigure.BROKER, ms, "produce." + ms, "produce.requests", 1e3, false));
    }
}
