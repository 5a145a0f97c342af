package io.plimsoll.result;

import io.plimsoll.result.AuditResult.GroupAudit;
import io.plimsoll.result.TrialResult.Backlog;
import io.plimsoll.result.TrialResult.CheckResult;
import io.plimsoll.result.TrialResult.Consume;
import io.plimsoll.result.TrialResult.Generator;
import io.plimsoll.result.TrialResult.Group;
import io.plimsoll.result.TrialResult.Latency;
import io.plimsoll.result.TrialResult.Produce;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.Check.Dimension;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Looks up the figures that checks name, see {@link io.plimsoll.scenario.Figures}. */
public final class Figure {
    private static final String SHARE_OF_SECONDS = "share of seconds";

    private Figure() {}

    /**
     * @return in the unit of the check's limit; empty if the trial has no such figure (no consumers, a percentile with
     *     too few samples, no audit, …)
     */
    public static OptionalDouble value(TrialResult trial, Check check) {
        int dot = check.figure().indexOf('.');
        String part = check.figure().substring(0, dot);
        String name = check.figure().substring(dot + 1);
        Number value =
                switch (part) {
                    case "produce" ->
                        trial.produce() == null
                                ? null
                                : name.equals("duration")
                                        ? trial.course().measuredSeconds() * 1e6
                                        : produce(trial.produce(), name, check.dimension());
                    case "consume" ->
                        trial.consume() == null
                                ? null
                                : switch (name) {
                                    case "wireThroughput" -> wireBytesPerSecond(trial.consume(), trial.produce());
                                    case "lag" -> highestLag(trial);
                                    default -> consume(trial.consume(), name, check.dimension());
                                };
                    case "trial" -> trial(trial, name);
                    case "audit" -> trial.audit() == null ? null : audit(trial.audit(), name);
                    case "generator" -> trial.observed().generator() == null ? null : generator(trial, name);
                    case "broker", "host" -> ObservedFigure.of(check.figure()).of(trial);
                    default -> throw unknown(check.figure());
                };
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value.doubleValue());
    }

    /**
     * A figure by its name.
     *
     * @return in the dimension's own unit: microseconds, bytes or records per second, a count or a ratio
     */
    public static OptionalDouble value(TrialResult trial, String figure, Dimension dimension) {
        return value(trial, new Check(figure, figure, Check.Operator.EQUAL, 0, dimension));
    }

    /** A figure that does not exist fails its check: nothing shows that it holds. */
    public static CheckResult evaluate(TrialResult trial, Check check) {
        if (check.ofSeconds() != null) {
            return ofSeconds(trial, check);
        }
        OptionalDouble value = value(trial, check);
        boolean passed = value.isPresent() && check.op().holds(value.getAsDouble(), check.limit());
        Double measured = value.isPresent() ? value.getAsDouble() : null;
        return new CheckResult(check.text(), measured, unit(check.dimension()), passed);
    }

    /**
     * A second in which nothing was acknowledged has no response time, and does not meet a limit on it; one of which an
     * observer says nothing does not count.
     */
    private static CheckResult ofSeconds(TrialResult trial, Check check) {
        List<Second> measured = trial.detail().seconds().stream()
                .filter(s -> s.phase().equals("measure") && told(s, check))
                .toList();
        if (measured.isEmpty()) {
            return new CheckResult(check.text(), null, SHARE_OF_SECONDS, false);
        }
        long met = measured.stream().filter(s -> holds(s, check)).count();
        double share = (double) met / measured.size();
        return new CheckResult(check.text(), share, SHARE_OF_SECONDS, share >= check.ofSeconds());
    }

    /** Whether a second says anything of a check. */
    static boolean told(Second second, Check check) {
        return !SecondFigures.mayBeMissing(check.figure()) || second.figures().containsKey(SecondFigures.key(check));
    }

    static boolean holds(Second second, Check check) {
        Number value =
                switch (check.figure()) {
                    case "produce.throughput" ->
                        check.dimension() == Dimension.BYTES_PER_SECOND
                                ? second.rates().producedBytes()
                                : second.rates().produced();
                    case "produce.response.p50" -> second.response().responseP50();
                    case "produce.response.p99" -> second.response().responseP99();
                    case "produce.response.max" -> second.response().responseMax();
                    default -> second.figures().get(SecondFigures.key(check));
                };
        return value != null && check.op().holds(value.doubleValue(), check.limit());
    }

    private static String unit(Dimension dimension) {
        return switch (dimension) {
            case MICROSECONDS -> "us";
            case BYTES_PER_SECOND -> "bytes/s";
            case RECORDS_PER_SECOND -> "records/s";
            case COUNT -> "count";
            case RATIO -> "ratio";
        };
    }

    private static Number trial(TrialResult trial, String name) {
        if (!name.equals("steady")) {
            throw unknown("trial." + name);
        }
        return trial.course().steady() == null
                ? null
                : Integer.valueOf(trial.course().steady() ? 1 : 0);
    }

    private static Double generator(TrialResult trial, String name) {
        Generator g = trial.observed().generator();
        return switch (name) {
            case "cpu" -> Double.valueOf(g.cpu().cpuCores());
            case "gc" ->
                trial.course().measuredSeconds() > 0
                        ? Double.valueOf(g.gcSeconds() / trial.course().measuredSeconds())
                        : null;
            case "busiestThread" ->
                g.cpu().busiestThread() == null
                        ? null
                        : Double.valueOf(g.cpu().busiestThread().share());
            default -> throw unknown("generator." + name);
        };
    }

    private static Long highestLag(TrialResult trial) {
        return trial.detail().seconds().stream()
                .filter(s -> s.phase().equals("measure") && s.lag() != null)
                .map(Second::lag)
                .max(Long::compare)
                .orElse(null);
    }

    private static Number produce(Produce p, String name, Dimension dimension) {
        return switch (name) {
            case "throughput" ->
                dimension == Dimension.BYTES_PER_SECOND
                        ? p.volume().bytesPerSecond()
                        : p.volume().recordsPerSecond();
            case "records" -> p.volume().records();
            case "errors" -> p.errors().total();
            case "achieved" -> achieved(p);
            case "offered" -> p.schedule().offeredRecordsPerSecond();
            case "unacknowledged" -> p.schedule().unacknowledged();
            case "wireThroughput" -> wireBytesPerSecond(p);
            case "requestRate" -> p.wire().requestsPerSecond();
            case "waitedOver50ms", "waitedOver100ms", "waitTimedOut" ->
                p.events().getOrDefault(name, 0L);
            case "missing" ->
                p.schedule().asked() == null
                        ? null
                        : Math.max(0, p.schedule().asked() - p.volume().records());
            case "recordsPerBatch" -> p.wire().recordsPerBatch();
            case "compressionRatio" -> p.wire().compressionRatio();
            default -> {
                String statistic = name.substring(name.indexOf('.') + 1);
                yield switch (name.substring(0, Math.max(0, name.indexOf('.')))) {
                    case "response" -> latency(p.times().responseTime(), statistic);
                    case "service" -> latency(p.times().serviceTime(), statistic);
                    case "delay" -> latency(p.times().sendDelay(), statistic);
                    default -> throw unknown("produce." + name);
                };
            }
        };
    }

    /** Requests of the window × the mean bytes of a request; the total has those of the drain in it, too. */
    private static Double wireBytesPerSecond(Produce p) {
        return p.wire().requests() == null || p.wire().requests() == 0
                ? null
                : Double.valueOf((double) p.wire().wireBytes()
                        / p.wire().requests()
                        * p.wire().requestsPerSecond());
    }

    /** Consumers' records with the bytes that they had when they were produced; null if none were. */
    private static Double wireBytesPerSecond(Consume c, Produce p) {
        return p == null || p.wire().recordsPerBatch() == null || p.wire().bytesPerBatch() == null
                ? null
                : Double.valueOf(c.volume().recordsPerSecond()
                        * p.wire().bytesPerBatch()
                        / p.wire().recordsPerBatch());
    }

    /** @return acknowledged ÷ offered rate; null without a schedule */
    static Double achieved(Produce p) {
        Double offered = p.schedule().offeredRecordsPerSecond();
        return offered == null || offered == 0
                ? null
                : Double.valueOf(p.volume().recordsPerSecond() / offered);
    }

    private static Number consume(Consume c, String name, Dimension dimension) {
        return switch (name) {
            case "throughput" ->
                dimension == Dimension.BYTES_PER_SECOND
                        ? c.volume().bytesPerSecond()
                        : c.volume().recordsPerSecond();
            case "records" -> c.volume().records();
            case "errors" -> c.errors().total();
            case "lagAtEnd" -> lagAtEnd(c);
            case "requestRate" -> c.fetches().requestsPerSecond();
            case "missing" -> c.reading().missing();
            case "backlog" ->
                c.reading().backlog() == null ? null : c.reading().backlog().records();
            case "drainTime" ->
                c.reading().backlog() == null || !c.reading().backlog().drained()
                        ? null
                        : c.reading().backlog().drainSeconds() * 1e6;
            case "drainRate" ->
                c.reading().backlog() == null ? null : drainRate(c.reading().backlog(), dimension);
            case "rebalances" ->
                c.groups().stream().mapToLong(Group::rebalances).sum();
            default -> {
                if (!name.startsWith("endToEnd.")) {
                    throw unknown("consume." + name);
                }
                yield endToEnd(c, name.substring("endToEnd.".length()));
            }
        };
    }

    /** What is less than clocks can tell is at most what they say and as much again. */
    private static Number endToEnd(Consume c, String name) {
        Number known = latency(c.times().endToEnd(), name);
        boolean hidden = known == null
                && c.times().endToEndUnknown() != null
                && LatencyFigures.enough(c.times().endToEnd().count(), name);
        return hidden ? Double.valueOf(2 * c.times().clockErrorMicros()) : known;
    }

    private static Number drainRate(Backlog b, Dimension dimension) {
        return dimension == Dimension.BYTES_PER_SECOND ? b.bytesPerSecond() : b.recordsPerSecond();
    }

    /** @return of all groups together; null if any could not be asked */
    static Long lagAtEnd(Consume c) {
        boolean known = c.groups().stream().map(Group::lagAtEnd).allMatch(Objects::nonNull);
        return known ? c.groups().stream().mapToLong(Group::lagAtEnd).sum() : null;
    }

    private static Number audit(AuditResult a, String name) {
        return switch (name) {
            case "acknowledged" -> a.counts().acknowledged();
            case "read" -> a.counts().read();
            case "lost" -> a.counts().lost();
            case "duplicated" -> a.counts().duplicated();
            case "reordered" -> a.counts().reordered();
            case "corrupted" -> a.counts().corrupted();
            case "phantom" -> a.identified().phantom();
            case "unknown" -> a.counts().unknown();
            case "foreign" -> a.identified().foreign();
            case "abortedVisible" -> a.identified().abortedVisible();
            case "violations" -> a.identified().violations();
            case "processedTwice" -> inGroups(a, GroupAudit::processedTwice);
            case "skipped" -> inGroups(a, GroupAudit::skipped);
            default -> throw unknown("audit." + name);
        };
    }

    /** Of all groups together; null if it is not known of each. */
    private static Long inGroups(AuditResult a, Function<GroupAudit, Long> figure) {
        if (a.groups() == null || a.groups().isEmpty()) {
            return null;
        }
        long sum = 0;
        for (GroupAudit group : a.groups()) {
            Long of = figure.apply(group);
            if (of == null) {
                return null;
            }
            sum += of;
        }
        return sum;
    }

    private static Number latency(Latency l, String statistic) {
        return switch (statistic) {
            case "min" -> l.min();
            case "mean" -> l.mean();
            case "p50" -> l.percentiles().p50();
            case "p75" -> l.percentiles().p75();
            case "p90" -> l.percentiles().p90();
            case "p95" -> l.percentiles().p95();
            case "p99" -> l.percentiles().p99();
            case "p99.9" -> l.percentiles().p999();
            case "p99.99" -> l.percentiles().p9999();
            case "max" -> l.max();
            default -> throw unknown("latency " + statistic);
        };
    }

    private static IllegalArgumentException unknown(String figure) {
        return new IllegalArgumentException("no such figure: " + figure);
    }
}
