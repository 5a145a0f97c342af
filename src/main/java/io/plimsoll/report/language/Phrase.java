package io.plimsoll.report.language;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An English text with places for what differs from one time to the next: <code>{0}</code> is a quantity such as
 * {@code 3.4 ms}, <code>{1$}</code> a name that is kept as it is, <code>{1!}</code> one
 * without spaces, <code>{2*}</code> a text of the catalogue itself, and
 * <code>{3&}</code> names such as {@code a, b and 2 more}. Takes a text apart from left to right, without going back, so
 * that the time it takes is bounded whatever the text is.
 *
 * @param literals what stands before, between and behind the places
 */
record Phrase(List<String> literals, List<Place> places) {
    private static final Pattern PLACE = Pattern.compile("\\{(\\d)([$!*&]?)}");
    private static final Pattern CHOICE = Pattern.compile("\\[([^\\[\\]|]*(?:\\|[^\\[\\]|]*)+)]");
    private static final String UNIT = " ?(?:(?:[KMGT]i?B|B|µs|ms|s|min|h|%)(?:/s)?)";
    private static final String AMOUNT = "\\d[\\d,.]*(?:" + UNIT + ")?(?: \\d+ (?:s|min))?";
    /** One, or a range. */
    private static final Pattern QUANTITY = Pattern.compile("[≥≤×±~]? ?-?" + AMOUNT + "(?:–" + AMOUNT + ")?");

    /** A place and the kind of what stands there. */
    record Place(int number, Kind kind) {}

    /** What may stand in a place. */
    enum Kind {
        QUANTITY,
        NAME,
        WORD,
        TEXT,
        LIST
    }

    Phrase {
        literals = List.copyOf(literals);
        places = List.copyOf(places);
    }

    /** @param template may hold choices such as {@code [record|records]}: one phrase for each */
    static List<Phrase> of(String template) {
        Matcher choice = CHOICE.matcher(template);
        if (!choice.find()) {
            return List.of(single(template));
        }
        List<Phrase> all = new ArrayList<>();
        for (String chosen : choice.group(1).split("\\|", -1)) {
            all.addAll(of(template.substring(0, choice.start()) + chosen + template.substring(choice.end())));
        }
        return all;
    }

    private static Phrase single(String template) {
        List<String> literals = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        Matcher place = PLACE.matcher(template);
        int from = 0;
        while (place.find()) {
            literals.add(template.substring(from, place.start()));
            Kind kind =
                    switch (place.group(2)) {
                        case "$" -> Kind.NAME;
                        case "!" -> Kind.WORD;
                        case "*" -> Kind.TEXT;
                        case "&" -> Kind.LIST;
                        default -> Kind.QUANTITY;
                    };
            places.add(new Place(Integer.parseInt(place.group(1)), kind));
            from = place.end();
        }
        literals.add(template.substring(from));
        return new Phrase(literals, places);
    }

    /** How much of a text it says by itself. */
    int weight() {
        return literals.stream().mapToInt(String::length).sum();
    }

    /** Whether it says anything by itself. */
    boolean worded() {
        return literals.stream().anyMatch(l -> l.chars().anyMatch(Character::isLetter));
    }

    /** @return what stands in each place, in their order here; empty if the text is another */
    Optional<List<String>> match(String text) {
        String last = literals.get(literals.size() - 1);
        if (!text.startsWith(literals.get(0)) || !text.endsWith(last)) {
            return Optional.empty();
        }
        if (places.isEmpty()) {
            return text.length() == last.length() ? Optional.of(List.of()) : Optional.empty();
        }
        List<String> found = new ArrayList<>();
        int from = literals.get(0).length();
        int end = text.length() - last.length();
        for (int i = 0; i < places.size(); i++) {
            int to = i == places.size() - 1 ? end : text.indexOf(literals.get(i + 1), from + 1);
            if (to <= from || to > end) {
                return Optional.empty();
            }
            String value = text.substring(from, to);
            if (!fits(value, places.get(i).kind())) {
                return Optional.empty();
            }
            found.add(value);
            from = to + literals.get(i + 1).length();
        }
        return Optional.of(found);
    }

    private static boolean fits(String value, Kind kind) {
        return switch (kind) {
            case QUANTITY -> isQuantity(value);
            case WORD -> value.indexOf(' ') < 0;
            default -> true;
        };
    }

    /** Whether a text is a number, with a unit or without. */
    static boolean isQuantity(String text) {
        return QUANTITY.matcher(text).matches();
    }
}
