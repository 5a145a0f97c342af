package io.plimsoll.result.imported;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;

/** A saved measurement that cannot be read. */
final class ImportException extends PlimsollException {
    /** @param where the file, with line and key as far as there are any */
    ImportException(String where, String what, Throwable cause) {
        super(Exit.USAGE, where + ": " + what, cause);
    }

    ImportException(String where, String what) {
        this(where, what, null);
    }
}
