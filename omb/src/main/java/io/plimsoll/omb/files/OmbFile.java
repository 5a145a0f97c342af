package io.plimsoll.omb.files;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Problem;
import io.plimsoll.scenario.Problems;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.scenario.Texts;
import io.plimsoll.scenario.YamlNode;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** A driver or workload file. */
final class OmbFile {
    private final EntryReading entry;
    private final Findings findings;

    /** Reads the known keys of a file; a key without a value counts as missing. */
    OmbFile(Fields file, Section known, Findings findings) {
        this.findings = findings;
        file.fields().entrySet().removeIf(named -> {
            boolean isKnown = known.keys().containsKey(named.getKey());
            if (!isKnown) {
                findings.unknown(
                        named.getValue().keyAt(),
                        "",
                        "scenario.unknownKey",
                        Texts.quoted(named.getKey()),
                        Suggestions.didYouMean(named.getKey(), known.keys().keySet()));
            }
            return !isKnown || (named.getValue().value() instanceof Scalar scalar && scalar.kind() == Kind.NULL);
        });
        entry = EntryReading.of(file, known, findings.problems());
    }

    boolean has(Key<?> key) {
        return entry.has(key.name());
    }

    <T> T get(Key<T> key) {
        return entry.get(key);
    }

    /** The position of a value, or of the file if the value is missing. */
    Position at(Key<?> key) {
        return entry.node(key.name()).orElse(entry.fields()).at();
    }

    void require(Key<?> key) {
        entry.require(key);
    }

    void problem(Key<?> key, String sentence, Object... arguments) {
        findings.problem(at(key), key.name(), sentence, arguments);
    }

    void warn(Key<?> key, String sentence, Object... arguments) {
        findings.warn(at(key), key.name(), sentence, arguments);
    }

    List<Integer> perTopic(Key<List<Integer>> key, int topics) {
        List<Integer> numbers = get(key);
        if (!numbers.isEmpty() && numbers.size() != topics) {
            problem(key, "scenario.omb.oneForEachTopic", numbers.size(), topics);
            return List.of();
        }
        return numbers;
    }

    Map<String, Property> properties(Key<?> key) {
        YamlNode value = entry.node(key.name()).orElse(null);
        if (value instanceof Scalar scalar) {
            return parse(scalar, key.name());
        }
        if (value != null) {
            Sentence hint = Sentence.of("scenario.omb.blockMissing", key);
            problem(key, "scenario.expected", key.shape().expected(), value.found(), hint);
        }
        return Map.of();
    }

    Findings findings() {
        return findings;
    }

    /**
     * Problems and warnings of both files.
     * @param strict whether unknown names are errors
     */
    record Findings(boolean strict, Problems problems, Set<Sentence> warnings) {
        Findings(boolean strict) {
            this(strict, new Problems(), new LinkedHashSet<>());
        }

        void problem(Position at, String key, String sentence, Object... arguments) {
            problems.add(at, key, sentence, arguments);
        }

        void warn(Position at, String key, String sentence, Object... arguments) {
            warnings.add(new Problem(at, key, Sentence.of(sentence, arguments)).sentence());
        }

        /** Reports a duplicate key. The last value applies, as in OpenMessaging Benchmark. */
        void givenTwice(Position at, String key) {
            warn(at, key, "scenario.omb.givenTwice");
        }

        /** Reports a name that is known neither in these files nor to Kafka clients. */
        void unknown(Position at, String key, String sentence, Object... arguments) {
            if (strict) {
                problem(at, key, sentence, arguments);
            } else {
                warn(at, key, "scenario.omb.ignored", Sentence.of(sentence, arguments));
            }
        }
    }

    record Property(String value, Position at) {}

    /**
     * Parses a block of properties in the syntax of {@code java.util.Properties}. A {@code #} after a value also begins
     * a comment, except in secrets.
     */
    private Map<String, Property> parse(Scalar text, String key) {
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
            add(logical, line, properties, key);
        }
        return properties;
    }

    private static boolean continues(String line) {
        int backslashes = line.length() - line.replaceFirst("\\\\+$", "").length();
        return backslashes % 2 == 1;
    }

    private void add(String line, Position at, Map<String, Property> properties, String key) {
        Properties one = new Properties();
        try {
            one.load(new StringReader(line));
        } catch (IOException | IllegalArgumentException e) {
            one.clear(); // The line contains an invalid escape sequence.
        }
        String name = one.stringPropertyNames().stream().findFirst().orElse("");
        String value = one.getProperty(name, "");
        if (name.isEmpty() || (value.isEmpty() && !line.matches(".*[=:]"))) {
            // The line is not quoted if it can be the rest of a secret.
            String found = Secrets.isSecret(line) ? Secrets.HIDDEN : line;
            findings.problem(at, key, "scenario.expected", "name=value", Texts.quoted(found), Sentence.NONE);
            return;
        }
        String where = key + "." + Texts.shown(name);
        String bare = Secrets.isSecret(name) ? value : value.replaceFirst("(^|\\s+)#.*$", "");
        if (!bare.equals(value)) {
            findings.warn(at, where, "scenario.omb.comment", Texts.quoted(bare));
        }
        if (properties.put(name, new Property(bare, at)) != null) {
            findings.givenTwice(at, where);
        }
    }
}
