package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.diagnose.ProbedLoad;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.search.Step;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Derives the trials of a search from a cell, with other rates and lengths. Trial names can include the cell's name. */
record SearchTrials(Plan.Trial cell, List<Check> slo, Rate.Unit unit, boolean named) {
    private static final Set<String> ALWAYS_ASKED = Set.of(
            "produce.errors",
            "consume.errors",
            "produce.achieved",
            "produce.unacknowledged",
            "produce.missing",
            "consume.missing",
            "audit.lost",
            "audit.corrupted",
            "trial.steady");

    /**
     * Loads of the cost trials, as fractions of the highest load that passed. The order minimizes the effect of drift.
     */
    static final List<Double> COST_LOADS = List.of(0.6, 0.85, 0.5, 0.6, 0.4, 0.2);

    /**
     * Loads of the trials with larger batches, as fractions. These trials come first; they separate request cost from
     * byte cost.
     */
    static final List<Double> FULLER_LOADS = List.of(0.4, 0.2, 0.6);

    static final double CHECK_LOAD = 0.85;

    private static final int FULLER_BATCH = 4;
    private static final long LEAST_LINGER_MILLIS = 20;

    SearchTrials(Plan.Trial cell, CeilingRequest request, boolean named) {
        this(cell, request.slo().orElseGet(() -> criteria(cell.scenario().checks())), request.unit(), named);
    }

    /** @param leftOut one sentence for each trial that cannot be used in a search */
    record Cells(List<Plan.Trial> cells, List<Sentence> leftOut) {}

    /** @throws PlimsollException {@link Exit#USAGE} if no trial can be used in a search */
    static Cells cells(Plan plan) {
        Map<Scenario, Plan.Trial> cells = new LinkedHashMap<>();
        List<Sentence> leftOut = new ArrayList<>();
        for (Plan.Trial trial : plan.trials()) {
            Optional<Sentence> problem = problem(trial.scenario());
            if (problem.isPresent()) {
                leftOut.add(Sentence.of("run.noCeiling", trial.name(), problem.get()));
            } else {
                cells.putIfAbsent(
                        with(
                                trial.scenario(),
                                "",
                                Rate.Unit.RECORDS,
                                1,
                                Duration.ofSeconds(1),
                                Warmup.NO_TIME,
                                List.of()),
                        trial);
            }
        }
        if (cells.isEmpty()) {
            throw Exit.USAGE.because("run.noCeilingAtAll", leftOut.get(0));
        }
        if (cells.size() == 1) {
            Plan.Trial only = cells.values().iterator().next();
            return new Cells(List.of(new Plan.Trial(plan.name(), Map.of(), only.scenario())), leftOut);
        }
        return new Cells(distinguished(cells.values()), leftOut);
    }

    /**
     * One trial per cell with the highest load and the greatest length of the search. A search deletes the topics of
     * each trial and waits for the freed space, so it never stores more than one such trial.
     *
     * @throws PlimsollException as {@link #cells}
     */
    static Plan largest(Plan plan, CeilingRequest request) {
        double most = request.mostRate().orElse(Double.POSITIVE_INFINITY);
        Duration full = request.lengths().full();
        Duration confirm = request.lengths().confirm();
        Duration longest = full.compareTo(confirm) > 0 ? full : confirm;
        List<Plan.Trial> trials = new ArrayList<>();
        for (Plan.Trial cell : cells(plan).cells()) {
            Warmup warmup = CellSearch.warmup(cell.scenario().warmup(), true);
            trials.add(new Plan.Trial(
                    cell.name(),
                    cell.parameters(),
                    with(cell.scenario(), cell.name(), request.unit(), most, longest, warmup, List.of())));
        }
        return plan.with(trials);
    }

    /** Drops variables that no longer distinguish cells, such as the rate of skipped trials. */
    private static List<Plan.Trial> distinguished(Collection<Plan.Trial> cells) {
        return cells.stream()
                .map(cell -> {
                    Map<String, String> own = new LinkedHashMap<>(cell.parameters());
                    own.entrySet().removeIf(e -> cells.stream()
                            .allMatch(c -> e.getValue().equals(c.parameters().get(e.getKey()))));
                    return new Plan.Trial(cell.name(), own, cell.scenario());
                })
                .toList();
    }

    private static Optional<Sentence> problem(Scenario scenario) {
        if (scenario.producers().isEmpty()) {
            return Optional.of(Sentence.of("run.noCeiling.noProducers"));
        }
        if (scenario.consumers().stream().anyMatch(ConsumerSpec::startsLate)) {
            return Optional.of(Sentence.of("run.noCeiling.lateConsumers"));
        }
        if (!scenario.faults().isEmpty()) {
            return Optional.of(Sentence.of("run.noCeiling.hasFaults"));
        }
        return Optional.empty();
    }

    /** The checks that limit a figure from above, without the default criteria of searches. */
    private static List<Check> criteria(List<Check> checks) {
        return checks.stream()
                .filter(c -> !ALWAYS_ASKED.contains(c.figure()))
                .filter(c -> c.op() == Check.Operator.LESS
                        || c.op() == Check.Operator.LESS_OR_EQUAL
                        || c.op() == Check.Operator.EQUAL)
                .toList();
    }

    Plan.Trial trial(Step step, int number, Warmup warmup) {
        // A push only gives a first guess, and its latencies are meaningless, so the user's criteria do not apply.
        return trial(step, number, warmup, step.kind().label(), step.kind() == Step.Kind.PUSH ? List.of() : slo);
    }

    Plan.Trial cost(Step step, int number, Warmup warmup, String kind) {
        Plan.Trial trial = trial(step, number, warmup, kind, List.of());
        return kind.equals(CapacityPlan.FULLER)
                ? new Plan.Trial(trial.name(), trial.parameters(), fuller(trial.scenario()))
                : trial;
    }

    /** The same number of bytes in fewer requests. */
    private static Scenario fuller(Scenario s) {
        List<ProducerSpec> producers = new ArrayList<>();
        for (ProducerSpec p : s.producers()) {
            ProbedLoad load = new ProbedLoad(s.with(Scenario.PRODUCERS, List.of(p)), List.of(), List.of());
            long batch = load.number("batch.size", 16_384);
            long linger = load.number("linger.ms", 5);
            Map<String, String> config = new TreeMap<>(p.config());
            long fuller = Math.min(load.mostBatchBytes(), FULLER_BATCH * batch);
            config.put("batch.size", String.valueOf(Math.max(batch, fuller)));
            config.put("linger.ms", String.valueOf(Math.max(LEAST_LINGER_MILLIS, FULLER_BATCH * linger)));
            producers.add(p.with(ProducerSpec.CONFIG, config));
        }
        return s.with(Scenario.PRODUCERS, producers);
    }

    private Plan.Trial trial(Step step, int number, Warmup warmup, String kind, List<Check> checks) {
        Duration length = Duration.ofMillis(Math.round(step.seconds() * 1e3));
        Scenario scenario = with(cell.scenario(), cell.name(), unit, step.load(), length, warmup, checks);
        return new Plan.Trial(numbered(number, step.load()), parameters(step.load(), kind), scenario);
    }

    Plan.Trial probe(Plan.Trial changed, double load, int number, Duration length, Warmup warmup) {
        Map<String, String> parameters = parameters(load, "probe");
        parameters.put("change", changed.name());
        String name = numbered(number, load) + " " + changed.name();
        return new Plan.Trial(name, parameters, with(changed.scenario(), cell.name(), unit, load, length, warmup, slo));
    }

    Plan.Trial faulty(double load, int number, Duration length, Warmup warmup, List<FaultSpec> faults) {
        String kind = faults.isEmpty() ? "settle" : "outage";
        String name = cell.name() + " " + kind + " #" + number + " " + loadText(load);
        Scenario small = with(cell.scenario(), cell.name(), unit, load, length, warmup, List.of());
        return new Plan.Trial(name, parameters(load, kind), small.with(Scenario.FAULTS, faults));
    }

    private String numbered(int number, double load) {
        return (named ? cell.name() + " " : "") + "#" + number + " " + loadText(load);
    }

    private Map<String, String> parameters(double load, String kind) {
        Map<String, String> parameters = new LinkedHashMap<>(cell.parameters());
        parameters.put("load", loadText(load));
        parameters.put("trial", kind);
        return parameters;
    }

    private String loadText(double load) {
        if (Double.isInfinite(load)) {
            return "unlimited";
        }
        return unit == Rate.Unit.RECORDS ? Units.rate(load) + "/s" : Units.byteRate(load);
    }

    private static Scenario with(
            Scenario s, String name, Rate.Unit unit, double load, Duration length, Warmup warmup, List<Check> checks) {
        // New topics, so that records of other trials are not part of the load.
        List<ProducerSpec> producers = new ArrayList<>();
        double total = s.producers().stream().mapToDouble(p -> weight(s, p)).sum();
        for (ProducerSpec p : s.producers()) {
            Rate rate = Double.isInfinite(load)
                    ? new Rate.Unlimited()
                    : new Rate.Constant(new Rate.Quantity(load * weight(s, p) / total, unit));
            producers.add(new ProducerSpec(unbound(p.settings())).with(ProducerSpec.RATE, rate));
        }
        return s.with(Scenario.NAME, name)
                .with(
                        Scenario.TOPICS,
                        s.topics().stream()
                                .map(t -> t.with(TopicSpec.KEEP, false))
                                .toList())
                .with(Scenario.PRODUCERS, producers)
                .with(
                        Scenario.CONSUMERS,
                        s.consumers().stream()
                                .map(c -> new ConsumerSpec(unbound(c.settings())))
                                .toList())
                .with(Scenario.DURATION, length)
                .with(Scenario.WARMUP, Optional.of(warmup))
                .with(Scenario.CHECKS, checks)
                .with(Scenario.ABORT_ON_FAIL, false);
    }

    /**
     * The weight of an entry: its proportion of the load if all entries have constant rates in one unit, otherwise an
     * equal share.
     */
    private static double weight(Scenario scenario, ProducerSpec producer) {
        boolean alike = scenario.producers().stream()
                        .map(SearchTrials::unitOf)
                        .distinct()
                        .count()
                == 1;
        return alike && producer.rate() instanceof Rate.Constant c ? c.rate().value() : 1;
    }

    private static Optional<Rate.Unit> unitOf(ProducerSpec producer) {
        return producer.rate() instanceof Rate.Constant c ? Optional.of(c.rate().unit()) : Optional.empty();
    }

    private static Settings unbound(Settings settings) {
        return settings.without(Key::endsLoad);
    }
}
