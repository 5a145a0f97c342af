package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.result.Ceiling;
import io.plimsoll.result.FaultResult;
import io.plimsoll.result.TrialResult;
import io.plimsoll.run.CeilingRequest.Without;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Warmup;
import io.plimsoll.search.Bounds;
import io.plimsoll.search.Criteria;
import io.plimsoll.search.Criteria.Judgement;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * A search with all brokers, then one without some. Between them a trial stops these brokers under a moderate load, and
 * the second search starts once this load has recovered. Confined to one thread.
 */
record OutageSearch(CeilingRun.SearchContext context, Plan.Trial cell, Without wanted, OutagePlan plan) {
    /** Fraction of the load that passed with all brokers. */
    private static final double LOAD = 0.3;

    private static final Warmup WARMUP = Warmup.lasting(Duration.ofSeconds(3));
    /** Late enough to report five seconds of response times before the fault. */
    private static final Duration AT = Duration.ofSeconds(6);
    /** Covers the failover after the session timeout of a dead broker (9 s). */
    private static final Duration LENGTH = Duration.ofSeconds(40);

    private static final Duration SETTLING = Duration.ofSeconds(10);
    private static final int MOST_SETTLING = 6;

    static OutageSearch of(CeilingRun.SearchContext context, Plan.Trial cell) {
        Without wanted = context.request().extras().without().orElseThrow();
        return new OutageSearch(
                context, cell, wanted, OutagePlan.of(wanted, context.run().cluster()));
    }

    void execute(double seconds) {
        if (plan.away()) {
            search(plan.name(), new Ceiling.Outage(plan.brokers(), null, null, null, null, null, null), seconds);
            return;
        }
        long began = System.nanoTime();
        CellSearch before = search(Ceiling.Outage.NOTHING, null, seconds / 2);
        Bounds bounds = before.decisive();
        if (context.interrupted()) {
            return;
        }
        if (!bounds.hasLower()) {
            context.warn(Sentence.of("run.outage.nothingBefore", plan.name()));
            return;
        }
        Ceiling.Outage outage = takeAway(bounds.lower() * LOAD);
        if (!context.interrupted()) {
            search(plan.name(), outage, seconds - (System.nanoTime() - began) / 1e9);
            context.progress().phase(null, "starting brokers", -1, -1);
            context.run().interruption().during(context.run().cluster()::restore);
        }
    }

    private CellSearch search(String without, Ceiling.Outage outage, double seconds) {
        CellSearch search = new CellSearch(context, named(without), true, outage, seconds);
        search.execute();
        return search;
    }

    private Plan.Trial named(String without) {
        Map<String, String> parameters = new LinkedHashMap<>(cell.parameters());
        parameters.put(Ceiling.Outage.PARAMETER, without);
        return new Plan.Trial(
                cell.name() + " " + Ceiling.Outage.PARAMETER + " " + without, parameters, cell.scenario());
    }

    private Ceiling.Outage takeAway(double load) {
        SearchTrials trials = new SearchTrials(named(plan.name()), context.request(), true);
        List<FaultSpec> faults = plan.faults(wanted, AT);
        context.run().cluster().outage(Outage.of(plan.gone()));
        TrialResult result = context.trials().make(trials.faulty(load, 1, LENGTH, WARMUP, faults), true);
        boolean away = context.run().cluster().outage().faults().brokers().equals(plan.brokers());
        Exit.CLUSTER.when(!away && !context.interrupted(), "run.outage.notAway", plan.name());
        Ceiling.Outage outage = outage(result);
        if (outage.backSeconds() == null) {
            awaitSettled(trials, load);
        }
        return outage;
    }

    private void awaitSettled(SearchTrials trials, double load) {
        Criteria criteria = new Criteria(List.of());
        boolean taken = false;
        for (int i = 2; i < 2 + MOST_SETTLING && !context.interrupted(); i++) {
            TrialResult result = context.trials().make(trials.faulty(load, i, SETTLING, WARMUP, List.of()), false);
            Judgement judgement = criteria.judge(result);
            if (judgement.sustained()) {
                return;
            }
            taken = judgement.hostTaken();
        }
        context.warn(Sentence.of(taken ? "run.outage.hostTaken" : "run.outage.notSettled", plan.name()));
    }

    /** The worst values if several brokers stopped. */
    private Ceiling.Outage outage(TrialResult result) {
        List<FaultResult> faults = result.detail().faults();
        FaultResult.Response response = faults.stream()
                .map(FaultResult::response)
                .filter(Objects::nonNull)
                // Delayed requests fall into the interval of the last stopped broker.
                .reduce((first, last) -> last)
                .orElse(new FaultResult.Response(null, null, null, null));
        boolean back = faults.stream().allMatch(f -> f.effect().throughputBackSeconds() != null);
        return new Ceiling.Outage(
                plan.gone(),
                result.name(),
                most(faults, f -> f.silenced() == null ? null : f.silenced().longestSeconds()),
                back ? most(faults, f -> f.effect().throughputBackSeconds()) : null,
                p99(response.before()),
                p99(response.during()),
                p99(response.after()));
    }

    private static Double most(List<FaultResult> faults, Function<FaultResult, Double> figure) {
        return faults.stream()
                .map(figure)
                .filter(Objects::nonNull)
                .max(Double::compare)
                .orElse(null);
    }

    private static Long p99(FaultResult.Around around) {
        return around == null ? null : around.p99();
    }
}
