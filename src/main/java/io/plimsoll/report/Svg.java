package io.plimsoll.report;

import io.plimsoll.report.compare.Comparison.Curve;
import io.plimsoll.report.compare.Comparison.FigureLine;
import io.plimsoll.report.compare.Comparison.TrialPair;
import io.plimsoll.report.compare.Ratios;
import io.plimsoll.result.TrialResult.Second;
import io.plimsoll.result.Units;
import io.plimsoll.stats.RatioInterval;
import java.util.List;
import java.util.Locale;

/** The two kinds of picture that a comparison has, as SVG within a page. */
final class Svg {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 200;
    private static final int LEFT = 52;
    private static final int BOTTOM = 22;
    private static final int TOP = 8;
    private static final int RIGHT = 8;
    private static final int GRID_LINES = 4;
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
        double from = x(Math.min(sign * Math.log(i.low()), sign * Math.log(i.high())), reach);
        double to = x(Math.max(sign * Math.log(i.low()), sign * Math.log(i.high())), reach);
        double middle = x(sign * Math.log(i.ratio()), reach);
        String color =
                switch (line.outcome()) {
                    case BETTER -> "var(--good)";
                    case WORSE -> "var(--bad)";
                    default -> "var(--dim)";
                };
        return "<svg viewBox=\"0 0 200 22\" role=\"img\" aria-label=\"" + Ratios.ratio(i.low()) + " to "
                + Ratios.ratio(i.high())
                + "\"><line class=\"grid\" x1=\"100\" x2=\"100\" y1=\"0\" y2=\"22\"/><line x1=\""
                + number(from) + "\" x2=\"" + number(Math.max(to, from + 1.5)) + "\" y1=\"11\" y2=\"11\" stroke=\""
                + color
                + "\" stroke-width=\"5\" stroke-linecap=\"round\" opacity=\".45\"/><circle cx=\"" + number(middle)
                + "\" cy=\"11\" r=\"4.5\" fill=\"" + color + "\"/></svg>";
    }

    private static double x(double log, double reach) {
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
        StringBuilder out = new StringBuilder("<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" role=\"img\""
                + " aria-label=\"" + ComparisonHtml.text(title) + "\">");
        grid(out, scale, end);
        for (Curve curve : pair.curves()) {
            path(
                    out,
                    curve,
                    value,
                    scale,
                    end,
                    curve.side().equals(pair.first()) ? "A" : "B",
                    pair.curves().size());
        }
        return out.append("</svg>").toString();
    }

    private static void grid(StringBuilder out, Scale scale, double end) {
        for (int i = 0; i <= GRID_LINES; i++) {
            double share = (double) i / GRID_LINES;
            double y = y(share);
            out.append("<line class=\"grid\" x1=\"" + LEFT + "\" x2=\"" + (WIDTH - RIGHT) + "\" y1=\"" + number(y)
                    + "\" y2=\"" + number(y) + "\"/><text x=\"" + (LEFT - 6) + "\" y=\"" + number(y + 4)
                    + "\" text-anchor=\"end\">" + label(scale.value(share)) + "</text>");
            double x = LEFT + share * (WIDTH - LEFT - RIGHT);
            String anchor = i == GRID_LINES ? "end" : i == 0 ? "start" : "middle";
            out.append("<text x=\"" + number(x) + "\" y=\"" + (HEIGHT - 5) + "\" text-anchor=\"" + anchor + "\">"
                    + Math.round(share * end) + " s</text>");
        }
    }

    private static void path(
            StringBuilder out, Curve curve, Value value, Scale scale, double end, String side, int curves) {
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
            double x = LEFT + seconds.get(i).at() / end * (WIDTH - LEFT - RIGHT);
            path.append(pen ? 'L' : 'M').append(number(x)).append(' ').append(number(y(scale.share(v))));
            pen = true;
        }
        out.append("<path class=\"" + side + "\" fill=\"none\" stroke-width=\"" + (curves > 2 ? "1" : "1.8")
                + "\" opacity=\"" + (curves > 2 ? ".6" : ".9") + "\" d=\"" + path + "\"/>");
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

    private static double y(double share) {
        return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
    }

    private static String label(double value) {
        return Units.decimals(value, value >= 99.5 || value == 0 ? 0 : value >= 9.95 ? 1 : 2);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    /** From values to shares of the height and back. */
    private record Scale(double from, double to, boolean log) {
        static Scale linear(double most) {
            return new Scale(0, most > 0 ? most * 1.05 : 1, false);
        }

        static Scale logarithmic(double least, double most) {
            return new Scale(Math.log(least * 0.9), Math.log(most * 1.1), true);
        }

        double share(double value) {
            return ((log ? Math.log(value) : value) - from) / (to - from);
        }

        double value(double share) {
            double at = from + share * (to - from);
            return log ? Math.exp(at) : at;
        }
    }
}
