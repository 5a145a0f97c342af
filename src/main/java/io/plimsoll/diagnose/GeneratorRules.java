package io.plimsoll.diagnose;

import static io.plimsoll.diagnose.Format.percent;
import static io.plimsoll.diagnose.TrialEvidence.orElse;
import static io.plimsoll.diagnose.TrialEvidence.ramp;

import io.plimsoll.result.Generator;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Rules for the load generator and its host as the limit. */
final class GeneratorRules {
    /** Thresholds of late wake-ups and of a busy thread, as in the verdict of a trial. */
    private static final double LATE = 0.05;

    private static final double BUSY_THREAD = 0.95;
    /** Share of the time without any running thread from which it explains all delays. */
    private static final double STOOD = 0.1;
    /** Shares of the calibrated maximum from which it can be the limit, and is. */
    private static final double NEAR = 0.7;

    private static final double REACHED = 0.95;
    /** Generous CPU costs of a generator without compression: several times the benchmarks of warm clients. */
    private static final double RECORD_SECONDS = 5e-6;

    private static final double REQUEST_SECONDS = 200e-6;
    private static final double BYTES_PER_SECOND = 400e6;
    private static final double IDLE_CORES = 0.2;

    private static final Rule<Generator> GENERATOR = Rule.named("generator", e -> e.generator())
            .heldBack()
            .lowered(0.5, Confounder.TINY_BATCHES, Confounder.WORK_STRETCHED)
            .lowered(0.6, Confounder.COMPRESSES)
            .provedBy(Perturbations.CLIENTS, Perturbations.ENGINE)
            .easedBy(Remedy.CLIENTS, Remedy.BATCH_SIZE)
            .judged(GeneratorRules::generator);

    /** Brokers, generator and other programs share one host: if it is full, the largest user is named. */
    private static final Rule<Double> HOST = Rule.named("host", TrialEvidence::hostBusy)
            .where(e -> e.generator() != null)
            .most(0.75)
            .heldBack()
            .lowered(0.5, Confounder.TINY_BATCHES, Confounder.RECOMPRESSES, Confounder.DOWN_CONVERTS)
            .lowered(0.6, Confounder.OTHERS, Confounder.ROLLS)
            .lowered(0.6, Confounder.COMPRESSES, Confounder.FLUSHES, Confounder.FAR)
            .provedBy(Perturbations.CONSUMERS, Perturbations.ENGINE)
            .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
            .judged(GeneratorRules::host);

    private static final Rule<Generator> PAUSES = Rule.named("generatorGc", e -> e.generator())
            .of("gc")
            .silently()
            .provedBy(Perturbations.ENGINE)
            .judged((e, g) -> {
                double share = g.gcShare();
                return Finding.at(Sentence.of("diagnose.cause.generator"), ramp(share, 0.05, 0.25))
                        .says("diagnose.says.generatorGc", percent(share))
                        .with("diagnose.collections", percent(share));
            });

    /** Senders pay for compression with CPU. */
    private static final Rule<Generator> COMPRESSION = Rule.named("compression", e -> e.generator())
            .where(e -> e.produces() && codec(e) != null)
            .silently()
            .most(0.98)
            .heldBack()
            .easedBy(Remedy.CLIENTS)
            .judged((e, g) -> {
                double busy = Math.max(Confounder.THREAD_BUSY.in(e), Confounder.NETWORK_THREAD_BUSY.in(e));
                return Finding.of(Confounder.COMPRESSES.in(e) * Math.max(busy, Confounder.HOST_FULL.in(e)))
                        .explains(Confounder.COMPRESSES.in(e) * e.slowness("late", "batch"))
                        .says("diagnose.says.compression", codec(e), percent(compressing(e)))
                        .with("diagnose.coresInAll", Format.cores(g.cpu().cpuCores()))
                        .with(
                                "diagnose.ratio",
                                Format.decimals("%.2f", e.produce().wire().compressionRatio()));
            });

    static final List<Rule<?>> RULES = List.of(COMPRESSION, GENERATOR, HOST, PAUSES);

    private GeneratorRules() {}

    private static Finding generator(TrialEvidence e, Generator g) {
        double network = Confounder.NETWORK_THREAD_BUSY.in(e);
        double busy = Math.max(Confounder.THREAD_BUSY.in(e), network);
        double room = e.busiest() == null ? 0.8 : 1 - 0.6 * ramp(e.busiest(), 0.5, 0.9) * (1 - network);
        long ticks = g.wakeUps().ticks();
        double late = ticks > 0 ? (double) g.wakeUps().lateTicks() / ticks : 0;
        Generator.BusiestThread thread = g.cpu().busiestThread();
        double share = thread == null ? 0 : thread.share();
        // A trial is invalid by it where it is shown to be the generator's doing; its calibrated limit alone shows
        // nothing.
        boolean shows = share >= BUSY_THREAD || Invalidity.byGenerator(e.trial());
        // Near its calibrated limit alone says that it might be the generator, the more the nearer it is.
        double near = g.calibratedShare() == null ? 0 : ramp(g.calibratedShare(), NEAR, REACHED);
        double limited = !g.limited() ? 0 : shows ? 1 : near;
        Double ioIdle = e.entry("ioIdle", Math::min);
        double waiting = orElse(e.entry("inCommits", Math::max), 0) + orElse(e.entry("inFlush", Math::max), 0);
        return Finding.of(Math.max(busy * room, 0.9 * limited))
                .explains(e.slowness("late") * (1 - ramp(waiting, 0.05, 0.2)))
                .says("diagnose.says.generator", reason(e, g, late))
                .with("diagnose.thread", thread == null ? null : thread.name(), percent(share))
                .with("diagnose.coresInAll", Format.cores(g.cpu().cpuCores()))
                .with("diagnose.networkThread", network == 0 ? null : percent(1 - ioIdle))
                .with("diagnose.calibrated", percent(g.calibratedShare()))
                .with("diagnose.late", late > 0 ? percent(late) : null);
    }

    /** Codec of the producers, such as {@code zstd (level 15)}; null without compression. */
    private static String codec(TrialEvidence e) {
        return e.setup("producers")
                .map(GeneratorRules::codec)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static String codec(Map<String, String> config) {
        String codec = config.getOrDefault(TrialEvidence.CODEC, "none");
        String level = config.get("compression." + codec + ".level");
        return codec.equals("none") ? null : level == null ? codec : codec + " (level " + level + ")";
    }

    /**
     * Share of the generator's CPU not explained by records, requests and bytes, if producers compress; 0 without
     * compression, or if consumers process records.
     */
    static double compressing(TrialEvidence e) {
        Generator g = e.generator();
        if (g == null
                || !e.produces()
                || codec(e) == null
                || e.worked().isPresent()
                || g.cpu().cpuSeconds() <= 0) {
            return 0;
        }
        double records = e.produce().volume().records();
        double bytes = known(e.produce().volume().bytes());
        double requests = known(e.produce().wire().requests());
        Consume read = e.consume();
        if (read != null && read.volume().records() != null) {
            records += read.volume().records();
        }
        double rest = records * RECORD_SECONDS + requests * REQUEST_SECONDS + bytes / BYTES_PER_SECOND;
        return Math.max(0, 1 - (rest + IDLE_CORES * e.seconds()) / g.cpu().cpuSeconds());
    }

    private static double known(Long value) {
        return value == null ? 0 : value;
    }

    /** The generator's figure that shows the limit; idle threads are not blamed. */
    private static Sentence reason(TrialEvidence e, Generator g, double late) {
        if (g.part().stoodShare() > STOOD) {
            return Sentence.of("diagnose.stood", percent(g.part().stoodShare()));
        }
        Generator.BusiestThread thread = g.cpu().busiestThread();
        if (Confounder.THREAD_BUSY.in(e) > 0) {
            return Sentence.of("diagnose.threadUsed", thread.name(), percent(thread.share()));
        }
        if (Confounder.NETWORK_THREAD_BUSY.in(e) > 0) {
            return Sentence.of("diagnose.networkThreadBusy", percent(1 - e.entry("ioIdle", Math::min)));
        }
        return late > LATE || g.calibratedShare() == null
                ? Sentence.of("diagnose.wokeLate", percent(late))
                : Sentence.of("diagnose.didCalibrated", percent(g.calibratedShare()));
    }

    private static Finding host(TrialEvidence e, double busy) {
        double cores = e.host("cores");
        double brokers = e.brokerCores() / cores;
        double generator = e.generatorCores() / cores;
        double others = Math.max(0, busy - brokers - generator);
        Sentence figures = brokers > 0
                ? Sentence.of("diagnose.usersWithBrokers", percent(brokers), percent(generator), percent(others))
                : Sentence.of("diagnose.users", percent(generator), percent(others));
        Sentence who = generator >= brokers && generator >= others
                ? Sentence.of("diagnose.theGenerator")
                : brokers >= others ? Sentence.of("diagnose.brokers") : Sentence.of("diagnose.otherPrograms");
        return Finding.at(who, Confounder.HOST_FULL.in(e))
                // A delay of even the fastest record is not a wait for a CPU.
                .explains(e.latencyAsked() ? Confounder.HOST_FULL.in(e) * (1 - e.leastOfAsked()) : 0)
                .says("diagnose.says.host", e.hostName(), figures)
                .with("diagnose.ofCores", percent(busy), Math.round(cores))
                .with(figures)
                .with("diagnose.waitedForCpu", percent(e.host("cpuStall")));
    }
}
