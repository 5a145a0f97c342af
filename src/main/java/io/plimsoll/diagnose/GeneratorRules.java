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
import org.jspecify.annotations.Nullable;

/** Rules for trials limited by the load generator or its host. */
final class GeneratorRules {
    /** Share of delayed wake-ups above which the generator counts as late, as in the verdict of a trial. */
    private static final double LATE = 0.05;

    private static final double BUSY_THREAD = 0.95;
    /** Share of the time in which no thread of the generator ran, above which these pauses are named as the limit. */
    private static final double STOOD = 0.1;
    /** Share of the calibrated maximum above which the load generator can be the limit. */
    private static final double NEAR = 0.7;

    private static final double REACHED = 0.95;
    /**
     * Generous CPU time per record of a generator without compression: several times the benchmark results of warm
     * clients.
     */
    private static final double RECORD_SECONDS = 5e-6;

    private static final double REQUEST_SECONDS = 200e-6;
    private static final double BYTES_PER_SECOND = 400e6;
    private static final double IDLE_CORES = 0.2;

    static final List<Rule<?>> RULES = List.of(
            // Sending threads use CPU for compression.
            Rule.quiet("compression", TrialEvidence::generator)
                    .where(e -> e.produces() && codec(e) != null)
                    .heldBack(0.98)
                    .easedBy(Remedy.CLIENTS)
                    .judged((e, g) -> {
                        double busy = Math.max(Confounder.THREAD_BUSY.in(e), Confounder.NETWORK_THREAD_BUSY.in(e));
                        Double ratio = e.produce().wire().compressionRatio();
                        return Finding.of(Confounder.COMPRESSES.in(e) * Math.max(busy, Confounder.HOST_FULL.in(e)))
                                .explains(Confounder.COMPRESSES.in(e) * e.slowness("late", "batch"))
                                .says("diagnose.says.compression", codec(e), percent(compressing(e)))
                                .with(
                                        "diagnose.coresInAll",
                                        Format.cores(g.cpu().cpuCores()))
                                .with("diagnose.ratio", Format.decimals("%.2f", ratio));
                    }),
            Rule.named("generator", TrialEvidence::generator)
                    .heldBack(1)
                    .lowered(0.5, Confounder.TINY_BATCHES, Confounder.WORK_STRETCHED)
                    .lowered(0.6, Confounder.COMPRESSES)
                    .provedBy(Perturbation.CLIENTS, Perturbation.ENGINE)
                    .easedBy(Remedy.CLIENTS, Remedy.BATCH_SIZE)
                    .judged(GeneratorRules::generator),
            // Brokers, load generator and other programs share a host. If its CPU is exhausted, name the largest user.
            Rule.named("host", TrialEvidence::hostBusy)
                    .where(e -> e.generator() != null)
                    .heldBack(0.75)
                    .lowered(0.5, Confounder.TINY_BATCHES, Confounder.RECOMPRESSES, Confounder.DOWN_CONVERTS)
                    .lowered(0.6, Confounder.OTHERS, Confounder.ROLLS)
                    .lowered(0.6, Confounder.COMPRESSES, Confounder.FLUSHES, Confounder.FAR)
                    .provedBy(Perturbation.CONSUMERS, Perturbation.ENGINE)
                    .easedBy(Remedy.BATCH_SIZE, Remedy.LINGER_MORE)
                    .judged(GeneratorRules::host),
            Rule.quiet("generatorGc", TrialEvidence::generator)
                    .of("gc")
                    .provedBy(Perturbation.ENGINE)
                    .judged((e, g) -> Finding.at(Sentence.of("diagnose.cause.generator"), ramp(g.gcShare(), 0.05, 0.25))
                            .says("diagnose.says.generatorGc", percent(g.gcShare()))
                            .with("diagnose.collections", percent(g.gcShare()))));

    private static Finding generator(TrialEvidence e, Generator g) {
        double network = Confounder.NETWORK_THREAD_BUSY.in(e);
        double busy = Math.max(Confounder.THREAD_BUSY.in(e), network);
        double room = e.busiest() == null ? 0.8 : 1 - 0.6 * ramp(e.busiest(), 0.5, 0.9) * (1 - network);
        long ticks = g.wakeUps().ticks();
        double late = ticks > 0 ? (double) g.wakeUps().lateTicks() / ticks : 0;
        Generator.BusiestThread thread = g.cpu().busiestThread();
        double share = thread == null ? 0 : thread.share();
        boolean shows = share >= BUSY_THREAD || Invalidity.byGenerator(e.trial());
        // Proximity to the calibrated limit is not proof, but increases the probability.
        double near = g.calibratedShare() == null ? 0 : ramp(g.calibratedShare(), NEAR, REACHED);
        double limited = !g.limited() ? 0 : shows ? 1 : near;
        Double ioIdle = e.entry("ioIdle", Math::min);
        double waiting = orElse(e.entry("inCommits", Math::max), 0) + orElse(e.entry("inFlush", Math::max), 0);
        return Finding.of(Math.max(busy * room, 0.9 * limited))
                .explains(e.slowness("late") * (1 - ramp(waiting, 0.05, 0.2)))
                .says("diagnose.says.generator", reason(e, g, late))
                .with("diagnose.thread", thread == null ? null : thread.name(), percent(share))
                .with("diagnose.coresInAll", Format.cores(g.cpu().cpuCores()))
                .with("diagnose.networkThread", network == 0 ? null : percent(1 - orElse(ioIdle, 1)))
                .with("diagnose.calibrated", percent(g.calibratedShare()))
                .with("diagnose.late", late > 0 ? percent(late) : null);
    }

    /** Codec of the producers, such as {@code zstd (level 15)}; null without compression. */
    private static @Nullable String codec(TrialEvidence e) {
        return e.setup("producers")
                .map(GeneratorRules::codec)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static @Nullable String codec(Map<String, String> config) {
        String codec = config.getOrDefault(TrialEvidence.CODEC, "none");
        String level = config.get("compression." + codec + ".level");
        return codec.equals("none") ? null : level == null ? codec : codec + " (level " + level + ")";
    }

    /**
     * Share of the generator's CPU not explained by records, requests and bytes, if producers compress. 0 without
     * compression or if consumers process records.
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
        double records = e.produced();
        double bytes = orElse(e.produce().volume().bytes(), 0);
        double requests = orElse(e.produce().wire().requests(), 0);
        Consume read = e.trial().consume();
        if (read != null && read.volume().records() != null) {
            records += read.volume().records();
        }
        double rest = records * RECORD_SECONDS + requests * REQUEST_SECONDS + bytes / BYTES_PER_SECOND;
        return Math.max(0, 1 - (rest + IDLE_CORES * e.seconds()) / g.cpu().cpuSeconds());
    }

    /** The generator's figure that shows the limit; idle threads are never named. */
    private static Sentence reason(TrialEvidence e, Generator g, double late) {
        if (g.part().stoodShare() > STOOD) {
            return Sentence.of("diagnose.stood", percent(g.part().stoodShare()));
        }
        Generator.BusiestThread thread = g.cpu().busiestThread();
        if (thread != null && Confounder.THREAD_BUSY.in(e) > 0) {
            return Sentence.of("diagnose.threadUsed", thread.name(), percent(thread.share()));
        }
        if (Confounder.NETWORK_THREAD_BUSY.in(e) > 0) {
            return Sentence.of("diagnose.networkThreadBusy", percent(1 - orElse(e.entry("ioIdle", Math::min), 1)));
        }
        return late > LATE || g.calibratedShare() == null
                ? Sentence.of("diagnose.wokeLate", percent(late))
                : Sentence.of("diagnose.didCalibrated", percent(g.calibratedShare()));
    }

    private static Finding host(TrialEvidence e, double busy) {
        double cores = Objects.requireNonNull(e.host("cores"));
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
                // If even the fastest record is delayed, the delay is not a wait for a CPU.
                .explains(e.latencyAsked() ? Confounder.HOST_FULL.in(e) * (1 - e.leastOfAsked()) : 0)
                .says("diagnose.says.host", e.hostName(), figures)
                .with("diagnose.ofCores", percent(busy), Math.round(cores))
                .with("diagnose.waitedForCpu", percent(e.host("cpuStall")));
    }
}
