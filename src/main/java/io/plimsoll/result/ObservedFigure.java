package io.plimsoll.result;

import io.plimsoll.measure.Observation;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How a figure of brokers, or of the load generator's host, is seen. Of several brokers the one counts that is nearest
 * to its limit: the highest value, of idle times the lowest.
 *
 * @param what prefix of the observed object's name
 * @param ofBrokerHost whether it lies in the map of a broker's host
 * @param factor from the unit of results to the check's
 * @param lowest the lowest is nearest to the limit
 */
record ObservedFigure(String what, ObservedMetric metric, boolean ofBrokerHost, double factor, boolean lowest) {
    static final String BROKER = "broker ";

    /** Value of the measured window; null if not reported. */
    Double of(TrialResult trial) {
        List<Map<String, Object>> all =
                switch (what) {
                    case "host" -> List.of(trial.observed().host());
                    case "cluster" -> List.of(trial.observed().cluster());
                    case ObservedFigures.TOPIC -> trial.observed().topics();
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

    /** Value of one broker or host in results; null if not reported. */
    Double in(Map<String, Object> one) {
        Object place = ofBrokerHost ? one.get("host") : one;
        Object value = place instanceof Map<?, ?> figures ? figures.get(metric.key()) : null;
        return value instanceof Number n ? Double.valueOf(n.doubleValue() * factor) : null;
    }

    boolean ofSeconds() {
        return metric.second() != null;
    }

    /** Value in the observations of a second; empty without one. */
    OptionalDouble of(Observation o) {
        Double value =
                o.what().startsWith(what) && ofSeconds() ? metric.second().apply(o) : null;
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value * factor);
    }

    /** @param before null for none */
    double worse(Double before, double value) {
        return before == null ? value : lowest ? Math.min(before, value) : Math.max(before, value);
    }
}
