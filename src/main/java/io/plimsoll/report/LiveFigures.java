package io.plimsoll.report;

import io.plimsoll.result.SearchView;
import io.plimsoll.text.Sentence;
import java.util.List;

/**
 * What there is to see of a run at one moment.
 *
 * @param trial null outside of trials
 * @param elapsedSeconds since the phase began
 * @param fraction of the phase that is done, 0 to 1; negative if unknown
 * @param etaSeconds negative if unknown
 * @param fault what is wrong on purpose; null if nothing is
 * @param checks null if none was decided yet
 * @param load null before the first second of the trial
 * @param search null unless a ceiling is searched for
 */
record LiveFigures(
        String trial,
        String phase,
        double elapsedSeconds,
        double fraction,
        double etaSeconds,
        Sentence fault,
        Checked checks,
        Load load,
        SearchView search) {

    /** Checks that the last second decided. */
    record Checked(List<String> held, List<String> missed) {}

    /**
     * Figures of the last second or few.
     *
     * @param offered records per second; null in a trial that only consumes
     * @param produced what was acknowledged
     * @param response null without one
     * @param errors since the trial began
     * @param lag null if unknown or without consumers
     * @param cores CPU of the load generator
     */
    record Load(
            double offered,
            PerSecond produced,
            PerSecond consumed,
            Response response,
            long errors,
            Long lag,
            double cores) {}

    record PerSecond(double records, double bytes) {}

    /** Response times in microseconds. */
    record Response(long p50, long p99, long max) {}
}
