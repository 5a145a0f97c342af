package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Guards that docs/zh/scenario.md tells of keys and faults what they declare; {@code -Dplimsoll.write=true} writes it there. */
class ChineseScenarioDocumentTest {
    private static final Path PAGE = Path.of("docs", "zh", "scenario.md");

    @ParameterizedTest
    @MethodSource("io.plimsoll.scenario.ScenarioDocumentTest#tables")
    void tablesSayWhatTheKeysDeclare(String english, String heading, Section keys) throws IOException {
        ScenarioDocumentTest.holds(
                PAGE, heading, "| 键 | 默认 | 含义 |\n|---|---|---|\n", ScenarioDocumentTest.rows(keys, Language.ZH));
    }

    @Test
    void everyKindOfFaultIsThere() throws IOException {
        ScenarioDocumentTest.holds(
                PAGE, "## 故障", "| 键 | 发生什么 |\n|---|---|\n", ScenarioDocumentTest.faults(Language.ZH));
    }
}
