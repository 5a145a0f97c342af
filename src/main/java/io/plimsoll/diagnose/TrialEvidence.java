package io.plimsoll.diagnose;

import io.plimsoll.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/**
 * What the rules need of a trial, as far as it is known: a figure that no source offered is null. Times are milliseconds,
 * shares 0 to 1.
 */
final class TrialEvidence {
    private static final String PRODUCERS = "producers-";
    private static final String BROKER = " broker ";
    /** Of the bytes: who gets less is asked for metadata, not given records. */
    private static final double LEAST_TRAFFIC = 0.01;
    /** Use of a host's cores up to which none of its threads has to wait for long, and from which on all may have to. */
    private static final double SPARE = 0.85;

    private static final double FULL = 0.98;
    /** Of a core: who uses less wants little, however many are ready in the instant when it is looked. */
    private static final double LEAST_PART = 0.25;

    /** Share of what was produced that consumers have not read: more is a limit of theirs. */
    static final double BEHIND = 0.02;

    private static final double NOT_ASKED = 0.4;
    private static final double MOSTLY = 0.5;

    private final TrialResult trial;
    private final Map<String, Map<String, Double>> entries = new TreeMap<>();
    private final Map<Integer, Link> links = new TreeMap<>();

    /**
     * The connections of all producer clients to one broker.
     *
     * @param requestsPerSecond of all clients
     * @param requestMs mean time from sending a request to its answer
     * @param inFlightUse requests under way ÷ those allowed; null if unknown
     */
    record Link(int broker, double requestsPerSecond, double requestMs, double bytesPerSecond, Double inFlightUse) {}

    TrialEvidence(TrialResult trial) {
        this.trial = trial;
        trial.observed().clients().forEach((name, figures) -> {
            if (name.startsWith(PRODUCERS) && !name.contains(BROKER)) {
                entries.put(name, figures);
            }
        });
        trial.observed().clients().forEach(this::link);
    }

    private void link(String name, Map<String, Double> figures) {
        int at = name.indexOf(BROKER);
        if (at < 0 || !name.startsWith(PRODUCERS)) {
            return;
        }
        Map<String, Double> entry = entries.getOrDefault(name.substring(0, at), Map.of());
        Double requests = figures.get("requests");
        Double ms = figures.get("requestMs");
        Double clientSeconds = figures.get("seconds");
        if (requests == null || ms == null || clientSeconds == null || clientSeconds <= 0) {
            return;
        }
        double clients = entry.getOrDefault("clients", 1.0);
        double seconds = clientSeconds / clients;
        Double allowed = entry.get("maxInFlight");
        Double use = allowed == null ? null : Double.valueOf(requests * ms / 1e3 / clientSeconds / allowed);
        int broker = Integer.parseInt(name.substring(at + BROKER.length()));
        double bytes = figures.getOrDefault("bytesOut", 0.0) / seconds;
        links.merge(broker, new Link(broker, requests / seconds, ms, bytes, use), TrialEvidence::together);
    }

    private static Link together(Link a, Link b) {
        double requests = a.requestsPerSecond + b.requestsPerSecond;
        double ms =
                requests == 0 ? 0 : (a.requestsPerSecond * a.requestMs + b.requestsPerSecond * b.requestMs) / requests;
        Double use = a.inFlightUse == null || b.inFlightUse == null ? null : Math.max(a.inFlightUse, b.inFlightUse);
        return new Link(a.broker, requests, ms, a.bytesPerSecond + b.bytesPerSecond, use);
    }

    TrialResult trial() {
        return trial;
    }

    boolean produces() {
        return trial.produce() != null && trial.produce().volume().records() != null;
    }

    boolean closedLoop() {
        return produces() && Boolean.TRUE.equals(trial.produce().schedule().closedLoop());
    }

    /** Acknowledged ÷ due; null in a closed loop. */
    Double achieved() {
        if (!produces() || trial.produce().schedule().offeredRecordsPerSecond() == null) {
            return null;
        }
        double offered = trial.produce().schedule().offeredRecordsPerSecond();
        return offered <= 0 ? null : Double.valueOf(trial.produce().volume().recordsPerSecond() / offered);
    }

    /** How far producing was held back at all: 1 in a closed loop or if records were late, 0 if it kept its schedule. */
    double heldBack() {
        Double achieved = achieved();
        if (closedLoop()) {
            return 1;
        }
        double late = achieved == null ? 0 : ramp(1 - achieved, 0.003, 0.03);
        double full = busiest() == null ? 0 : ramp(busiest(), 0.5, 0.9);
        // Where reading is what falls behind, a producer that keeps its schedule is not what is to be explained.
        boolean readers = late < MOSTLY && ConsumerRules.behind(this) > BEHIND;
        return Math.max(late, readers ? full * NOT_ASKED : full);
    }

    /** A figure of all producer entries: one of theirs, or several joined. */
    Double entry(String figure, DoubleBinaryOperator join) {
        return entries.values().stream()
                .map(e -> e.get(figure))
                .filter(Objects::nonNull)
                .reduce((a, b) -> join.applyAsDouble(a, b))
                .orElse(null);
    }

    Map<String, Map<String, Double>> entries() {
        return entries;
    }

    /** A client figure weighted by how often it was counted. */
    Double weighted(String figure, String count) {
        double sum = 0;
        double counted = 0;
        for (Map<String, Double> e : entries.values()) {
            Double value = e.get(figure);
            Double n = e.get(count);
            if (value != null && n != null) {
                sum += value * n;
                counted += n;
            }
        }
        return counted > 0 ? sum / counted : null;
    }

    /** Mean time of a produce request from the client to its answer; null if unknown. */
    Double requestMs() {
        return weighted("requestMs", "requests");
    }

    /** By broker; those to which next to nothing goes are left out. */
    List<Link> links() {
        double all =
                links.values().stream().mapToDouble(Link::requestsPerSecond).sum();
        return links.values().stream()
                .filter(l -> l.requestsPerSecond() >= LEAST_TRAFFIC * all)
                .toList();
    }

    /** How full the fullest connections are, of the requests that may be under way; null if unknown. */
    Double busiest() {
        return links().stream()
                .map(Link::inFlightUse)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    /** Requests under way on a connection, on average over requests; at least 1. */
    double inFlight() {
        Double allowed = entry("maxInFlight", Math::max);
        double weighted = 0;
        double requests = 0;
        for (Link link : links()) {
            if (link.inFlightUse() != null && allowed != null) {
                weighted += link.inFlightUse() * allowed * link.requestsPerSecond();
                requests += link.requestsPerSecond();
            }
        }
        return requests > 0 ? Math.max(1, weighted / requests) : 1;
    }

    /**
     * Of the time of a request, what is due to its broker: its own time there, and that of the requests before it, since
     * a broker takes the requests of a connection one after the other. 0 if no broker tells.
     */
    double dueToBroker() {
        Double total = perRequest("totalMs");
        Double request = requestMs();
        return total == null || request == null ? 0 : Math.min(request, total * inFlight());
    }

    /**
     * What a thread gets at least that always wants to run: a core, or its part of those that are wanted by more. How many
     * want one is counted once a second, when whatever does something every second does it: where cores had time to
     * spare, nobody had to share.
     */
    double fairShare() {
        Double cores = host("cores");
        Double runnable = host("runnable");
        Double busy = hostBusy();
        if (cores == null || runnable == null || busy == null) {
            return 1;
        }
        double part = Math.max(LEAST_PART, Math.min(1, cores / Math.max(cores, runnable)));
        return 1 - (1 - part) * ramp(busy, SPARE, FULL);
    }

    List<Map<String, Object>> brokers() {
        return trial.observed().brokers() == null ? List.of() : trial.observed().brokers();
    }

    /** A figure of a broker; null if it is not offered. */
    static Double of(Map<String, Object> broker, String figure) {
        return broker.get(figure) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    /** Mean over brokers of a figure of produce requests, by the requests of each; null if no broker tells. */
    Double perRequest(String stage) {
        double sum = 0;
        double requests = 0;
        for (Map<String, Object> b : brokers()) {
            Double ms = of(b, stage);
            Double n = of(b, "produceRequests");
            if (ms != null && n != null) {
                sum += ms * n;
                requests += n;
            }
        }
        return requests > 0 ? sum / requests : null;
    }

    Double host(String figure) {
        return trial.observed().host().get(figure) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    /** The host that {@link #host} is about: of several that make the load, the busiest. */
    String hostName() {
        return trial.observed().host().get("worker") instanceof String worker
                ? "the host of agent " + worker
                : "this host";
    }

    /** Cores that the load generator used of that host. */
    double generatorCores() {
        return trial.observed().workers().stream()
                .filter(w -> w.name().equals(trial.observed().host().get("worker")))
                .findFirst()
                .map(w -> w.usage().cpuCores())
                .orElseGet(() -> trial.observed().generator().cpu().cpuCores());
    }

    Double cluster(String figure) {
        return trial.observed().cluster().get(figure) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    /** Share of its cores that this host used, time stolen included; null if unknown. */
    Double hostBusy() {
        Double cores = host("cores");
        Double cpu = host("cpu");
        Double steal = host("steal");
        return cores == null || cpu == null || cores <= 0
                ? null
                : Double.valueOf(Math.min(1, (cpu + (steal == null ? 0 : steal)) / cores));
    }

    /** Cores of this host that brokers use; 0 if none runs here. */
    double brokerCores() {
        double cores = 0;
        for (Map<String, Object> b : brokers()) {
            Double cpu = of(b, "cpu");
            cores += cpu == null || !(b.get("sources") instanceof List<?> s && s.contains("proc")) ? 0 : cpu;
        }
        return cores;
    }

    /** 0 below {@code from}, 1 above {@code to}, a straight line in between. */
    static double ramp(double value, double from, double to) {
        return Math.max(0, Math.min(1, (value - from) / (to - from)));
    }

    /** A text without what is not known. */
    static List<String> known(String... texts) {
        List<String> list = new ArrayList<>();
        for (String t : texts) {
            if (t != null) {
                list.add(t);
            }
        }
        return list;
    }
}
