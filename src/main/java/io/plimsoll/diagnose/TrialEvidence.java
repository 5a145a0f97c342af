package io.plimsoll.diagnose;

import io.plimsoll.result.Generator;
import io.plimsoll.result.ProduceFigures;
import io.plimsoll.result.ReadGaps;
import io.plimsoll.result.TrialResult;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Provides the figures of a trial to the rules, by their names in the result. Figures without a source are null. Times
 * are milliseconds, shares 0 to 1.
 */
final class TrialEvidence {
    static final String PRODUCERS = "producers-";
    /** Minimum share of all requests: a broker with a smaller share serves metadata, not records. */
    private static final double LEAST_TRAFFIC = 0.01;
    /** CPU use of a host up to which no thread waits long. */
    private static final double SPARE = 0.85;

    private static final double FULL = 0.98;
    /** Minimum share of a core that a runnable thread is assumed to get, regardless of the run queue. */
    private static final double LEAST_PART = 0.25;

    /** Share of unread records above which consumers are a limit. */
    static final double BEHIND = 0.02;

    /** Share of the processing capacity above which processing is the limit. */
    private static final double ALL_WORK = 0.95;

    static final String CODEC = "compression.type";
    private static final double NOT_ASKED = 0.4;
    private static final double MOSTLY = 0.5;

    private final TrialResult trial;
    private final Map<String, Map<String, Double>> entries = new TreeMap<>();
    private final Map<String, Map<String, Double>> readers = new TreeMap<>();
    private final Map<Integer, Link> links;
    private final List<BrokerEvidence> brokers;
    private final List<ObservedGroup> groups;
    private final double onTheWay;
    private final StageSum.@Nullable Asked asked;

    TrialEvidence(TrialResult trial) {
        this.trial = trial;
        trial.observed().clients().forEach((name, figures) -> {
            if (name.startsWith(PRODUCERS) && !Link.isOfBroker(name)) {
                entries.put(name, figures);
            }
            if (name.startsWith("consumers-") && figures.containsKey("pollIdle")) {
                readers.put(name, figures);
            }
        });
        this.links = Link.all(entries, trial.observed().clients());
        this.brokers =
                trial.observed().brokers().stream().map(BrokerEvidence::new).toList();
        this.groups = trial.observed().groups().stream().map(ObservedGroup::new).toList();
        this.onTheWay = onTheWay(trial);
        this.asked = StageSum.Asked.of(this);
    }

    /**
     * Share of the window that a record is in flight, and therefore of records without an acknowledgment at the end of
     * the window.
     */
    private static double onTheWay(TrialResult trial) {
        double seconds = trial.course().measuredSeconds();
        return seconds <= 0
                ? 0
                : trial.measured()
                                .filter(s -> s.response().responseMax() != null)
                                .mapToDouble(s -> s.response().responseMax() / 1e6)
                                .min()
                                .orElse(0)
                        / seconds;
    }

    /** Share of an excess latency that is spent in these stages; 0 without an excess latency. */
    double slowness(String... stages) {
        return asked == null ? 0 : asked.share(stages);
    }

    /** Share of an excess end-to-end latency after the acknowledgment. */
    double slowReading() {
        return asked == null ? 0 : asked.reading();
    }

    /** Minimum ÷ mean of an excess latency; 0 without an excess latency. */
    double leastOfAsked() {
        return asked == null ? 0 : asked.leastShare();
    }

    /** Whether a latency must be explained, rather than a throughput. */
    boolean latencyAsked() {
        return asked != null;
    }

    TrialResult trial() {
        return trial;
    }

    /** The figures of producers, for a trial that has any. */
    TrialResult.Produce produce() {
        return Objects.requireNonNull(trial.produce(), "no producers");
    }

    boolean consumes() {
        return trial.consume() != null;
    }

    /** The figures of consumers, for a trial that has any. */
    TrialResult.Consume consume() {
        return Objects.requireNonNull(trial.consume(), "no consumers");
    }

    /** Records acknowledged in the window. */
    double produced() {
        return orElse(produce().volume().records(), 0);
    }

    double producedPerSecond() {
        return orElse(produce().volume().recordsPerSecond(), 0);
    }

    @Nullable
    Generator generator() {
        return trial.observed().generator();
    }

    List<TrialResult.PartitionResult> partitions() {
        return trial.detail().partitions();
    }

    /** The length of the measured window. */
    double seconds() {
        return trial.course().measuredSeconds();
    }

    boolean produces() {
        return trial.produce() != null && trial.produce().volume().records() != null;
    }

    boolean closedLoop() {
        return produces() && Boolean.TRUE.equals(produce().schedule().closedLoop());
    }

    /** Records acknowledged ÷ records due; null in a closed loop. */
    @Nullable
    Double achieved() {
        return produces() ? ProduceFigures.achieved(produce()) : null;
    }

    /** Degree to which producers or, without producers, consumers were held back: 0 if on schedule, 1 in a closed loop. */
    double heldBack() {
        if (!produces()) {
            return ramp(behind(), 0.01, 0.1);
        }
        if (closedLoop()) {
            return 1;
        }
        double late = late();
        if (latencyAsked()) {
            return late;
        }
        double full = ramp(orElse(busiest(), 0), 0.5, 0.9);
        // If only consumers fall behind, a producer on schedule needs no explanation.
        return Math.max(late, readersAlone() ? full * NOT_ASKED : full);
    }

    /** Degree to which scheduled records are missing at the end of the window, not counting records in flight. */
    double late() {
        return trial.course().measuredSeconds() <= 0 ? 1 : ramp(1 - orElse(achieved(), 1) - onTheWay, 0.003, 0.03);
    }

    /**
     * Share of the produced records that groups did not read in time or, without producers, of their processing
     * capacity; 0 if all records were read, or without consumers.
     */
    double behind() {
        TrialResult.Consume c = trial.consume();
        Double read = c == null ? null : c.volume().recordsPerSecond();
        if (c == null || read == null || c.reading().backlog() != null) {
            return 0;
        }
        if (ReadEvidence.paced(c.groups())) {
            return greatest(c.groups(), g -> g.paceOrUnknown().behindShare());
        }
        if (!produces()) {
            boolean left = c.groups().stream().anyMatch(g -> g.lagAtEnd() != null && g.lagAtEnd() > 0);
            double ofWork = ofAllWork(read);
            return left && ofWork < ALL_WORK ? 1 - ofWork : 0;
        }
        double wanted = producedPerSecond() * c.groups().size() * ReadGaps.wanted(trial);
        return wanted <= 0 || ReadGaps.hardlyAny(trial) ? 0 : Math.max(0, 1 - read / wanted);
    }

    /** The consumers closest to their processing capacity; empty if none has a capacity. */
    Optional<ReadEvidence> worked() {
        List<ReadEvidence> all = ReadEvidence.all(this);
        return all == null
                ? Optional.empty()
                : all.stream().filter(r -> r.ofWork() != null).max(Comparator.comparing(ReadEvidence::ofWork));
    }

    /** Records read by all consumers ÷ their processing capacity; 1 without configured processing. */
    private double ofAllWork(double read) {
        double most = total(readers.values(), f -> f.getOrDefault("workBound", 0.0));
        return most <= 0 ? 1 : read / most;
    }

    /** A figure over all producer entries: the single value, or several values merged. */
    @Nullable
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

    /** Whether any producer uses keys; true if clients do not report this. */
    boolean keyed() {
        return orElse(entry("keyed", Math::max), 1) > 0;
    }

    /** The mean of a client figure, weighted by a count. */
    @Nullable
    Double weighted(String figure, String count) {
        return mean(entries.values(), e -> e.get(figure), e -> e.get(count));
    }

    /** Mean time from a produce request to its response, measured by the client. */
    @Nullable
    Double requestMs() {
        return weighted("requestMs", "requests");
    }

    /** All links by broker, except links that transmit almost no requests. */
    List<Link> links() {
        double all = total(links.values(), Link::requestsPerSecond);
        return links.values().stream()
                .filter(l -> l.requestsPerSecond() >= LEAST_TRAFFIC * all)
                .toList();
    }

    /** Requests in flight on the fullest connections ÷ requests allowed. */
    @Nullable
    Double busiest() {
        return links().stream()
                .map(Link::inFlightUse)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    /** Mean number of requests in flight on a connection, weighted by requests; at least 1. */
    double inFlight() {
        Double allowed = entry("maxInFlight", Math::max);
        Double use = mean(links(), Link::inFlightUse, Link::requestsPerSecond);
        return allowed == null || use == null ? 1 : Math.max(1, use * allowed);
    }

    /**
     * Request time that is due to the broker: its own time and the time of earlier requests, as a broker processes the
     * requests of a connection in sequence. 0 if no broker reports it.
     */
    double dueToBroker() {
        Double total = perRequest("totalMs");
        Double request = requestMs();
        Double allowed = entry("maxInFlight", Math::max);
        Double byLink = allowed == null ? null : mean(links(), this::dueToBroker, Link::requestsPerSecond);
        if (byLink != null && request != null && links().stream().allMatch(l -> dueToBroker(l) != null)) {
            return Math.min(request, byLink);
        }
        return total == null || request == null ? 0 : Math.min(request, total * inFlight());
    }

    /**
     * As {@link #dueToBroker()}, for one connection, because its broker can differ from the average; null if the broker
     * does not report it.
     */
    @Nullable
    Double dueToBroker(Link link) {
        Double allowed = entry("maxInFlight", Math::max);
        Double total = brokers.stream()
                .filter(b -> b.id() instanceof Number id && id.intValue() == link.broker())
                .map(b -> b.get("totalMs"))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        return total == null || allowed == null || link.inFlightUse() == null
                ? null
                : Double.valueOf(Math.min(link.requestMs(), total * Math.max(1, link.inFlightUse() * allowed)));
    }

    /**
     * Minimum share of a core for a thread that is always runnable: a whole core, or its share if more threads are
     * runnable than there are cores. The run queue is sampled once a second, when periodic tasks also run; its length
     * is therefore ignored while the host has idle cores.
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

    /** The consumer figures of each entry that reports them. */
    Map<String, Map<String, Double>> readers() {
        return readers;
    }

    /** The maximum of a consumer figure over all entries; 0 if none reports it. */
    double reader(String figure) {
        return greatest(readers.values(), f -> f.getOrDefault(figure, 0.0));
    }

    /** Third-party groups that were observed; null if none. */
    @Nullable
    List<ObservedGroup> groups() {
        return groups.isEmpty() ? null : groups;
    }

    /** Degree to which an observed third-party group falls behind. */
    double groupLate() {
        return greatest(groups, ObservedGroup::late);
    }

    /** Whether producers keep their schedule while consumers of this load or observed groups do not. */
    boolean readersAlone() {
        return produces() && !closedLoop() && late() < MOSTLY && (behind() > BEHIND || groupLate() > 0);
    }

    List<BrokerEvidence> brokers() {
        return brokers;
    }

    /** The broker with the lowest value of a figure; null if none reports it. */
    @Nullable
    BrokerEvidence least(String figure) {
        return first(figure, Comparator.naturalOrder());
    }

    /** The broker with the highest value of a figure; null if none reports it. */
    @Nullable
    BrokerEvidence most(String figure) {
        return first(figure, Comparator.reverseOrder());
    }

    /** The maximum of a figure over all brokers; 0 if none reports it. */
    double highest(String figure) {
        return greatest(brokers, b -> b.get(figure, 0));
    }

    private @Nullable BrokerEvidence first(String figure, Comparator<Double> order) {
        return brokers.stream()
                .filter(b -> b.get(figure) != null)
                .min(Comparator.comparing(b -> b.get(figure), order))
                .orElse(null);
    }

    /** The sum of a figure over all brokers; 0 if none reports it. */
    double sum(String figure) {
        return total(brokers, b -> b.get(figure, 0));
    }

    /** A rate of all brokers over the measured window, even if a broker ran for only part of it; 0 if none reports it. */
    double rate(String figure) {
        return total(
                brokers,
                b -> b.get(figure, 0) * (seconds() <= 0 ? 1 : Math.min(1, b.get("seconds", seconds()) / seconds())));
    }

    /** Mean over brokers of a produce request figure, weighted by requests; null if no broker reports it. */
    @Nullable
    Double perRequest(String stage) {
        return mean(brokers, b -> b.get(stage), b -> b.get("produceRequests"));
    }

    private static <X> @Nullable Double mean(
            Iterable<X> all, Function<X, @Nullable Double> figure, Function<X, @Nullable Double> weight) {
        double sum = 0;
        double weights = 0;
        for (X x : all) {
            Double value = figure.apply(x);
            double n = value == null ? 0 : orElse(weight.apply(x), 0);
            sum += n * orElse(value, 0);
            weights += n;
        }
        return weights > 0 ? sum / weights : null;
    }

    @Nullable
    Double host(String figure) {
        return number(trial.observed().host().get(figure));
    }

    /** The host that {@link #host} describes: the busiest of several load generator hosts. */
    Sentence hostName() {
        return trial.observed().host().get("worker") instanceof String worker
                ? Sentence.of("diagnose.hostOfAgent", worker)
                : Sentence.of("diagnose.thisHost");
    }

    /** Cores that the load generator uses on the host of {@link #hostName}. */
    double generatorCores() {
        return trial.observed().workers().stream()
                .filter(w -> w.name().equals(trial.observed().host().get("worker")))
                .findFirst()
                .map(w -> w.usage().cpuCores())
                .orElseGet(() -> Objects.requireNonNull(generator()).cpu().cpuCores());
    }

    /** The codec to which brokers recompress batches, such as {@code zstd}; null if they keep batches unchanged. */
    @Nullable
    String recompresses() {
        return setup("topic ")
                .map(topic -> topic.get(CODEC))
                .filter(codec -> codec != null && !codec.equals("producer") && sent(codec))
                .findFirst()
                .orElse(null);
    }

    /** Non-default settings of all parts with this prefix, such as {@code producers} or {@code topic orders}. */
    Stream<Map<String, String>> setup(String part) {
        return trial.detail().setup().entrySet().stream()
                .filter(e -> e.getKey().startsWith(part))
                .map(Map.Entry::getValue);
    }

    /** Settings of a topic that differ from the default. */
    Map<String, String> topic(String name) {
        return trial.detail().setup().getOrDefault("topic " + name, Map.of());
    }

    /** Maximum share of received records that a broker converts before the append; 0 if unknown. */
    double converted() {
        return greatest(brokers, b -> b.get("conversions", 0) / Math.max(1, b.get("messagesIn", 0)));
    }

    /** Whether any producer uses a codec other than this topic codec. */
    private boolean sent(String kept) {
        String plain = kept.equals("uncompressed") ? "none" : kept;
        return setup("producers")
                .anyMatch(producers -> !producers.getOrDefault(CODEC, "none").equals(plain));
    }

    @Nullable
    Double cluster(String figure) {
        return number(trial.observed().cluster().get(figure));
    }

    /** CPU use of this host as a share of its cores, including steal time; null if unknown. */
    @Nullable
    Double hostBusy() {
        Double cpu = host("cpu");
        Double share = cpu == null ? null : ratio(cpu + orElse(host("steal"), 0), host("cores"));
        return share == null ? null : Double.valueOf(Math.min(1, share));
    }

    /** Cores of this host used by brokers; 0 if no broker runs here. */
    double brokerCores() {
        return total(brokers, b -> b.here() ? b.get("cpu", 0) : 0);
    }

    /** Linear ramp: 0 below {@code from}, 1 above {@code to}. */
    static double ramp(double value, double from, double to) {
        return Math.max(0, Math.min(1, (value - from) / (to - from)));
    }

    /** The sum over all elements. */
    static <X> double total(Collection<X> all, ToDoubleFunction<X> of) {
        return all.stream().mapToDouble(of).sum();
    }

    /** The maximum; 0 without elements. */
    static <X> double greatest(Collection<X> all, ToDoubleFunction<X> of) {
        return all.stream().mapToDouble(of).max().orElse(0);
    }

    /** The value if it is a number, otherwise null. */
    static @Nullable Double number(@Nullable Object value) {
        return value instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    /** Part ÷ whole; null if a value is unknown or the divisor is not positive. */
    static @Nullable Double ratio(@Nullable Double part, @Nullable Double whole) {
        return part == null || whole == null || whole <= 0 ? null : Double.valueOf(part / whole);
    }

    static double orElse(@Nullable Number value, double otherwise) {
        return value == null ? otherwise : value.doubleValue();
    }
}
