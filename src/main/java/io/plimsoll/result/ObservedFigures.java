package io.plimsoll.result;

import static io.plimsoll.scenario.Check.Dimension.BYTES_PER_SECOND;
import static io.plimsoll.scenario.Check.Dimension.COUNT;
import static io.plimsoll.scenario.Check.Dimension.MICROSECONDS;
import static io.plimsoll.scenario.Check.Dimension.RATIO;

import io.plimsoll.result.TrialResult.BusiestThread;
import io.plimsoll.result.TrialResult.Generator;
import io.plimsoll.scenario.Check.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** What was observed of the load generator, its host, and brokers. */
public final class ObservedFigures implements FigureSet {
    /** The stages of a produce request in a broker, in their order, and all of it. */
    private static final Map<String, String> STAGES = Map.of(
            "requestQueue", "in the queue for a request handler",
            "local", "of the leader's own work",
            "remote", "of waiting for followers",
            "throttle", "held back by a quota",
            "responseQueue", "in the queue for a network thread",
            "responseSend", "of sending the answer",
            "total", "altogether");

    @Override
    public List<Figure> figures() {
        List<Figure> all = new ArrayList<>(generator());
        all.add(seen("host.cpu", COUNT, "cores of the load generator's host that were busy", "cpu", "cpuSeconds"));
        all.add(Figure.of("host.diskBusy", "share of the time that its busiest disk was busy", RATIO)
                .seen(new ObservedFigure("host", "diskBusy", null, "busiestDisk", 1, false)));
        all.add(seen("broker.cpu", COUNT, "cores", "cpu", "cpuSeconds"));
        all.add(seen("broker.gc", RATIO, "share of the time in garbage collection", "gcShare", "gcSeconds"));
        all.add(seen("broker.bytesIn", BYTES_PER_SECOND, "from producers", "bytesIn", "bytesIn"));
        all.add(seen("broker.bytesOut", BYTES_PER_SECOND, "to consumers", "bytesOut", "bytesOut"));
        all.add(seen("broker.diskRead", BYTES_PER_SECOND, "read from disks", "diskReadBytes", "diskReadBytes"));
        all.add(seen("broker.diskWrite", BYTES_PER_SECOND, "written to disks", "diskWriteBytes", "diskWriteBytes"));
        all.add(idle("broker.handlerIdle", "request handlers", "handlerIdle", "handlerIdleNanos"));
        all.add(idle("broker.networkIdle", "network threads", "networkIdle", "networkIdleNanos."));
        all.add(Figure.of("broker.underReplicated", "partitions that lack a replica in sync", COUNT)
                .seen(new ObservedFigure("broker ", "underReplicated", null, "underReplicated", 1, false)));
        for (String stage :
                List.of("requestQueue", "local", "remote", "throttle", "responseQueue", "responseSend", "total")) {
            all.add(Figure.of("broker." + stage, "mean time of a produce request " + STAGES.get(stage), MICROSECONDS)
                    .seen(new ObservedFigure(
                            "broker ", stage + "Ms", "produce." + stage + "Ms", "produce.requests", 1e3, false)));
        }
        return all;
    }

    private static List<Figure> generator() {
        return List.of(
                Figure.of("generator.cpu", "cores that the load generator used", COUNT)
                        .called("load generator", "负载发生器")
                        .read(of(g -> g.cpu().cpuCores()))
                        .each(s -> s.perSecond(s.generator().cpuNanos() / 1e9))
                        .chart(new ChartLine("cpu", "c0").dashed()),
                Figure.of("generator.gc", "share of the time in garbage collection", RATIO)
                        .called("load generator", "负载发生器")
                        .read(t -> t.observed().generator() == null
                                        || t.course().measuredSeconds() <= 0
                                ? null
                                : Double.valueOf(t.observed().generator().gcSeconds()
                                        / t.course().measuredSeconds()))
                        .each(s -> s.perSecond(s.generator().gcNanos() / 1e9))
                        .chart(new ChartLine("gc", "c0").dashed()),
                Figure.of("generator.busiestThread", "share of a core that its busiest thread used", RATIO)
                        .read(of(g -> share(g.cpu().busiestThread())))
                        .each(s -> s.generator().busiestThreadShare()));
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
        String what = id.startsWith("host.") ? "host" : "broker ";
        return Figure.of(id, meaning, dimension).seen(new ObservedFigure(what, key, sum, "seconds", 1, false));
    }

    private static Figure idle(String id, String who, String key, String sum) {
        return Figure.of(id, "share of the time that " + who + " had nothing to do", RATIO)
                .seen(new ObservedFigure("broker ", key, sum, "seconds", 1e-9, true));
    }
}
