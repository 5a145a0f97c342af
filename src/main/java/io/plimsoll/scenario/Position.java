package io.plimsoll.scenario;

/**
 * A place in a scenario.
 *
 * @param where file, {@code --set} expression or built-in name
 * @param line line number from 1; 0 if unknown
 * @param column column number from 1; 0 if unknown
 */
public record Position(String where, int line, int column) {
    public static Position of(String where) {
        return new Position(where, 0, 0);
    }

    /** The position as text, such as {@code file.yaml:3:10}. */
    @Override
    public String toString() {
        return line > 0 ? where + ":" + line + ":" + column : where;
    }
}
