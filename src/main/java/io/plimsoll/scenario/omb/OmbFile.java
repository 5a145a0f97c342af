package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.scenario.Texts;
import io.plimsoll.scenario.YamlNode;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;

/** A driver or workload file, and where in it something is wrong or worth a warning. */
final class OmbFile {
    private final EntryReading entry;
    private final OmbFindings findings;

    /**
     * Reads all keys of a file. One without a value counts as absent, as in OpenMessaging Benchmark.
     *
     * @param file changed: what is not read goes
     */
    OmbFile(Fields file, Section known, OmbFindings findings) {
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

    /** The position of the value, or of the file if it is absent. */
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

    Map<String, PropertyBlock.Property> properties(Key<?> key) {
        YamlNode value = entry.node(key.name()).orElse(null);
        if (value instanceof Scalar scalar) {
            return PropertyBlock.parse(scalar, key.name(), findings);
        }
        if (value != null) {
            Sentence hint = Sentence.of("scenario.omb.blockMissing", key);
            problem(key, "scenario.expected", key.shape().expected(), value.found(), hint);
        }
        return Map.of();
    }

    OmbFindings findings() {
        return findings;
    }
}
