package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Remarks.Remark;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Remarks state each relevant fact once. */
class RemarksTest {
    private static final List<String> SIX = List.of("a", "b", "c", "d", "e", "f");

    private static Remark remark(String trial, String text) {
        return new Remark(trial, Sentence.verbatim(text));
    }

    private static List<String> told(List<String> trials, List<Remark> remarks) {
        return Remarks.merged(trials, remarks).stream().map(Sentence::english).toList();
    }

    /** The range of a count is shown in every language, and a name has no range. */
    @Test
    void mergesFiguresIntoRanges() {
        List<Remark> remarks = List.of(
                new Remark("a", Sentence.of("result.deliveredTo", "5 MB/s", "80", "1 KB", "2")),
                new Remark("b", Sentence.of("result.deliveredTo", "900 KB/s", "1,000", "1 KB", "2")),
                new Remark("c", Sentence.of("result.deliveredTo", "5 MB/s", "80", "1 KB", "3")));
        assertThat(Remarks.merged(List.of("a", "b", "c"), remarks))
                .extracting(s -> s.in(Language.ZH))
                .containsExactly(
                        Sentence.of(
                                        "result.inAllBut",
                                        "2",
                                        "3",
                                        "c",
                                        Sentence.of("result.deliveredTo", "900 KB/s–5 MB/s", "80–1,000", "1 KB", "2"))
                                .in(Language.ZH),
                        "c："
                                + Sentence.of("result.deliveredTo", "5 MB/s", "80", "1 KB", "3")
                                        .in(Language.ZH));
    }

    @Test
    void incompleteAuditRanksBeforeShortWindow() {
        assertThat(Remarks.Concern.of(Sentence.of("run.noEnds", "x")))
                .isEqualTo(Remarks.Concern.of(Sentence.of("result.notAllAudited", "7", "10")))
                .isLessThan(Remarks.Concern.of(Sentence.of("result.shortWindow", "1 s")));
    }

    @Test
    void mergesRemarksOfAllTrials() {
        assertThat(told(
                        List.of("a", "b"),
                        List.of(
                                remark("a", "Not steady: records/s vary by 30 % from second to second."),
                                remark("a", "Something else."),
                                remark("b", "Not steady: records/s vary by 4.5 % from second to second."))))
                .containsExactly(
                        "In both trials: Not steady: records/s vary by 4.5–30 % from second to second.",
                        "a: Something else.");
    }

    @Test
    void namesAffectedTrialsOrExceptions() {
        List<Remark> three = List.of(remark("a", "Slow."), remark("c", "Slow."), remark("e", "Slow."));
        assertThat(told(SIX, three)).containsExactly("In 3 of 6 trials (a, c and e): Slow.");
        List<Remark> five = SIX.stream()
                .filter(t -> !t.equals("b"))
                .map(t -> remark(t, "Slow."))
                .toList();
        assertThat(told(SIX, five))
                .containsExactly(
                        Sentence.of("result.inAllBut", "5", "6", "b", "Slow.").english());
        List<Remark> six = SIX.stream().map(t -> remark(t, "Slow.")).toList();
        assertThat(told(SIX, six)).containsExactly("In all 6 trials: Slow.");
    }

    @Test
    void namesOnlySomeOfManyTrials() {
        List<String> many =
                java.util.stream.IntStream.range(0, 20).mapToObj(i -> "t" + i).toList();
        List<Remark> half = many.stream().limit(10).map(t -> remark(t, "Slow.")).toList();
        assertThat(told(many, half)).containsExactly("In 10 of 20 trials (t0, t1, t2, t3, t4 and 5 more): Slow.");
    }

    @Test
    void rangesSpanDifferentUnits() {
        assertThat(told(
                        SIX,
                        List.of(
                                remark("a", "Took 1.25 s for 1,000 records at 150 MB/s."),
                                remark("b", "Took 950 µs for 80 records at 150 MB/s."),
                                remark("c", "Took 1 min 5 s for 90 records at 150 MB/s."))))
                .containsExactly(
                        "In 3 of 6 trials (a, b and c): Took 950 µs–1 min 5 s for 80–1,000 records at 150 MB/s.");
    }

    /** A range of names would include brokers and settings that do not exist. */
    @Test
    void doesNotMergeNumbersInNames() {
        assertThat(told(
                        SIX,
                        List.of(
                                remark("a", "Broker 1 is slow."),
                                remark("b", "Broker 3 is slow."),
                                remark("c", "linger.ms=5 ms is short, topics-1 has 4.3.1."),
                                remark("d", "linger.ms=9 ms is short, topics-2 has 4.3.2."))))
                .containsExactly(
                        "a: Broker 1 is slow.",
                        "b: Broker 3 is slow.",
                        "c: linger.ms=5 ms is short, topics-1 has 4.3.1.",
                        "d: linger.ms=9 ms is short, topics-2 has 4.3.2.");
    }

    @Test
    void omitsNameOfSingleTrial() {
        assertThat(told(List.of("a"), List.of(remark("a", "Slow."), remark("a", "Short."))))
                .containsExactly("Slow.", "Short.");
        assertThat(told(List.of(), List.of())).isEmpty();
    }

    /** The same remark twice in one trial, for example from two of its clients. */
    @Test
    void mergesRepeatedRemarkOfTrial() {
        assertThat(told(
                        List.of("a", "b"),
                        List.of(remark("a", "Slow."), remark("a", "Slow."), remark("b", "Late by 5 ms."))))
                .containsExactly("a: Slow.", "b: Late by 5 ms.");
    }
    /** The trial "throughput" without a rate, and "latency" with one, with these warnings. */
    private static List<TrialResult> quick(List<Sentence> throughput, List<Sentence> latency) {
        List<TrialResult> trials = Fold.fold(Timelines.quick().stream()).trials();
        return List.of(with(trials, "throughput", throughput), with(trials, "latency", latency));
    }

    private static TrialResult with(List<TrialResult> trials, String name, List<Sentence> warnings) {
        TrialResult trial =
                trials.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
        return trial.with(new TrialResult.Judgement(List.of(), warnings, null));
    }

    private static final Sentence BUFFER = Sentence.of("result.ownBuffer", "628 ms", "1", "32 MiB", "48.9 MB/s");
    private static final Sentence VARIES = Sentence.of("result.notSteady", Sentence.of("result.varies", "37 %"));
    private static final Sentence COLD =
            Sentence.of("result.warmupNotSteady", "15 s", List.of(Sentence.of("result.moving.throughput")));
    private static final Sentence STALL =
            Sentence.of("result.stall", "18", "9,967", "43,439", Sentence.of("result.slowestThen", "1.73 s"));

    private static Sentence busy(String cores, Sentence touched) {
        return Sentence.of("result.busyHost", cores, "2", Sentence.NONE, touched);
    }

    /** A first run on a busy host: five remarks with one cause, and two that require no action. */
    @Test
    void combinesSignsOfUnevennessWithAdvice() {
        Sentence waits = Sentence.of("result.busyWhere", List.of(Sentence.of("result.busyWaits", "94 %")));
        Sentence nowhere = busy("1.32", Sentence.of("result.busyNowhere"));
        Remarks.RankedRemarks told =
                Remarks.of(quick(List.of(BUFFER, COLD, VARIES, STALL, busy("0.67", waits)), List.of(COLD, nowhere)));
        assertThat(told.warnings())
                .containsExactly(Sentence.of(
                        "result.uneven",
                        List.of(
                                clauseOf("busyHost", List.of("0.67", "2", Sentence.NONE), "throughput"),
                                clauseOf("warmupNotSteady", COLD.arguments(), "throughput", "latency"),
                                clauseOf("notSteady", VARIES.arguments(), "throughput"),
                                clauseOf("stall", STALL.arguments(), "throughput")),
                        Sentence.of("result.uneven.quietHost")));
        assertThat(told.notes())
                .containsExactly(
                        Sentence.of("result.ofOne", "throughput", BUFFER),
                        Sentence.of("result.ofOne", "latency", nowhere));
    }

    private static Sentence clauseOf(String kind, List<?> arguments, String... trials) {
        return Sentence.of(
                "result.clauseOf",
                Sentence.of("result.clause." + kind, arguments.toArray()),
                Sentence.list(List.of(trials), 2));
    }

    /** A comparison has a dozen trials; each sign is reported once. */
    @Test
    void mergesSignsOfManyTrials() {
        Sentence waits = Sentence.of("result.busyWhere", List.of(Sentence.of("result.busyWaits", "94 %")));
        List<TrialResult> two = quick(List.of(busy("0.67", waits), STALL), List.of(busy("1.32", waits)));
        List<TrialResult> three =
                List.of(two.get(0), two.get(1), quick(List.of(), List.of()).get(0));
        assertThat(Remarks.of(three).warnings())
                .containsExactly(Sentence.of(
                        "result.uneven",
                        List.of(
                                clauseOf("busyHost", List.of("0.67–1.32", "2", Sentence.NONE), "throughput", "latency"),
                                clauseOf("stall", STALL.arguments(), "throughput")),
                        Sentence.of("result.uneven.quietHost")));
    }

    @Test
    void advisesWarmupOrRateWithoutBusyHost() {
        assertThat(advice(List.of(COLD, VARIES))).isEqualTo("result.uneven.longerWarmup");
        assertThat(advice(List.of(VARIES, STALL))).isEqualTo("result.uneven.lowerRate");
        assertThat(Remarks.of(quick(List.of(VARIES), List.of(VARIES))).warnings())
                .as("one kind of remark is told as it is")
                .containsExactly(Sentence.of("result.inBoth", VARIES));
    }

    private static String advice(List<Sentence> throughput) {
        Sentence told = Remarks.of(quick(throughput, List.of())).warnings().get(0);
        return ((Sentence) told.arguments().get(1)).key();
    }

    /** If no trial has a rate, the reader can still measure latency. */
    @Test
    void warnsOfClosedLoopQueueWithoutRatedTrial() {
        List<TrialResult> quick = quick(List.of(BUFFER), List.of());
        assertThat(Remarks.of(quick).warnings()).isEmpty();
        assertThat(Remarks.of(quick.subList(0, 1)).warnings()).containsExactly(BUFFER);
    }

    @Test
    void ordersWarningsBySeverity() {
        Sentence window = Sentence.of("result.shortWindow", "2 s");
        Sentence errors = Sentence.of("result.errors.producing", "3", "TimeoutException");
        Sentence source = Sentence.verbatim("of a source");
        assertThat(Remarks.of(quick(List.of(source, window, VARIES, errors), List.of())
                                .subList(0, 1))
                        .warnings())
                .containsExactly(errors, VARIES, window, source);
    }
}
