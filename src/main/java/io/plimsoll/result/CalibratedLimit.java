package io.plimsoll.result;

import java.util.ArrayList;
import java.util.List;

/**
 * What a trial's producers, or its consumers, could do at most on their host, by the size of the records. Immutable.
 *
 * @param points by rising size; at least one
 */
public record CalibratedLimit(List<Point> points) {
    private static final double CREDIBLE = 1.25;

    public record Point(int recordBytes, double recordsPerSecond) {}

    public CalibratedLimit {
        points = List.copyOf(points);
    }

    /**
     * Between two sizes that were measured, time per record is taken to be linear in the size.
     *
     * @return null if no size near enough was measured
     */
    public Double recordsPerSecond(double recordBytes) {
        Point first = points.get(0);
        Point last = points.get(points.size() - 1);
        if (!(recordBytes >= first.recordBytes() / Calibrations.REACH
                && recordBytes <= last.recordBytes() * Calibrations.REACH)) {
            return null;
        }
        if (points.size() == 1 || recordBytes <= first.recordBytes()) {
            return first.recordsPerSecond();
        }
        int above = 1;
        while (above < points.size() - 1 && points.get(above).recordBytes() < recordBytes) {
            above++;
        }
        Point from = points.get(above - 1);
        Point to = points.get(above);
        double share = (recordBytes - from.recordBytes()) / (to.recordBytes() - from.recordBytes());
        double secondsPerRecord = (1 - share) / from.recordsPerSecond() + share / to.recordsPerSecond();
        // Beyond the last size a noisy slope may lead anywhere; a larger record is never cheaper than it.
        return Math.min(
                1 / Math.max(secondsPerRecord, 1e-12), Math.max(from.recordsPerSecond(), to.recordsPerSecond()));
    }

    /** The limit of several hosts together; null if one of them is unknown, or they were measured with records of other sizes. */
    public static CalibratedLimit sum(List<CalibratedLimit> hosts) {
        if (hosts.isEmpty() || hosts.contains(null)) {
            return null;
        }
        List<Point> sum = hosts.get(0).points();
        for (CalibratedLimit host : hosts.subList(1, hosts.size())) {
            if (!sizes(sum).equals(sizes(host.points()))) {
                return null;
            }
            List<Point> both = new ArrayList<>();
            for (int i = 0; i < sum.size(); i++) {
                double rate =
                        sum.get(i).recordsPerSecond() + host.points().get(i).recordsPerSecond();
                both.add(new Point(sum.get(i).recordBytes(), rate));
            }
            sum = both;
        }
        return new CalibratedLimit(sum);
    }

    private static List<Integer> sizes(List<Point> points) {
        return points.stream().map(Point::recordBytes).toList();
    }

    /**
     * What is clearly more than the most was not measured when the host was idle, or was another host's.
     *
     * @return what was done ÷ what could be done; null if that is not known
     */
    static Double share(CalibratedLimit limit, double recordsPerSecond, double bytesPerSecond) {
        if (limit == null || recordsPerSecond <= 0) {
            return null;
        }
        Double most = limit.recordsPerSecond(bytesPerSecond / recordsPerSecond);
        return most == null || most <= 0 || recordsPerSecond > CREDIBLE * most ? null : recordsPerSecond / most;
    }
}
