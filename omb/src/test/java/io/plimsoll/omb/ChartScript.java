package io.plimsoll.omb;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Reads a result like OpenMessaging Benchmark's chart script. */
public final class ChartScript {
    private ChartScript() {}

    public static void reads(JsonNode result) {
        assertThat(result.get("workload").isTextual()).isTrue();
        assertThat(result.get("driver").isTextual()).isTrue();
        int periods = result.get("publishRate").size();
        for (String series : List.of(
                "publishLatency99pct",
                "publishDelayLatency99pct",
                "publishRate",
                "publishErrorRate",
                "endToEndLatency95pct",
                "consumeRate",
                "endToEndLatencyAvg")) {
            List<Double> values = new ArrayList<>();
            result.get(series).forEach(v -> {
                assertThat(v.isNumber()).as(series).isTrue();
                values.add(v.asDouble());
            });
            assertThat(values).as(series).hasSize(periods);
            // Its axis ends at the maximum, which an empty list does not have.
            assertThat(Collections.max(values)).as(series).isFinite();
        }
        for (String quantiles : List.of(
                "aggregatedPublishLatencyQuantiles",
                "aggregatedPublishDelayLatencyQuantiles",
                "aggregatedEndToEndLatencyQuantiles")) {
            double before = -1;
            for (Map.Entry<String, JsonNode> quantile : result.get(quantiles).properties()) {
                double percentile = Double.parseDouble(quantile.getKey());
                assertThat(percentile).as(quantiles).isBetween(0.0, 100.0);
                assertThat(quantile.getValue().isNumber()).as(quantiles).isTrue();
                if (percentile <= 99.999) {
                    assertThat(Math.log10(100 / (100 - percentile))).isFinite();
                }
                assertThat(quantile.getValue().asDouble()).isGreaterThanOrEqualTo(before);
                before = quantile.getValue().asDouble();
            }
            // In a closed loop, no record is late.
            boolean needed = !quantiles.contains("Delay");
            assertThat(result.get(quantiles).size()).as(quantiles).isGreaterThanOrEqualTo(needed ? 1 : 0);
        }
    }
}
