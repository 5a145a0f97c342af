package io.plimsoll.scenario;

/**
 * Where a piece of a scenario was written.
 *
 * @param where the file, {@code --set} expression or built-in name
 * @param line 1-based; 0 if there is no position within {@code where}
 * @param column 1-based; 0 if there is no position within {@code where}
 */
public record Position(String where, int line, int column) {
    public static Position of(String where) {
        return new Position(where, 0, 0);
    }

    /** A text such as {@code file.yaml:3:10}. */
    @Override
    public String toString() {
        return line > 0 ? where + ":" + line + ":" + column : where;
    }
}
