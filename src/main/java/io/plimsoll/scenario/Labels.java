package io.plimsoll.scenario;

import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Labels of producers and consumers, by which figures are summed. In figures, a label is written as {@code name=value};
 * each consumer group has the label {@code group}. Stateless.
 */
public final class Labels {
    /** Maximum number of distinct labels of a run, and of consumer groups with separate figures. */
    public static final int MOST = 64;

    private static final int MOST_OF_ENTRY = 8;
    private static final String GROUP = "group";
    private static final String NAME = "[a-zA-Z_][a-zA-Z0-9_]*";
    private static final String VALUE = "[^\\p{Cntrl}\"\\[\\]\\\\]{1,100}";
    /** Names of labels that exported metrics use with another meaning. */
    private static final List<String> TAKEN = List.of(GROUP, "trial", "phase", "quantile");

    static Key<Map<String, String>> key() {
        return Key.labels("labels", "{team: payments}").noneByDefault().rule(Labels::check);
    }

    private static void check(EntryReading entry, Map<String, String> labels) {
        labels.forEach((name, value) -> {
            if (!name.matches(NAME) || TAKEN.contains(name)) {
                entry.problemInMap("labels", name, Sentence.of("scenario.labelName", Texts.quoted(name), TAKEN));
            } else if (!value.matches(VALUE) || !value.equals(value.strip())) {
                entry.problemInMap("labels", name, Sentence.of("scenario.labelValue", Texts.quoted(value)));
            }
        });
        if (labels.size() > MOST_OF_ENTRY) {
            entry.problemAt("labels", "scenario.labelsOfEntry", MOST_OF_ENTRY, labels.size());
        }
    }

    static void checkAll(EntryReading reading, Scenario scenario) {
        Set<String> labels = produced(scenario);
        labels.addAll(of(scenario.consumers().stream().map(ConsumerSpec::labels)));
        int all = labels.size();
        if (all > MOST) {
            reading.problem("scenario.labelsOfRun", MOST, all);
        }
    }

    /** The labels as written in figures. */
    public static Set<String> of(Map<String, String> labels) {
        return of(Stream.of(labels));
    }

    private static Set<String> of(Stream<Map<String, String>> all) {
        Set<String> labels = new TreeSet<>();
        all.forEach(entry -> entry.forEach((name, value) -> labels.add(name + "=" + value)));
        return labels;
    }

    /** Name and value of a label. */
    public static Map.Entry<String, String> parts(String label) {
        int at = label.indexOf('=');
        return Map.entry(label.substring(0, at), label.substring(at + 1));
    }

    /** The label of a consumer group. */
    public static String group(String name) {
        return GROUP + "=" + name;
    }

    /** Whether a label names the only group, which has no separate figures. */
    public static boolean isOnlyGroup(String label, Collection<String> labels) {
        return isGroup(label) && labels.stream().noneMatch(Labels::isGroup);
    }

    private static boolean isGroup(String label) {
        return label.startsWith(GROUP + "=");
    }

    private static Set<String> produced(Scenario scenario) {
        return of(scenario.producers().stream().map(ProducerSpec::labels));
    }

    private static Set<String> consumed(Scenario scenario) {
        Set<String> all = of(scenario.consumers().stream().map(ConsumerSpec::labels));
        List<ConsumerSpec> entries = scenario.consumers();
        Set<String> groups = new TreeSet<>();
        for (int i = 0; i < entries.size(); i++) {
            groups.addAll(entries.get(i).groupNames("consumers-" + i));
        }
        if (groups.size() <= MOST) {
            groups.forEach(group -> all.add(group(group)));
        }
        return all;
    }

    /** @throws InvalidValueException if no client that the figure covers has the label; null is always known */
    public static void known(Scenario scenario, String figure, @Nullable String label) {
        if (label == null) {
            return;
        }
        boolean consumes = figure.startsWith("consume.") || figure.startsWith("share.");
        Set<String> known = consumes ? consumed(scenario) : produced(scenario);
        InvalidValueException.when(
                !known.contains(label),
                "scenario.noLabel",
                consumes ? "consumers" : "producers",
                label,
                Suggestions.hint(label, known));
    }
}
