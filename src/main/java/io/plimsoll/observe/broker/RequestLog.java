package io.plimsoll.observe.broker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import io.plimsoll.observe.incident.IncidentSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Follows the log in which a lab's broker writes slow produce requests, as Kafka 2.8 to 4.3 do at debug level of
 * {@code kafka.request.logger}. The stages of a request follow each other, and end when the line is written. Of many
 * slow requests at a time, the slowest are reported.
 */
public final class RequestLog implements IncidentSource {
    private static final String BEGIN = "Completed request:";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MILLI = 1_000_000L;
    /** Minimum duration of a reported stage in ms. */
    private static final double LEAST_MILLIS = 2;
    /** Maximum number of requests reported per poll. */
    private static final int MOST = 50;

    private final String where;
    private final LogTail tail;

    private record Request(long toNanos, JsonNode line) {
        double millis(String part) {
            return line.path(part).asDouble();
        }
    }

    /** @param broker ID of the broker */
    public RequestLog(int broker, Path file) {
        where = "broker " + broker;
        tail = new LogTail(file);
    }

    @Override
    public int every() {
        return 25;
    }

    @Override
    public void look(long nowNanos, IncidentSink sink) {
        List<Request> requests = new ArrayList<>();
        tail.read(sink, (nanos, text) -> {
            try {
                if (text.startsWith(BEGIN)) {
                    requests.add(new Request(nanos, JSON.readTree(text.substring(BEGIN.length()))));
                }
            } catch (JsonProcessingException e) {
                // A line that was cut is not read.
            }
        });
        requests.stream()
                .sorted(Comparator.comparingDouble((Request r) -> r.millis("totalTimeMs") + r.millis("throttleTimeMs"))
                        .reversed())
                .limit(MOST)
                .forEach(request -> report(request, sink));
    }

    private void report(Request request, IncidentSink sink) {
        String client = request.line.path("requestHeader").path("clientId").asText();
        long from = request.toNanos - Math.round(request.millis("totalTimeMs") * MILLI);
        from = stage(Kind.REQUEST_QUEUE, request.millis("requestQueueTimeMs"), client, from, sink);
        from = stage(Kind.REQUEST_APPEND, request.millis("localTimeMs"), client, from, sink);
        from = stage(Kind.REQUEST_REPLICATION, request.millis("remoteTimeMs"), client, from, sink);
        stage(Kind.REQUEST_RESPONSE, request.millis("responseQueueTimeMs"), client, from, sink);
        stage(Kind.REQUEST_THROTTLE, request.millis("throttleTimeMs"), client, request.toNanos, sink);
    }

    private long stage(Kind kind, double millis, String client, long from, IncidentSink sink) {
        long to = from + Math.round(millis * MILLI);
        if (millis >= LEAST_MILLIS) {
            sink.add(kind, where, from, to, MILLI, client);
        }
        return to;
    }
}
