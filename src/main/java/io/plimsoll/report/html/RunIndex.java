package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Json;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;

/** The list of the runs of a directory, as a page. */
public final class RunIndex {
    private RunIndex() {}

    /**
     * @param directory its name within that of the runs
     * @param name of the run, null if unknown, as everything that follows
     * @param passed null as well if the run was killed, or goes on
     * @param running whether it seems to go on
     */
    public record Entry(
            String directory, String name, String startedAt, Boolean passed, Sentence sentence, boolean running) {}

    /** @param directory that holds the runs */
    public static String render(String directory, List<Entry> runs, Language language) {
        ObjectNode page = Json.MAPPER.createObjectNode();
        page.put("directory", directory);
        ArrayNode list = page.putArray("runs");
        runs.forEach(run -> list.add(Json.MAPPER.<JsonNode>valueToTree(run)));
        Sayings.addTo(page);
        return Page.assembleIndex(page, language);
    }
}
