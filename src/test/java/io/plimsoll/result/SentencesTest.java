package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** Trials are ranked by what the setting that tells them apart is about. */
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

    private static String sentence(String key) throws IOException {
        return Sentences.of(List.of(trial(key, "1", 2_000, 9_000), trial(key, "20", 3_000, 4_000)))
                .english();
    }

    @Test
    void settingsOfConsumersAreJudgedEndToEnd() throws IOException {
        assertThat(sentence("consumers.config.fetch.min.bytes"))
                .startsWith(
                        "Of 2 trials 20 was best with 4.0 ms p99 end to end at 5,000 records/s and 1 last with 9.0 ms");
    }

    @Test
    void aTrialThatFillsTheTopicsOfTheOthersIsNotComparedWithThem() throws IOException {
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
        assertThat(Sentences.of(trials).english())
                .startsWith("Of 2 trials members")
                .doesNotContain("fill");
    }

    @Test
    void whoWorksOffABacklogIsJudgedByHowFast() throws IOException {
        assertThat(sentence("backlog"))
                .startsWith(
                        "Of 2 trials 20 was best with its backlog read at 25,000 records/s (2.5 MB/s) and 1 last with");
    }

    @Test
    void settingsOfProducersAreJudgedByTheirResponse() throws IOException {
        assertThat(sentence("producers.config.linger.ms"))
                .startsWith(
                        "Of 2 trials 1 was best with 2.0 ms p99 response at 5,000 records/s and 20 last with 3.0 ms");
    }
}
