package io.plimsoll.web;

import io.plimsoll.text.Sentence;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where figures are sent to, as OpenTelemetry's own environment variables say.
 *
 * @param headers may be secret
 * @param attributes of the resource, {@code service.name} among them
 */
public record OtlpSettings(
        URI endpoint,
        Map<String, String> headers,
        Map<String, String> attributes,
        Duration interval,
        Duration timeout) {
    private static final String OTLP = "OTEL_EXPORTER_OTLP_";
    /** OpenTelemetry's own is a minute, in which many a run is over. */
    private static final long INTERVAL_MILLIS = 10_000;

    private static final long TIMEOUT_MILLIS = 10_000;

    /** Settings, or why there are none; neither if nobody asked. */
    public record Read(Optional<OtlpSettings> settings, Optional<Sentence> problem) {}

    /** @param environment of the process */
    public static Read read(Map<String, String> environment) {
        String exporter =
                environment.getOrDefault("OTEL_METRICS_EXPORTER", "otlp").strip();
        String disabled = environment.getOrDefault("OTEL_SDK_DISABLED", "false").strip();
        String own = environment.getOrDefault(OTLP + "METRICS_ENDPOINT", "").strip();
        String base = environment.getOrDefault(OTLP + "ENDPOINT", "").strip();
        boolean wanted = exporter.isEmpty() || exporter.contains("otlp");
        if ((own.isEmpty() && base.isEmpty()) || !wanted || disabled.equalsIgnoreCase("true")) {
            return new Read(Optional.empty(), Optional.empty());
        }
        String protocol = value(environment, "PROTOCOL", "http/protobuf");
        if (!protocol.equals("http/protobuf")) {
            return problem(Sentence.of("web.otherProtocol", OTLP + "PROTOCOL", protocol));
        }
        URI endpoint;
        try {
            endpoint = URI.create(own.isEmpty() ? base.replaceAll("/+$", "") + "/v1/metrics" : own);
        } catch (IllegalArgumentException e) {
            return problem(Sentence.of("web.noAddress", OTLP + "ENDPOINT"));
        }
        if (endpoint.getHost() == null || !String.valueOf(endpoint.getScheme()).matches("https?")) {
            return problem(Sentence.of("web.noHttp", OTLP + "ENDPOINT"));
        }
        Map<String, String> attributes = new LinkedHashMap<>(Map.of("service.name", "plimsoll"));
        attributes.putAll(pairs(environment.getOrDefault("OTEL_RESOURCE_ATTRIBUTES", "")));
        String service = environment.getOrDefault("OTEL_SERVICE_NAME", "").strip();
        if (!service.isEmpty()) {
            attributes.put("service.name", service);
        }
        return new Read(
                Optional.of(new OtlpSettings(
                        endpoint,
                        pairs(value(environment, "HEADERS", "")),
                        attributes,
                        millis(environment.get("OTEL_METRIC_EXPORT_INTERVAL"), INTERVAL_MILLIS),
                        millis(value(environment, "TIMEOUT", ""), TIMEOUT_MILLIS))),
                Optional.empty());
    }

    private static Read problem(Sentence what) {
        return new Read(Optional.empty(), Optional.of(Sentence.of("web.noOtlp", what)));
    }

    /** A setting for metrics alone wins. */
    private static String value(Map<String, String> environment, String name, String otherwise) {
        String general = environment.getOrDefault(OTLP + name, "").strip();
        String own = environment.getOrDefault(OTLP + "METRICS_" + name, "").strip();
        String found = own.isEmpty() ? general : own;
        return found.isEmpty() ? otherwise : found;
    }

    private static Duration millis(String text, long otherwise) {
        boolean number = text != null && text.strip().matches("[1-9]\\d{0,8}");
        return Duration.ofMillis(number ? Long.parseLong(text.strip()) : otherwise);
    }

    private static Map<String, String> pairs(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.split(",")) {
            int at = pair.indexOf('=');
            if (at > 0) {
                pairs.put(
                        pair.substring(0, at).strip(),
                        decoded(pair.substring(at + 1).strip()));
            }
        }
        return pairs;
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return value;
        }
    }

    /** Without what may be secret, which a path is, too, where collectors are reached by it. */
    String shownEndpoint() {
        int port = endpoint.getPort();
        return endpoint.getScheme() + "://" + endpoint.getHost() + (port < 0 ? "" : ":" + port);
    }

    /** Headers may be secret. */
    @Override
    public String toString() {
        return "OtlpSettings[" + shownEndpoint() + "]";
    }
}
