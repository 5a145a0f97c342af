package io.plimsoll.report;

import io.plimsoll.result.Json;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** A scenario as a person would write it. */
public final class ScenarioText {
    private ScenarioText() {}

    public static String block(Map<String, Object> scenario) {
        DumpSettings block =
                DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
        // Through JSON, so that only maps, lists, text and numbers are left.
        Object plain = Json.MAPPER.convertValue(scenario, Map.class);
        return new Dump(block).dumpToString(plain);
    }
}
