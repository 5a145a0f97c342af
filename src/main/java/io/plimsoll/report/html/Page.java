package io.plimsoll.report.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plimsoll.InputFile;
import io.plimsoll.result.Json;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import io.plimsoll.text.Wording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Assembles a page from its parts: markup, style, scripts and texts, each from a separate file, and the data. */
public final class Page {
    private static final Map<Language, JsonNode> CATALOGUES = new ConcurrentHashMap<>();
    private static final Map<String, String> RESOURCES = new ConcurrentHashMap<>();
    /**
     * Hashes of scripts, stored because scripts are large: until the JVM has compiled SHA-256, a hash takes tens of
     * milliseconds.
     */
    private static final Map<String, String> HASHES = new ConcurrentHashMap<>();

    private static final List<String> OF_ALL = List.of("base.js", "controls.js", "format.js", "export.js", "tables.js");

    /** The pages, with their own scripts. */
    public enum Kind {
        RUN("charts.js", "timecharts.js", "figures.js", "sections.js", "facts.js", "live.js", "view.js", "main.js"),
        COMPARISON("charts.js", "timecharts.js", "comparison.js"),
        HISTORY("charts.js", "history.js"),
        CAPACITY("charts.js", "capacity.js"),
        INDEX("index.js"),
        GALLERY("gallery.js"),
        SHEET("sheet.js"),
        WATCH("watch.js");

        private final List<String> scripts;

        Kind(String... scripts) {
            this.scripts = List.of(scripts);
        }
    }

    /** Prefixes of the keys of translated terms that pages need, by package. */
    private static final Map<String, List<String>> TERMS = Map.of(
            "report",
            List.of("report.method.", "report.phase.", "report.label.slowStage", "report.slow"),
            "result",
            List.of("result.found.", "result.incident", "result.place."),
            "watch",
            List.of("watch.signal."));

    private static final Pattern PART = Pattern.compile("\\{\\{(\\w+)}}");

    /** @param data the page's data, which can contain any text */
    static String assemble(Kind kind, ObjectNode data, Language language) {
        ObjectNode whole = data.deepCopy();
        whole.put("language", language.code());
        ObjectNode texts = whole.putObject("texts");
        for (Language each : Language.values()) {
            texts.set(each.code(), texts(each));
        }
        String charts = kind.scripts.contains("charts.js") ? resource("echarts.min.js") : "";
        String script = Stream.concat(OF_ALL.stream(), kind.scripts.stream())
                .map(Page::resource)
                .collect(Collectors.joining("\n"));
        Map<String, String> parts = Map.of(
                "language", language.code(),
                "policy", policy(data.path("live").asBoolean(), charts, script),
                "style", resource("page.css"),
                "data", inert(Json.line(whole)),
                "charts", charts,
                "script", script);
        return filled(resource("page.html"), parts);
    }

    /**
     * Replaces each {@code {{name}}} with the part of this name. Copies each part only once, because parts can have
     * several megabytes.
     */
    private static String filled(String markup, Map<String, String> parts) {
        StringBuilder page = new StringBuilder();
        Matcher part = PART.matcher(markup);
        int from = 0;
        while (part.find()) {
            page.append(markup, from, part.start()).append(parts.get(part.group(1)));
            from = part.end();
        }
        return page.append(markup, from, markup.length()).toString();
    }

    /** The texts of pages, and the terms that their scripts use, by key. */
    static ObjectNode texts(Language language) {
        ObjectNode text = catalogue(language).deepCopy();
        TERMS.forEach((room, groups) -> Wording.of(room, language).forEach((key, words) -> {
            if (groups.stream().anyMatch(key::startsWith)) {
                text.put(key, words);
            }
        }));
        return text;
    }

    /** The texts of pages, by key; read-only. */
    public static JsonNode catalogue(Language language) {
        return CATALOGUES.computeIfAbsent(language, of -> {
            try {
                return Json.MAPPER.readTree(resource("text." + of.code() + ".json"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Content security policy: only these scripts run, and no other origin is contacted, regardless of the data. */
    static String policy(boolean live, String... scripts) {
        String sources = Stream.of(scripts)
                .map(script -> " 'sha256-" + HASHES.computeIfAbsent(script, Page::sha256) + "'")
                .collect(Collectors.joining());
        return "default-src 'none'; script-src" + sources + "; style-src 'unsafe-inline'; img-src data:;"
                + (live ? " connect-src 'self';" : "")
                + " base-uri 'none'; form-action 'none'";
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** JSON that is safe within HTML: these characters occur only in its strings. */
    static String inert(String json) {
        return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
    }

    public static String resource(String name) {
        // Browsers normalize line breaks before they hash a script.
        return RESOURCES.computeIfAbsent(
                name, of -> InputFile.resource(Page.class, "/report/" + of).replace("\r\n", "\n"));
    }

    private static final String KEYED = "Keyed";

    /** The parts of a page, an update, a list of runs and a history that contain sentences. */
    private static final List<String> PARTS = List.of(
            "result",
            "grids",
            "trials",
            "progress",
            "runs",
            "comparison",
            "capacity",
            "series",
            "conclusions",
            "rows",
            "damaged",
            "sheet");

    /** Replaces each sentence of the page with {@code {"en": …, "zh": …}}. */
    static ObjectNode translated(ObjectNode page) {
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
        node.forEach(Page::translate);
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
