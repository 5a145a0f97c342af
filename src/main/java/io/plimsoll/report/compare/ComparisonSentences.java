package io.plimsoll.report.compare;

import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.Outcome;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.SettingNames;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Summarizes a comparison in sentences. */
public final class ComparisonSentences {
    private ComparisonSentences() {}

    static Sentence of(List<TrialPair> trials, List<CeilingPair> ceilings) {
        List<Sentence> sentences = new ArrayList<>();
        Map<String, List<TrialPair>> bySide = new LinkedHashMap<>();
        trials.forEach(
                t -> bySide.computeIfAbsent(t.second(), s -> new ArrayList<>()).add(t));
        bySide.forEach((side, pairs) -> sentences.add(ofSide(pairs)));
        ceilings.forEach(c -> sentences.add(ofCeiling(c)));
        return Sentence.joined(sentences);
    }

    private record Found(TrialPair pair, FigureLine line) {}

    private static Sentence ofSide(List<TrialPair> pairs) {
        List<Found> all = pairs.stream()
                .flatMap(p -> p.figures().stream().map(f -> new Found(p, f)))
                .toList();
        List<Found> worse = with(all, Outcome.WORSE);
        List<Found> better = with(all, Outcome.BETTER);
        List<Found> same = with(all, Outcome.NO_DIFFERENCE);
        String first = pairs.get(0).first();
        String second = pairs.get(0).second();
        boolean several = pairs.size() > 1;
        if (worse.isEmpty() && better.isEmpty()) {
            if (!same.isEmpty()) {
                return Sentence.of("report.compare.noDifference", first, second, same.size(), detectable(same));
            }
            boolean measured = all.stream().anyMatch(f -> f.line().hasRatio());
            return Sentence.of(measured ? "report.compare.tooFewRuns" : "report.compare.notBoth", first, second);
        }
        if (worse.isEmpty()) {
            return Sentence.of(
                    "report.compare.isBetter", second, first, better.size(), all.size(), largest(better, several));
        }
        Sentence also = better.isEmpty()
                ? Sentence.NONE
                : Sentence.of("report.compare.alsoBetter", better.size(), largest(better, several));
        return Sentence.of(
                "report.compare.isWorse", second, first, worse.size(), all.size(), largest(worse, several), also);
    }

    private static List<Found> with(List<Found> all, Outcome outcome) {
        return all.stream().filter(f -> f.line().outcome() == outcome).toList();
    }

    private static Sentence detectable(List<Found> same) {
        var shares = same.stream().mapToDouble(f -> f.line().detectable()).summaryStatistics();
        double most = shares.getMax();
        if (most >= 1) {
            return Sentence.of("report.compare.variesSoMuch");
        }
        return same.size() == 1
                ? Sentence.of("report.compare.detectable", Units.percent(most))
                : Sentence.of("report.compare.detectableFrom", Units.percent(shares.getMin()), Units.percent(most));
    }

    private static Sentence largest(List<Found> found, boolean several) {
        Found f = Collections.max(found, Comparator.comparingDouble(ComparisonSentences::size));
        String figure = f.line().figure();
        String trial = f.pair().name();
        return Sentence.of(
                found.size() > 1 ? "report.compare.mostIn" : "report.compare.in",
                several ? Sentence.of("report.compare.figureOf", figure, trial) : figure,
                stopped(f)
                        ? Sentence.of("report.compare.stopped")
                        : change(f.line().interval()));
    }

    /** The logarithm of the change; infinite for a rate that fell to nothing. */
    private static double size(Found found) {
        return stopped(found)
                ? Double.POSITIVE_INFINITY
                : Math.abs(Math.log(found.line().interval().ratio()));
    }

    private static boolean stopped(Found found) {
        return found.line().second() == 0;
    }

    private static Sentence ofCeiling(CeilingPair pair) {
        String setting = SettingNames.joined(pair.parameters());
        Sentence of = setting.isEmpty() ? Sentence.NONE : Sentence.of("report.compare.setting", setting);
        return switch (pair.outcome()) {
            case BETTER -> Sentence.of("report.compare.ceilingHigher", of, pair.second(), pair.first());
            case WORSE -> Sentence.of("report.compare.ceilingLower", of, pair.second(), pair.first());
            case NO_DIFFERENCE -> Sentence.of("report.compare.ceilingsOverlap", of, pair.first(), pair.second());
            case UNKNOWN -> Sentence.of("report.compare.tooFewRuns", pair.first(), pair.second());
        };
    }

    private static final double FACTORS_FROM = 2;

    /** A ratio as people read it, such as {@code 1.042}, {@code 2.31}, {@code 14.2}. */
    public static String ratio(double ratio) {
        return Units.decimals(ratio, ratio < 1.995 ? 3 : ratio < 9.995 ? 2 : 1);
    }

    /** A change in words, such as {@code 12 % more (8.1 % to 16 %)}, {@code 63 % less (58 % to 67 %)}, {@code
     * 4.1 times as much (3.8 to 4.4)}. */
    public static Sentence change(RatioInterval i) {
        if (i.ratio() >= FACTORS_FROM) {
            return Sentence.of("report.compare.timesAsMuch", ratio(i.ratio()), ratio(i.low()), ratio(i.high()));
        }
        return i.ratio() > 1
                ? Sentence.of(
                        "report.compare.moreBy",
                        Units.percent(i.ratio() - 1),
                        Units.percent(i.low() - 1),
                        Units.percent(i.high() - 1))
                : Sentence.of(
                        "report.compare.lessBy",
                        Units.percent(1 - i.ratio()),
                        Units.percent(1 - i.high()),
                        Units.percent(1 - i.low()));
    }
}
