package io.plimsoll.report;

import io.plimsoll.result.Fold;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.TrialStarted;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.result.TrialResult;
import io.plimsoll.scenario.Check;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Results to render. */
final class Samples {
    static final Check FAILING = new Check(
            "produce.response.p99 < 5ms",
            "produce.response.p99",
            Check.Operator.LESS,
            5_000,
            Check.Dimension.MICROSECONDS);
    static final Check MISSING =
            new Check("audit.duplicated == 0", "audit.duplicated", Check.Operator.EQUAL, 0, Check.Dimension.COUNT);

    static final String HOSTILE =
            "\u001b[2J\r\n# <script>alert(1)</script> | `x` ![i](http://evil) **b** www.evil.com <b>";

    private Samples() {}

    static RunResult quick() {
        return Fold.fold(Timelines.quick().stream());
    }

    static RunResult single() {
        List<Second> seconds = Stream.generate(() -> new Second(5000, Timelines.spread(5000, 900, 63_000)))
                .limit(10)
                .toList();
        return Timelines.oneTrial(
                Timelines.plan(true),
                seconds,
                Timelines.trialEnded("steady-load", 10, 50_000, 0),
                Timelines.check(),
                FAILING,
                MISSING);
    }

    /** Trials of the list {@code trials}: each sets a rate and has its own name. */
    static RunResult named(String open, String closed) {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("named")));
        for (String name : List.of(open, closed)) {
            boolean paced = name.equals(open);
            long records = paced ? 5_000 : 200_000;
            List<Second> seconds = Stream.generate(() -> new Second(records, Timelines.spread(records, 900, 63_000)))
                    .limit(10)
                    .toList();
            List<TimelineEvent> trial = Timelines.trial(name, Timelines.plan(paced), List.of(), seconds);
            TrialStarted s = (TrialStarted) trial.get(0);
            Map<String, String> set = Map.of("producers[0].rate", paced ? "5000/s" : "unlimited");
            events.add(new TrialStarted(name, s.at(), set, s.plan(), s.setup()));
            events.addAll(trial.subList(1, trial.size()));
            events.add(Timelines.trialEnded(name, 10, records * 10, 0));
        }
        return Fold.fold(events.stream());
    }

    /** One wake-up in ten was late. */
    static RunResult late() {
        List<Second> seconds = Stream.generate(
                        () -> new Second(5000, Timelines.spread(5000, 900, 63_000)).lateTicks(100))
                .limit(10)
                .toList();
        return Timelines.oneTrial(Timelines.plan(true), seconds, Timelines.trialEnded("steady-load", 10, 50_000, 0));
    }

    static RunResult matrix() {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("matrix")));
        int factor = 6;
        for (String acks : List.of("1", "all")) {
            for (String partitions : List.of("1", "3", "100")) {
                Map<String, String> parameters = new LinkedHashMap<>();
                parameters.put("producers.config.acks", acks);
                parameters.put("topics.partitions", partitions);
                String name = "acks=" + acks + ",partitions=" + partitions;
                long records = 20_000L * factor--;
                List<Second> seconds = Stream.generate(
                                () -> new Second(records, Timelines.spread(records, 10_000, 170_000))
                                        .busiest(records > 110_000 ? 0.99 : 0.5))
                        .limit(10)
                        .toList();
                List<TimelineEvent> trial = Timelines.trial(name, Timelines.plan(false), List.of(), seconds);
                TrialStarted s = (TrialStarted) trial.get(0);
                events.add(new TrialStarted(name, s.at(), parameters, s.plan(), s.setup()));
                events.addAll(trial.subList(1, trial.size()));
                events.add(Timelines.trialEnded(name, 10, records * 10, records < 30_000 ? 12 : 0));
            }
        }
        Fold fold = new Fold();
        events.forEach(fold::accept);
        fold.accept(fold.end(Timelines.START.plusSeconds(90)));
        return fold.result();
    }

    /** Killed before its first trial. */
    static RunResult empty() {
        return Fold.fold(Stream.of(Timelines.runStarted("empty")));
    }

    /** Every external name tries to be more than a name. */
    static RunResult hostile() {
        List<TimelineEvent> events = new ArrayList<>();
        var started = Timelines.runStarted("x");
        events.add(new TimelineEvent.RunStarted(
                HOSTILE,
                started.at(),
                List.of("plimsoll", "run", "```\n" + HOSTILE),
                started.tool(),
                new RunResult.Environment(
                        Map.of(HOSTILE, HOSTILE),
                        new RunResult.Cluster(
                                HOSTILE, HOSTILE, List.of(new RunResult.Broker(1, HOSTILE, 9092, HOSTILE)), false)),
                Map.of("name", "```\n" + HOSTILE),
                1,
                1,
                null,
                List.of()));
        List<Second> seconds = Stream.generate(
                        () -> new Second(5000, Timelines.spread(5000, 900, 63_000)).errors(Map.of(HOSTILE, 2L)))
                .limit(10)
                .toList();
        for (String name : List.of(HOSTILE, HOSTILE + "2")) {
            List<TimelineEvent> trial = Timelines.trial(name, Timelines.plan(true), List.of(), seconds);
            TrialStarted s = (TrialStarted) trial.get(0);
            events.add(new TrialStarted(
                    name, s.at(), Map.of(HOSTILE, HOSTILE), s.plan(), Map.of(HOSTILE, Map.of(HOSTILE, HOSTILE))));
            events.addAll(trial.subList(1, trial.size()));
            events.add(new TimelineEvent.Note(s.at(), name, "warning", Sentence.verbatim(HOSTILE)));
        }
        return Fold.fold(events.stream());
    }

    static RunResult partitions(int count) {
        List<TrialResult.PartitionResult> partitions = Stream.iterate(0, p -> p + 1)
                .limit(count)
                .map(p -> new TrialResult.PartitionResult("events", p, 1, 10, 10, null, null))
                .toList();
        var end = new TimelineEvent.TrialEnded(
                "wide", Timelines.START, 10, 10, Map.of(), true, null, null, partitions, List.of(), List.of());
        return Timelines.oneTrial(Timelines.plan(true), List.of(new Second(10, Timelines.latencies(10, 1000))), end);
    }

    static List<String> lines(TableLayout layout) {
        return layout.bands.stream()
                .flatMap(band -> Stream.concat(Stream.of(band.head()), band.rows().stream()))
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
