package io.plimsoll.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.testing.RecordedRuns;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Guards {@code plimsoll.result/1}: a run recorded by 0.1 has the same result today, and fields may only be added. */
class RecordedResultsTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"quick", "matrix", "faults", "search", "planted"})
    void foldYieldsRecordedFieldsAndValues(String name) throws IOException {
        JsonNode before = recorded(name);
        RunResult result = Fold.of(RecordedRuns.open(name, directory.resolve(name)));
        List<String> differences = new ArrayList<>();
        compare("", before, Json.MAPPER.readTree(Json.line(result)), differences);
        assertThat(differences).isEmpty();
        ResultSchema.assertValid(result);
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "matrix", "faults", "search", "planted"})
    void readsRecordedResultsUnchanged(String name) throws IOException {
        JsonNode before = recorded(name);
        RunResult read = Json.MAPPER.treeToValue(before, RunResult.class);
        List<String> differences = new ArrayList<>();
        compare("", before, Json.MAPPER.readTree(Json.line(read)), differences);
        assertThat(differences).isEmpty();
    }

    private static JsonNode recorded(String name) throws IOException {
        try (InputStream in = new GZIPInputStream(
                RecordedResultsTest.class.getResourceAsStream("/runs/" + name + ".result.json.gz"))) {
            return Json.MAPPER.readTree(in);
        }
    }

    private static void compare(String path, JsonNode before, JsonNode now, List<String> differences) {
        if (before.isObject() && now.isObject()) {
            for (Map.Entry<String, JsonNode> field : before.properties()) {
                JsonNode other = now.get(field.getKey());
                if (other == null) {
                    differences.add(path + "/" + field.getKey() + " is gone");
                } else if (now.has(field.getKey() + "Keyed")) {
                    // The words of a sentence may change. Its key and figures, if recorded, may not.
                    if (other.size() < field.getValue().size()) {
                        differences.add(path + "/" + field.getKey() + " has fewer sentences");
                    }
                } else {
                    compare(path + "/" + field.getKey(), field.getValue(), other, differences);
                }
            }
        } else if (path.contains("/warnings")) {
            // A later version may have further warnings.
            before.forEach(warning -> {
                if (now.valueStream().noneMatch(warning::equals)) {
                    differences.add(path + " has no more " + warning);
                }
            });
        } else if (before.isArray() && now.isArray() && before.size() == now.size()) {
            for (int i = 0; i < before.size(); i++) {
                compare(path + "/" + i, before.get(i), now.get(i), differences);
            }
        } else if (!before.equals(now)) {
            differences.add(path + " was " + before + " and is " + now);
        }
    }
}
