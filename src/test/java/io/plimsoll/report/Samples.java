package io.plimsoll.report;

import io.plimsoll.result.Fold;
import io.plimsoll.result.RunResult;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.TrialStarted;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.scenario.Check;
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
}
