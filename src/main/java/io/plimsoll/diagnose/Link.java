package io.plimsoll.diagnose;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The connections of all producer clients to one broker.
 *
 * @param requestsPerSecond of all clients
 * @param requestMs mean time from request to response
 * @param inFlightUse requests in flight ÷ requests allowed
 */
record Link(
        int broker,
        double requestsPerSecond,
        double requestMs,
        double bytesPerSecond,
        @Nullable Double inFlightUse) {
    private static final String BROKER = " broker ";

    static boolean isOfBroker(String name) {
        return name.contains(BROKER);
    }

    /** Builds the link to each broker from the figures of producer entries, and of entries by broker. */
    static Map<Integer, Link> all(Map<String, Map<String, Double>> entries, Map<String, Map<String, Double>> clients) {
        Map<Integer, Link> links = new TreeMap<>();
        clients.forEach((name, figures) -> {
            int at = name.indexOf(BROKER);
            Map<String, Double> entry = at < 0 ? null : entries.getOrDefault(name.substring(0, at), Map.of());
            Link link = entry == null || !name.startsWith(TrialEvidence.PRODUCERS)
                    ? null
                    : of(Integer.parseInt(name.substring(at + BROKER.length())), entry, figures);
            if (link != null) {
                links.merge(link.broker, link, Link::together);
            }
        });
        return links;
    }

    private static @Nullable Link of(int broker, Map<String, Double> entry, Map<String, Double> figures) {
        Double requests = figures.get("requests");
        Double ms = figures.get("requestMs");
        Double clientSeconds = figures.get("seconds");
        if (requests == null || ms == null || clientSeconds == null || clientSeconds <= 0) {
            return null;
        }
        double seconds = clientSeconds / entry.getOrDefault("clients", 1.0);
        Double allowed = entry.get("maxInFlight");
        Double use = allowed == null ? null : Double.valueOf(requests * ms / 1e3 / clientSeconds / allowed);
        return new Link(broker, requests / seconds, ms, figures.getOrDefault("bytesOut", 0.0) / seconds, use);
    }

    private static Link together(Link a, Link b) {
        double requests = a.requestsPerSecond + b.requestsPerSecond;
        double ms =
                requests == 0 ? 0 : (a.requestsPerSecond * a.requestMs + b.requestsPerSecond * b.requestMs) / requests;
        Double use = a.inFlightUse == null || b.inFlightUse == null ? null : Math.max(a.inFlightUse, b.inFlightUse);
        return new Link(a.broker, requests, ms, a.bytesPerSecond + b.bytesPerSecond, use);
    }
}
