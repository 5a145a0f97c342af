package io.plimsoll.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * By what a broker was observed that a run was told of.
 *
 * @param broker its id
 * @param by {@code jmx}, {@code prometheus}, or {@code agent}
 * @param names whose names were found in Prometheus text: {@code plain} (a JMX exporter without rules), {@code rules} (its example
 *     rules, or Strimzi's), {@code confluent}, {@code reporter}, {@code persec}, {@code node} (a node exporter)
 * @param host what the broker's host is, as {@code plimsoll host} has it; empty, and absent in JSON, where no agent tells
 */
public record ObservedSource(
        int broker,
        String by,
        List<String> names,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Object> host) {
    public ObservedSource {
        names = names == null ? List.of() : List.copyOf(names);
        host = host == null ? Map.of() : host;
    }
}
