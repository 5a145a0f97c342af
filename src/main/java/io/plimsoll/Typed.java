package io.plimsoll;

/** How the program is called where this process was started, for commands that it shows to be typed. */
public final class Typed {
    /** Set by the script that starts an installed program. */
    private static final String PROPERTY = "plimsoll.command";

    private Typed() {}

    /** {@code ./plimsoll} in a clone, {@code plimsoll} where it is installed. */
    public static String program() {
        return System.getProperty(PROPERTY, "./plimsoll");
    }
}
