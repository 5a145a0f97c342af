package io.plimsoll.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of a sentence in one language. <code>{0}</code> is the place of an argument; a list there is told such as
 * {@code a, b and c}, and <code>{0|; }</code> tells it with that between its items. {@code [record is|records are]} goes
 * with the number in the place before it (without one, in the first place behind it), {@code [1:record|records]} with that
 * of the place named.
 */
final class Template {
    private static final Pattern PART =
            Pattern.compile("\\{(\\d)(?:\\|([^}]*))?}|\\[(?:(\\d):)?([^\\[\\]|]*)\\|([^\\[\\]|]*)]");

    private final List<Part> parts;

    /** A part of the words: a literal, a place, or what depends on a number. */
    private sealed interface Part {}

    private record Literal(String text) implements Part {}

    /** @param separator between the items of a list; null if they are told with "and" */
    private record Place(int number, String separator) implements Part {}

    private record Plural(int number, String one, String many) implements Part {}

    Template(String text) {
        List<Part> found = new ArrayList<>();
        Matcher part = PART.matcher(text);
        int end = 0;
        int before = -1;
        while (part.find()) {
            if (part.start() > end) {
                found.add(new Literal(text.substring(end, part.start())));
            }
            end = part.end();
            if (part.group(1) != null) {
                before = Integer.parseInt(part.group(1));
                found.add(new Place(before, part.group(2)));
            } else {
                int counted = part.group(3) != null ? Integer.parseInt(part.group(3)) : Math.max(0, before);
                found.add(new Plural(counted, part.group(4), part.group(5)));
            }
        }
        if (end < text.length()) {
            found.add(new Literal(text.substring(end)));
        }
        parts = List.copyOf(found);
    }

    /** The numbers of its places. */
    Set<Integer> places() {
        Set<Integer> places = new TreeSet<>();
        for (Part part : parts) {
            if (part instanceof Place place) {
                places.add(place.number());
            } else if (part instanceof Plural plural) {
                places.add(plural.number());
            }
        }
        return places;
    }

    /** @param say what an argument that is a text or a sentence is in this language */
    String fill(List<Object> arguments, Language language, Function<Object, String> say) {
        StringBuilder said = new StringBuilder();
        for (Part part : parts) {
            if (part instanceof Literal literal) {
                said.append(literal.text());
            } else if (part instanceof Place place) {
                said.append(place(arguments.get(place.number()), place.separator(), language, say));
            } else if (part instanceof Plural plural) {
                boolean one = say.apply(arguments.get(plural.number())).equals("1");
                said.append(one ? plural.one() : plural.many());
            }
        }
        return said.toString();
    }

    private static String place(Object value, String separator, Language language, Function<Object, String> say) {
        if (!(value instanceof List<?> list)) {
            return say.apply(value);
        }
        List<String> items = list.stream().map(say).toList();
        return separator == null ? language.list(items) : String.join(separator, items);
    }
}
