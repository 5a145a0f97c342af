package io.plimsoll.report;

import io.plimsoll.report.compare.Comparison.Curve;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.report.compare.Ratios;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.Units;
import io.plimsoll.stats.RatioInterval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Pictures of a comparison, as SVG within a page; {@link SvgLoads} has another. */
final class Svg {
    static final int WIDTH = 480;
    static final int HEIGHT = 200;
    static final int LEFT = 52;
    static final int BOTTOM = 22;
    static final int TOP = 8;
    static final int RIGHT = 8;
    private static final int GRID_LINES = 4;
    private static final int MOST_LOG_TICKS = 7;
    /** A label in the middle of less than this would reach beyond the picture. */
    private static final int LEAST_ROOM = 24;
    /** More points than this no screen shows apart. */
    private static final int MOST_POINTS = 600;

    private static final double LEAST_REACH = Math.log(1.1);
    private static final double MOST_REACH = Math.log(10);

    private Svg() {}

    /** What a curve shows of a second; null leaves a gap. */
    interface Value {
        Double of(Second second);
    }

    /** How far the pictures of intervals reach from no change, as a logarithm. */
    static double reach(List<FigureLine> lines) {
        double most = lines.stream()
                .filter(l -> l.interval() != null)
                .mapToDouble(l -> Math.max(
                        Math.abs(Math.log(l.interval().low())),
                        Math.abs(Math.log(l.interval().high()))))
                .max()
                .orElse(0);
        return Math.min(MOST_REACH, Math.max(LEAST_REACH, most * 1.1));
    }

    /** Worse is to the right, whichever direction that is for the figure. */
    static String interval(FigureLine line, double reach) {
        RatioInterval i = line.interval();
        if (i == null) {
            return "";
        }
        double sign = line.unit().equals("us") ? 1 : -1;
        double from = along(Math.min(sign * Math.log(i.low()), sign * Math.log(i.high())), reach);
        double to = along(Math.max(sign * Math.log(i.low()), sign * Math.log(i.high())), reach);
        double middle = along(sign * Math.log(i.ratio()), reach);
        String color =
                switch (line.outcome()) {
                    case BETTER -> "var(--good)";
                    case WORSE -> "var(--bad)";
                    default -> "var(--muted)";
                };
        return "<svg class=\"interval\" viewBox=\"0 0 200 22\" role=\"img\" aria-label=\"" + Ratios.ratio(i.low())
                + " to "
                + Ratios.ratio(i.high())
                + "\"><line class=\"grid\" x1=\"100\" x2=\"100\" y1=\"0\" y2=\"22\"/><line x1=\""
                + number(from) + "\" x2=\"" + number(Math.max(to, from + 1.5)) + "\" y1=\"11\" y2=\"11\" stroke=\""
                + color
                + "\" stroke-width=\"5\" stroke-linecap=\"round\" opacity=\".45\"/><circle cx=\"" + number(middle)
                + "\" cy=\"11\" r=\"4.5\" fill=\"" + color + "\"/></svg>";
    }

    private static double along(double log, double reach) {
        return 100 + 94 * Math.max(-1, Math.min(1, log / reach));
    }

    /** Curves of both sides of a trial over each other. */
    static String lines(TrialPair pair, String title, Value value, boolean logarithmic) {
        double end = 1;
        double least = Double.MAX_VALUE;
        double most = 0;
        for (Curve curve : pair.curves()) {
            for (Second second : curve.seconds()) {
                Double v = value.of(second);
                end = Math.max(end, second.at());
                if (v != null && v > 0) {
                    least = Math.min(least, v);
                    most = Math.max(most, v);
                }
            }
        }
        Scale scale = logarithmic
                ? Scale.logarithmic(Math.min(least, Math.max(most, 1e-3)), Math.max(most, 1e-3))
                : Scale.linear(most);
        Scale time = Scale.along(end);
        StringBuilder out = new StringBuilder();
        grid(out, title, scale, time, seconds -> label(seconds) + " s");
        for (Curve curve : pair.curves()) {
            path(
                    out,
                    curve,
                    value,
                    scale,
                    time,
                    curve.side().equals(pair.first()) ? "A" : "B",
                    pair.curves().size());
        }
        return out.append("</svg>").toString();
    }

    /**
     * The beginning of a picture, with its axes.
     *
     * @param label of a value across
     */
    static void grid(StringBuilder out, String title, Scale up, Scale across, DoubleFunction<String> label) {
        out.append("<svg class=\"plot\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" role=\"img\" aria-label=\""
                + ComparisonHtml.text(title) + "\">");
        for (double tick : up.ticks()) {
            double y = y(up.share(tick));
            out.append("<line class=\"grid\" x1=\"" + LEFT + "\" x2=\"" + (WIDTH - RIGHT) + "\" y1=\"" + number(y)
                    + "\" y2=\"" + number(y) + "\"/><text x=\"" + (LEFT - 6) + "\" y=\"" + number(y + 4)
                    + "\" text-anchor=\"end\">" + label(tick) + "</text>");
        }
        for (double tick : across.ticks()) {
            double x = x(across.share(tick));
            String anchor = x > WIDTH - LEAST_ROOM ? "end" : "middle";
            out.append("<text x=\"" + number(Math.min(x, WIDTH - 1)) + "\" y=\"" + (HEIGHT - 5) + "\" text-anchor=\""
                    + anchor + "\">" + label.apply(tick) + "</text>");
        }
    }

    private static void path(
            StringBuilder out, Curve curve, Value value, Scale scale, Scale time, String side, int curves) {
        List<Second> seconds = curve.seconds();
        int step = Math.max(1, (seconds.size() + MOST_POINTS - 1) / MOST_POINTS);
        StringBuilder path = new StringBuilder();
        boolean pen = false;
        for (int i = 0; i < seconds.size(); i += step) {
            Double v = highest(seconds.subList(i, Math.min(seconds.size(), i + step)), value);
            if (v == null || (scale.log() && v <= 0)) {
                pen = false;
                continue;
            }
            double x = x(time.share(seconds.get(i).at()));
            path.append(pen ? 'L' : 'M').append(number(x)).append(' ').append(number(y(scale.share(v))));
            pen = true;
        }
        // The first side is broader, so that it is seen where the other lies over it.
        double stroke = curves > 2 ? 1 : side.equals("A") ? 2.8 : 1.6;
        out.append("<path class=\"" + side + "\" fill=\"none\" stroke-width=\"" + number(stroke) + "\" opacity=\""
                + (curves > 2 ? ".6" : ".9") + "\" d=\"" + path + "\"/>");
    }

    /** What is thinned out keeps its peaks. */
    private static Double highest(List<Second> seconds, Value value) {
        Double highest = null;
        for (Second second : seconds) {
            Double v = value.of(second);
            highest = highest == null || (v != null && v > highest) ? v : highest;
        }
        return highest;
    }

    static double x(double share) {
        return LEFT + share * (WIDTH - LEFT - RIGHT);
    }

    static double y(double share) {
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
    }

    static String label(double value) {
        return value >= 1000
                ? Units.rate(value)
                : new BigDecimal(value)
                        .round(new MathContext(6))
                        .stripTrailingZeros()
                        .toPlainString();
    }

    static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /**
     * From values to shares of the height or width.
     *
     * @param ticks round values, from the least on
     */
    record Scale(double from, double to, boolean log, List<Double> ticks) {
        /** From nothing to a round value. */
        static Scale linear(double most) {
            double step = step(most);
            double to = Math.max(1, Math.ceil(most / step - 1e-9)) * step;
            return new Scale(0, to, false, ticks(step, to));
        }

        /** From nothing to just this value. */
        static Scale along(double most) {
            return new Scale(0, most, false, ticks(step(most), most));
        }

        private static double step(double most) {
            double rough = (most > 0 ? most : 1) / GRID_LINES;
            double power = Math.pow(10, Math.floor(Math.log10(rough)));
            return power
                    * DoubleStream.of(1, 2, 5, 10)
                            .filter(s -> s * power >= rough * (1 - 1e-9))
                            .findFirst()
                            .orElse(10);
        }

        private static List<Double> ticks(double step, double to) {
            return IntStream.rangeClosed(0, (int) Math.floor(to / step + 1e-9))
                    .mapToObj(i -> i * step)
                    .toList();
        }

        /** Between values of 1, 2 or 5 times a power of ten. */
        static Scale logarithmic(double least, double most) {
            List<Double> round = new ArrayList<>();
            int first = (int) Math.floor(Math.log10(least));
            int last = (int) Math.ceil(Math.log10(most));
            for (int power = first; power <= last; power++) {
                for (int digit : new int[] {1, 2, 5}) {
                    round.add(digit * Math.pow(10, power));
                }
            }
            round.add(Math.pow(10, last + 1.0));
            double from = round.stream()
                    .filter(v -> v <= least * (1 + 1e-9))
                    .reduce((a, b) -> b)
                    .orElse(least);
            double to = round.stream()
                    .filter(v -> v >= most && v > from)
                    .findFirst()
                    .orElse(most);
            List<Double> ticks =
                    round.stream().filter(v -> v >= from && v <= to).toList();
            List<Double> shown = ticks.size() <= MOST_LOG_TICKS
                    ? ticks
                    : ticks.stream().filter(v -> round.indexOf(v) % 3 == 0).toList();
            return new Scale(Math.log(from), Math.log(to), true, shown);
        }

        double share(double value) {
            return ((log ? Math.log(value) : value) - from) / (to - from);
        }
    }
}
