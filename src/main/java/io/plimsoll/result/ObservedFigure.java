package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A figure of brokers or of the load generator's host that a check may name. Of several brokers the one counts that is
 * nearest to its limit: the highest value, of idle times the lowest.
 *
 * @param what begins the name of what is observed
 * @param key in {@code brokers} or {@code host} of a trial's result
 * @param sum what an observation counts; null for a gauge
 * @param by what that is divided by
 * @param factor from the observed unit to the check's
 * @param lowest the lowest is nearest to the limit
 */
record ObservedFigure(String what, String key, String sum, String by, double factor, boolean lowest) {
    private static final Map<String, ObservedFigure> ALL = all();

    private static Map<String, ObservedFigure> all() {
        Map<String, ObservedFigure> all = new LinkedHashMap<>();
        all.put("broker.cpu", broker("cpu", "cpuSeconds", 1));
        all.put("broker.gc", broker("gcShare", "gcSeconds", 1));
        for (String rate : List.of("bytesIn", "bytesOut")) {
            all.put("broker." + rate, broker(rate, rate, 1));
        }
        all.put("broker.diskRead", broker("diskReadBytes", "diskReadBytes", 1));
        all.put("broker.diskWrite", broker("diskWriteBytes", "diskWriteBytes", 1));
        for (String stage :
                List.of("requestQueue", "local", "remote", "throttle", "responseQueue", "responseSend", "total")) {
            all.put(
                    "broker." + stage,
                    new ObservedFigure(
                            "broker ", stage + "Ms", "produce." + stage + "Ms", "produce.requests", 1e3, false));
        }
        all.put(
                "broker.handlerIdle",
                new ObservedFigure("broker ", "handlerIdle", "handlerIdleNanos", "seconds", 1e-9, true));
        all.put(
                "broker.networkIdle",
                new ObservedFigure("broker ", "networkIdle", "networkIdleNanos.", "seconds", 1e-9, true));
        all.put(
                "broker.underReplicated",
                new ObservedFigure("broker ", "underReplicated", null, "underReplicated", 1, false));
        all.put("host.cpu", new ObservedFigure("host", "cpu", "cpuSeconds", "seconds", 1, false));
        all.put("host.diskBusy", new ObservedFigure("host", "diskBusy", null, "busiestDisk", 1, false));
        return all;
    }

    private static ObservedFigure broker(String key, String sum, double factor) {
        return new ObservedFigure("broker ", key, sum, "seconds", factor, false);
    }

    /** Null if a figure is none of these. */
    static ObservedFigure of(String figure) {
        return ALL.get(figure);
    }

    /** Over the measured window; null if nobody told. */
    Double of(TrialResult trial) {
        List<Map<String, Object>> all = what.equals("host")
                ? List.of(trial.observed().host())
                : trial.observed().brokers();
        Double worst = null;
        for (Map<String, Object> one : all) {
            if (one.get(key) instanceof Number n) {
                // Result files hold milliseconds, and everything else as it is here.
                worst = worse(worst, n.doubleValue() * (key.endsWith("Ms") ? factor : 1));
            }
        }
        return worst;
    }

    /** Of what was seen in a second; empty if that says nothing of it. */
    OptionalDouble of(Observation o) {
        if (!o.what().startsWith(what)) {
            return OptionalDouble.empty();
        }
        if (sum == null) {
            Double gauge = o.gauges().get(by);
            return gauge == null ? OptionalDouble.empty() : OptionalDouble.of(gauge * factor);
        }
        String prefix = o.sums().containsKey("process.seconds") ? "process." : "";
        Double divisor = o.sums().get(by.equals("seconds") ? prefix + by : by);
        Double found = null;
        for (Map.Entry<String, Double> each : o.sums().entrySet()) {
            boolean asked = sum.endsWith(".")
                    ? each.getKey().startsWith(sum)
                    : each.getKey().equals(sum) || each.getKey().equals(prefix + sum);
            if (asked && divisor != null && divisor > 0) {
                double value = each.getValue() / divisor * factor;
                found = worse(found, lowest ? Math.min(1, value) : value);
            }
        }
        return found == null ? OptionalDouble.empty() : OptionalDouble.of(found);
    }

    /** @param before null for none */
    double worse(Double before, double value) {
        return before == null ? value : lowest ? Math.min(before, value) : Math.max(before, value);
    }
}
