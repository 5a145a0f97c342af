package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
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
     * @throws InvalidValueException with what was expected
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
            throw InvalidValueException.expected(Sentence.of("scenario.a.range", MOST), text);
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
            throw InvalidValueException.expected(Sentence.of("scenario.a.legalTopic"), name);
        }
        return name;
    }
}
