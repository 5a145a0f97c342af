package io.plimsoll.report.picture;

import io.plimsoll.report.html.Page;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The colours of the page on its light ground, which printing wants: read from its style, so that both have the same. */
final class Palette {
    private static final Map<String, String> COLORS = read();

    private Palette() {}

    /** @param name as the page's style has it, without the dashes before it */
    static String of(String name) {
        String color = COLORS.get(name);
        if (color == null) {
            throw new IllegalArgumentException("no such colour: " + name);
        }
        return color;
    }

    /** Lines of brokers and groups have one each, in turn. */
    static String name(int number) {
        return "c" + (1 + number % 7);
    }

    private static Map<String, String> read() {
        Map<String, String> colors = new HashMap<>();
        Matcher declared = Pattern.compile("--([\\w-]+): (#[0-9a-f]{6});").matcher(Page.resource("page.css"));
        while (declared.find()) {
            // The light colours stand first.
            colors.putIfAbsent(declared.group(1), declared.group(2));
        }
        return colors;
    }
}
