package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.scenario.Texts;
import io.plimsoll.scenario.YamlNode;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.scenario.YamlTree;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A driver or workload file. Reading a key never fails: a mistake is added to the findings and the fallback returned, so
 * that one reading finds every mistake. A key without a value counts as absent, as in OpenMessaging Benchmark.
 */
final class OmbFile {
    private final Fields fields;
    private final Map<String, Sentence> known;
    private final OmbFindings findings;
    private final String text;
    private final boolean readable;

    private OmbFile(Fields fields, Map<String, Sentence> known, OmbFindings findings, String text, boolean readable) {
        this.fields = fields;
        this.readable = readable;
        this.known = known;
        this.findings = findings;
        this.text = text;
    }

    /**
     * @param known keys and what belongs there
     * @param what the file is, for messages
     */
    static OmbFile read(String text, String where, Map<String, Sentence> known, Sentence what, OmbFindings findings) {
        YamlNode root = YamlTree.ofFile(text, where, findings.problems()).orElse(null);
        Fields fields;
        if (root instanceof Fields map) {
            fields = map;
        } else {
            fields = Fields.empty(Position.of(where));
            // One that cannot be read has been reported already.
            if (root != null || findings.problems().isEmpty()) {
                findings.problem(
                        root == null ? Position.of(where) : root.at(),
                        "",
                        "scenario.omb.notAFile",
                        what,
                        root == null ? Sentence.of("scenario.nothing") : root.found());
            }
        }
        OmbFile file = new OmbFile(fields, known, findings, text, root instanceof Fields);
        file.reportUnknown();
        return file;
    }

    /** False if it is no map, as has been reported. */
    boolean readable() {
        return readable;
    }

    private void reportUnknown() {
        fields.fields().forEach((key, field) -> {
            if (!known.containsKey(key)) {
                findings.unknown(
                        field.keyAt(),
                        "",
                        "scenario.unknownKey",
                        Texts.quoted(key),
                        Suggestions.didYouMean(key, known.keySet()));
            }
        });
    }

    boolean has(String key) {
        return node(key).isPresent();
    }

    Optional<YamlNode> node(String key) {
        return Optional.ofNullable(fields.fields().get(key))
                .map(Field::value)
                .filter(value -> !(value instanceof Scalar scalar && scalar.kind() == Kind.NULL));
    }

    /** Of the value, or of the file if it is absent. */
    Position at(String key) {
        return node(key).map(YamlNode::at).orElse(fields.at());
    }

    void problem(String key, String sentence, Object... arguments) {
        findings.problem(at(key), key, sentence, arguments);
    }

    void warn(String key, String sentence, Object... arguments) {
        findings.warn(at(key), key, sentence, arguments);
    }

    /** Reports that something else was expected at a key. */
    void expected(String key, Position at, Object found, Sentence hint) {
        findings.problem(at, key, "scenario.expected", known.get(key), found, hint);
    }

    private void unexpected(String key, YamlNode value) {
        expected(key, value.at(), value.found(), Sentence.NONE);
    }

    Optional<String> text(String key) {
        YamlNode value = node(key).orElse(null);
        if (value == null || value instanceof Scalar) {
            return Optional.ofNullable(value).map(v -> ((Scalar) v).text());
        }
        unexpected(key, value);
        return Optional.empty();
    }

    <T> Optional<T> read(String key, Function<String, T> parser) {
        return text(key).flatMap(value -> {
            try {
                return Optional.of(parser.apply(value.strip()));
            } catch (InvalidValueException e) {
                findings.problems().add(at(key), key, e.sentence());
                return Optional.empty();
            }
        });
    }

    long count(String key, long least, long most, long fallback) {
        return read(key, value -> Quantities.count(value, least, most)).orElse(fallback);
    }

    double number(String key, double least, double most, double fallback) {
        return read(key, value -> number(value, least, most, known.get(key))).orElse(fallback);
    }

    private static double number(String text, double least, double most, Sentence expected) {
        if (text.matches("[-+]?[0-9]{1,15}(\\.[0-9]{1,15})?")) {
            double number = Double.parseDouble(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw InvalidValueException.expected(expected, text);
    }

    boolean flag(String key) {
        return flag(key, false);
    }

    boolean flag(String key, boolean fallback) {
        return read(key, value -> {
                    if (value.equals("true") || value.equals("false")) {
                        return value.equals("true");
                    }
                    throw InvalidValueException.expected(known.get(key), value);
                })
                .orElse(fallback);
    }

    /** The elements of a list, or of a text with commas; empty if absent. */
    List<String> texts(String key) {
        List<String> texts = new ArrayList<>();
        YamlNode value = node(key).orElse(null);
        if (value instanceof Items items) {
            for (YamlNode item : items.values()) {
                if (item instanceof Scalar scalar && scalar.kind() != Kind.NULL) {
                    texts.add(scalar.text().strip());
                } else {
                    unexpected(key, item);
                }
            }
        } else if (value instanceof Scalar scalar) {
            for (String part : scalar.text().split(",")) {
                texts.add(part.strip());
            }
            texts.removeIf(String::isEmpty);
        } else if (value != null) {
            unexpected(key, value);
        }
        return texts;
    }

    /** A whole number a topic; empty if absent or, with a problem added, not so many. */
    List<Integer> perTopic(String key, int topics, int least) {
        List<Integer> numbers = new ArrayList<>();
        if (!has(key)) {
            return numbers;
        }
        if (!(node(key).orElseThrow() instanceof Items)) {
            unexpected(key, node(key).orElseThrow());
            return numbers;
        }
        for (String number : texts(key)) {
            try {
                numbers.add((int) Quantities.count(number, least, 1_000_000));
            } catch (InvalidValueException e) {
                findings.problems().add(at(key), key, e.sentence());
                return List.of();
            }
        }
        if (numbers.size() != topics) {
            problem(key, "scenario.omb.oneForEachTopic", numbers.size(), topics);
            return List.of();
        }
        return numbers;
    }

    /** The properties of a block; empty if absent. */
    Map<String, PropertyBlock.Property> properties(String key) {
        YamlNode value = node(key).orElse(null);
        if (value == null) {
            return Map.of();
        }
        if (value instanceof Scalar scalar) {
            return PropertyBlock.parse(scalar.text(), scalar.at(), isBlock(scalar.at()), key, findings);
        }
        expected(key, value.at(), value.found(), Sentence.of("scenario.omb.blockMissing", key));
        return Map.of();
    }

    /** True for a block scalar, whose text begins on the line below. */
    private boolean isBlock(Position at) {
        String line = text.lines().skip(Math.max(0, at.line() - 1L)).findFirst().orElse("");
        int column = line.offsetByCodePoints(0, Math.min(at.column() - 1, line.codePointCount(0, line.length())));
        return line.startsWith("|", column) || line.startsWith(">", column);
    }

    OmbFindings findings() {
        return findings;
    }
}
