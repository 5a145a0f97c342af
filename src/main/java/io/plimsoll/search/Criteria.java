package io.plimsoll.search;

import io.plimsoll.result.AuditResult;
import io.plimsoll.result.CheckResult;
import io.plimsoll.result.Checks;
import io.plimsoll.result.GroupPace;
import io.plimsoll.result.Invalidity;
import io.plimsoll.result.ProduceFigures;
import io.plimsoll.result.Sums;
import io.plimsoll.result.TrialResult;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Dimension;
import io.plimsoll.scenario.Check.Operator;
import io.plimsoll.stats.Trend;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a trial sustained its load: at least 99 % of the offered records were acknowledged, the producers'
 * backlog does not grow, every consumer group keeps up ({@link GroupPace}), no record fails, and a requested audit is
 * complete without loss. The user's criteria, if any, are applied in addition.
 */
public record Criteria(List<Check> slo) {
    private static final double ACHIEVED = 0.99;
    private static final Pattern PERCENTILE = Pattern.compile("(.+)\\.p[\\d.]+");
    /** Number of records that can be in flight at the end of the window; at low rates, this is more than 1 % of all records. */
    private static final double ON_THE_WAY = 5;
    /** Maximum growth of a backlog per second, as a fraction of the offered rate. */
    private static final double BACKLOG_GROWTH = 0.005;
    /** Maximum growth of a backlog, in seconds of load, that can be due to chance. */
    private static final double BACKLOG_SECONDS = 0.02;

    /** Maximum backlog at the end of a trial under a quota, as a share of all due records. */
    private static final double PILED_UP = 0.01;
    /** Share of the clients' time spent throttled; above it, a quota, and not the load generator, limited the trial. */
    private static final double BY_QUOTA = 0.1;
    /** Share of the members' time spent waiting for records; below it, the members are busy with their work. */
    private static final double BUSY_IDLE = 0.2;
    /**
     * Number of seconds at the start of a trial, and {@link #AT_LAST} at its end, from which the minimum backlog is
     * taken. Both minima include records in flight.
     */
    private static final int AT_FIRST = 6;

    private static final int AT_LAST = 3;

    /**
     * @param unsustained reasons why the load was not sustained; empty if it was
     * @param outsideSlo criteria of the user that were not met
     * @param generatorLimited whether the trial failed because of the load generator
     * @param hostContended whether the trial failed while other programs used the CPU of the brokers' host, so that it is
     *     not evidence about the cluster
     * @param undecided groups for which it is undecided whether they kept up
     */
    public record Judgement(
            List<Sentence> unsustained,
            List<Sentence> outsideSlo,
            boolean generatorLimited,
            boolean hostContended,
            List<Undecided> undecided) {
        public boolean sustained() {
            return unsustained.isEmpty() && undecided.isEmpty();
        }

        /** Whether the trial determines if its load was sustained. */
        public boolean decided() {
            return unsustained.isEmpty() ? undecided.isEmpty() : !hostContended;
        }

        /** Whether the trial determines if its load was sustained and the user's criteria were met. */
        public boolean decidedWithinSlo() {
            return outsideSlo.isEmpty() ? decided() : !hostContended;
        }

        public boolean withinSlo() {
            return sustained() && outsideSlo.isEmpty();
        }

        /** All reasons, most important first. */
        public List<Sentence> reasons() {
            List<Sentence> all = new ArrayList<>(unsustained);
            all.addAll(outsideSlo);
            undecided.forEach(group -> all.add(group.reason()));
            return List.copyOf(all);
        }
    }

    /** An undecided group, and the length in seconds of a trial that would decide it; null if the group's lag is unknown. */
    public record Undecided(String group, @Nullable Double seconds) {
        public Sentence reason() {
            return seconds == null
                    ? Sentence.of("search.groupLagUnknown", group)
                    : Sentence.of("search.groupUndecided", group, Units.duration(seconds));
        }
    }

    public Judgement judge(TrialResult trial) {
        List<Sentence> unsustained = new ArrayList<>();
        List<Undecided> undecided = new ArrayList<>();
        if (!trial.course().complete()) {
            unsustained.add(Sentence.of("search.didNotEnd"));
        }
        if (trial.produce() == null) {
            unsustained.add(Sentence.of("search.nothingProduced"));
        } else {
            produced(trial, trial.produce(), unsustained);
        }
        consumed(trial, unsustained, undecided);
        List<Sentence> damage = audited(trial.audit());
        unsustained.addAll(damage);
        List<Sentence> outside = slo.stream()
                .map(check -> evaluate(trial, check))
                .filter(c -> !c.passed())
                .map(Criteria::failed)
                .collect(Collectors.toCollection(ArrayList::new));
        Optional<Invalidity> invalid = Invalidity.of(trial);
        List<Sentence> weightier = unsustained.isEmpty() ? outside : unsustained;
        boolean limited = Invalidity.byGenerator(trial) && !weightier.isEmpty() && !byQuota(trial);
        if (limited) {
            weightier.add(0, Sentence.of("search.generator"));
        } else if (invalid.equals(Optional.of(Invalidity.CLIENTS_ENDED))) {
            unsustained.add(0, Sentence.of("search.clientsEnded"));
        } else if (invalid.equals(Optional.of(Invalidity.NOTHING_ARRIVED))) {
            unsustained.add(0, Sentence.of("search.nothingCame"));
        }
        boolean taken = !limited
                && invalid.map(Invalidity.BUSY_HOST::equals).orElse(true)
                && damage.isEmpty()
                && hostContended(trial);
        if (taken && !weightier.isEmpty()) {
            weightier.add(0, Sentence.of("search.hostTaken"));
        }
        return new Judgement(
                List.copyOf(unsustained),
                List.copyOf(outside),
                limited,
                taken && !weightier.isEmpty(),
                List.copyOf(undecided));
    }

    /**
     * Whether other programs took the CPU of the brokers' host. Never with observed groups, because their members use
     * the CPU for their work, or under a quota, which also limits clients on an idle host. Never if members are busy
     * with their work, because they then do not wait for brokers.
     */
    private static boolean hostContended(TrialResult trial) {
        return trial.course().complete()
                && trial.observed().groups().isEmpty()
                && !byQuota(trial)
                && trial.observed().clients().values().stream().noneMatch(Criteria::holdsItselfBack)
                && Invalidity.isHostTaken(trial);
    }

    /** @param consumers client metrics of a consumer entry; producers do not have these metrics */
    private static boolean holdsItselfBack(Map<String, Double> consumers) {
        Double idle = consumers.get("pollIdle");
        return idle != null
                && (consumers.getOrDefault("throttleShare", 0.0) > BY_QUOTA
                        || (consumers.containsKey("workBound") && idle < BUSY_IDLE));
    }

    private static void produced(TrialResult trial, Produce p, List<Sentence> reasons) {
        Double offered = p.schedule().offeredRecordsPerSecond();
        Double achieved = ProduceFigures.achieved(p);
        if (offered != null && achieved != null && achieved < ACHIEVED) {
            double missing = (offered - Sums.orZero(p.volume().recordsPerSecond()))
                    * trial.course().measuredSeconds();
            if (missing > ON_THE_WAY) {
                reasons.add(Sentence.of("search.notAchieved", Units.decimals(achieved * 100, 1) + " %"));
            }
        }
        if (offered != null && grows(backlog(trial), offered)) {
            reasons.add(Sentence.of("search.backlogGrew"));
        } else if (offered != null
                && throttledSeconds(p) > 0
                && piledUp(trial.detail().seconds())) {
            reasons.add(Sentence.of("search.backlogGrewFromTheStart"));
        }
        long failed = failed(p.errors());
        if (failed > 0) {
            reasons.add(Sentence.of("search.failed", Units.count(failed)));
        }
    }

    private static long failed(TrialResult.@Nullable Errors errors) {
        return errors == null ? 0 : errors.total();
    }

    private static double throttledSeconds(Produce p) {
        return Sums.orZero(p.waits().throttledSeconds());
    }

    /** Whether the cluster throttled its clients; its quota is then the limit, even if the load generator was busy. */
    private static boolean byQuota(TrialResult trial) {
        Produce p = trial.produce();
        double clientSeconds = p == null || p.sources().clients() == null
                ? 0
                : p.sources().clients() * trial.course().measuredSeconds();
        return p != null && throttledSeconds(p) > BY_QUOTA * clientSeconds;
    }

    /**
     * Whether more records wait at the end of the load than at its start. A quota grants the unused part of its window
     * at once and then nothing for the same time, so any load can pass within a part of that window.
     */
    private static boolean piledUp(List<Second> seconds) {
        List<Second> load = seconds.stream()
                .filter(s -> "measure".equals(s.phase()) || "warmup".equals(s.phase()))
                .toList();
        if (load.size() < AT_FIRST + AT_LAST) {
            return false;
        }
        double[] waiting = new double[load.size()];
        double due = 0;
        double done = 0;
        double from = 0;
        for (int i = 0; i < waiting.length; i++) {
            Second s = load.get(i);
            due += Sums.orZero(s.rates().offered()) * (s.at() - from);
            done += s.rates().produced() * (s.at() - from);
            from = s.at();
            waiting[i] = due - done;
        }
        double first = Arrays.stream(waiting, 0, AT_FIRST).min().orElse(0);
        double last =
                Arrays.stream(waiting).skip(waiting.length - AT_LAST).min().orElse(0);
        return last - first > PILED_UP * due && last - first > ON_THE_WAY;
    }

    /** Checks that groups, including third-party groups, keep up with the producers. */
    private static void consumed(TrialResult trial, List<Sentence> reasons, List<Undecided> undecided) {
        for (Map.Entry<String, GroupPace> of : GroupPace.of(trial).entrySet()) {
            GroupPace pace = of.getValue();
            if (pace.isBehind()) {
                reasons.add(Sentence.of("search.groupFellBehind", of.getKey(), Units.rate(pace.behindPerSecond())));
            } else if (pace.isUndecided()) {
                undecided.add(new Undecided(of.getKey(), pace.decidableSeconds()));
            }
        }
        long failed = trial.consume() == null ? 0 : failed(trial.consume().errors());
        if (failed > 0) {
            reasons.add(Sentence.of("search.consumersFailed", Units.count(failed)));
        }
    }

    private static List<Sentence> audited(@Nullable AuditResult audit) {
        List<Sentence> reasons = new ArrayList<>();
        if (audit == null) {
            return reasons;
        }
        Long corrupted = audit.counts().corrupted();
        if (audit.counts().lost() > 0) {
            reasons.add(Sentence.of("search.lost", Units.count(audit.counts().lost())));
        } else if (!audit.complete()) {
            reasons.add(Sentence.of("search.cannotTell"));
        }
        if (corrupted != null && corrupted > 0) {
            reasons.add(Sentence.of("search.corrupted", Units.count(corrupted)));
        }
        return reasons;
    }

    /** @param rate offered rate in records per second */
    private static boolean grows(double[] series, double rate) {
        return Trend.grows(series, rate, BACKLOG_GROWTH, BACKLOG_SECONDS);
    }

    /**
     * Number of records due and not acknowledged at the end of each second of the window, relative to the start of the
     * window.
     */
    private static double[] backlog(TrialResult trial) {
        double[] growth = trial.measured()
                .mapToDouble(s -> Sums.orZero(s.rates().offered()) - s.rates().produced())
                .toArray();
        Arrays.parallelPrefix(growth, Double::sum);
        return growth;
    }

    /**
     * Evaluates a check. A percentile with too few samples is at most the maximum, so it is within the limit if the
     * maximum is.
     */
    private static CheckResult evaluate(TrialResult trial, Check check) {
        CheckResult result = Checks.evaluate(trial, check);
        boolean upperLimit = check.op() == Operator.LESS || check.op() == Operator.LESS_OR_EQUAL;
        Matcher percentile = PERCENTILE.matcher(check.figure());
        if (result.measured() != null
                || check.ofSeconds() != null
                || !upperLimit
                || check.dimension() != Dimension.MICROSECONDS
                || !percentile.matches()) {
            return result;
        }
        return Checks.evaluate(trial, check.of(percentile.group(1) + ".max"));
    }

    private static Sentence failed(CheckResult check) {
        return check.measured() == null
                ? Sentence.of("search.notMeasured", check.check())
                : Sentence.of("search.was", check.check(), Units.figure(check.measured(), check.unit()));
    }
}
