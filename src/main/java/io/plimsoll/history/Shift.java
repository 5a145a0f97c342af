package io.plimsoll.history;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * A change of level or spread in a series.
 *
 * @param at index of the first run after it
 * @param end index of the first run of the next shift; the length of the series without one
 * @param before the median of the runs since the shift before it
 * @param after the median of the runs until the next one
 * @param slowdown of the load generator host at the same run: above 1 if slower; 1 if unknown
 * @param changed other facts that changed with that run, by name, with their new values
 */
public record Shift(int at, int end, double before, double after, double slowdown, Map<String, String> changed) {
    /** A shift below this is one of the spread, not of the level. */
    private static final double LEVEL = 0.01;

    /** Facts that identify a machine. Names of devices, interfaces and file systems can change by themselves. */
    private static final Pattern MACHINE = Pattern.compile(
            "host\\.((cpu|memory|limits|virtualisation|os)\\..*|disks\\[\\d+]\\.(model|sizeBytes|rotational))");

    /** After ÷ before; infinite if before is 0. */
    public double ratio() {
        return before == after ? 1 : after / before;
    }

    /** Whether the spread of values changed and not their level. */
    public boolean ofSpread() {
        return Math.abs(ratio() - 1) < LEVEL;
    }

    /** Whether the machine of the load generator is the only known fact that changed with that run. */
    public boolean otherMachine() {
        return onlyHost() && changed.keySet().stream().anyMatch(MACHINE.asMatchPredicate());
    }

    /** Clusters that are made for each run have a new id each time. */
    private boolean onlyHost() {
        return changed.keySet().stream().allMatch(name -> name.startsWith("host.") || name.equals("cluster.id"));
    }

    /**
     * The factor by which it became worse; below 1 if better.
     *
     * @param moreIsBetter true for a rate, false for a time
     */
    public double worse(boolean moreIsBetter) {
        return moreIsBetter ? 1 / ratio() : ratio();
    }

    /**
     * Whether the host explains it: the load ran on another one, or the same one was slower (or faster) from that run on by
     * half of the shift at least, while versions and settings stayed as they were.
     *
     * @param moreIsBetter as above
     */
    public boolean ofHost(boolean moreIsBetter) {
        double wanted = Math.log(worse(moreIsBetter)) / 2;
        double seen = Math.log(slowdown);
        boolean slower = seen * wanted > 0 && Math.abs(seen) >= Math.abs(wanted);
        return otherMachine() || (onlyHost() && slower);
    }
}
