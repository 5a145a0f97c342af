package io.plimsoll.run;

import io.plimsoll.Typed;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A first scenario of somebody's own, with comments, from what they have answered.
 *
 * @param what one of {@link #ALL}
 * @param pace a rate, {@link #UNLIMITED} or {@link #CEILING}
 * @param size of each value, as {@link Quantities#size} reads it
 * @param length of what is measured; of a search for the ceiling all of it
 * @param replication copies of each partition
 * @param lab whether it is for brokers that the run starts
 */
public record NewScenario(String what, String pace, String size, String length, int replication, boolean lab) {
    public static final String UNLIMITED = "unlimited";
    public static final String CEILING = "ceiling";

    /** What a first scenario can be about. */
    public static final List<String> ALL = List.of("produce", "consume", "end-to-end");

    /** Smaller records have no room for the identities that an audit looks for. */
    private static final int LEAST_AUDITED = 32;

    /** Larger ones do not fit into what producers and topics take by default. */
    private static final int LARGEST = 1_000_000;

    /** @param text one of {@link #ALL}, or its number, from 1 on */
    public static String what(String text) {
        String word = text.matches("[1-3]") ? ALL.get(Integer.parseInt(text) - 1) : text;
        InvalidValueException.unexpected(!ALL.contains(word), Sentence.or(ALL), text);
        return word;
    }

    /** @throws InvalidValueException if it is no pace, or what is tested knows no ceiling */
    public static void checkPace(String text, String what) {
        InvalidValueException.when(text.equals(CEILING) && what.equals("consume"), "run.new.noCeiling");
        if (!text.equals(UNLIMITED) && !text.equals(CEILING)) {
            Quantities.rate(text);
        }
    }

    /** @throws InvalidValueException if it is no size, or takes settings that nobody has been asked for */
    public static void checkSize(String text) {
        InvalidValueException.when(Quantities.size(text) > LARGEST, "run.new.tooLarge");
    }

    public boolean isSearch() {
        return pace.equals(CEILING);
    }

    /**
     * The scenario as it is written to a file.
     *
     * @param file its name without a directory
     * @param command that runs it
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
