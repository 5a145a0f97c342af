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

    private static final Key<Duration> EACH = Key.duration("each", NONE)
            .noneByDefault()
            .about("`{each: 5ms}`: for each record so long", "`{each: 5ms}`：每条记录花这么久");
    private static final Key<Duration> EXPONENTIAL = Key.duration("exponential", NONE)
            .noneByDefault()
            .about(
                    "`{exponential: 5ms}`: for each record a time with this mean, exponentially distributed",
                    "`{exponential: 5ms}`：每条记录的时间按此均值服从指数分布");
    private static final Key<Duration> PER_BATCH = Key.duration("perBatch", NONE)
            .noneByDefault()
            .about(
                    "`{perBatch: 20ms}`: for all that a poll returned together so long",
                    "`{perBatch: 20ms}`：一次 poll 返回的全部记录合计花这么久");
    private static final Key<Integer> THREADS = Key.count("threads", 1, MOST_THREADS)
            .about("how many records of what a poll returned are in work at a time", "一次 poll 返回的记录中同时处理多少条");
    private static final Key<Boolean> BLOCKING = Key.choice("blocking", true, List.of(true, false), String::valueOf)
            .about(
                    "whether the member waits for the work before it polls again; `false` goes on polling with its"
                            + " partitions paused, so that `max.poll.interval.ms` is no limit (only with"
                            + " `engine: client`)",
                    "成员是否等工作完成后才再次 poll；`false` 时暂停其分区并继续 poll，因此不受 `max.poll.interval.ms` 限制（仅用于 `engine: client`）");
    private static final Key<Boolean> CPU = Key.flag("cpu")
            .about("whether the work takes processor time of this host, and not only time", "工作是否占用本机的处理器时间，而不仅仅是等待");
    private static final Key<Double> FAILURES = Key.scalar("failures", Quantities.RATIO, 0.0, Quantities::ratio)
            .about(
                    "share of records at which the work fails: a share group releases them, a pipeline"
                            + " aborts its transaction, others only count them",
                    "工作失败的记录所占比例：共享组会释放它们，pipeline 会中止其事务，其他种类只计数");

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
            .shown(work -> work.map(WorkSpec::text).orElse(""))
            .about(
                    "what each member does with its records; counts and end-to-end latency then take a record when its work"
                            + " is done",
                    "每个成员如何处理其记录；此时计数和端到端延迟以记录处理完成为准");

    private WorkKeys() {}

    private static WorkSpec made(EntryReading entry, Shape shape, Duration time) {
        return new WorkSpec(shape, time, entry.get(THREADS), entry.get(BLOCKING), entry.get(CPU), entry.get(FAILURES));
    }
}
