package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Validates calibrations against their published schema. */
public final class CalibrationSchema {
    private CalibrationSchema() {}

    public static void assertValid(Calibrations calibrations) {
        assertValid(Json.line(calibrations));
    }

    public static void assertValid(String json) {
        try (InputStream in = Calibrations.class.getResourceAsStream("/schema/plimsoll.calibration-1.json")) {
            JsonSchema schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(in, SchemaValidatorsConfig.builder().build());
            JsonNode node = Json.MAPPER.readTree(json);
            assertThat(schema.validate(
                            node, context -> context.getExecutionConfig().setFormatAssertionsEnabled(true)))
                    .isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
