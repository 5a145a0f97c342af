package io.plimsoll.web;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Language;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * The history of runs as a page. Implemented by a separate module, found as a {@link ServiceLoader service};
 * thread-safe.
 */
public interface HistorySupport {
    /** @throws PlimsollException ({@code USAGE}) if the module is not installed */
    static HistorySupport get() {
        return ServiceLoader.load(HistorySupport.class, HistorySupport.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("history.noModule"));
    }

    /**
     * A figure over the runs of a directory, with links to the runs and a choice of figures.
     *
     * @throws PlimsollException ({@code USAGE}) if the figure is unknown or the index is unusable
     */
    String page(Path directory, String figure, Language language);
}
