package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How a figure of brokers, or of the load generator's host, is seen. Of several brokers the one counts that is
 * nearest to its limit: the highest value, of idle times the lowest.
 *
 * @param what begins the name of what is observed
 * @param key in {@code brokers} or {@code host} of a trial's result
 * @param sum what an observation counts; null for a gauge
 * @param by what that is divided by, or the gauge; null where only the whole window has the figure
 * @param factor from the observed unit to the check's
 * @param lowest the lowest is nearest to the limit
 */
record ObservedFigure(String what, String key, String sum, String by, double factor, boolean lowest) {
    static final String BROKER = "broker ";

    /** Over the measured window; null if nobody told. */
    Double of(TrialResult trial) {
        List<Map<String, Object>> all =
                switch (what) {
                    case "host" -> List.of(trial.observed().host());
                    case "cluster" -> List.of(trial.observed().cluster());
                    case TopicFigures.TOPIC -> trial.observed().topics();
                    case GroupsFold.GROUP -> trial.observed().groups();
                    default -> trial.observed().brokers();
                };
        Double worst = null;
        for (Map<String, Object> one : all) {
            Double value = in(one);
            worst = value == null ? worst : Double.valueOf(worse(worst, value));
        }
        return worst;
    }

    /** The value of one broker or host, as results have it; null if nobody told. */
    Double in(Map<String, Object> one) {
        // Result files hold milliseconds, and everything else as it is here; that of a broker's host lies in a map of
        // its own.
        Object value = key.startsWith("host.") && one.get("host") instanceof Map<?, ?> host
                ? host.get(key.substring("host.".length()))
                : one.get(key);
        return value instanceof Number n ? Double.valueOf(n.doubleValue() * (key.endsWith("Ms") ? factor : 1)) : null;
    }

    boolean ofSeconds() {
        return by != null;
    }

    /** The value in what was seen in a second; empty if that says nothing of it. */
    OptionalDouble of(Observation o) {
        if (!o.what().startsWith(what) || by == null) {
            return OptionalDouble.empty();
        }
        if (sum == null) {
            Double gauge = o.gauges().get(by);
            return gauge == null ? OptionalDouble.empty() : OptionalDouble.of(gauge * factor);
        }
        String prefix = o.sums().containsKey("process.seconds") ? "process." : "";
        prefix = sum.startsWith("host.") && o.sums().containsKey("host.seconds") ? "host." : prefix;
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
