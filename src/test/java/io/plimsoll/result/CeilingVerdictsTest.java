package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.Exit;
import io.plimsoll.result.Ceiling.Bound;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verdict of a search states its result and no more. */
class CeilingVerdictsTest {
    private static final Bound FOUND = new Bound(91_200.0, 95_800.0, 91.2e6, 95.8e6, 4, true);
    private static final Bound AT_LEAST = new Bound(91_200.0, null, 91.2e6, null, 2, true);
    private static final Bound NOTHING = new Bound(null, 10.0, null, 1e4, 2, true);

    private static Ceiling ceiling(String end, Bound sustained, Bound withinSlo) {
        return new Ceiling(
                Map.of(),
                new Ceiling.Found(withinSlo == null ? null : "p99 < 50ms", sustained, withinSlo),
                new Ceiling.Course(false, end.equals(Ceiling.GENERATOR_LIMITED), end, true),
                null,
                List.of(),
                List.of(Sentence.verbatim("a remark")),
                List.of(),
                null);
    }

    private static RunResult run(long lost, Ceiling... ceilings) {
        List<TimelineEvent> events = new ArrayList<>(List.of(Timelines.runStarted("search")));
        List<Timelines.Second> seconds = Stream.generate(
                        () -> new Timelines.Second(5000, Timelines.spread(5000, 900, 63_000)))
                .limit(10)
                .toList();
        events.addAll(Timelines.trial("steady-load", Timelines.plan(true), List.of(), seconds));
        events.add(Timelines.trialEnded("steady-load", 10, 50_000, lost));
        for (Ceiling c : ceilings) {
            events.add(new TimelineEvent.CeilingSearched(Timelines.START, c));
        }
        Fold fold = new Fold();
        events.forEach(fold::accept);
        fold.accept(fold.end(Timelines.START));
        ResultSchema.assertValid(fold.result());
        return fold.result();
    }

    @Test
    void statesBothBounds() {
        RunResult result = run(0, ceiling(Ceiling.FOUND, FOUND, null));
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of(
                                "result.carriesBetween", "91,200 records/s (91.2 MB/s)", "95,800 records/s (95.8 MB/s)")
                        .english());
        assertThat(result.verdict().warnings()).extracting(Sentence::english).containsExactly("a remark");
        assertThat(result.verdict().passed()).isTrue();
        assertThat(result.head().exitCode()).isZero();
    }

    /** The criteria of the user decide, also if the highest load requested was sustained without them. */
    @Test
    void decidesByUserCriteriaBelowSustainedMaximum() {
        Bound slo = new Bound(60_000.0, 63_000.0, 60e6, 63e6, 4, true);
        RunResult found = run(0, ceiling(Ceiling.FOUND, AT_LEAST, slo));
        assertThat(found.head().exitCode()).isZero();
        assertThat(found.verdict().sentence().english())
                .containsPattern(Said.en("result.sloBetween"))
                .containsPattern(Said.en("result.carriesMore"));
        Ceiling one = ceiling(Ceiling.MOST_REACHED, AT_LEAST, slo);
        assertThat(run(0, one, one).verdict().sentence().english()).doesNotContainPattern(Said.en("result.carryMore"));
    }

    @Test
    void statesUserCriteriaFirst() {
        Bound slo = new Bound(60_000.0, 63_000.0, 60e6, 63e6, 4, true);
        assertThat(run(0, ceiling(Ceiling.FOUND, FOUND, slo))
                        .verdict()
                        .sentence()
                        .english())
                .startsWith(Sentence.of(
                                "result.sloBetween",
                                "p99 < 50ms",
                                "60,000 records/s (60 MB/s)",
                                "63,000 records/s (63 MB/s)")
                        .english())
                .containsPattern(Said.en("result.carriesBetween", "91,200 records/s (91.2 MB/s)"));
        RunResult none = run(0, ceiling(Ceiling.FOUND, FOUND, NOTHING));
        assertThat(none.verdict().sentence().english())
                .startsWith(Sentence.of("result.sloNever", "10 records/s (10 KB/s)", "p99 < 50ms")
                        .english())
                .containsPattern(Said.en("result.carriesBetween"));
        assertThat(none.head().exitCode()).isEqualTo(Exit.CHECK_FAILED.code());
        assertThat(none.verdict().passed()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "found, PASSED, result.carriesBetween",
        "mostReached, PASSED, result.carriesAll",
        "generatorLimited, INVALID_MEASUREMENT, result.carriesAtLeast",
        "outOfTime, INVALID_MEASUREMENT, result.unsureNothingHigher",
        "stopped, INVALID_MEASUREMENT, result.unsureNothingHigher",
        "nothingPasses, CHECK_FAILED, result.notEven"
    })
    void exitCodeFollowsFromEndOfSearch(String end, Exit exit, String sentence) {
        Bound bound = end.equals(Ceiling.NOTHING_PASSES) ? NOTHING : end.equals(Ceiling.FOUND) ? FOUND : AT_LEAST;
        RunResult result = run(0, ceiling(end, bound, null));
        assertThat(result.head().exitCode()).isEqualTo(exit.code());
        assertThat(result.verdict().passed()).isEqualTo(exit == Exit.PASSED);
        assertThat(result.verdict().sentence().english()).containsPattern(Said.en(sentence));
    }

    /** Without any acknowledgment, the number of records in the bytes of a search is unknown. */
    @Test
    void statesOnlyBytesIfNoRecordArrived() {
        RunResult result = run(0, ceiling(Ceiling.NOTHING_PASSES, new Bound(null, null, null, 1e6, 2, true), null));
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of("result.notEven", "1 MB/s").english());
        assertThat(result.head().exitCode()).isEqualTo(Exit.CHECK_FAILED.code());
    }

    @Test
    void lossTakesPrecedence() {
        RunResult result = run(7, ceiling(Ceiling.FOUND, FOUND, null));
        assertThat(result.head().exitCode()).isEqualTo(Exit.AUDIT_FAILED.code());
        assertThat(result.verdict().sentence().english())
                .startsWith(Sentence.of("result.lost", Sentence.of("result.notInLog", "7", "50,000"), Sentence.NONE)
                        .english())
                .containsPattern(Said.en("result.carriesBetween"));
    }

    @Test
    void comparesSeveralSettings() {
        Ceiling one = ceiling(Ceiling.FOUND, FOUND, null);
        Ceiling other = new Ceiling(
                Map.of("producers.config.acks", "1"),
                new Ceiling.Found(null, AT_LEAST, null),
                new Ceiling.Course(false, true, Ceiling.GENERATOR_LIMITED, true),
                null,
                List.of(),
                List.of(),
                List.of(),
                null);
        Ceiling all = new Ceiling(
                Map.of("producers.config.acks", "all"),
                new Ceiling.Found(null, new Bound(5000.0, 5200.0, 5e6, 5.2e6, 4, true), null),
                new Ceiling.Course(false, false, Ceiling.FOUND, true),
                null,
                List.of(),
                List.of(Sentence.verbatim("a remark")),
                List.of(),
                null);
        RunResult result = run(0, other, all);
        assertThat(result.verdict().sentence().english())
                .isEqualTo(Sentence.of(
                                "result.carriesMost",
                                "2",
                                "acks=1",
                                "at least 91,200 records/s",
                                "acks=all",
                                "5,000 to 5,200 records/s")
                        .english());
        assertThat(result.verdict().warnings()).extracting(Sentence::english).containsExactly("acks=all: a remark");
        assertThat(result.head().exitCode()).isEqualTo(Exit.INVALID_MEASUREMENT.code());
        assertThat(one.found().decisive()).isEqualTo(FOUND);
    }

    /** A key of {@code config} is one name, dots included; a common last part identifies neither setting. */
    @Test
    void shortensSettingNamesUnambiguously() {
        assertThat(SettingNames.joined(Map.of("consumers.config.fetch.max.wait.ms", "20")))
                .isEqualTo("fetch.max.wait.ms=20");
        assertThat(SettingNames.joined(Map.of("topics.partitions", "3"))).isEqualTo("partitions=3");
        assertThat(SettingNames.joined(new TreeMap<>(
                        Map.of("consumers[0].members", "1", "consumers[1].members", "6", "warmup", "2s"))))
                .isEqualTo("consumers[0].members=1 consumers[1].members=6 warmup=2s");
    }

    /** The bounds of a search that ran out of time do not prove a difference. */
    @Test
    void comparesOnlySettingsWithAnswer() {
        Ceiling slow = cell("all", Ceiling.FOUND, 5000.0, 5200.0);
        Ceiling fast = cell("1", Ceiling.FOUND, 9000.0, 9400.0);
        Ceiling near = cell("0", Ceiling.FOUND, 5100.0, 5300.0);
        Ceiling late = cell("late", Ceiling.OUT_OF_TIME, 20.0, 40.0);
        Ceiling open = cell("open", Ceiling.MOST_REACHED, 10000.0, null);
        assertThat(sentence(slow, fast, late))
                .isEqualTo(Sentence.of(
                                        "result.carriesMost",
                                        "3",
                                        "acks=1",
                                        "9,000 to 9,400 records/s",
                                        "acks=all",
                                        "5,000 to 5,200 records/s")
                                .english()
                        + " " + Sentence.of("result.noAnswerFor", "acks=late").english());
        assertThat(sentence(slow, near))
                .isEqualTo(Sentence.of("result.carryTheSame", "2", "5,000", "5,300")
                        .english());
        assertThat(sentence(slow, late))
                .isEqualTo(Sentence.of("result.oneAnswered", "2", "acks=all", "5,000 to 5,200 records/s")
                        .english());
        assertThat(sentence(late, late))
                .isEqualTo(Sentence.of("result.noneAnswered", "2").english());
        Ceiling untried = cell("2", Ceiling.OUT_OF_TIME, null, null);
        assertThat(sentence(untried, untried))
                .isEqualTo(Sentence.of("result.noneAnswered", "2").english());
        assertThat(sentence(slow, open))
                .isEqualTo(Sentence.of(
                                "result.carriesMost",
                                "2",
                                "acks=open",
                                "at least 10,000 records/s",
                                "acks=all",
                                "5,000 to 5,200 records/s")
                        .english());
        assertThat(sentence(slow, open, open))
                .isEqualTo(Sentence.of("result.carryMore", "2", "3", "10,000", "acks=open")
                        .english());
    }

    private static Ceiling without(Ceiling.Outage outage, String end, Double lower, Double upper) {
        return new Ceiling(
                Map.of(Ceiling.Outage.PARAMETER, outage == null ? Ceiling.Outage.NOTHING : "broker 3"),
                new Ceiling.Found(null, new Bound(lower, upper, null, null, 4, true), null),
                new Ceiling.Course(false, false, end, true),
                null,
                List.of(),
                outage == null ? List.of() : outage.effect().stream().toList(),
                List.of(),
                outage);
    }

    @Test
    void comparesCeilingWithoutBrokerToFullCluster() {
        Ceiling.Outage outage = new Ceiling.Outage(List.of(3), "outage", 9.81, 10.2, 4_900L, 9_700_000L, 5_100L);
        Ceiling all = without(null, Ceiling.FOUND, 9000.0, 9400.0);
        RunResult both = run(0, all, without(outage, Ceiling.FOUND, 6000.0, 6200.0));
        assertThat(both.verdict().sentence().english())
                .isEqualTo(Sentence.of("result.carriesBetween", "9,000 records/s", "9,400 records/s")
                                .english()
                        + " "
                        + Sentence.of(
                                        "result.without",
                                        "without=broker 3",
                                        "6,000 to 6,200 records/s",
                                        Sentence.of("result.asMuch", "66 %"))
                                .english());
        assertThat(both.verdict().warnings())
                .extracting(Sentence::english)
                .anyMatch(w -> w.startsWith("without=broker 3: ")
                        && Said.en("result.outage", "9.8 s", "10 s").matcher(w).find());
        assertThat(sentence(all, without(outage, Ceiling.NOTHING_PASSES, null, 1.0)))
                .contains("without=broker 3: ")
                .containsPattern(Said.en("result.notEven", "1 records/s"));
        Ceiling.Outage before = new Ceiling.Outage(List.of(3), null, null, null, null, null, null);
        assertThat(sentence(without(before, Ceiling.FOUND, 6000.0, 6200.0)))
                .isEqualTo("without=broker 3: 6,000 to 6,200 records/s.");
        assertThat(before.effect()).isEmpty();
    }

    private static String sentence(Ceiling... ceilings) {
        return run(0, ceilings).verdict().sentence().english();
    }

    private static Ceiling cell(String acks, String end, Double lower, Double upper) {
        return new Ceiling(
                Map.of("producers.config.acks", acks),
                new Ceiling.Found(null, new Bound(lower, upper, null, null, 4, true), null),
                new Ceiling.Course(false, false, end, true),
                null,
                List.of(),
                List.of(),
                List.of(),
                null);
    }

    @Test
    void interruptedSearchStatesKnownBounds() {
        Fold fold = new Fold();
        fold.accept(Timelines.runStarted("search"));
        fold.accept(new TimelineEvent.CeilingSearched(Timelines.START, ceiling(Ceiling.STOPPED, FOUND, null)));
        fold.accept(fold.end(Timelines.START, Exit.INTERRUPTED, Sentence.verbatim("Interrupted")));
        assertThat(fold.result().verdict().sentence().english())
                .startsWith("Interrupted; ")
                .containsPattern(Said.en(
                        "result.unsureBetween", "91,200 records/s (91.2 MB/s)", "95,800 records/s (95.8 MB/s)"));
    }
}
