package io.plimsoll.result;

import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.scenario.Check;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Evaluates checks against figures of a trial or of its seconds. */
public final class Checks {
    private static final String SHARE_OF_SECONDS = "share of seconds";

    private Checks() {}

    /**
     * A figure that does not exist fails its check: nothing shows that it holds. So does an upper limit on a latency that is
     * only known to be at least so long.
     */
    public static CheckResult evaluate(TrialResult trial, Check check) {
        if (check.ofSeconds() != null) {
            return ofSeconds(trial, check);
        }
        OptionalDouble value = FigureCatalogue.value(trial, check.figure(), check.dimension());
        FigureCatalogue.Named named = FigureCatalogue.named(check.figure());
        boolean unbounded = check.op().limitsAbove() && named.figure().isAtLeast(trial, named.statistic());
        boolean passed = value.isPresent() && !unbounded && check.op().holds(value.getAsDouble(), check.limit());
        Double measured = value.isPresent() ? value.getAsDouble() : null;
        return new CheckResult(check.text(), measured, Units.of(check.dimension()), passed);
    }

    /**
     * A second without an acknowledgement has no response time and fails a limit on it; a second without observations
     * does not count.
     */
    private static CheckResult ofSeconds(TrialResult trial, Check check) {
        List<Second> measured = trial.measured().filter(s -> told(s, check)).toList();
        if (measured.isEmpty()) {
            return new CheckResult(check.text(), null, SHARE_OF_SECONDS, false);
        }
        double met = measured.stream().mapToDouble(s -> counted(s, check, true)).sum();
        double share = met
                / measured.stream().mapToDouble(s -> counted(s, check, false)).sum();
        return new CheckResult(check.text(), share, SHARE_OF_SECONDS, share >= check.ofSeconds());
    }

    /** Whether a second says anything of a check. */
    static boolean told(Second second, Check check) {
        return counted(second, check, false) > 0;
    }

    /** Number of seconds in an entry, or of those that pass; minutes were counted when they were folded. */
    private static double counted(Second second, Check check, boolean met) {
        Double counted = second.figures().get(counter(check, met));
        return counted != null ? counted : says(second, check) && (!met || holds(second, check)) ? 1 : 0;
    }

    private static String counter(Check check, boolean met) {
        return check.text() + (met ? " met" : " told");
    }

    /** Counts kept for a check when seconds become a minute. */
    static Map<String, Double> counts(Second second, Check check) {
        return Map.of(
                counter(check, false),
                counted(second, check, false),
                counter(check, true),
                counted(second, check, true));
    }

    private static boolean says(Second second, Check check) {
        return !FigureCatalogue.named(check.figure()).figure().isMissable()
                || second.figures().containsKey(SecondFigures.key(check));
    }

    /** Null if the second has none. */
    static Number value(Second second, Check check) {
        FigureCatalogue.Named named = FigureCatalogue.named(check.figure());
        Number shown = named.figure().shown(second, named.statistic(), check.dimension());
        return shown == null ? second.figures().get(SecondFigures.key(check)) : shown;
    }

    static boolean holds(Second second, Check check) {
        Number value = value(second, check);
        return value != null && check.op().holds(value.doubleValue(), check.limit());
    }
}
