package io.plimsoll.scenario;

/**
 * One mistake in a scenario.
 *
 * @param where the file name, {@code --set} expression or built-in name that holds it
 * @param line 1-based; 0 if the mistake has no position
 * @param column 1-based; 0 if the mistake has no position
 * @param path of the key, such as {@code producers[0].rate}; may be empty
 * @param message what was found, what was expected and, for a misspelt name, the nearest known one
 */
public record Problem(String where, int line, int column, String path, String message) {
    @Override
    public String toString() {
        String position = line > 0 ? ":" + line + ":" + column : "";
        return where + position + ": " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
