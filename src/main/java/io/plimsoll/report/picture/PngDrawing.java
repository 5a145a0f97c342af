package io.plimsoll.report.picture;

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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/** The same as dots, two a point, drawn by the JDK without a screen. Not thread-safe. */
final class PngDrawing implements Drawing {
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

    /** A font of this host that has these characters; empty if it has none, or no fonts at all. */
    static Optional<Font> fontFor(String characters) {
        try {
            Stream<Font> all = Arrays.stream(
                    GraphicsEnvironment.getLocalGraphicsEnvironment().getAllFonts());
            return Stream.concat(Stream.of(new Font(Font.SANS_SERIF, Font.PLAIN, 1)), all)
                    .filter(font -> font.canDisplayUpTo(characters) < 0)
                    .findFirst();
        } catch (RuntimeException | LinkageError | InternalError e) {
            // So says a JDK that finds no fontconfig, or comes without its libraries for fonts.
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
