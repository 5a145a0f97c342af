package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.result.Json;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What a page says in sentences of the run, in the other languages: a page's script cannot make them. */
final class Sayings {
    private static final String KEYED = "Keyed";

    /** Where a page, what is new on it, a list of runs and a history have sentences. */
    private static final List<String> PARTS =
            List.of("result", "grids", "trials", "progress", "runs", "comparison", "capacity", "series");

    private Sayings() {}

    /** Adds {@code said}: by language, each sentence of the page by its English words. */
    static ObjectNode addTo(ObjectNode page) {
        Set<Sentence> sentences = new LinkedHashSet<>();
        PARTS.forEach(part -> collect(page.path(part), sentences));
        ObjectNode said = page.putObject("said");
        for (Language language : Language.values()) {
            if (language != Language.EN) {
                ObjectNode one = said.putObject(language.code());
                sentences.forEach(s -> one.put(s.english(), s.in(language)));
            }
        }
        return page;
    }

    /** Keys and arguments are of no use to the page beside that. */
    private static void collect(JsonNode node, Set<Sentence> sentences) {
        if (node instanceof ObjectNode object) {
            List<String> keyed = new ArrayList<>();
            object.fieldNames().forEachRemaining(name -> {
                if (name.endsWith(KEYED) && object.has(name.substring(0, name.length() - KEYED.length()))) {
                    keyed.add(name);
                }
            });
            for (String name : keyed) {
                JsonNode of = object.remove(name);
                for (JsonNode one : of.isArray() ? of : List.of(of)) {
                    if (one.hasNonNull("key")) {
                        sentences.add(Json.MAPPER.convertValue(one, Sentence.class));
                    }
                }
            }
        }
        node.forEach(each -> collect(each, sentences));
    }
}
