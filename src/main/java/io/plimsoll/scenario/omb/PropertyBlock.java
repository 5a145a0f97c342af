package io.plimsoll.scenario.omb;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Texts;
import io.plimsoll.text.Sentence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The text of a block of properties, in the syntax of {@code java.util.Properties}. What follows a {@code #} behind a
 * value, which that syntax takes for a part of the value, is a comment here, except in secrets.
 */
final class PropertyBlock {
    private PropertyBlock() {}

    /** A value and where its line begins. */
    record Property(String value, Position at) {}

    /**
     * @param at of the YAML value
     * @param block true if the text begins on the line below {@code at}
     * @param key that holds the block, for messages
     */
    static Map<String, Property> parse(String text, Position at, boolean block, String key, OmbFindings findings) {
        Map<String, Property> properties = new LinkedHashMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            Position line = new Position(at.where(), at.line() + i + (block ? 1 : 0), block ? 1 : at.column());
            StringBuilder logical = new StringBuilder(lines.get(i).strip());
            if (logical.isEmpty() || logical.charAt(0) == '#' || logical.charAt(0) == '!') {
                continue;
            }
            while (continues(logical) && i + 1 < lines.size()) {
                logical.setLength(logical.length() - 1);
                logical.append(lines.get(++i).strip());
            }
            add(logical.toString(), line, properties, key, findings);
        }
        return properties;
    }

    private static boolean continues(CharSequence line) {
        int backslashes = 0;
        while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
            backslashes++;
        }
        return backslashes % 2 == 1;
    }

    private static void add(
            String line, Position at, Map<String, Property> properties, String key, OmbFindings findings) {
        int end = 0;
        while (end < line.length() && " \t=:".indexOf(line.charAt(end)) < 0) {
            end += line.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(end, line.length());
        String name = unescaped(line.substring(0, end));
        String rest = line.substring(end);
        String value = rest.replaceFirst("^[ \t]*[=:]?[ \t]*", "");
        if (name.isEmpty() || rest.isEmpty()) {
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
        if (properties.put(name, new Property(unescaped(bare), at)) != null) {
            findings.warn(at, where, "scenario.omb.givenTwice");
        }
    }

    private static String withoutComment(String value) {
        return value.startsWith("#") ? "" : value.replaceFirst("\\s+#.*$", "");
    }

    private static String unescaped(String text) {
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                plain.append(c);
                continue;
            }
            char next = text.charAt(++i);
            if (next == 'u'
                    && i + 4 < text.length()
                    && text.substring(i + 1, i + 5).matches("[0-9a-fA-F]{4}")) {
                plain.append((char) Integer.parseInt(text.substring(i + 1, i + 5), 16));
                i += 4;
            } else {
                int escape = "tnrf".indexOf(next);
                plain.append(escape < 0 ? next : "\t\n\r\f".charAt(escape));
            }
        }
        return plain.toString();
    }
}
