package io.plimsoll.report.compare;

/**
 * How the trials of a run that compares two settings are named: parameters {@value #ARM} (such as {@code A: acks=1}) and
 * {@value #PAIR}, and a name that begins with both, such as {@code 3A acks=1}.
 */
public final class Arms {
    public static final String ARM = "arm";
    public static final String PAIR = "pair";
    private static final String SEPARATOR = ": ";
    private static final String CELL = " · ";

    private Arms() {}

    /** @param setting such as {@code acks=1} */
    public static String arm(String label, String setting) {
        return label + SEPARATOR + setting;
    }

    static String value(String arm) {
        return arm.substring(arm.indexOf(SEPARATOR) + SEPARATOR.length());
    }

    /** @param cell name of the trial that is repeated; null if the scenario has only one */
    public static String trial(int pair, String label, String setting, String cell) {
        return pair + label + " " + setting + (cell == null ? "" : CELL + cell);
    }

    static String cell(String trial) {
        int at = trial.indexOf(CELL);
        return at < 0 ? trial : trial.substring(at + CELL.length());
    }
}
