package io.plimsoll.report.language;

import com.fasterxml.jackson.core.type.TypeReference;
import io.plimsoll.report.language.Phrase.Kind;
import io.plimsoll.report.language.Phrase.Place;
import io.plimsoll.result.Json;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.text.Language;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says in another language what results and reports say in English. Results hold English sentences alone; a catalogue has,
 * for each of them, its English form with places for what differs (see {@link Phrase}) and the translation. So results of
 * earlier versions can be read in any language, too, and a text that the catalogue does not know stays as it is.
 */
public final class Translation {
    private static final Map<Language, Translation> LOADED = new HashMap<>();
    private static final int LONGEST = 2_000;
    private static final int MOST_STEPS = 200_000;
    private static final int DEEPEST = 12;

    private static final Pattern GAP = Pattern.compile("(?<=[\\p{IsHan}，。：；（）、]) (?=[\\p{IsHan}，。：；（）、])");

    private final List<Entry> entries;
    private final String comma;
    private final String and;

    private record Entry(Phrase phrase, String translation) {}

    private Translation(Map<String, String> catalogue, String comma, String and) {
        this.comma = comma;
        this.and = and;
        this.entries = catalogue.entrySet().stream()
                .flatMap(e -> Phrase.of(e.getKey()).stream().map(p -> new Entry(p, e.getValue())))
                .sorted(Comparator.comparingInt((Entry e) -> e.phrase().weight())
                        .reversed())
                .toList();
    }

    /** Thread-safe. */
    public static synchronized Translation to(Language language) {
        return LOADED.computeIfAbsent(
                language,
                l -> l == Language.EN
                        ? new Translation(Map.of(), ", ", " and ")
                        : new Translation(catalogue(l), "、", " 和 "));
    }

    /** English to this language, both with their places. */
    static Map<String, String> catalogue(Language language) {
        String name = "/report/said." + language.code() + ".json";
        try (InputStream in = Translation.class.getResourceAsStream(name)) {
            Map<String, String> catalogue = Json.MAPPER.readValue(in, new TypeReference<>() {});
            FaultKind.all()
                    .values()
                    .forEach(kind -> catalogue.put(kind.english().replace("{0}", "{0*}"), kind.chinese()));
            return catalogue;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @return the text itself where it is not known */
    public String of(String text) {
        return find(text).orElse(text);
    }

    /** @return empty if nothing of the text is known */
    public Optional<String> find(String text) {
        if (text == null || entries.isEmpty() || text.length() > LONGEST) {
            return Optional.empty();
        }
        Attempt attempt = new Attempt();
        return attempt.whole(text.strip(), 0)
                .map(Found::text)
                .or(() -> attempt.sentences(text.strip()))
                .map(Translation::set);
    }

    /** @param complete false if a part of it is still in English */
    private record Found(String text, boolean complete) {}

    /** The translating of one text: what it has found of parts already, and how long it may go on. */
    private final class Attempt {
        private final Map<String, Optional<Found>> known = new HashMap<>();
        private int steps;

        /** A text that is one phrase, from end to end, completely. */
        Optional<Found> whole(String text, int depth) {
            return part(text, depth).filter(Found::complete);
        }

        /** Several sentences, one after the other; what is not known stays. */
        Optional<String> sentences(String text) {
            List<String> pieces = Arrays.asList(text.split("(?<=[.]) (?=\\p{Lu})"));
            List<Optional<Found>> found = pieces.stream().map(p -> part(p, 0)).toList();
            if (pieces.size() > 1 && found.stream().anyMatch(Optional::isPresent)) {
                StringBuilder joined = new StringBuilder();
                for (int i = 0; i < pieces.size(); i++) {
                    String piece = found.get(i).map(Found::text).orElse(pieces.get(i));
                    boolean gap = joined.length() > 0 && found.get(i - 1).isEmpty();
                    joined.append(gap ? " " : "").append(piece);
                }
                return Optional.of(joined.toString());
            }
            return part(text, 0).map(Found::text);
        }

        Optional<Found> part(String text, int depth) {
            Optional<Found> before = known.get(text);
            if (before != null || depth > DEEPEST) {
                return before == null ? Optional.empty() : before;
            }
            known.put(text, Optional.empty());
            Optional<Found> found = search(text, depth);
            known.put(text, found);
            return found;
        }

        /** The longest phrase all of whose parts are known, else the longest. */
        private Optional<Found> search(String text, int depth) {
            Optional<Found> best = Optional.empty();
            for (Entry entry : entries) {
                if (++steps > MOST_STEPS) {
                    break;
                }
                Optional<Found> found = entry.phrase().match(text).flatMap(values -> fill(entry, values, depth));
                if (found.isPresent() && found.get().complete()) {
                    return found;
                }
                best = best.isPresent() ? best : found;
            }
            return best;
        }

        private Optional<Found> fill(Entry entry, List<String> values, int depth) {
            String[] filled = new String[10];
            boolean complete = true;
            boolean any = entry.phrase().worded() || values.isEmpty();
            for (int i = 0; i < values.size(); i++) {
                Place place = entry.phrase().places().get(i);
                String value = values.get(i);
                Optional<Found> translated =
                        switch (place.kind()) {
                            case TEXT -> text(value, depth + 1);
                            case LIST -> Optional.of(list(value, depth + 1));
                            default -> Optional.of(new Found(value, true));
                        };
                filled[place.number()] = translated.map(Found::text).orElse(value);
                complete &= translated.map(Found::complete).orElse(false);
                any |= translated.isPresent() && (place.kind() == Kind.TEXT || place.kind() == Kind.LIST);
            }
            return any ? Optional.of(new Found(put(entry.translation(), filled), complete)) : Optional.empty();
        }

        /** A quantity needs no translation. */
        private Optional<Found> text(String value, int depth) {
            return Phrase.isQuantity(value) ? Optional.of(new Found(value, true)) : part(value.strip(), depth);
        }

        private Found list(String value, int depth) {
            return new Found(
                    Arrays.stream(value.split(" and "))
                            .map(side -> Arrays.stream(side.split(", "))
                                    .map(name ->
                                            part(name, depth).map(Found::text).orElse(name))
                                    .collect(Collectors.joining(comma)))
                            .collect(Collectors.joining(and)),
                    true);
        }
    }

    /** Between Chinese characters is no space, as there is beside what was put between them. */
    static String set(String text) {
        return GAP.matcher(text).replaceAll("");
    }

    private static String put(String translation, String[] values) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        for (int at = translation.indexOf('{'); at >= 0; at = translation.indexOf('{', at + 1)) {
            parts.add(translation.substring(from, at));
            parts.add(values[translation.charAt(at + 1) - '0']);
            from = at + 3;
        }
        parts.add(translation.substring(from));
        return String.join("", parts);
    }
}
