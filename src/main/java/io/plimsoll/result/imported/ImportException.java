package io.plimsoll.result.imported;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import org.jspecify.annotations.Nullable;

/** A saved measurement that cannot be read. */
public final class ImportException extends PlimsollException {
    /** @param where the file, with line and key if known */
    public ImportException(String where, Sentence what, @Nullable Throwable cause) {
        super(Exit.USAGE, Sentence.of("result.notImported", where, what), cause);
    }

    public ImportException(String where, String key, @Nullable Object... arguments) {
        this(where, Sentence.of("result.notImported." + key, arguments), null);
    }
}
