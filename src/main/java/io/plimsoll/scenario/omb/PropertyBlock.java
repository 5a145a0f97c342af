package io.plimsoll.scenario.omb;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Texts;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The text of a block of properties, in the syntax of {@code java.util.Properties}. What follows a {@code #} behind a
 * value, which that syntax takes for a part of the value, is a comment here, except in secrets.
 */
final class PropertyBlock {
    private PropertyBlock() {}

    record Property(String value, Position at) {}

    static Map<String, Property> parse(Scalar text, String key, OmbFindings findings) {
        Position at = text.at();
        boolean below = text.kind() == Kind.LINES;
        Map<String, Property> properties = new LinkedHashMap<>();
        List<String> lines = text.text().lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Position line = new Position(at.where(), at.line() + i + (below ? 1 : 0), below ? 1 : at.column());
            String logical = lines.get(i).strip();
            if (logical.isEmpty() || logical.charAt(0) == '#' || logical.charAt(0) == '!') {
                continue;
            }
            while (continues(logical) && i + 1 < lines.size()) {
                logical = logical.substring(0, logical.length() - 1)
                        + lines.get(++i).strip();
            }
            add(logical, line, properties, key, findings);
        }
        return properties;
    }

    private static boolean continues(String line) {
        int backslashes = line.length() - line.replaceFirst("\\\\+$", "").length();
        return backslashes % 2 == 1;
    }

    private static void add(
            String line, Position at, Map<String, Property> properties, String key, OmbFindings findings) {
        Properties one = new Properties();
        try {
            one.load(new StringReader(line));
        } catch (IOException | IllegalArgumentException e) {
            one.clear(); // An escape that is none.
        }
        String name = one.stringPropertyNames().stream().findFirst().orElse("");
        String value = one.getProperty(name, "");
        if (name.isEmpty() || (value.isEmpty() && !line.matches(".*[=:]"))) {
            // Not quoted if it may be the rest of a secret.
            String found = Secrets.isSecret(line) ? Secrets.HIDDEN : line;
            findings.problem(at, key, "scenario.expected", "name=value", Texts.quoted(found), Sentence.NONE);
            return;
        }
        String where = key + "." + Texts.shown(name);
        String bare = Secrets.isSecret(name) ? value : withoutComment(value);
        if (!bare.equals(value)) {
            findings.warn(at, where, "scenario.omb.comment", Texts.quoted(bare));
        }
        if (properties.put(name, new Property(bare, at)) != null) {
            findings.givenTwice(at, where);
        }
    }

    private static String withoutComment(String value) {
        return value.startsWith("#") ? "" : value.replaceFirst("\\s+#.*$", "");
    }
}
