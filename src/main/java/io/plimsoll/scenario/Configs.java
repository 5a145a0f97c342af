package io.plimsoll.scenario;

import java.util.Map;

/** The few client and topic properties that the reader itself looks at; all others pass as they are. */
final class Configs {
    private Configs() {}

    /** Reports a property that is there and not a whole number. */
    static void wholeNumber(Form form, Map<String, String> config, String property) {
        String text = config.get(property);
        if (text != null && !text.strip().matches("-?[0-9]{1,18}")) {
            form.configProblem("config", property, "expected a whole number, found " + Texts.quoted(text));
        }
    }

    /** The property's value, or the fallback if it is missing or, as already reported, not a whole number. */
    static long number(Map<String, String> config, String property, long fallback) {
        String text = config.getOrDefault(property, "").strip();
        return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : fallback;
    }
}
