package io.plimsoll.result.imported;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.List;
import java.util.ServiceLoader;

/** Output of Kafka's performance tools. Implemented by a separate module, found as a {@link ServiceLoader service}; thread-safe. */
public interface PerfSupport {
    /** @throws PlimsollException ({@code USAGE}) if the module is not installed */
    static PerfSupport get() {
        return ServiceLoader.load(PerfSupport.class, PerfSupport.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> Exit.USAGE.because("result.noPerf"));
    }

    /** @throws ImportException with file, line and key of the fault */
    List<Measured> read(String file, String text);
}
