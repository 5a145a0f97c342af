package io.plimsoll.report.picture;

import java.util.List;

/** What charts are drawn on: a light sheet, in points from its top left corner; colours are {@code #rrggbb}. */
interface Drawing {
    int WIDTH = 960;
    int HEIGHT = 420;

    record Point(double x, double y) {}

    enum Anchor {
        START,
        MIDDLE,
        END
    }

    /** @param dash lengths of ink and gap; empty for a line without gaps */
    record Pen(String color, double width, List<Float> dash) {}

    record Lettering(String color, int size, boolean bold, Anchor anchor) {}

    void line(List<Point> path, Pen pen);

    void area(List<Point> outline, String color, double opacity);

    /** @param at where its base line begins, has its middle, or ends */
    void text(Point at, String text, Lettering lettering);

    /** All of it as a file holds it. */
    byte[] file();
}
