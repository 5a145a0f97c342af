package io.plimsoll.result;

import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.scenario.ABVariants;
import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Describes the result of trials in one sentence. */
final class Sentences {
    private static final int MOST_NAMED = 3;

    static Sentence of(List<TrialResult> all, List<CrossCheckResult> between) {
        List<TrialResult> trials = all.stream()
                .filter(t -> t.course().measuredSeconds() > 0
                        && Sums.orZero(t.volume().records()) > 0)
                .toList();
        if (trials.isEmpty()) {
            return nothing(all);
        }
        Sentence audit = audit(all);
        Optional<Sentence> faults = trials.size() == 1 ? FaultSentences.of(trials.get(0)) : Optional.empty();
        if (faults.isPresent()) {
            return faults.get();
        }
        if (trials.size() == 1) {
            return Sentence.of("result.yours", took(trials.get(0)), audit);
        }
        List<String> arms = arms(trials);
        if (!arms.isEmpty()) {
            return Sentence.of("result.inTurns", trials.size(), arms, audit);
        }
        if (trials.size() == 2) {
            boolean paced = trials.get(0).paced();
            TrialResult open = trials.get(paced ? 0 : 1);
            TrialResult closed = trials.get(paced ? 1 : 0);
            if (open.paced() && closed.pushed()) {
                return Sentence.of(
                        "result.yours", Sentence.of("result.pacedAndPushed", took(open), most(closed)), audit);
            }
        }
        return compared(trials, between, audit);
    }

    /** The sentence for trials with only connections, or without a record in the window. */
    private static Sentence nothing(List<TrialResult> all) {
        double earlier = all.stream()
                .mapToDouble(t -> Sums.orZero(t.volume().recordsPerSecond()))
                .max()
                .orElse(0);
        Sentence otherwise = earlier > 0
                ? Sentence.of("result.onlyEarlier", Units.rate(earlier))
                : Sentence.of(all.isEmpty() ? "result.nothingMeasured" : "result.nothingArrived");
        return all.stream()
                .filter(t -> t.detail().figures().containsKey("connect.standing"))
                .findFirst()
                .map(Sentences::connected)
                .orElse(otherwise);
    }

    private static Sentence connected(TrialResult t) {
        Map<String, Double> figures = t.detail().figures();
        double missing = figures.getOrDefault("connect.missing", 0.0);
        TrialResult.Latency open = t.detail().distributions().get("connect.firstOpen");
        String standing = Units.rate(figures.getOrDefault("connect.standing", 0.0));
        String rate = Units.rate(figures.getOrDefault("connect.rate", 0.0));
        if (missing > 0) {
            return Sentence.of("result.connectedSome", standing, rate, Units.rate(missing));
        }
        return open == null || open.max() == null
                ? Sentence.of("result.connected", standing, rate)
                : Sentence.of(
                        "result.connectedAll", standing, rate, Units.micros(open.max()), Units.count(open.count()));
    }

    private static Sentence took(TrialResult t) {
        Produce p = t.produce();
        TrialResult.Consume c = t.consume();
        if (p != null && t.paced()) {
            Sentence produced = paced(p);
            return slowest(t).map(g -> behind(produced, t, g)).orElse(produced);
        }
        return c == null || t.pushed() ? Sentence.of("result.pushed", most(t), size(t.volume())) : delivered(c);
    }

    /** The group that fell behind most, if any did. */
    private static Optional<Group> slowest(TrialResult t) {
        List<Group> groups = t.consume() == null ? List.of() : t.consume().groups();
        return groups.stream()
                .filter(g -> g.paceOrUnknown().isBehind())
                .max(Comparator.comparingDouble(g -> g.paceOrUnknown().behindPerSecond()));
    }

    private static Sentence behind(Sentence produced, TrialResult t, Group group) {
        GroupPace pace = group.paceOrUnknown();
        return Sentence.of(
                "result.tookBehind",
                produced,
                GroupName.of(t, group).words(),
                Units.about(pace.receivedPerSecond()),
                Units.about(pace.receivedPerSecond() + pace.behindPerSecond()));
    }

    private static Sentence paced(Produce p) {
        Double achieved = ProduceFigures.achieved(p);
        Double offered = p.schedule().offeredRecordsPerSecond();
        String carried = Units.about(carried(p));
        Sentence response = response(p.times().responseTime());
        return offered == null || achieved == null || achieved >= GeneratorLimit.ACHIEVED
                ? Sentence.of("result.took", carried, size(p.volume()), response)
                : Sentence.of("result.tookOnly", carried, Units.about(offered), size(p.volume()), response);
    }

    /** Acknowledged records/s, at most the offered rate. */
    private static double carried(Produce p) {
        return Sums.orZero(
                ProduceFigures.aboveOffered(p)
                        ? p.schedule().offeredRecordsPerSecond()
                        : p.volume().recordsPerSecond());
    }

    private static Sentence response(TrialResult.@Nullable Latency l) {
        if (l == null || l.max() == null) {
            return Sentence.NONE;
        }
        Long p50 = l.percentiles().p50();
        Long p99 = l.percentiles().p99();
        if (p50 == null) {
            return Sentence.of("result.response.max", Units.micros(l.max()));
        }
        return p99 == null
                ? Sentence.of("result.response.median", Units.micros(p50))
                : Sentence.of("result.response.p99", Units.micros(p50), Units.micros(p99));
    }

    private static String size(TrialResult.Volume v) {
        return Units.bytes(Sums.orZero(v.bytesPerRecord()));
    }

    private static Sentence most(TrialResult t) {
        return Sentence.of(
                Invalidity.isLowerBound(t) ? "result.atLeast" : "result.atMost",
                byteRate(t.volume()),
                recordRate(t.volume()));
    }

    private static String byteRate(TrialResult.Volume v) {
        return Units.byteRate(Sums.orZero(v.bytesPerSecond()));
    }

    private static String recordRate(TrialResult.Volume v) {
        return Units.about(Sums.orZero(v.recordsPerSecond()));
    }

    private static Sentence delivered(TrialResult.Consume c) {
        String bytes = byteRate(c.volume());
        String records = recordRate(c.volume());
        String size = size(c.volume());
        int groups = c.groups().size();
        return groups <= 1
                ? Sentence.of("result.deliveredToOne", bytes, records, size)
                : Sentence.of("result.deliveredTo", bytes, records, size, groups);
    }

    /** Criterion for the ranking of trials. */
    private enum By {
        RATE,
        RESPONSE,
        END_TO_END,
        DRAIN;

        /**
         * The criterion for these trials: the drain rate if all have a backlog, because the records of a backlog are
         * always late. If all have a schedule, a latency: end-to-end latency if consumer settings differ, otherwise
         * response time. In other cases, the rate.
         */
        static By of(List<TrialResult> trials) {
            if (trials.stream().allMatch(t -> backlog(t) != null)) {
                return DRAIN;
            }
            if (trials.stream().allMatch(t -> t.paced() && t.variesConsumers() && END_TO_END.p99(t) != null)) {
                return END_TO_END;
            }
            return trials.stream().allMatch(t -> t.paced() && RESPONSE.p99(t) != null) ? RESPONSE : RATE;
        }

        @Nullable
        Long p99(TrialResult t) {
            TrialResult.Latency seen;
            if (this == RESPONSE) {
                seen = t.produce() == null ? null : t.produce().times().responseTime();
            } else {
                seen = t.consume() == null ? null : t.consume().times().endToEnd();
            }
            return seen == null ? null : seen.percentiles().p99();
        }

        double worse(TrialResult t) {
            return switch (this) {
                case RATE -> -Sums.orZero(t.volume().bytesPerSecond());
                case DRAIN -> -drained(t).recordsPerSecond();
                default -> Objects.requireNonNull(p99(t));
            };
        }

        Sentence figure(TrialResult t) {
            String records = t.produce() == null ? recordRate(t.volume()) : Units.about(carried(t.produce()));
            return switch (this) {
                case RATE -> Sentence.of("result.figure.rate", byteRate(t.volume()), records);
                case RESPONSE -> Sentence.of("result.figure.p99", Units.micros(worse(t)), records);
                case END_TO_END -> Sentence.of("result.figure.endToEnd", Units.micros(worse(t)), records);
                case DRAIN ->
                    Sentence.of(
                            "result.figure.drain",
                            Units.about(drained(t).recordsPerSecond()),
                            Units.byteRate(drained(t).bytesPerSecond()));
            };
        }

        /** The backlog of a trial that is ranked by {@link #DRAIN}. */
        private static Backlog drained(TrialResult t) {
            return Objects.requireNonNull(backlog(t));
        }

        private static @Nullable Backlog backlog(TrialResult t) {
            return t.consume() == null ? null : t.consume().reading().backlog();
        }
    }

    /** The settings between which the trials alternate; empty if these are not trials of a comparison. */
    private static List<String> arms(List<TrialResult> trials) {
        return trials.stream()
                .map(t -> t.detail().parameters().get(ABVariants.ARM))
                .filter(Objects::nonNull)
                .map(ABVariants::setting)
                .distinct()
                .toList();
    }

    /**
     * Compares the best and the worst of several trials. If several trials only read, trials with producers do not
     * count.
     */
    private static Sentence compared(List<TrialResult> all, List<CrossCheckResult> between, Sentence audit) {
        List<TrialResult> reading =
                all.stream().filter(t -> t.produce() == null).toList();
        List<TrialResult> trials = reading.size() > 1 ? reading : all;
        By by = By.of(trials);
        List<TrialResult> ranked = trials.stream()
                .sorted(Comparator.comparing(GroupPace::anyBehind).thenComparingDouble(by::worse))
                .toList();
        TrialResult best = ranked.get(0);
        TrialResult last = ranked.get(ranked.size() - 1);
        Sentence doubt = Stream.concat(
                        between.stream().map(CrossCheckResult::why),
                        Stream.of(best, last).map(CrossCheckResult::doubt))
                .filter(Objects::nonNull)
                .findFirst()
                .map(why -> Sentence.of("result.undecided", why))
                .orElse(Sentence.NONE);
        return Sentence.of(
                "result.compared",
                trials.size(),
                best.name(),
                by.figure(best),
                last.name(),
                by.figure(last),
                doubt,
                audit);
    }

    /** The sentence for a clean audit; violations are reported first. */
    private static Sentence audit(List<TrialResult> trials) {
        List<AuditResult> audits =
                trials.stream().map(TrialResult::audit).filter(Objects::nonNull).toList();
        boolean good = !audits.isEmpty() && audits.stream().allMatch(a -> !a.violated() && a.complete());
        long acknowledged =
                audits.stream().mapToLong(a -> a.counts().acknowledged()).sum();
        return good && acknowledged > 0 ? Sentence.of("result.allInLog", Units.count(acknowledged)) : Sentence.NONE;
    }

    /** A list such as {@code a, b and 3 more}. */
    static Sentence list(List<String> names) {
        return Sentence.list(names, MOST_NAMED);
    }

    /** Describes the effects of a trial's faults, for the verdict. */
    static final class FaultSentences {
        /**
         * Maximum relative difference between the longest and the median silence at which all silences count as equal.
         */
        private static final double ALIKE = 0.05;

        private static final double ROSE = 2;
        private static final long ROSE_MICROS = 1000;

        /** The fault with the greatest effect; empty if no fault took effect, or no record was produced. */
        static Optional<Sentence> of(TrialResult trial) {
            List<FaultResult> faults = trial.detail().faults().stream()
                    .filter(f -> f.span().inEffect() != null && f.silenced() != null)
                    .toList();
            Optional<Sentence> worst = faults.stream()
                    .max(Comparator.comparingDouble(FaultSentences::silentSeconds)
                            .thenComparingDouble(f -> Sums.orZero(f.effect().longestGapSeconds()))
                            .thenComparingDouble(f -> Sums.orZero(f.effect().worstResponseMicros())))
                    .map(f -> Sentence.of("result.faulted", who(f), effects(f, trial)));
            return faults.size() <= 1 ? worst : worst.map(s -> Sentence.of("result.worstFault", faults.size(), s));
        }

        private static double silentSeconds(FaultResult fault) {
            return fault.silenced() == null ? 0 : Sums.orZero(fault.silenced().longestSeconds());
        }

        private static Sentence who(FaultResult fault) {
            FaultResult.Deed deed = fault.deed();
            return FaultResult.outage(deed.action()) != Outage.NONE && deed.broker() != null
                    ? Sentence.of("result.faultOf." + deed.action(), deed.broker())
                    : Sentence.of("result.anyFault", deed.what());
        }

        private static List<Sentence> effects(FaultResult fault, TrialResult trial) {
            AuditResult audit = trial.audit();
            List<Sentence> effects = new ArrayList<>();
            effects.add(silenced(fault.silenced()));
            if (silentSeconds(fault) == 0) {
                rose(fault.response()).ifPresent(effects::add);
            }
            back(fault, trial.detail().faults()).ifPresent(effects::add);
            Long lost = fault.effect().lost();
            // Without a complete audit, unexamined records can be lost.
            if (lost != null && (lost > 0 || (audit != null && audit.complete()))) {
                effects.add(
                        lost == 0
                                ? Sentence.of("result.nothingLost")
                                : Sentence.of("result.someLost", Units.count(lost)));
            }
            return effects;
        }

        /** Recovery of a fault; empty without a baseline. */
        private static Optional<Sentence> back(FaultResult fault, List<FaultResult> all) {
            Double back = fault.backSeconds();
            if (fault.response() != null
                    && Boolean.FALSE.equals(fault.response().steadyBefore())) {
                // Without a baseline, only throughput can recover.
                return back == null || back <= 0
                        ? Optional.empty()
                        : Optional.of(Sentence.of("result.throughputBackAfter", Units.duration(back)));
            }
            if (back != null) {
                return Optional.of(
                        back > 0
                                ? Sentence.of("result.backAfter", Units.duration(back))
                                : Sentence.of("result.neverFell"));
            }
            if (fault.response() != null && fault.response().before() == null) {
                return Optional.empty();
            }
            boolean last =
                    all.stream().noneMatch(f -> f.span().asked() > fault.span().asked());
            return Optional.of(Sentence.of(last ? "result.notBack" : "result.notBackBeforeNext"));
        }

        private static Sentence silenced(FaultResult.@Nullable Silenced s) {
            if (s == null || s.longestSeconds() == null) {
                return Sentence.of("result.silencedNone");
            }
            double longest = s.longestSeconds();
            boolean alike = longest - Sums.orZero(s.medianSeconds()) <= ALIKE * longest;
            return Sentence.of(
                    alike ? "result.silenced" : "result.silencedUpTo", s.partitions(), s.of(), Units.duration(longest));
        }

        private static Optional<Sentence> rose(FaultResult.@Nullable Response r) {
            Long before = r == null || r.before() == null ? null : r.before().p99();
            Long during = r == null || r.during() == null ? null : r.during().p99();
            return before != null && during != null && during > ROSE * before + ROSE_MICROS
                    ? Optional.of(Sentence.of("result.p99Rose", Units.micros(before), Units.micros(during)))
                    : Optional.empty();
        }

        /** The reason why the first fault has no reliable baseline; empty if it has one, or without faults. */
        static Optional<Sentence> noBaseline(TrialResult trial) {
            List<FaultResult> faults = trial.detail().faults();
            FaultResult.Response first = faults.isEmpty() ? null : faults.get(0).response();
            if (first == null || Boolean.TRUE.equals(first.steadyBefore())) {
                return Optional.empty();
            }
            FaultResult.Around before = first.steadyBefore() == null ? null : first.before();
            return Optional.of(
                    before == null || before.p50() == null || before.p99() == null
                            ? Sentence.of("result.shortBaseline")
                            : Sentence.of("result.noBaseline", Units.micros(before.p50()), Units.micros(before.p99())));
        }
    }
}
