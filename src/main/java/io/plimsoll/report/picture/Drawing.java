package io.plimsoll.report.picture;

import io.plimsoll.Secrets;
import io.plimsoll.report.Text;
import java.awt.AlphaComposite;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.GraphicsEnvironment;
import java.awt.RenderingHints;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** A canvas with a light background and coordinates in points from the top left corner; colors are {@code #rrggbb}. */
interface Drawing {
    int WIDTH = 960;
    int HEIGHT = 420;

    record Point(double x, double y) {}

    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** @param dash lengths of dash and gap; empty for a solid line */
    record Pen(String color, double width, List<Float> dash) {}

    record Lettering(String color, int size, boolean bold, Anchor anchor) {}

    void line(List<Point> path, Pen pen);

    void area(List<Point> outline, String color, double opacity);

    /** @param at position of the start, middle or end of the text's baseline, by its anchor */
    void text(Point at, String text, Lettering lettering);

    byte[] file();

    static final class SvgDrawing implements Drawing {
        private final StringBuilder out = new StringBuilder();

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
            out.append("<polyline fill=\"none\" stroke-linejoin=\"round\" stroke-linecap=\"round\" stroke=\""
                    + pen.color() + "\" stroke-width=\"" + number(pen.width()) + '"' + dash + points(path));
        }

        @Override
        public void area(List<Point> outline, String color, double opacity) {
            String faint = opacity < 1 ? " fill-opacity=\"" + opacity + "\"" : "";
            out.append("<polygon fill=\"" + color + '"' + faint + points(outline));
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

        private static String number(double value) {
            double rounded = Math.round(value * 10) / 10.0;
            return rounded == Math.rint(rounded) ? String.valueOf((long) rounded) : String.valueOf(rounded);
        }

        private static String escape(String text) {
            return Text.printable(text)
                    .replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;");
        }
    }

    /** A drawing as pixels, two per point, rendered by the JDK without a display. Not thread-safe. */
    static final class PngDrawing implements Drawing {
        private static final int DOTS = 2;

        static {
            System.setProperty("java.awt.headless", "true");
        }

        private final BufferedImage image = new BufferedImage(WIDTH * DOTS, HEIGHT * DOTS, BufferedImage.TYPE_INT_RGB);
        private final Graphics2D graphics = image.createGraphics();
        private final Font font;

        PngDrawing(Font font) {
            this.font = font;
            graphics.scale(DOTS, DOTS);
            graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
            graphics.setColor(Color.WHITE);
            graphics.fillRect(0, 0, WIDTH, HEIGHT);
        }

        /** A font of this host that has these characters; empty if no font has them, or the host has no fonts. */
        static Optional<Font> fontFor(String characters) {
            try {
                Stream<Font> all = Arrays.stream(
                        GraphicsEnvironment.getLocalGraphicsEnvironment().getAllFonts());
                return Stream.concat(Stream.of(new Font(Font.SANS_SERIF, Font.PLAIN, 1)), all)
                        .filter(font -> font.canDisplayUpTo(characters) < 0)
                        .findFirst();
            } catch (RuntimeException | LinkageError | InternalError e) {
                // Thrown by a JDK without fontconfig or without its font libraries.
                return Optional.empty();
            }
        }

        @Override
        public void line(List<Point> path, Pen pen) {
            float[] dash = new float[pen.dash().size()];
            for (int i = 0; i < dash.length; i++) {
                dash[i] = pen.dash().get(i);
            }
            graphics.setColor(Color.decode(pen.color()));
            graphics.setStroke(new BasicStroke(
                    (float) pen.width(),
                    BasicStroke.CAP_ROUND,
                    BasicStroke.JOIN_ROUND,
                    1,
                    dash.length == 0 ? null : dash,
                    0));
            graphics.draw(shape(path));
        }

        @Override
        public void area(List<Point> outline, String color, double opacity) {
            graphics.setColor(Color.decode(color));
            graphics.setComposite(AlphaComposite.getInstance(AlphaComposite.SRC_OVER, (float) opacity));
            graphics.fill(shape(outline));
            graphics.setComposite(AlphaComposite.SrcOver);
        }

        @Override
        public void text(Point at, String text, Lettering lettering) {
            String printable = Text.printable(text);
            graphics.setFont(font.deriveFont(lettering.bold() ? Font.BOLD : Font.PLAIN, lettering.size()));
            graphics.setColor(Color.decode(lettering.color()));
            double width = graphics.getFontMetrics().stringWidth(printable);
            double before =
                    switch (lettering.anchor()) {
                        case START -> 0;
                        case MIDDLE -> width / 2;
                        case END -> width;
                    };
            graphics.drawString(printable, (float) (at.x() - before), (float) at.y());
        }

        @Override
        public byte[] file() {
            graphics.dispose();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try {
                ImageIO.write(image, "png", bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }

        private static Path2D shape(List<Point> path) {
            Path2D shape = new Path2D.Double();
            for (Point point : path) {
                if (shape.getCurrentPoint() == null) {
                    shape.moveTo(point.x(), point.y());
                } else {
                    shape.lineTo(point.x(), point.y());
                }
            }
            return shape;
        }
    }
}
