package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.report.compare.Comparison;
import io.plimsoll.scenario.Quantities;
import java.util.OptionalDouble;
import picocli.CommandLine.Option;

/** The change for the worse that a comparison tolerates. */
final class Tolerance {
    @Option(names = "--fail-on-regression", paramLabel = "PERCENT")
    String given;

    boolean asked() {
        return given != null;
    }

    OptionalDouble share() {
        return asked() ? OptionalDouble.of(share(given)) : OptionalDouble.empty();
    }

    static Exit exit(Comparison comparison) {
        Comparison.Gate gate = comparison.gate();
        if (gate == null || gate.passed()) {
            return Exit.PASSED;
        }
        return gate.regressions().isEmpty() ? Exit.INVALID_MEASUREMENT : Exit.REGRESSION;
    }

    private static double share(String text) {
        try {
            double share = Quantities.ratio(text);
            if (share < 1) {
                return share;
            }
        } catch (IllegalArgumentException e) {
            // reported below, as out of range
        }
        throw Exit.USAGE.because("cli.notATolerance", text);
    }
}
