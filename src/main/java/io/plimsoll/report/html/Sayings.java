package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Json;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;

/**
 * What a page says in sentences of the run, in each language: a page's script cannot make them. Names and other text that is the
 * same in every language stays text, also where a sentence has the same words.
 */
final class Sayings {
    private static final String KEYED = "Keyed";

    /** Where a page, what is new on it, a list of runs and a history have sentences. */
    private static final List<String> PARTS =
            List.of("result", "grids", "trials", "progress", "runs", "comparison", "capacity", "series", "conclusions");

    private Sayings() {}

    /** Puts {@code {"en": …, "zh": …}} where the page has a sentence. */
    static ObjectNode addTo(ObjectNode page) {
        PARTS.forEach(part -> translate(page.path(part)));
        return page;
    }

    private static void translate(JsonNode node) {
        if (node instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            for (String name : names) {
                if (object.has(name + KEYED)) {
                    object.set(name, inEach(object.get(name), object.remove(name + KEYED)));
                }
            }
        }
        node.forEach(Sayings::translate);
    }

    private static JsonNode inEach(JsonNode words, JsonNode keyed) {
        if (words instanceof ArrayNode list && keyed.isArray()) {
            ArrayNode all = Json.MAPPER.createArrayNode();
            for (int i = 0; i < list.size(); i++) {
                all.add(inEach(list.get(i), keyed.path(i)));
            }
            return all;
        }
        if (!keyed.hasNonNull("key")) {
            return words;
        }
        Sentence sentence = Json.MAPPER.convertValue(keyed, Sentence.class);
        ObjectNode said = Json.MAPPER.createObjectNode();
        for (Language language : Language.values()) {
            said.put(language.code(), sentence.in(language));
        }
        return said;
    }
}
