package io.plimsoll.report.picture;

import io.plimsoll.Secrets;
import io.plimsoll.report.Text;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An SVG file that needs nothing else: whatever comes from outside is text in it. Not thread-safe. */
final class SvgDrawing implements Drawing {
    private final StringBuilder out = new StringBuilder();

    /** @param title for those who do not see it */
    SvgDrawing(String title) {
        out.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" role=\"img\" "
                        + "font-family=\"'Noto Sans', 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif\">%n",
                WIDTH,
                HEIGHT));
        out.append("<title>").append(escape(title)).append("</title>\n");
        out.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    }

    @Override
    public void line(List<Point> path, Pen pen) {
        String dash = pen.dash().isEmpty()
                ? ""
                : " stroke-dasharray=\""
                        + pen.dash().stream().map(SvgDrawing::number).collect(Collectors.joining(" ")) + "\"";
        out.append("<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke=\"")
                .append(pen.color())
                .append("\" stroke-width=\"")
                .append(number(pen.width()))
                .append('"')
                .append(dash)
                .append(points(path));
    }

    @Override
    public void area(List<Point> outline, String color, double opacity) {
        String faint = opacity < 1 ? " fill-opacity=\"" + opacity + "\"" : "";
        out.append("<polygon fill=\"").append(color).append('"').append(faint).append(points(outline));
    }

    @Override
    public void text(Point at, String text, Lettering lettering) {
        out.append(String.format(
                        Locale.ROOT,
                        "<text x=\"%s\" y=\"%s\" fill=\"%s\" font-size=\"%d\" text-anchor=\"%s\"%s>",
                        number(at.x()),
                        number(at.y()),
                        lettering.color(),
                        lettering.size(),
                        lettering.anchor().name().toLowerCase(Locale.ROOT),
                        lettering.bold() ? " font-weight=\"600\"" : ""))
                .append(escape(text))
                .append("</text>\n");
    }

    @Override
    public byte[] file() {
        return Secrets.clean(out + "</svg>\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String points(List<Point> path) {
        return path.stream()
                .map(p -> number(p.x()) + "," + number(p.y()))
                .collect(Collectors.joining(" ", " points=\"", "\"/>\n"));
    }

    /** A tenth of a point is finer than any eye. */
    private static String number(double value) {
        double rounded = Math.round(value * 10) / 10.0;
        return rounded == Math.rint(rounded) ? String.valueOf((long) rounded) : String.valueOf(rounded);
    }

    private static String escape(String text) {
        return Text.printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
