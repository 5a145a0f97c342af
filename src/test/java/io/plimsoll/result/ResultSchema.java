package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Set;

/** Validates results against their published schema. */
public final class ResultSchema {
    private static final JsonSchema SCHEMA = load();

    private ResultSchema() {}

    /** @param file a {@code result.json} */
    public static void assertValid(Path file) {
        try {
            assertValid(Json.MAPPER.readTree(file.toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void assertValid(JsonNode result) {
        assertThat(problems(result)).isEmpty();
    }

    public static void assertValid(RunResult result) {
        try {
            assertValid(Json.MAPPER.readTree(Json.line(result)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Set<ValidationMessage> problems(JsonNode result) {
        return SCHEMA.validate(result, context -> context.getExecutionConfig().setFormatAssertionsEnabled(true));
    }

    private static JsonSchema load() {
        try (InputStream in = RunResult.class.getResourceAsStream("/schema/plimsoll.result-1.json")) {
            return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                    .getSchema(in, SchemaValidatorsConfig.builder().build());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
