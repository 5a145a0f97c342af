package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.scenario.ABVariants;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Trials are ranked by the figure that their distinguishing setting affects. */
class SentencesTest {
    private static TrialResult trial(String key, String value, long response, long endToEnd) throws IOException {
        try (InputStream in =
                new GZIPInputStream(SentencesTest.class.getResourceAsStream("/runs/quick.result.json.gz"))) {
            ObjectNode trial =
                    (ObjectNode) Json.MAPPER.readTree(in).path("trials").get(0);
            trial.put("name", value);
            trial.putObject("parameters").put(key, value);
            ((ObjectNode) trial.path("produce").path("responseTime")).put("p99", response);
            ((ObjectNode) trial.path("consume").path("endToEnd")).put("p99", endToEnd);
            if (key.equals("backlog")) {
                ObjectNode backlog = ((ObjectNode) trial.path("consume")).putObject("backlog");
                backlog.put("records", 1_000).put("openedSeconds", 1.0).put("drained", true);
                backlog.put("drainSeconds", 1.0).put("recordsPerSecond", 1e8 / endToEnd);
                backlog.put("bytesPerSecond", 1e10 / endToEnd);
            }
            return Json.MAPPER.treeToValue(trial, TrialResult.class);
        }
    }

    /** The sentence about two trials with the values 1 and 20. */
    private static Sentence sentence(String key) throws IOException {
        Sentence said = Sentences.of(List.of(trial(key, "1", 2_000, 9_000), trial(key, "20", 3_000, 4_000)), List.of());
        assertThat(said.key()).isEqualTo("result.compared");
        return said;
    }

    private static void assertRanked(Sentence said, String first, Sentence figure, String last) {
        assertThat(said.arguments().subList(0, 4)).containsExactly("2", first, figure, last);
    }

    @Test
    void ranksConsumerSettingsByEndToEndLatency() throws IOException {
        assertRanked(
                sentence("consumers.config.fetch.min.bytes"),
                "20",
                Sentence.of("result.figure.endToEnd", "4.0 ms", "5,000"),
                "1");
    }

    @Test
    void excludesFillTrialFromComparison() throws IOException {
        List<TrialResult> trials = new ArrayList<>(List.of(trial("phase", "fill", 2_000, 9_000)));
        for (int consumers : List.of(1, 4)) {
            TrialResult read = trial("consumers.members", "members " + consumers, 2_000, 9_000);
            trials.add(new TrialResult(
                    read.name(),
                    read.course(),
                    null,
                    read.consume(),
                    null,
                    read.observed(),
                    read.judgement(),
                    read.detail()));
        }
        Sentence said = Sentences.of(trials, List.of());
        assertThat(said.arguments().get(0)).isEqualTo("2");
        assertThat(List.of(said.arguments().get(1), said.arguments().get(3)))
                .containsExactlyInAnyOrder("members 1", "members 4");
    }

    @Test
    void ranksBacklogTrialsByDrainRate() throws IOException {
        assertRanked(sentence("backlog"), "20", Sentence.of("result.figure.drain", "25,000", "2.5 MB/s"), "1");
    }

    @Test
    void ranksProducerSettingsByResponseTime() throws IOException {
        assertRanked(
                sentence("producers.config.linger.ms"), "1", Sentence.of("result.figure.p99", "2.0 ms", "5,000"), "20");
    }

    /** The part of a sentence about the better trial; empty if only figures are shown. */
    private static Object doubt(Sentence said) {
        return said.arguments().get(5);
    }

    /** The fastest setting is not the best one if its consumer group falls behind. */
    @Test
    void ranksTrialWithLaggingGroupLower() throws IOException {
        TrialResult fast = trial("acks", "1", 2_000, 9_000);
        TrialResult slow = trial("acks", "all", 3_000, 4_000);
        ObjectNode behind = Json.MAPPER.valueToTree(fast);
        ((ObjectNode) behind.path("consume").path("groups").get(0))
                .set("pace", Json.MAPPER.valueToTree(new GroupPace(GroupPace.FELL_BEHIND, 3_000, 2_000, null)));
        TrialResult left = Json.MAPPER.treeToValue(behind, TrialResult.class);
        assertThat(GroupPace.anyBehind(left)).isTrue();
        assertThat(Sentences.of(List.of(fast, slow), List.of()).arguments().get(1))
                .isEqualTo("1");
        assertThat(Sentences.of(List.of(left, slow), List.of()).arguments().get(1))
                .isEqualTo("all");
    }

    @Test
    void qualifiesRankingOfInconclusiveTrials() throws IOException {
        TrialResult steady = trial("acks", "1", 2_000, 9_000);
        TrialResult unsteady = with(steady, "2", false, true);
        TrialResult invalid = with(steady, "3", true, false);
        assertThat(doubt(Sentences.of(List.of(with(steady, "0", true, true), steady), List.of())))
                .isEqualTo("");
        assertThat(doubt(Sentences.of(List.of(steady, unsteady), List.of())))
                .isEqualTo(Sentence.of("result.undecided", Sentence.of("result.between.unsteady", "2")));
        assertThat(doubt(Sentences.of(List.of(steady, invalid), List.of())))
                .isEqualTo(Sentence.of("result.undecided", Sentence.of("result.between.invalid", "3")));
    }

    @Test
    void mentionsUndecidedCheckBetweenRankedTrials() throws IOException {
        List<TrialResult> trials = List.of(trial("acks", "1", 2_000, 9_000), trial("acks", "2", 3_000, 4_000));
        CrossCheckResult undecided = CrossCheckResult.of("trials.1.produce.errors == trials.3.produce.errors", trials);
        assertThat(undecided.holds()).isNull();
        assertThat(doubt(Sentences.of(trials, List.of(undecided))))
                .isEqualTo(Sentence.of("result.undecided", Sentence.of("result.between.notRun", "3")));
    }

    /** One pair decides nothing, and neither does the cold trial before it. */
    @Test
    void leavesTrialsInTurnsToTheirComparison() throws IOException {
        List<TrialResult> trials = List.of(
                trial(ABVariants.ARM, "A: producers[0].config.acks=1", 2_000, 9_000),
                trial(ABVariants.ARM, "A: producers[0].config.acks=1", 2_000, 9_000),
                trial(ABVariants.ARM, "B: producers[0].config.acks=all", 3_000, 4_000));
        Sentence said = Sentences.of(trials, List.of());
        assertThat(said.key()).isEqualTo("result.inTurns");
        assertThat(said.arguments().subList(0, 2))
                .containsExactly("3", List.of("producers[0].config.acks=1", "producers[0].config.acks=all"));
    }

    private static TrialResult with(TrialResult t, String name, boolean steady, boolean valid) {
        TrialResult.Course c = t.course();
        return new TrialResult(
                name,
                new TrialResult.Course(
                        c.startedAt(),
                        c.warmupSeconds(),
                        c.warmup(),
                        c.measuredSeconds(),
                        steady,
                        c.complete(),
                        valid,
                        c.topicsSeconds()),
                t.produce(),
                t.consume(),
                t.audit(),
                t.observed(),
                t.judgement(),
                t.detail());
    }
}
