package io.plimsoll.scenario;

import io.plimsoll.scenario.WorkSpec.Shape;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The key {@code work} of an entry of {@code consumers}. */
final class WorkKeys {
    private static final int MOST_THREADS = 1000;
    private static final Duration NONE = Duration.ofMillis(1);

    private static final Key<Duration> EACH = Key.duration("each", NONE).noneByDefault();
    private static final Key<Duration> EXPONENTIAL =
            Key.duration("exponential", NONE).noneByDefault();
    private static final Key<Duration> PER_BATCH =
            Key.duration("perBatch", NONE).noneByDefault();
    private static final Key<Integer> THREADS = Key.count("threads", 1, MOST_THREADS);
    private static final Key<Boolean> BLOCKING = Key.choice("blocking", true, List.of(true, false), String::valueOf);
    private static final Key<Boolean> CPU = Key.flag("cpu");
    private static final Key<Double> FAILURES = Key.scalar("failures", Quantities.RATIO, 0.0, Quantities::ratio);

    private static final Forms<WorkSpec> FORMS = new Forms<WorkSpec>()
            .form(EACH, (entry, time) -> made(entry, Shape.EACH, time))
            .form(EXPONENTIAL, (entry, time) -> made(entry, Shape.EXPONENTIAL, time))
            .form(PER_BATCH, (entry, time) -> made(entry, Shape.PER_BATCH, time))
            .keys(THREADS, BLOCKING, CPU, FAILURES);

    static final Key<Optional<WorkSpec>> WORK = Key.<Optional<WorkSpec>>of(
                    "work",
                    FORMS.shape(Sentence.of("scenario.a.map", "{each: 5ms}")),
                    Optional.empty(),
                    (entry, key) -> FORMS.read(entry, key).map(Optional::of),
                    Optional.class,
                    WorkSpec.class)
            .noneByDefault()
            .shown(work -> work.map(WorkSpec::text).orElse(""));

    private WorkKeys() {}

    private static WorkSpec made(EntryReading entry, Shape shape, Duration time) {
        return new WorkSpec(shape, time, entry.get(THREADS), entry.get(BLOCKING), entry.get(CPU), entry.get(FAILURES));
    }
}
