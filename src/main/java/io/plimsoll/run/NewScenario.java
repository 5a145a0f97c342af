package io.plimsoll.run;

import io.plimsoll.Typed;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A commented scenario file built from a user's answers; {@code what} is one of {@link #ALL}.
 *
 * @param pace a rate, {@link #UNLIMITED} or {@link #CEILING}
 * @param size size of each value, in the format of {@link Quantities#size}
 * @param length length of the measured window, or of the whole ceiling search
 * @param lab whether the run starts its own brokers
 */
public record NewScenario(String what, String pace, String size, String length, int replication, boolean lab) {
    public static final String UNLIMITED = "unlimited";
    public static final String CEILING = "ceiling";

    /** The possible subjects of a scenario. */
    public static final List<String> ALL = List.of("produce", "consume", "end-to-end");

    /** Minimum size in bytes of a value with an audit identity. */
    private static final int LEAST_AUDITED = 32;

    /** Maximum size in bytes of a value with the default limits of producers and topics. */
    private static final int LARGEST = 1_000_000;

    /** @param text one of {@link #ALL}, or its number from 1 */
    public static String what(String text) {
        String word = text.matches("[1-3]") ? ALL.get(Integer.parseInt(text) - 1) : text;
        InvalidValueException.unexpected(!ALL.contains(word), Sentence.or(ALL), text);
        return word;
    }

    /** @throws InvalidValueException if the pace is invalid, or the subject has no ceiling */
    public static void checkPace(String text, String what) {
        InvalidValueException.when(text.equals(CEILING) && what.equals("consume"), "run.new.noCeiling");
        if (!text.equals(UNLIMITED) && !text.equals(CEILING)) {
            Quantities.rate(text);
        }
    }

    /** @throws InvalidValueException if the size is invalid or exceeds the default limits */
    public static void checkSize(String text) {
        InvalidValueException.when(Quantities.size(text) > LARGEST, "run.new.tooLarge");
    }

    public boolean isSearch() {
        return pace.equals(CEILING);
    }

    /** A scenario that writes to existing topics, in order to observe the groups that read them. */
    public static String ofGroups(Collection<String> topics) {
        return """
                name: group
                topics: [%s]
                producers: [{topic: [%s], rate: 100/s}]
                """.formatted(
                        topics.stream()
                                .map(topic -> "{name: " + topic + ", existing: true}")
                                .collect(Collectors.joining(", ")),
                        String.join(", ", topics));
    }

    /** A scenario with the usual records and this replication factor and number of consumer groups, for capacity planning. */
    public static String ofTarget(int replication, int groups) {
        String consumers = groups == 0 ? "" : "consumers: [{topic: capacity, groups: " + groups + "}]\n";
        return """
                name: capacity
                topics: [{name: capacity, partitions: 12, replication: %d}]
                producers: [{topic: capacity, record: {size: 1KB}}]
                audit: true
                """.formatted(replication) + consumers;
    }

    /**
     * The scenario as file content.
     *
     * @param file file name without a directory
     * @param command command that runs it
     */
    public String text(String file, String command, Language language) {
        String kind = isSearch() || pace.equals(UNLIMITED) ? pace : "rate";
        boolean audited = Quantities.size(size) >= LEAST_AUDITED;
        Set<String> holds = Set.of(what, kind, audited ? "audited" : "unaudited", lab ? "lab" : "cluster");
        String text = BuiltIns.resource("new." + language.code() + ".yaml")
                .lines()
                .filter(line -> Stream.of(line.split("\\|", 2)[0].split(" "))
                        .anyMatch(word -> word.isEmpty() || holds.contains(word)))
                .map(line -> line.substring(line.indexOf('|') + 1) + "\n")
                .collect(Collectors.joining());
        String name = ScenarioReader.legalName(file.replaceFirst("\\.ya?ml$", ""), "load");
        Map<String, Object> values = Map.of(
                "program", Typed.program(),
                "command", command,
                "name", name,
                "rate", pace,
                "size", size,
                "duration", length,
                "replication", replication);
        for (Map.Entry<String, Object> value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue().toString());
        }
        return text;
    }
}
