package io.plimsoll.result;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Calibrated maximum of a trial's producers or consumers on their host, by record size. Immutable.
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
        long smaller = points.stream().filter(p -> p.recordBytes < recordBytes).count();
        int above = (int) Math.min(points.size() - 1, smaller);
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
        if (hosts.isEmpty()
                || hosts.contains(null)
                || hosts.stream().map(CalibratedLimit::sizes).distinct().count() > 1) {
            return null;
        }
        Map<Integer, Double> rates = new TreeMap<>();
        hosts.forEach(h -> h.points.forEach(p -> rates.merge(p.recordBytes, p.recordsPerSecond, Double::sum)));
        return new CalibratedLimit(rates.entrySet().stream()
                .map(e -> new Point(e.getKey(), e.getValue()))
                .toList());
    }

    private List<Integer> sizes() {
        return points.stream().map(Point::recordBytes).toList();
    }

    /** Work done ÷ calibrated maximum; null if unknown, or if clearly above 1: then another host was calibrated. */
    static Double share(CalibratedLimit limit, TrialResult.Volume done) {
        double recordsPerSecond = done.recordsPerSecond();
        if (limit == null || recordsPerSecond <= 0) {
            return null;
        }
        Double most = limit.recordsPerSecond(done.bytesPerSecond() / recordsPerSecond);
        return most == null || most <= 0 || recordsPerSecond > CREDIBLE * most ? null : recordsPerSecond / most;
    }
}
