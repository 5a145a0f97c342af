package io.plimsoll.result;

import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A text split into constant parts and figures. Pure.
 *
 * @param constant the text with {@link #PLACE} for each figure
 * @param quantities the figures in their order
 */
record SentenceTemplate(String constant, List<SentenceTemplate.Quantity> quantities) {
    private static final char PLACE = 0;

    private static final String NUMBER = "(\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)";
    private static final String UNIT = "(?: ((?:[KMGT]i?)?B(?:/s)?|µs|ms|s|min|h|%)(?: (\\d+) (s|min))?(?![\\w/]))?";
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

    /** A number as it stands in a text, with its unit if it has one. */
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

    /** Plain small numbers without a unit are none of its figures: they may be the name of a broker or a partition. */
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

    /** One sentence for some of one key and one shape of their English words, with ranges where their figures differ. */
    static Sentence merged(List<Sentence> sentences) {
        Sentence first = sentences.get(0);
        List<List<Object>> arguments =
                sentences.stream().map(Sentence::arguments).toList();
        return first.isVerbatim()
                ? Sentence.verbatim(
                        ranges(sentences.stream().map(Sentence::english).toList()))
                : Sentence.of(first.key(), mergedLists(arguments).toArray());
    }

    private static List<Object> mergedLists(List<List<Object>> lists) {
        return IntStream.range(0, lists.get(0).size())
                .mapToObj(i -> mergedArguments(lists.stream().map(l -> l.get(i)).toList()))
                .toList();
    }

    private static Object mergedArguments(List<Object> values) {
        if (values.stream().allMatch(Sentence.class::isInstance)) {
            return merged(values.stream().map(Sentence.class::cast).toList());
        }
        if (values.stream().allMatch(List.class::isInstance)) {
            return mergedLists(
                    values.stream().map(v -> List.<Object>copyOf((List<?>) v)).toList());
        }
        return values.stream().distinct().count() == 1
                ? values.get(0)
                : ranges(values.stream().map(Object::toString).toList());
    }

    /** One text for several of one shape, with ranges of their figures. */
    private static String ranges(List<String> texts) {
        List<SentenceTemplate> shapes = texts.stream().map(t -> of(t, true)).toList();
        String[] ranges = IntStream.range(0, shapes.get(0).quantities().size())
                .mapToObj(i ->
                        range(shapes.stream().map(s -> s.quantities().get(i)).toList()))
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
        boolean sameUnit = least.text().endsWith(least.unit()) && most.text().endsWith(least.unit());
        String low = sameUnit
                ? least.text().substring(0, least.text().length() - least.unit().length())
                : least.text();
        return low + "–" + most.text();
    }
}
