package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES;
import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RATIO;
import static io.plimsoll.scenario.Check.Dimension.RECORDS_PER_SECOND;

import io.plimsoll.measure.GeneratorUse;
import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Figures observed for hosts, brokers, the cluster, third-party groups and topics; the worst of several values applies.
 */
public final class ObservedFigures implements FigureSet {
    /** Prefix of the observations of a broker; the broker's id follows. */
    static final String BROKER = "broker ";

    /** Prefix of the observations of a topic; the topic's name follows. */
    public static final String TOPIC = "topic ";

    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(generator());
        all.addAll(brokers());
        all.addAll(tiers());
        all.add(gauge("broker.underReplicated").ofEach(3));
        all.add(gauge("cluster.underReplicated").chart("replicas", "c2").ifAny());
        all.add(gauge("cluster.leaderless").chart("replicas", "c5").ifAny());
        // The brokers' own percentiles cover the preceding minutes, weighted toward the present, so they do not belong
        // to a single trial.
        for (String request : List.of("fetch", "produce")) {
            for (String percentile : List.of("95", "99", "999")) {
                String gauge = request + ".p" + percentile + "Ms";
                all.add(seen("broker." + request + "P" + percentile, MICROSECONDS, gauge));
            }
        }
        all.addAll(resources());
        all.addAll(hosts());
        all.addAll(groups());
        all.addAll(topics());
        return all;
    }

    private static List<Figure> generator() {
        return List.of(
                Figure.of("generator.cpu", COUNT)
                        .read(of(g -> g.cpu().cpuCores()))
                        .each(s -> s.perSecond(s.get(GeneratorUse.CPU_NANOS) / 1e9))
                        .chart("cpu", "c0")
                        .dashed(),
                Figure.of("generator.spun", COUNT)
                        .read(of(g -> g.wakeUps().spunCores()))
                        .each(s -> s.perSecond(s.get(GeneratorUse.SPUN_NANOS) / 1e9)),
                Figure.of("generator.gc", RATIO)
                        .read(of(Generator::gcShare))
                        .each(s -> s.perSecond(s.get(GeneratorUse.GC_NANOS) / 1e9))
                        .chart("gc", "c0")
                        .dashed(),
                Figure.of("generator.busiestThread", RATIO)
                        .read(of(g -> share(g.cpu().busiestThread())))
                        .each(s -> s.busiestShare()),
                seen("host.cpu", COUNT, "cpu").chart("cpu", "c7").dashed(),
                Figure.of("host.others", COUNT).read(BusyHost::others),
                seen("host.diskBusy", RATIO, "diskBusy")
                        .chart("diskBusy", "c7")
                        .dashed()
                        .ifAny(),
                seen("host.diskWrite", BYTES_PER_SECOND, "diskWriteBytes")
                        .chart("disk", "c7")
                        .dashed());
    }

    private static List<Figure> brokers() {
        return List.of(
                seen("broker.cpu", COUNT, "cpu").ofEach(0).chart("cpu", null),
                seen("broker.bytesIn", BYTES_PER_SECOND, "bytesIn").ofEach(1).chart("bytesIn", null),
                seen("broker.bytesOut", BYTES_PER_SECOND, "bytesOut").ofEach(2).chart("bytesOut", null),
                gauge("broker.produceRequests").ofEach(4),
                seen("broker.handlerIdle", RATIO, "handlerIdle").lowest().ofEach(0),
                seen("broker.networkIdle", RATIO, "networkIdle").lowest().ofEach(1),
                stage("requestQueue").ofEach(2),
                stage("local").ofEach(0),
                stage("remote").ofEach(1),
                stage("throttle").ofEach(2),
                stage("responseQueue"),
                stage("responseSend").ofEach(3),
                stage("total"),
                seen("broker.diskRead", BYTES_PER_SECOND, "diskReadBytes")
                        .ofEach(6)
                        .chart("diskRead", null)
                        .ifAny(),
                seen("broker.diskWrite", BYTES_PER_SECOND, "diskWriteBytes")
                        .ofEach(5)
                        .chart("disk", null),
                seen("broker.gc", RATIO, "gcShare").ofEach(5).chart("gc", null));
    }

    /** Figures of brokers with tiered storage, and of transactions. */
    private static List<Figure> tiers() {
        return List.of(
                seen("broker.remoteFetch", BYTES_PER_SECOND, "remoteFetchBytes")
                        .ofEach(3)
                        .chart("remote", null)
                        .ifAny(),
                seen("broker.remoteCopy", BYTES_PER_SECOND, "remoteCopyBytes")
                        .ofEach(4)
                        .chart("remoteCopy", null)
                        .ifAny(),
                seen("broker.remoteRead", MICROSECONDS, "remoteReadMs").ofEach(3),
                seen("broker.remoteCopyLag", BYTES, "remoteCopyLag")
                        .ofEach(5)
                        .chart("remoteCopyLag", null)
                        .ifAny(),
                gauge("cluster.openRecords").chart("openRecords", "c3").ifAny(),
                seen("cluster.stuck", MICROSECONDS, "stuckSeconds"),
                gauge("cluster.remoteRecords").chart("remoteRecords", "c3").ifAny());
    }

    /** Memory and disks of brokers, and sums over brokers. */
    private static List<Figure> resources() {
        return List.of(
                Figure.of("cluster.cpu", RATIO).read(ObservedFigures::cpuShare),
                Figure.of("cluster.cpuPerMB", MICROSECONDS).read(ObservedFigures::cpuPerMegabyte),
                Figure.of("connect.brokerCpu", MICROSECONDS)
                        .read(ObservedFigures::cpuPerConnection)
                        .column(10),
                sum("bytesIn", BYTES_PER_SECOND),
                sum("bytesOut", BYTES_PER_SECOND),
                sum("messagesIn", COUNT),
                sum("bytesRejected", BYTES_PER_SECOND),
                gauge("broker.messagesIn").chart("messagesIn", null).ifAny(),
                seen("broker.bytesRejected", BYTES_PER_SECOND, "bytesRejected")
                        .chart("rejected", null)
                        .ifAny(),
                seen("broker.memory", BYTES, "memoryBytes")
                        .chart("memory", null)
                        .ifAny(),
                seen("cluster.logBytes", BYTES, "logBytes").chart("logs", "c3").ifAny());
    }

    /** Figures of the load generator's host, and of the brokers' hosts if an exporter reports them. */
    private static List<Figure> hosts() {
        return List.of(
                host("diskRead", BYTES_PER_SECOND, "diskReadBytes", "diskRead").ifAny(),
                ofBrokerHost("hostDiskRead", BYTES_PER_SECOND, "diskReadBytes", "diskRead"),
                ofBrokerHost("hostDiskWrite", BYTES_PER_SECOND, "diskWriteBytes", "disk"),
                host("diskQueue", COUNT, "diskQueue", "diskQueue").ifAny(),
                ofBrokerHost("hostDiskQueue", COUNT, "diskQueueSeconds", "diskQueue"),
                host("networkIn", BYTES_PER_SECOND, "networkInBytes", "network").ifAny(),
                ofBrokerHost("hostNetworkIn", BYTES_PER_SECOND, "networkInBytes", "network"),
                host("networkOut", BYTES_PER_SECOND, "networkOutBytes", "networkOut")
                        .ifAny(),
                ofBrokerHost("hostNetworkOut", BYTES_PER_SECOND, "networkOutBytes", "networkOut"),
                host("diskAwait", MICROSECONDS, "diskAwaitMs", "diskAwait").ifAny(),
                ofBrokerHost("hostDiskAwait", MICROSECONDS, "diskAwaitMs", "diskAwait"),
                ofBrokerHost("hostCpu", COUNT, "cpuSeconds", "cpu"),
                ofBrokerHost("hostDiskBusy", COUNT, "diskBusySeconds", "diskBusy"),
                Figure.of("broker.hostBusiestDisk", RATIO).seen(BROKER, ObservedMetric.ofBrokerHost("diskBusy")),
                host("memoryAvailable", BYTES, "memoryAvailableBytes", "memoryAvailable")
                        .lowest(),
                ofBrokerHost("hostMemoryAvailable", BYTES, "memoryAvailableBytes", "memoryAvailable")
                        .lowest());
    }

    private static List<Figure> groups() {
        return List.of(
                group("lag", MICROSECONDS, ObservedMetric.most("lagMs", "lagMs"))
                        .ofEach(0)
                        .chart("groupLag", null),
                group("lagRecords", COUNT, ObservedMetric.most("lag", "lag"))
                        .ofEach(0)
                        .chart("groupLagRecords", null),
                group("lagAtEnd", COUNT, ObservedMetric.ofWindow("lagAtEnd")).ofEach(3),
                group("consumed", RECORDS_PER_SECOND, ObservedMetric.rate("consumed", "consumed"))
                        .ofEach(0)
                        .chart("groupRate", null),
                group("produced", RECORDS_PER_SECOND, ObservedMetric.rate("produced", "produced"))
                        .ofEach(2),
                group("growth", COUNT, ObservedMetric.ofWindow("growth")).ofEach(3),
                group("drain", MICROSECONDS, ObservedMetric.ofWindow("drainMs")).ofEach(1),
                group("members", COUNT, ObservedMetric.most("members", "members"))
                        .ofEach(1),
                group("rebalances", COUNT, ObservedMetric.rate("rebalances", "rebalances"))
                        .ofEach(2));
    }

    private static List<Figure> topics() {
        return List.of(
                seen("topic.bytesIn", BYTES_PER_SECOND, "bytesIn").ofEach(0).chart("topicIn", null),
                seen("topic.bytesOut", BYTES_PER_SECOND, "bytesOut").ofEach(1).chart("topicOut", null),
                gauge("topic.messagesIn").ofEach(2),
                seen("topic.logBytes", BYTES, "logBytes").ofEach(0).chart("topicLogs", null),
                seen("topic.logGrowth", BYTES_PER_SECOND, "logGrowth").ofEach(1));
    }

    private static @Nullable Double share(Generator.@Nullable BusiestThread thread) {
        return thread == null ? null : Double.valueOf(thread.share());
    }

    private static Function<TrialResult, Number> of(Function<Generator, Number> figure) {
        return trial -> trial.observed().generator() == null
                ? null
                : figure.apply(trial.observed().generator());
    }

    private static Figure seen(String id, Dimension dimension, String key) {
        String what = id.substring(0, id.indexOf('.'));
        String seen = what.equals("broker") || what.equals("topic") ? what + " " : what;
        return Figure.of(id, dimension).seen(seen, ObservedMetric.named(seen, key));
    }

    private static Figure gauge(String id) {
        return seen(id, COUNT, id.substring(id.indexOf('.') + 1));
    }

    /** A stage of a produce request on a broker, or the whole request. */
    private static Figure stage(String stage) {
        return seen("broker." + stage, MICROSECONDS, stage + "Ms");
    }

    private static Figure group(String name, Dimension dimension, ObservedMetric metric) {
        return Figure.of("group." + name, dimension).seen(GroupsFold.GROUP, metric);
    }

    private static Figure host(String name, Dimension dimension, String key, String chart) {
        return seen("host." + name, dimension, key).chart(chart, "c7").dashed();
    }

    private static Figure ofBrokerHost(String name, Dimension dimension, String sum, String chart) {
        return Figure.of("broker." + name, dimension)
                .seen(ObservedFigures.BROKER, ObservedMetric.ofBrokerHost(sum))
                .chart(chart, null)
                .ifAny();
    }

    private static Figure sum(String key, Dimension dimension) {
        return Figure.of("cluster." + key, dimension).read(trial -> sum(trial, key));
    }

    /** The sum over all brokers; null if no broker reports it. */
    private static @Nullable Double sum(TrialResult trial, String key) {
        DoubleSummaryStatistics values = trial.observed().brokers().stream()
                .map(b -> b.get(key))
                .filter(Number.class::isInstance)
                .mapToDouble(n -> ((Number) n).doubleValue())
                .summaryStatistics();
        return values.getCount() == 0 ? null : Double.valueOf(values.getSum());
    }

    /** CPU time of all brokers in microseconds, per megabyte that clients produced and consumed. */
    private static @Nullable Double cpuPerMegabyte(TrialResult trial) {
        Double cores = sum(trial, "cpu");
        double bytes = Stream.of("produce.throughput", "consume.throughput")
                .mapToDouble(figure ->
                        FigureCatalogue.value(trial, figure, BYTES_PER_SECOND).orElse(0))
                .sum();
        return cores == null || bytes == 0 ? null : Double.valueOf(cores * 1e6 / (bytes / 1e6));
    }

    /** CPU time of all brokers in microseconds, per connection that the load established. */
    private static @Nullable Double cpuPerConnection(TrialResult trial) {
        Double cores = sum(trial, "cpu");
        double rate = FigureCatalogue.value(trial, "connect.rate", COUNT).orElse(0);
        return cores == null || rate <= 0 ? null : Double.valueOf(cores * 1e6 / rate);
    }

    /** CPU use as a share. Brokers that are processes of this host share its cores. */
    private static @Nullable Double cpuShare(TrialResult trial) {
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
