package io.plimsoll.result.imported;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.RunDirectory;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Results of OpenMessaging Benchmark. Implemented by a separate module, found as a {@link ServiceLoader service}; thread-safe. */
public interface OmbSupport {
    /** @throws PlimsollException ({@code USAGE}) if the module is not installed */
    static OmbSupport get() {
        return ServiceLoader.load(OmbSupport.class, OmbSupport.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("result.noOmb"));
    }

    /** @throws ImportException with file, line and key of the error */
    List<Measured> read(String file, String text);

    /**
     * Converts a trial to a result file of OpenMessaging Benchmark. Throws {@link PlimsollException} ({@code USAGE}) if
     * the trial is unknown, ambiguous, or without measurements.
     */
    String write(RunDirectory run, Optional<String> trial);
}
