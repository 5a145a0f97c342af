package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Subjects of warnings, most important first; all reports use this order. {@link Remarks} merges warnings of {@link
 * #UNEVEN}.
 */
enum Concern {
    INCOMPLETE(
            "didNotEnd",
            "noneAcknowledged",
            "notAllAudited",
            "run.noEnds",
            "run.countsInstead",
            "run.journalFailed",
            "run.topicAnewMeanwhile"),
    ERRORS("errors.producing", "errors.consuming", "moreKinds.producing", "moreKinds.consuming"),
    GENERATOR("generatorLimit", "nearCalibrated", "generatorLate"),
    NOT_CARRIED("backlogGrew", "aboveOffered", "neverAcknowledged", "neverSent", "neverReceived"),
    READING("fellBehind", "unreadPartitions", "deletedUnread", "leftToRead", "backlogLeft"),
    /** The same load again may give other figures, for one cause. */
    UNEVEN("busyHost", "notSteady", "warmupNotSteady", "stall", "stalls", "longWait"),
    FEW_SAMPLES("shortWindow", "fewSamples", "noBaseline", "shortBaseline"),
    CLOCKS("beforeDue", "beforeTimestamp", "clocks", "beforeAppend", "appendClockUnknown", "appendClocks"),
    CLUSTER("slowBroker.written", "slowBroker.read", "soak.steadily", "soak.step"),
    METHOD("constantPayload", "ownBuffer", "batchFill", "lingeringSends", "dirtyTopic", "cachedReads"),
    /** Other warnings, such as remarks of engines and sources. */
    OTHER;

    private static final String PREFIX = "result.";
    private static final String CLAUSE = "result.clause.";
    private static final Map<String, Concern> BY_KEY = Arrays.stream(values())
            .flatMap(concern ->
                    concern.keys.stream().map(key -> Map.entry(key.startsWith("run.") ? key : PREFIX + key, concern)))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

    private final Set<String> keys;

    Concern(String... keys) {
        this.keys = Set.of(keys);
    }

    static Concern of(Sentence warning) {
        return warning.isVerbatim() ? OTHER : BY_KEY.getOrDefault(warning.key(), OTHER);
    }

    /** A warning of {@link #UNEVEN} as a part of a sentence. */
    static Sentence clause(Sentence warning) {
        String key = warning.key().substring(PREFIX.length());
        // The other clauses cover the effect of a busy host.
        int arguments = key.equals("busyHost") ? 3 : warning.arguments().size();
        return Sentence.of(
                CLAUSE + key, warning.arguments().subList(0, arguments).toArray());
    }
}
