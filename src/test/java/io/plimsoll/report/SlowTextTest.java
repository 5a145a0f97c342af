package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Json;
import io.plimsoll.result.RunResult;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** A recorded run with a moment without a cause: the explanation names the options that could find it. */
class SlowTextTest {
    private final ObjectNode result;

    SlowTextTest() throws IOException {
        try (InputStream in =
                new GZIPInputStream(SlowTextTest.class.getResourceAsStream("/runs/quick.result.json.gz"))) {
            result = (ObjectNode) Json.MAPPER.readTree(in);
        }
        ArrayNode trials = (ArrayNode) result.path("trials");
        while (trials.size() > 1) {
            trials.remove(1);
        }
        moment().putArray("causes");
    }

    private ObjectNode moment() {
        return ((ObjectNode) result.path("trials").get(0))
                .putArray("slowMoments")
                .addObject()
                .put("stage", "request")
                .put("worstMicros", 400_000);
    }

    private String explained() throws IOException {
        return SlowText.explained(
                Json.MAPPER.treeToValue(result, RunResult.class), null, null, null, new Look(300, false, Language.EN));
    }

    private static String hint(String... options) {
        return Said.en("report.explain.sources", String.join(" or ", options)).pattern();
    }

    @Test
    void suggestsRequestLogInLab() throws IOException {
        assertThat(explained()).containsPattern(hint("--observe requests"));
        ((ArrayNode) result.path("command")).add("--observe").add("requests");
        assertThat(explained()).doesNotContainPattern(hint("--observe requests"));
    }

    @Test
    void sortsMomentsByLatency() throws IOException {
        RunResult run = Json.MAPPER.treeToValue(result, RunResult.class);
        assertThat(SlowText.table(run.trials()).grid().rows().get(0).values()).contains(400_000.0);
    }

    /** Another tool could have written the timeline. */
    @Test
    void explainsRunWithoutCommand() throws IOException {
        result.remove("command");
        assertThat(explained()).containsPattern(hint("--observe requests"));
    }

    @Test
    void runWithoutTrialsHasNoSlowMoment() throws IOException {
        ((ArrayNode) result.path("trials")).removeAll();
        assertThat(explained()).containsPattern(Said.en("report.explain.none"));
        RunResult run = Json.MAPPER.treeToValue(result, RunResult.class);
        Look look = new Look(300, false, Language.EN);
        assertThatThrownBy(() -> SlowText.explained(run, "other", null, null, look))
                .message()
                .matches(Said.en("report.explain.noTrial", "other"));
    }

    @Test
    void recognizesRequestLogAfterEqualsSign() throws IOException {
        ((ArrayNode) result.path("command")).add("--observe=requests");
        assertThat(explained()).doesNotContainPattern(hint("--observe requests"));
    }

    @Test
    void suggestsUnusedSourcesOnOtherClusters() throws IOException {
        ((ObjectNode) result.path("environment").path("cluster")).put("lab", false);
        assertThat(explained()).containsPattern(hint("--metrics-endpoint", "--observer"));
        result.path("trials").get(0).path("brokers").forEach(b -> ((ObjectNode) b).putArray("sources"));
        assertThat(explained()).containsPattern(hint("--jmx, --metrics-endpoint", "--observer"));
    }

    @Test
    void suggestsNothingForMomentWithCause() throws IOException {
        moment().putArray("causes").addObject().put("event", "gc").put("where", "broker 1");
        assertThat(explained()).doesNotContainPattern(hint("--observe requests"));
    }
}
