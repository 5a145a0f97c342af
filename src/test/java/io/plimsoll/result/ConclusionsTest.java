package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.TrialResult.Course;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.CheckParser;
import io.plimsoll.scenario.CrossCheck;
import io.plimsoll.scenario.Reference;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A conclusion of a report is decided only by trials that can do so: with events, long and steady enough. */
class ConclusionsTest {
    private static final String FASTER =
            "trials.throughput.produce.throughput > trials.latency.produce.throughput in records/s";
    private static final String SLOWER =
            "trials.throughput.produce.throughput < trials.latency.produce.throughput in records/s";
    private static final String FEWER_ERRORS = "trials.throughput.produce.errors < trials.latency.produce.errors";

    private static ConclusionResult conclusion(UnaryOperator<Course> changed, String... checks) {
        List<TrialResult> trials = Fold.fold(Timelines.quick().stream()).trials().stream()
                .map(t -> t.name().equals("latency") ? with(t, changed.apply(t.course())) : t)
                .toList();
        return ConclusionResult.of(new Reference.Conclusion(Sentence.verbatim("It is so."), List.of(checks)), trials);
    }

    private static TrialResult with(TrialResult t, Course course) {
        return new TrialResult(
                t.name(), course, t.produce(), t.consume(), t.audit(), t.observed(), t.judgement(), t.detail());
    }

    private static Course course(Course c, double seconds, Boolean steady) {
        return new Course(
                c.startedAt(),
                c.warmupSeconds(),
                c.warmup(),
                seconds,
                steady,
                c.complete(),
                c.valid(),
                c.topicsSeconds());
    }

    private static String why(ConclusionResult conclusion) {
        return conclusion.checks().stream()
                .map(CrossCheckResult::why)
                .filter(w -> w != null)
                .map(Sentence::key)
                .findFirst()
                .orElse("");
    }

    @Test
    void conclusiveTrialsDecide() {
        assertThat(conclusion(c -> c, FASTER).holds()).isTrue();
        assertThat(conclusion(c -> c, SLOWER).holds()).isFalse();
    }

    @Test
    void comparisonOfTwoZerosIsUndecided() {
        ConclusionResult open = conclusion(c -> c, FEWER_ERRORS);
        assertThat(open.holds()).isNull();
        assertThat(why(open)).isEqualTo("result.between.bothZero");
        // The sentence claims that none occurred.
        assertThat(conclusion(c -> c, "trials.latency.produce.errors == 0").holds())
                .isTrue();
    }

    @Test
    void unsteadyOrShortTrialsDecideNoRates() {
        ConclusionResult unsteady = conclusion(c -> course(c, c.measuredSeconds(), false), FASTER, SLOWER);
        assertThat(unsteady.holds()).isNull();
        assertThat(why(unsteady)).isEqualTo("result.between.unsteady");
        ConclusionResult tooShort = conclusion(c -> course(c, 4.9, true), FASTER);
        assertThat(tooShort.holds()).isNull();
        assertThat(why(tooShort)).isEqualTo("result.between.tooShort");
        // Exact record counts need no minimum duration.
        assertThat(conclusion(c -> course(c, 4.9, false), "trials.latency.audit.lost == 0")
                        .holds())
                .isTrue();
    }

    @Test
    void absenceInAShortTrialIsUndecided() {
        String check = "trials.latency.produce.errors > 0";
        assertThat(conclusion(c -> course(c, 5.1, true), check).holds()).isFalse();
        ConclusionResult tooShort = conclusion(c -> course(c, 4.9, true), check);
        assertThat(tooShort.holds()).isNull();
        assertThat(why(tooShort)).isEqualTo("result.between.tooShort");
    }

    /** A user's check is arithmetic: 0 is not less than 0. */
    @Test
    void decidesUserChecksLiterally() {
        List<TrialResult> trials = Fold.fold(Timelines.quick().stream()).trials();
        assertThat(CrossCheckResult.of(FEWER_ERRORS, trials).holds()).isFalse();
    }

    /** No figure of a conclusion is named by its id, and none is compared to MB/s of other hardware. */
    @Test
    void shippedConclusionsUseWordsAndNoAbsoluteThroughput() {
        int seen = 0;
        for (String scenario : BuiltIns.names()) {
            Optional<Reference> reference = ScenarioReader.read(
                            BuiltIns.text(scenario).orElseThrow(), scenario, List.of(), 1)
                    .reference();
            for (Reference.Conclusion conclusion :
                    reference.map(Reference::conclusions).orElse(List.of())) {
                for (String check : conclusion.checks()) {
                    CrossCheck asked = CheckParser.comparison(check);
                    assertThat(asked.right().over() != null || asked.ofRatios() || !check.contains("hroughput"))
                            .as(check)
                            .isTrue();
                    ConclusionResult open = ConclusionResult.of(conclusion, List.of());
                    for (Language language : Language.values()) {
                        String said = open.checks().get(0).evidence().in(language);
                        Stream<String> ids = asked.terms().stream().map(CrossCheck.Term::figure);
                        assertThat(ids).as(said).noneMatch(said::contains);
                    }
                    seen++;
                }
            }
        }
        assertThat(seen).isGreaterThan(50);
    }
}
