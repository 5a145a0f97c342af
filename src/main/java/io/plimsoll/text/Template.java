package io.plimsoll.text;

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

    private final String text;
    private final Set<Integer> places = new TreeSet<>();

    Template(String text) {
        this.text = text;
        each((part, number) -> {
            places.add(number);
            return "";
        });
    }

    /** Says what stands in the place of a part that goes with the argument of this number. */
    private interface Filling {
        String of(Matcher part, int number);
    }

    private String each(Filling filling) {
        StringBuilder said = new StringBuilder();
        Matcher part = PART.matcher(text);
        int before = 0;
        while (part.find()) {
            boolean place = part.group(1) != null;
            String named = place ? part.group(1) : part.group(3);
            int number = named == null ? before : Integer.parseInt(named);
            before = place ? number : before;
            part.appendReplacement(said, "");
            said.append(filling.of(part, number));
        }
        return part.appendTail(said).toString();
    }

    /** The numbers of its places. */
    Set<Integer> places() {
        return places;
    }

    /** @param say what an argument that is a text or a sentence is in this language */
    String fill(List<Object> arguments, Language language, Function<Object, String> say) {
        return each((part, number) -> {
            Object argument = arguments.get(number);
            if (part.group(1) != null) {
                return place(argument, part.group(2), language, say);
            }
            return part.group(say.apply(argument).equals("1") ? 4 : 5);
        });
    }

    private static String place(Object value, String separator, Language language, Function<Object, String> say) {
        if (!(value instanceof List<?> list)) {
            return say.apply(value);
        }
        List<String> items = list.stream().map(say).toList();
        return separator == null ? language.list(items) : String.join(separator, items);
    }
}
