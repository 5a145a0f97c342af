package io.plimsoll.report.compare;

import io.plimsoll.result.Units;
import io.plimsoll.stats.RatioInterval;
import io.plimsoll.text.Sentence;

/** Ratios as people read them. */
public final class Ratios {
    private static final double FACTORS_FROM = 2;

    private Ratios() {}

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
