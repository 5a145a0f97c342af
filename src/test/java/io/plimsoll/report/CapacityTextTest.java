package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import io.plimsoll.capacity.BrokerLimits;
import io.plimsoll.capacity.CapacityPlan;
import io.plimsoll.capacity.CapacityPlanner;
import io.plimsoll.capacity.PlantedCosts;
import io.plimsoll.capacity.Target;
import io.plimsoll.report.html.HtmlReport;
import io.plimsoll.result.Json;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** The answer comes first, followed by its basis: on the terminal, in Markdown, on the page, in JSON. */
public class CapacityTextTest {
    /** A plan with all figures known. */
    public static CapacityPlan plan() {
        return CapacityPlanner.plan(
                PlantedCosts.of(3, 29.4e6, 30.3e6).cpu(0.3, 0.01).result(),
                Target.parse("70 MB/s in, 2 groups"),
                new Target.Margin(0.1, 2, 0.25, 1),
                BrokerLimits.parse("cpu 4"));
    }

    @Test
    void terminalStartsWithTheAnswer() {
        String text = CapacityText.render(plan(), new Look(120, false, Language.EN));
        assertThat(text)
                .startsWith(
                        "· Required for 70 MB/s in, 2 groups, grown to 84.7 MB/s, with 25 % headroom, with 1 broker down: ")
                .contains("resource", "broker CPU", "0.0100", "370.0 *")
                .containsPattern(Said.en("report.capacity.found", 3, "29.4 MB/s–30.3 MB/s", null, 8))
                .contains(Said.text("«capacity.evenly»"))
                .containsPattern("requests +[0-9.]+ +[0-9,]+/s +– +[0-9,]+/s")
                .doesNotContain("null", "NaN");
        assertThat(CapacityText.render(plan(), new Look(80, false, Language.ZH)))
                .contains("资源", "负载均匀分布");
    }

    @Test
    void markdownAndPageHaveSameContent() {
        String sentence = plan().answer().sentence().english();
        assertThat(CapacityText.markdown(plan(), Language.EN))
                .startsWith("# Capacity\n\n**" + sentence)
                .contains(
                        "| broker CPU |",
                        "## " + Sentence.of("report.capacity.assumptions").english());
        assertThat(HtmlReport.render(plan(), Language.EN))
                .contains("Capacity.picture", sentence)
                .contains("\"language\":\"en\"");
    }

    @Test
    void jsonMatchesItsSchema() throws IOException {
        try (InputStream in = CapacityPlan.class.getResourceAsStream("/schema/plimsoll.capacity-1.json")) {
            var schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(in, SchemaValidatorsConfig.builder().build());
            assertThat(schema.validate(Json.MAPPER.readTree(Json.pretty(plan()))))
                    .isEmpty();
        }
    }
}
