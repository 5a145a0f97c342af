package io.plimsoll.result;

import static com.fasterxml.jackson.annotation.Nulls.AS_EMPTY;

import com.fasterxml.jackson.annotation.JsonSetter;
import io.plimsoll.result.Json.AbsentIfEmpty;
import java.util.List;
import java.util.Map;

/**
 * A source of metrics of one broker.
 *
 * @param broker id of the broker
 * @param by {@code jmx}, {@code prometheus}, or {@code agent}
 * @param names naming scheme of Prometheus metrics: {@code plain} (a JMX exporter without rules), {@code rules} (its
 *     example rules, or Strimzi's), {@code confluent}, {@code reporter}, {@code persec}, {@code node} (a node exporter)
 * @param host facts about the broker's host, as in {@code plimsoll host}; empty, and absent in JSON, without an agent
 */
public record ObservedSource(
        int broker,
        String by,
        @JsonSetter(nulls = AS_EMPTY) List<String> names,
        @AbsentIfEmpty Map<String, Object> host) {}
