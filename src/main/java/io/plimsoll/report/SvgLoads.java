package io.plimsoll.report;

import io.plimsoll.report.compare.Comparison.Bounds;
import io.plimsoll.report.compare.Comparison.CeilingPair;
import io.plimsoll.report.compare.Comparison.LoadCurve;
import io.plimsoll.result.Ceiling.CurvePoint;
import io.plimsoll.result.Units;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** Response time over load of two searches, over each other, with the bounds of each, as SVG within a page. */
final class SvgLoads {
    private static final double DOT = 3.5;

    private final CeilingPair pair;
    private final Function<CurvePoint, Long> micros;
    private final Svg.Scale load;
    private final Svg.Scale scale;
    private final StringBuilder out = new StringBuilder();

    private SvgLoads(CeilingPair pair, Function<CurvePoint, Long> micros) {
        this.pair = pair;
        this.micros = micros;
        DoubleStream bounds = pair.loads().stream()
                .flatMapToDouble(c ->
                        DoubleStream.of(or0(c.bounds().lower()), or0(c.bounds().upper())));
        DoubleStream loads = points().mapToDouble(CurvePoint::offeredRecordsPerSecond);
        load = Svg.Scale.along(
                Math.max(1, DoubleStream.concat(bounds, loads).max().orElse(1)) * 1.04);
        double[] millis = points().filter(p -> micros.apply(p) != null)
                .mapToDouble(this::millis)
                .sorted()
                .toArray();
        scale = millis.length == 0 ? Svg.Scale.linear(1) : Svg.Scale.logarithmic(millis[0], millis[millis.length - 1]);
    }

    /** @param micros which response time; null where a load has none */
    static String render(CeilingPair pair, String title, Function<CurvePoint, Long> micros) {
        return new SvgLoads(pair, micros).render(title);
    }

    private java.util.stream.Stream<CurvePoint> points() {
        return pair.loads().stream().flatMap(c -> c.points().stream());
    }

    private double millis(CurvePoint point) {
        return Math.max(1, micros.apply(point)) / 1e3;
    }

    private static double or0(Double value) {
        return value == null ? 0 : value;
    }

    private String render(String title) {
        Svg.grid(out, title, scale, load, Svg::label);
        for (LoadCurve curve : pair.loads()) {
            band(curve.bounds(), side(curve));
        }
        for (LoadCurve curve : pair.loads()) {
            List<CurvePoint> shown =
                    curve.points().stream().filter(p -> micros.apply(p) != null).toList();
            line(shown, side(curve));
            shown.forEach(p -> dot(p, curve.side(), side(curve)));
        }
        return out.append("</svg>").toString();
    }

    /** The class of its colours. */
    private String side(LoadCurve curve) {
        return curve.side().equals(pair.first()) ? "A" : "B";
    }

    /** Where both are alike, both are seen. */
    private static boolean broad(String side) {
        return side.equals("A");
    }

    /** Between the bounds lies the ceiling; with one of them it lies beyond. */
    private void band(Bounds bounds, String side) {
        Double from = bounds.lower() == null ? bounds.upper() : bounds.lower();
        if (from == null) {
            return;
        }
        double x = x(from);
        double width = bounds.upper() == null ? 0 : x(bounds.upper()) - x;
        out.append("<rect class=\"band " + side + "\" x=\"" + Svg.number(x) + "\" width=\""
                + Svg.number(Math.max(1.5, width)) + "\" y=\"" + Svg.TOP + "\" height=\""
                + (Svg.HEIGHT - Svg.TOP - Svg.BOTTOM) + "\"/>");
    }

    private void line(List<CurvePoint> points, String side) {
        StringBuilder path = new StringBuilder();
        for (CurvePoint p : points) {
            path.append(path.isEmpty() ? 'M' : 'L')
                    .append(Svg.number(x(p.offeredRecordsPerSecond())))
                    .append(' ')
                    .append(Svg.number(y(p)));
        }
        out.append("<path class=\"" + side + "\" fill=\"none\" stroke-width=\"" + (broad(side) ? "3.4" : "1.6")
                + "\" d=\"" + path + "\"/>");
    }

    /** Filled if the load passed; what is pointed at says more. */
    private void dot(CurvePoint p, String label, String side) {
        String says = label + ": " + Units.rate(p.offeredRecordsPerSecond()) + " records/s offered, "
                + Units.micros(micros.apply(p)) + ", "
                + (p.passed() ? "passed" : "failed: " + ComparisonTables.reasons(p));
        out.append("<circle class=\"dot " + side + (p.passed() ? "" : " failed") + "\" cx=\""
                + Svg.number(x(p.offeredRecordsPerSecond())) + "\" cy=\"" + Svg.number(y(p)) + "\" r=\""
                + (broad(side) ? 1.4 * DOT : DOT)
                + "\"><title>" + ComparisonHtml.text(says) + "</title></circle>");
    }

    private double x(double recordsPerSecond) {
        return Svg.x(load.share(recordsPerSecond));
    }

    private double y(CurvePoint p) {
        return Svg.y(scale.share(millis(p)));
    }
}
