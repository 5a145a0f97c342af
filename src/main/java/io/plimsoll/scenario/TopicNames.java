package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Topic names and patterns such as {@code events-[1-10]}. */
final class TopicNames {
    private static final Pattern RANGE = Pattern.compile("([^\\[\\]]*)\\[([0-9]{1,9})-([0-9]{1,9})]([^\\[\\]]*)");
    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final int MOST = 10_000;

    private TopicNames() {}

    /**
     * One name, or all that a pattern stands for; leading zeros are kept ({@code [01-10]}).
     *
     * @throws IllegalArgumentException with what was expected
     */
    static List<String> expand(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return List.of(legal(text));
        }
        String first = range.group(2);
        int from = Integer.parseInt(first);
        int to = Integer.parseInt(range.group(3));
        if (to < from || to - from >= MOST) {
            throw new IllegalArgumentException(
                    "expected a range that counts up, over at most " + MOST + " names, found " + Texts.quoted(text));
        }
        String format = first.startsWith("0") ? "%0" + first.length() + "d" : "%d";
        List<String> names = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            names.add(legal(range.group(1) + String.format(format, i) + range.group(4)));
        }
        return names;
    }

    private static String legal(String name) {
        if (!LEGAL.matcher(name).matches() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException(
                    "expected a topic's name (letters, digits, dots, dashes and underscores, at"
                            + " most 249) or a pattern such as events-[1-10], found " + Texts.quoted(name));
        }
        return name;
    }

    /** Reports topics that would be left over if each of several parties takes one. */
    static void requireEnough(Form form, boolean oneTopicEach, List<String> topics, int parties, String key) {
        if (oneTopicEach && parties < topics.size()) {
            form.problem(
                    "oneTopicEach",
                    "leaves topics out: there are " + topics.size() + " topics and " + parties + " " + key
                            + "; give at least as many " + key + " as topics");
        }
    }

    /** The topics that a producer or consumer names, each of which must be among the known ones. */
    static List<String> referenced(Form form, Collection<String> known) {
        YamlNode value = form.node("topic").orElseThrow();
        Set<String> names = new LinkedHashSet<>();
        List<YamlNode> elements =
                value instanceof Items list && !list.values().isEmpty() ? list.values() : List.of(value);
        for (YamlNode element : elements) {
            if (element instanceof Scalar scalar && scalar.kind() != Kind.NULL) {
                add(names, scalar, form, known);
            } else {
                form.unexpected("topic", element);
            }
        }
        return List.copyOf(names);
    }

    private static void add(Set<String> names, Scalar scalar, Form form, Collection<String> known) {
        try {
            for (String name : expand(scalar.text())) {
                if (!known.isEmpty() && !known.contains(name)) {
                    String hint = Suggestions.nearest(name, known)
                            .map(near -> "; did you mean " + near + "?")
                            .orElse("");
                    form.problem(
                            scalar,
                            "topic",
                            "unknown topic " + Texts.quoted(name) + hint + (hint.isEmpty() ? ";" : "")
                                    + " topics names all that are used");
                    return;
                }
                if (!names.add(name)) {
                    form.problem(scalar, "topic", "names " + Texts.quoted(name) + " twice");
                    return;
                }
            }
        } catch (IllegalArgumentException e) {
            form.problem(scalar, "topic", e.getMessage());
        }
    }
}
