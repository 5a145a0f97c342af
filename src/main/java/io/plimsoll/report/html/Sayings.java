package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.report.language.Translation;
import io.plimsoll.text.Language;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What a page says in sentences of the run, in the other languages: a page's script cannot make them. */
final class Sayings {
    /** What people or machines have named, and what is no sentence. */
    private static final Set<String> OTHERS = Set.of(
            "environment",
            "command",
            "parameters",
            "setup",
            "partitions",
            "series",
            "scenario",
            "seconds",
            "producers",
            "clients",
            "brokers",
            "check",
            "slo",
            "curves",
            "names",
            "outcomes",
            "state",
            "schema");

    /** Of a page, of what is new on it, and of a list of runs. */
    private static final List<String> PARTS = List.of("result", "trials", "progress", "runs", "comparison");

    private Sayings() {}

    /** Adds {@code said}: by language, each text of the page that can be translated. */
    static void addTo(ObjectNode page) {
        ObjectNode said = page.putObject("said");
        for (Language language : Language.values()) {
            if (language != Language.EN) {
                Map<String, String> texts = new TreeMap<>();
                PARTS.forEach(part -> collect(page.path(part), Translation.to(language), texts));
                ObjectNode one = said.putObject(language.code());
                texts.forEach(one::put);
            }
        }
    }

    private static void collect(JsonNode node, Translation translation, Map<String, String> texts) {
        if (node.isTextual()) {
            String text = node.textValue();
            if (!texts.containsKey(text)) {
                translation.find(text).ifPresent(t -> texts.put(text, t));
            }
        } else if (node.isObject()) {
            node.properties().stream()
                    .filter(e -> !OTHERS.contains(e.getKey()))
                    .forEach(e -> collect(e.getValue(), translation, texts));
        } else {
            node.forEach(each -> collect(each, translation, texts));
        }
    }
}
