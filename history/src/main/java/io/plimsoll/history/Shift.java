package io.plimsoll.history;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * A change of level or spread in a series.
 *
 * @param at index of the first run after the change, from 0
 * @param end index of the first run of the next shift, or the length of the series
 * @param before median of the runs since the previous shift
 * @param after median of the runs until the next shift
 * @param slowdown slowdown of the load generator's host at this point: above 1 if it was slower; 1 if unknown
 * @param changed other facts that changed with this run, with their old and new values
 */
record Shift(int at, int end, double before, double after, double slowdown, Map<String, String> changed) {
    /** Relative change of level below which a shift is a change of spread. */
    private static final double LEVEL = 0.01;

    /**
     * Facts that identify the machine, without names of devices, interfaces and file systems, because such names can
     * change on the same machine.
     */
    private static final Pattern MACHINE = Pattern.compile(
            "host\\.((cpu|memory|limits|virtualisation|os)\\..*|disks\\[\\d+]\\.(model|sizeBytes|rotational))");

    /** Level after ÷ level before; infinite if the level was zero before. */
    double ratio() {
        return before == after ? 1 : after / before;
    }

    /** Whether the spread changed rather than the level. */
    boolean ofSpread() {
        return Math.abs(ratio() - 1) < LEVEL;
    }

    /** Whether the run was on another machine, with no other known change. */
    boolean otherMachine() {
        return onlyHost() && changed.keySet().stream().anyMatch(MACHINE.asMatchPredicate());
    }

    /** Whether only host facts changed, ignoring the cluster id, which is new for each lab. */
    private boolean onlyHost() {
        return changed.keySet().stream().allMatch(name -> name.startsWith("host.") || name.equals("cluster.id"));
    }

    /** Factor of the change for the worse; below 1 for an improvement. Higher is better for rates, lower for times. */
    double worse(boolean moreIsBetter) {
        return moreIsBetter ? 1 / ratio() : ratio();
    }

    /**
     * Whether the host explains the shift: another machine, or a host slowdown (or speedup) of at least half the shift,
     * with unchanged versions and settings.
     */
    boolean ofHost(boolean moreIsBetter) {
        double wanted = Math.log(worse(moreIsBetter)) / 2;
        double seen = Math.log(slowdown);
        boolean slower = seen * wanted > 0 && Math.abs(seen) >= Math.abs(wanted);
        return otherMachine() || (onlyHost() && slower);
    }
}
