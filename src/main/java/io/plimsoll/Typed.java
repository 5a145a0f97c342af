package io.plimsoll;

/** The command name of this installation, for commands shown to the user. */
public final class Typed {
    /** Set by the launcher script of an installed program. */
    private static final String PROPERTY = "plimsoll.command";

    /** {@code ./plimsoll} in a clone, {@code plimsoll} in an installation. */
    public static String program() {
        return System.getProperty(PROPERTY, "./plimsoll");
    }
}
