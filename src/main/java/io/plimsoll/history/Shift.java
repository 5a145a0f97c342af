package io.plimsoll.history;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * A place in a series from which on its values are others.
 *
 * @param at number of the first run after it, from 0 in its series
 * @param end number of the first run of the next shift; the length of the series if there is none
 * @param before the median of the runs since the shift before it
 * @param after the median of the runs until the next one
 * @param slowdown of the load generator's host at the same place: above 1 if it was slower; 1 if that cannot be told
 * @param changed what else changed with that run, by name, and what it changed to
 */
public record Shift(int at, int end, double before, double after, double slowdown, Map<String, String> changed) {
    /** A shift below this is one of the spread, not of the level. */
    private static final double LEVEL = 0.01;

    /** What makes it another machine: names of devices and interfaces, and what a file system is called, change by themselves. */
    private static final Pattern MACHINE = Pattern.compile(
            "host\\.((cpu|memory|limits|virtualisation|os)\\..*|disks\\[\\d+]\\.(model|sizeBytes|rotational))");

    /** After ÷ before; infinite where there was nothing before and is something now. */
    public double ratio() {
        return before == after ? 1 : after / before;
    }

    /** Whether it is how far values spread that changed, and not their level. */
    public boolean ofSpread() {
        return Math.abs(ratio() - 1) < LEVEL;
    }

    /** Whether the load ran on another machine from that run on, and nothing else that is known changed with it. */
    public boolean otherMachine() {
        return onlyHost() && changed.keySet().stream().anyMatch(MACHINE.asMatchPredicate());
    }

    /** Clusters that are made for each run have a new id each time. */
    private boolean onlyHost() {
        return changed.keySet().stream().allMatch(name -> name.startsWith("host.") || name.equals("cluster.id"));
    }

    /**
     * By what factor it became worse; below 1 if it became better.
     *
     * @param moreIsBetter whether the figure is a rate, and not a time
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
