package io.plimsoll.report.picture;

import io.plimsoll.report.Text;
import io.plimsoll.report.picture.Chart.Axis.Tick;
import io.plimsoll.report.picture.Chart.Line;
import io.plimsoll.report.picture.Chart.Style;
import io.plimsoll.report.picture.Drawing.Anchor;
import io.plimsoll.report.picture.Drawing.Lettering;
import io.plimsoll.report.picture.Drawing.Pen;
import io.plimsoll.report.picture.Drawing.Point;
import java.util.ArrayList;
import java.util.List;

/** Lays a chart out on a drawing: title, legend, axes with their ticks, marks, lines. Not thread-safe. */
final class ChartPainter {
    private static final double LEFT = 86;
    private static final double RIGHT = Drawing.WIDTH - 26;
    private static final double BOTTOM = Drawing.HEIGHT - 44;
    private static final double MARGIN = 24;
    private static final int SMALL = 12;
    private static final double LETTER = 6.6;
    private static final double ROW = 19;
    private static final int MOST_ROWS = 5;
    private static final double DOT = 4;

    private final Chart chart;
    private final Drawing on;
    private double top = 76;

    private ChartPainter(Chart chart, Drawing on) {
        this.chart = chart;
        this.on = on;
    }

    static byte[] paint(Chart chart, Drawing on) {
        ChartPainter painter = new ChartPainter(chart, on);
        on.text(new Point(MARGIN, 31), chart.title(), new Lettering(RunCharts.color("text"), 17, true, Anchor.START));
        painter.small(MARGIN, 52, chart.unit(), "muted", Anchor.START);
        painter.legend();
        painter.axes();
        chart.marks().forEach(painter::mark);
        painter.lines();
        return on.file();
    }

    private void small(double x, double y, String text, String color, Anchor anchor) {
        if (!text.isEmpty()) {
            on.text(new Point(x, y), text, new Lettering(RunCharts.color(color), SMALL, false, anchor));
        }
    }

    /** Draws the legend; a single line needs no name beside the title. */
    private void legend() {
        double x = MARGIN;
        int row = 0;
        for (Line line : chart.lines().size() > 1 ? chart.lines() : List.<Line>of()) {
            double width = 26 + Text.width(line.name()) * LETTER + 16;
            if (x > MARGIN && x + width > RIGHT) {
                x = MARGIN;
                row++;
            }
            if (row == MOST_ROWS) {
                small(RIGHT, top - 6, "…", "muted", Anchor.END);
                break;
            }
            double y = 74 + row * ROW;
            if (line.style() == Style.BARS || chart.stacked()) {
                on.area(box(x, x + 18, y - 9, y + 1), line.color(), 1);
            } else {
                on.line(List.of(new Point(x, y - 4), new Point(x + 18, y - 4)), pen(line, 2.5));
            }
            small(x + 26, y, line.name(), "muted", Anchor.START);
            x += width;
            top = y + 22;
        }
    }

    private void axes() {
        for (Tick tick : chart.y().ticks()) {
            double y = y(tick.at());
            on.line(List.of(new Point(LEFT, y), new Point(RIGHT, y)), new Pen(RunCharts.color("line"), 1, List.of()));
            small(LEFT - 8, y + 4, tick.text(), "muted", Anchor.END);
        }
        Pen pen = new Pen(RunCharts.color("line-strong"), 1, List.of());
        on.line(List.of(new Point(LEFT, BOTTOM), new Point(RIGHT, BOTTOM)), pen);
        for (Tick tick : chart.x().ticks()) {
            double x = x(tick.at());
            on.line(List.of(new Point(x, BOTTOM), new Point(x, BOTTOM + 4)), pen);
            small(x, BOTTOM + 19, tick.text(), "muted", Anchor.MIDDLE);
        }
        small((LEFT + RIGHT) / 2, BOTTOM + 37, chart.x().title(), "muted", Anchor.MIDDLE);
    }

    private double x(double value) {
        return LEFT + Math.max(0, Math.min(1, chart.x().place(value))) * (RIGHT - LEFT);
    }

    private double y(double value) {
        return BOTTOM - Math.max(0, Math.min(1, chart.y().place(value))) * (BOTTOM - top);
    }

    private static List<Point> box(double left, double right, double high, double low) {
        return List.of(new Point(left, high), new Point(right, high), new Point(right, low), new Point(left, low));
    }

    private void mark(Chart.Mark mark) {
        double left = x(mark.left());
        double right = x(mark.right());
        double high = y(mark.high());
        double low = y(mark.low());
        if (mark.left() == mark.right() || mark.low() == mark.high()) {
            on.line(List.of(new Point(left, low), new Point(right, high)), new Pen(mark.color(), 1.2, List.of()));
        } else {
            on.area(box(left, right, high, low), mark.color(), mark.opacity());
        }
        if (!mark.label().isEmpty()) {
            boolean end = mark.right() == Double.POSITIVE_INFINITY;
            Anchor side = end ? Anchor.END : mark.side();
            double gap = side == Anchor.END ? -4 : side == Anchor.START ? 4 : 0;
            double x = (end ? RIGHT : (left + right) / 2) + gap;
            String color = mark.opacity() < 1 ? RunCharts.color("muted") : mark.color();
            Lettering lettering = new Lettering(color, 11, false, side);
            on.text(new Point(x, mark.opacity() < 1 ? high + 13 : high - 4), mark.label(), lettering);
        }
    }

    private void lines() {
        if (chart.stacked()) {
            for (int i = chart.lines().size() - 1; i >= 0; i--) {
                stack(i);
            }
            return;
        }
        List<Line> bars =
                chart.lines().stream().filter(l -> l.style() == Style.BARS).toList();
        for (Line line : chart.lines()) {
            if (line.style() == Style.BARS) {
                bars(line, bars.indexOf(line), bars.size());
            } else {
                strokes(line).forEach(stroke -> stroke(line, stroke));
            }
            if (line.style() == Style.DOTS) {
                strokes(line).stream().flatMap(List::stream).forEach(p -> on.area(dot(p, DOT), line.color(), 1));
            }
        }
    }

    /** Draws a line; a single point is drawn as a dot, because a line through it would be invisible. */
    private void stroke(Line line, List<Point> stroke) {
        if (stroke.size() == 1) {
            on.area(dot(stroke.get(0), DOT / 2), line.color(), 1);
        } else {
            on.line(stroke, pen(line, 1.8));
        }
    }

    private static Pen pen(Line line, double width) {
        List<Float> dash =
                switch (line.style()) {
                    case DASHED -> List.of(6f, 5f);
                    case DOTTED -> List.of(1f, 4f);
                    default -> List.<Float>of();
                };
        return new Pen(line.color(), width, dash);
    }

    /** The parts of a line between gaps; an isolated value is a part of its own. */
    private List<List<Point>> strokes(Line line) {
        List<List<Point>> strokes = new ArrayList<>();
        List<Point> stroke = new ArrayList<>();
        for (int i = 0; i <= line.x().size(); i++) {
            Number value = i < line.x().size() ? line.y().get(i) : null;
            if (value != null && (!chart.y().logarithmic() || value.doubleValue() > 0)) {
                stroke.add(new Point(x(line.x().get(i).doubleValue()), y(value.doubleValue())));
            } else if (!stroke.isEmpty()) {
                strokes.add(stroke);
                stroke = new ArrayList<>();
            }
        }
        return strokes;
    }

    private static List<Point> dot(Point at, double radius) {
        List<Point> outline = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            double turn = i * Math.PI / 6;
            outline.add(new Point(at.x() + radius * Math.cos(turn), at.y() + radius * Math.sin(turn)));
        }
        return outline;
    }

    /** Fills the area between a line and the axis; lines below are drawn over it. Intervals without known values are not drawn. */
    private void stack(int last) {
        List<Line> below = chart.lines().subList(0, last + 1);
        List<? extends Number> times = below.get(last).x();
        List<Point> outline = new ArrayList<>();
        for (int i = 0; i <= times.size(); i++) {
            int at = i;
            boolean known = i < times.size()
                    && chart.lines().stream().anyMatch(line -> line.y().get(at) != null);
            if (known) {
                double sum = below.stream()
                        .map(line -> line.y().get(at))
                        .mapToDouble(value -> value == null ? 0 : value.doubleValue())
                        .sum();
                double x = x(times.get(i).doubleValue());
                if (outline.isEmpty()) {
                    outline.add(new Point(x, BOTTOM));
                }
                outline.add(new Point(x, y(sum)));
            } else if (!outline.isEmpty()) {
                outline.add(new Point(outline.get(outline.size() - 1).x(), BOTTOM));
                on.area(List.copyOf(outline), below.get(last).color(), 1);
                outline.clear();
            }
        }
    }

    private void bars(Line line, int number, int of) {
        double place = (RIGHT - LEFT) / Math.max(1, line.x().size());
        double width = Math.min(40, place * 0.8 / of);
        for (int i = 0; i < line.x().size(); i++) {
            Number value = line.y().get(i);
            if (value != null) {
                double left = x(line.x().get(i).doubleValue()) + (number - of / 2.0) * width;
                on.area(box(left + 0.5, left + width - 0.5, y(value.doubleValue()), BOTTOM), line.color(), 1);
            }
        }
    }
}
