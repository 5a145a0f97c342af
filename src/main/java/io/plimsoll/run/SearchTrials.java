package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.search.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** The trials that a search makes of a scenario: its load at another rate, for another time. */
final class SearchTrials {
    /** What every search asks for anyway. */
    private static final Set<String> ALWAYS_ASKED = Set.of(
            "produce.errors",
            "consume.errors",
            "produce.achieved",
            "produce.unacknowledged",
            "audit.lost",
            "audit.corrupted",
            "trial.steady");

    private final Plan.Trial cell;
    private final List<Check> slo;
    private final boolean named;

    /** @param named the trials' names say which cell they are of */
    SearchTrials(Plan.Trial cell, CeilingRequest request, boolean named) {
        this.cell = cell;
        this.slo = request.slo().orElseGet(() -> criteria(cell.scenario().checks()));
        this.named = named;
    }

    /**
     * The cells of a plan that differ in more than what a search sets itself.
     *
     * @throws PlimsollException {@link Exit#USAGE} if a search makes no sense of a cell
     */
    static List<Plan.Trial> cells(Plan plan) {
        Map<Scenario, Plan.Trial> cells = new LinkedHashMap<>();
        for (Plan.Trial trial : plan.trials()) {
            check(trial.scenario());
            cells.putIfAbsent(with(trial.scenario(), "", 1, Duration.ofSeconds(1), Duration.ZERO, List.of()), trial);
        }
        if (cells.size() == 1) {
            Plan.Trial only = cells.values().iterator().next();
            return List.of(new Plan.Trial(plan.name(), Map.of(), only.scenario()));
        }
        return List.copyOf(cells.values());
    }

    private static void check(Scenario scenario) {
        if (scenario.producers().isEmpty()) {
            throw new PlimsollException(
                    Exit.USAGE,
                    "scenario " + scenario.name() + " has no producers, and a search for the ceiling raises their rate;"
                            + " add producers, or measure consumers with 'plimsoll run'");
        }
        for (ConsumerSpec consumer : scenario.consumers()) {
            if (consumer.start() instanceof ConsumerSpec.Start.AfterProduce
                    || consumer.start() instanceof ConsumerSpec.Start.Backlog) {
                throw new PlimsollException(
                        Exit.USAGE,
                        "scenario " + scenario.name() + " has consumers that start late, and a search for the ceiling"
                                + " has them read along; give them start: earliest or latest");
            }
        }
    }

    /** Upper limits of a trial's figures; what every search asks for is left out, and so are floors of throughput. */
    private static List<Check> criteria(List<Check> checks) {
        return checks.stream()
                .filter(c -> !ALWAYS_ASKED.contains(c.figure()))
                .filter(c -> c.op() == Check.Operator.LESS
                        || c.op() == Check.Operator.LESS_OR_EQUAL
                        || c.op() == Check.Operator.EQUAL)
                .toList();
    }

    List<Check> slo() {
        return slo;
    }

    /** @param number 1 for the first trial of the search */
    Plan.Trial trial(Step step, int number, Duration warmup) {
        String load = Double.isInfinite(step.load()) ? "unlimited" : Units.rate(step.load()) + "/s";
        Map<String, String> parameters = new LinkedHashMap<>(cell.parameters());
        parameters.put("load", load);
        parameters.put("trial", step.kind().label());
        String name = (named ? cell.name() + " " : "") + "#" + number + " " + load;
        Duration length = Duration.ofMillis(Math.round(step.seconds() * 1e3));
        // A closed loop has no schedule that criteria on response times could refer to.
        List<Check> checks = step.kind() == Step.Kind.PUSH ? List.of() : slo;
        return new Plan.Trial(
                name, parameters, with(cell.scenario(), cell.name(), step.load(), length, warmup, checks));
    }

    private static Scenario with(
            Scenario s, String name, double load, Duration length, Duration warmup, List<Check> checks) {
        List<ProducerSpec> producers = new ArrayList<>();
        double total = s.producers().stream().mapToDouble(p -> weight(s, p)).sum();
        for (ProducerSpec p : s.producers()) {
            Rate rate = Double.isInfinite(load)
                    ? new Rate.Unlimited()
                    : new Rate.Constant(new Rate.Quantity(load * weight(s, p) / total, Rate.Unit.RECORDS));
            producers.add(at(p, rate));
        }
        return new Scenario(
                name,
                s.about(),
                s.topics(),
                producers,
                s.consumers().stream().map(SearchTrials::unbound).toList(),
                length,
                Optional.of(warmup),
                s.audit(),
                checks,
                s.reference());
    }

    /** Entries keep their shares of the load where all have a constant rate in records; otherwise they share alike. */
    private static double weight(Scenario scenario, ProducerSpec producer) {
        boolean all = scenario.producers().stream()
                .allMatch(p -> p.rate() instanceof Rate.Constant c && c.rate().unit() == Rate.Unit.RECORDS);
        return all && producer.rate() instanceof Rate.Constant c ? c.rate().value() : 1;
    }

    private static ProducerSpec at(ProducerSpec p, Rate rate) {
        return new ProducerSpec(
                p.topics(),
                p.clients(),
                p.threads(),
                p.engine(),
                p.connections(),
                rate,
                p.arrivals(),
                OptionalLong.empty(),
                Optional.empty(),
                p.record(),
                p.send(),
                p.transactions(),
                p.config());
    }

    private static ConsumerSpec unbound(ConsumerSpec c) {
        return new ConsumerSpec(
                c.topics(),
                c.groups(),
                c.members(),
                c.start(),
                c.commit(),
                c.engine(),
                OptionalLong.empty(),
                c.idleTimeout(),
                c.config());
    }
}
