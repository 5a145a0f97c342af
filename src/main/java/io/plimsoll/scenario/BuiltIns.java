package io.plimsoll.scenario;

import io.plimsoll.InputFile;
import java.util.List;
import java.util.Optional;

/** The built-in scenarios. Thread-safe. */
public final class BuiltIns {
    private static final List<String> NAMES = resource("names").lines().toList();

    /** All names, in display order. */
    public static List<String> names() {
        return NAMES;
    }

    /** The YAML text of a scenario; empty for an unknown name. */
    public static Optional<String> text(String name) {
        return NAMES.contains(name) ? Optional.of(resource(name + ".yaml")) : Optional.empty();
    }

    public static String resource(String file) {
        return InputFile.resource(BuiltIns.class, "/scenarios/" + file);
    }

    /** The closest name; empty if none is close. */
    public static Optional<String> nearest(String name) {
        return Suggestions.nearest(name, NAMES);
    }
}
