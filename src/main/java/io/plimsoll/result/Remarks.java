package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Merges remarks that differ only in trial and figures, and states the trials and the range of figures. Pure. */
public final class Remarks {
    private static final int MOST_EXCEPTIONS = 2;
    private static final int MOST_NAMED = 6;
    private static final int MOST_SAMPLES = 2;
    /** Remarks about one second of a trial, which have no range over trials. */
    private static final Set<String> MOMENTS =
            Set.of("result.clause.stall", "result.clause.stalls", "result.clause.longWait");

    /** The warnings of all trials, most important first ({@link Concern}), and the notes, which require no action. */
    record RankedRemarks(List<Sentence> warnings, List<Sentence> notes) {}

    static RankedRemarks of(List<TrialResult> trials) {
        List<String> names = trials.stream().map(TrialResult::name).toList();
        boolean paced = trials.stream().anyMatch(t -> t.paced());
        Map<Concern, List<Remark>> warnings = new EnumMap<>(Concern.class);
        List<Remark> notes = new ArrayList<>();
        for (TrialResult trial : trials) {
            for (Sentence warning : trial.judgement().warnings()) {
                Remark remark = new Remark(trial.name(), warning);
                if (isNote(warning, paced)) {
                    notes.add(remark);
                } else {
                    warnings.computeIfAbsent(Concern.of(warning), c -> new ArrayList<>())
                            .add(remark);
                }
            }
        }
        List<Sentence> sentences = new ArrayList<>();
        warnings.forEach((concern, remarks) -> sentences.addAll(
                concern == Concern.UNEVEN && keys(remarks).size() > 1
                        ? List.of(uneven(names, remarks))
                        : merged(names, remarks)));
        return new RankedRemarks(sentences, merged(names, notes));
    }

    /** Whether a warning is only a note: a queue in a closed loop if another trial has a rate, or a busy host without an effect. */
    private static boolean isNote(Sentence warning, boolean paced) {
        return "result.busyHost".equals(warning.key())
                ? warning.arguments().contains(Sentence.of("result.busyNowhere"))
                : paced && "result.ownBuffer".equals(warning.key());
    }

    private static Set<String> keys(List<Remark> remarks) {
        return remarks.stream().map(r -> r.text().key()).collect(Collectors.toSet());
    }

    /** One sentence for all remarks about uneven figures, with the advice for their cause. */
    private static Sentence uneven(List<String> trials, List<Remark> remarks) {
        List<Remark> signs = remarks.stream()
                .sorted(Comparator.comparing(
                        r -> !"result.busyHost".equals(r.text().key())))
                .map(r -> new Remark(r.trial(), Concern.clause(r.text())))
                .toList();
        List<Sentence> parts =
                trials.size() == 1 ? signs.stream().map(Remark::text).toList() : byKind(signs);
        Set<String> keys = keys(remarks);
        String advice = keys.contains("result.busyHost")
                ? "quietHost"
                : keys.contains("result.warmupNotSteady") ? "longerWarmup" : "lowerRate";
        return Sentence.of("result.uneven", parts, Sentence.of("result.uneven." + advice));
    }

    /** The remarks of several trials: each kind once, with the range of its figures and the names of its trials. */
    private static List<Sentence> byKind(List<Remark> signs) {
        return alike(signs).stream()
                .map(group -> {
                    List<Sentence> clauses = group.stream().map(Remark::text).toList();
                    boolean moment = MOMENTS.contains(clauses.get(0).key());
                    return Sentence.of(
                            "result.clauseOf",
                            moment ? clauses.get(0) : SentenceTemplate.merged(clauses),
                            Sentence.list(names(group), MOST_SAMPLES));
                })
                .toList();
    }

    /** A remark on one trial. */
    public record Remark(String trial, Sentence text) {}

    /** Key of remarks that are merged: they have the same key and the same English words, except for figures. */
    private record Alike(@Nullable String key, String constant) {}

    /**
     * @param trials names of all trials, including those without remarks
     * @param remarks in output order
     * @return sentences that begin with their trials, unless the run has only one trial
     */
    public static List<Sentence> merged(List<String> trials, List<Remark> remarks) {
        if (trials.size() <= 1) {
            return remarks.stream().map(Remark::text).toList();
        }
        return alike(remarks).stream().flatMap(group -> together(trials, group)).toList();
    }

    private static Collection<List<Remark>> alike(List<Remark> remarks) {
        Map<Alike, List<Remark>> alike = new LinkedHashMap<>();
        remarks.stream().distinct().forEach(r -> alike.computeIfAbsent(
                        new Alike(
                                r.text().key(),
                                SentenceTemplate.of(r.text().english()).constant()),
                        s -> new ArrayList<>())
                .add(r));
        return alike.values();
    }

    private static List<String> names(List<Remark> group) {
        return group.stream().map(Remark::trial).distinct().toList();
    }

    private static Stream<Sentence> together(List<String> trials, List<Remark> group) {
        List<String> names = names(group);
        if (names.size() == 1) {
            return group.stream().map(r -> Sentence.of("result.ofOne", r.trial(), r.text()));
        }
        return Stream.of(where(
                trials,
                names,
                SentenceTemplate.merged(group.stream().map(Remark::text).toList())));
    }

    private static Sentence where(List<String> trials, List<String> names, Sentence text) {
        if (names.size() == trials.size()) {
            return names.size() == 2
                    ? Sentence.of("result.inBoth", text)
                    : Sentence.of("result.inAll", names.size(), text);
        }
        List<String> others = trials.stream().filter(t -> !names.contains(t)).toList();
        boolean byExceptions = others.size() <= MOST_EXCEPTIONS && others.size() < names.size();
        return Sentence.of(
                byExceptions ? "result.inAllBut" : "result.inSome",
                names.size(),
                trials.size(),
                byExceptions ? Sentences.list(others) : Sentence.list(names, MOST_NAMED),
                text);
    }

    /** Subjects of warnings, most important first; {@link Remarks} merges warnings of {@link #UNEVEN}. */
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
        /** Warnings with a common cause: a repeated load can produce different figures. */
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
                .flatMap(concern -> concern.keys.stream()
                        .map(key -> Map.entry(key.startsWith("run.") ? key : PREFIX + key, concern)))
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
            String key = Objects.requireNonNull(warning.key()).substring(PREFIX.length());
            // The fourth argument, the effect of a busy host, is covered by the other clauses.
            int arguments = key.equals("busyHost") ? 3 : warning.arguments().size();
            return Sentence.of(
                    CLAUSE + key, warning.arguments().subList(0, arguments).toArray());
        }
    }

    /** A text with {@link #PLACE} for each figure, and the figures in the same order. Pure. */
    private record SentenceTemplate(String constant, List<SentenceTemplate.Quantity> quantities) {
        private static final char PLACE = 0;

        private static final String NUMBER = "(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)";
        private static final String UNIT =
                "(?: ((?:[KMGT]i?)?B(?:/s)?|µs|ms|s|min|h|%)(?: (\\d+) (s|min))?(?![\\w/]))?";
        private static final String COUNTED =
                "((?= (?:acknowledged |offered )?(?:records|requests|errors|times|seconds|batches|messages)\\b))?";
        private static final Pattern QUANTITY =
                Pattern.compile("(?<![\\w.,=/:\\[-])" + NUMBER + UNIT + COUNTED + "(?![\\d\\w]|[.,]\\d)");
        private static final Map<String, Double> SIZES = Map.ofEntries(
                Map.entry("µs", 1e-6),
                Map.entry("ms", 1e-3),
                Map.entry("min", 60.0),
                Map.entry("h", 3600.0),
                Map.entry("KB", 1e3),
                Map.entry("MB", 1e6),
                Map.entry("GB", 1e9),
                Map.entry("TB", 1e12),
                Map.entry("KiB", 1024.0),
                Map.entry("MiB", 1048576.0),
                Map.entry("GiB", 1073741824.0));

        /** A number as written in a text, with its unit, if it has one. */
        private record Quantity(String text, String unit, double size) {
            static Quantity of(MatchResult found) {
                double size = number(found.group(1)) * scale(found.group(2));
                double rest = found.group(3) == null ? 0 : number(found.group(3)) * scale(found.group(4));
                return new Quantity(found.group(), found.group(2) == null ? "" : " " + found.group(2), size + rest);
            }

            private static double number(String text) {
                return Double.parseDouble(text.replace(",", ""));
            }

            private static double scale(String unit) {
                return unit == null ? 1 : SIZES.getOrDefault(unit.replace("/s", ""), 1.0);
            }
        }

        /** Creates a template. Small numbers without a unit are not figures: they can be the id of a broker or partition. */
        static SentenceTemplate of(String text) {
            return of(text, false);
        }

        private static SentenceTemplate of(String text, boolean every) {
            List<Quantity> quantities = new ArrayList<>();
            Matcher matcher = QUANTITY.matcher(text);
            StringBuilder constant = new StringBuilder();
            while (matcher.find()) {
                boolean figure = every
                        || matcher.group(2) != null
                        || matcher.group(5) != null
                        || matcher.group().matches(".*[.,].*");
                if (figure) {
                    quantities.add(Quantity.of(matcher.toMatchResult()));
                }
                String left = figure ? String.valueOf(PLACE) : matcher.group();
                matcher.appendReplacement(constant, Matcher.quoteReplacement(left));
            }
            return new SentenceTemplate(matcher.appendTail(constant).toString(), quantities);
        }

        /**
         * Merges sentences with the same key and, except for figures, the same English words; figures that differ
         * become ranges.
         */
        static Sentence merged(List<Sentence> sentences) {
            Sentence first = sentences.get(0);
            List<List<Object>> arguments =
                    sentences.stream().map(Sentence::arguments).toList();
            String key = first.key();
            return key == null
                    ? Sentence.verbatim(
                            ranges(sentences.stream().map(Sentence::english).toList()))
                    : Sentence.of(key, mergedLists(arguments).toArray());
        }

        private static List<Object> mergedLists(List<List<Object>> lists) {
            return IntStream.range(0, lists.get(0).size())
                    .mapToObj(i ->
                            mergedArguments(lists.stream().map(l -> l.get(i)).toList()))
                    .toList();
        }

        private static Object mergedArguments(List<Object> values) {
            if (values.stream().allMatch(Sentence.class::isInstance)) {
                return merged(values.stream().map(Sentence.class::cast).toList());
            }
            if (values.stream().allMatch(List.class::isInstance)) {
                return mergedLists(values.stream()
                        .map(v -> List.<Object>copyOf((List<?>) v))
                        .toList());
            }
            return values.stream().distinct().count() == 1
                    ? values.get(0)
                    : ranges(values.stream().map(Object::toString).toList());
        }

        /** One text for several remarks of the same form, with the ranges of their figures. */
        private static String ranges(List<String> texts) {
            List<SentenceTemplate> shapes = texts.stream().map(t -> of(t, true)).toList();
            String[] ranges = IntStream.range(0, shapes.get(0).quantities().size())
                    .mapToObj(i -> range(
                            shapes.stream().map(s -> s.quantities().get(i)).toList()))
                    .toArray(String[]::new);
            String constant = shapes.get(0).constant();
            StringBuilder merged = new StringBuilder();
            int from = 0;
            for (String range : ranges) {
                int at = constant.indexOf(PLACE, from);
                merged.append(constant, from, at).append(range);
                from = at + 1;
            }
            return merged.append(constant.substring(from)).toString();
        }

        private static String range(List<Quantity> quantities) {
            Quantity least = Collections.min(quantities, Comparator.comparingDouble(Quantity::size));
            Quantity most = Collections.max(quantities, Comparator.comparingDouble(Quantity::size));
            if (least.text().equals(most.text())) {
                return least.text();
            }
            boolean sameUnit =
                    least.text().endsWith(least.unit()) && most.text().endsWith(least.unit());
            String low = sameUnit
                    ? least.text()
                            .substring(0, least.text().length() - least.unit().length())
                    : least.text();
            return low + "–" + most.text();
        }
    }
}
