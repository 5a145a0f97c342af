package io.plimsoll.report;

/** Emphasis on a terminal, or none where colour is not wanted. */
record Ansi(boolean color) {
    private static final String ESCAPE = "\u001b[";

    String bold(String text) {
        return wrap("1", text);
    }

    String dim(String text) {
        return wrap("2", text);
    }

    String good(String text) {
        return wrap("32", text);
    }

    String bad(String text) {
        return wrap("1;31", text);
    }

    String attention(String text) {
        return wrap("33", text);
    }

    String accent(String text) {
        return wrap("36", text);
    }

    private String wrap(String code, String text) {
        return color && !text.isEmpty() ? ESCAPE + code + "m" + text + ESCAPE + "0m" : text;
    }
}
