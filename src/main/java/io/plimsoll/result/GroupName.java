package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a consumer group in sentences: its entry in the scenario or its {@code group.id}, and its protocol. Pure.
 *
 * @param entry index of its entry among the consumers of the scenario, from 0; negative if unknown
 * @param number index of the group within its entry
 */
public record GroupName(int entry, int number, Sentence words) {
    private static final Pattern GENERATED = Pattern.compile("consumers-(\\d+)-group-(\\d+)$");
    private static final String ENTRY = "consumers[";

    /** The name of the entry in the figures of clients. */
    public String part() {
        return "consumers-" + entry;
    }

    public static GroupName of(TrialResult trial, TrialResult.Group group) {
        Matcher generated = GENERATED.matcher(group.id());
        boolean made = generated.find();
        int entry = made ? Integer.parseInt(generated.group(1)) : entryOf(trial, group.id());
        int number = made ? Integer.parseInt(generated.group(2)) : 0;
        Object name = made && number > 0
                ? Sentence.of("result.groupOfEntry", ENTRY + entry + "]", number + 1)
                : made ? ENTRY + entry + "]" : group.id();
        String protocol = entry < 0 ? null : protocol(trial, entry);
        Sentence words = protocol == null
                ? Sentence.of("result.group", name)
                : Sentence.of("result.groupOf", name, Sentence.of("result.protocol." + protocol));
        return new GroupName(entry, number, words);
    }

    /** The {@code group.id}, with the protocol if it is known; empty for a group without an id. */
    public static Sentence withProtocol(TrialResult trial, TrialResult.Group group) {
        if (group.id() == null) {
            return Sentence.NONE;
        }
        int entry = of(trial, group).entry;
        String protocol = entry < 0 ? null : protocol(trial, entry);
        return protocol == null
                ? Sentence.verbatim(group.id())
                : Sentence.of("result.groupWithProtocol", group.id(), Sentence.term("result.protocol.", protocol));
    }

    private static int entryOf(TrialResult trial, String id) {
        return trial.detail().setup().entrySet().stream()
                .filter(part -> part.getKey().startsWith(ENTRY)
                        && id.equals(part.getValue().get("group.id")))
                .mapToInt(part -> Integer.parseInt(
                        part.getKey().substring(ENTRY.length(), part.getKey().length() - 1)))
                .findFirst()
                .orElse(-1);
    }

    /** The protocol; null with the raw engine, which commits no offsets and has no groups on the cluster. */
    private static @Nullable String protocol(TrialResult trial, int entry) {
        Map<String, Double> client = trial.observed().clients().get("consumers-" + entry);
        if (client == null || !client.containsKey("commitShare")) {
            return null;
        }
        return client.containsKey("recordLocks")
                ? "share"
                : trial.detail()
                        .setup()
                        .getOrDefault(ENTRY + entry + "]", Map.of())
                        .getOrDefault("group.protocol", "classic");
    }
}
