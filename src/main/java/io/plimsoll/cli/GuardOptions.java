package io.plimsoll.cli;

import io.plimsoll.run.guards.LoadLimits;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import java.io.Console;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Option;

/** How far a load may go on a cluster that others live on. */
final class GuardOptions {
    @Option(names = "--max-bytes", paramLabel = "SIZE")
    String maxBytes;

    @Option(names = "--disk-reserve", paramLabel = "SHARE")
    String diskReserve;

    @Option(names = "--yes")
    boolean yes;

    /** @param maxRate of {@code --max-rate}; null where it is not given */
    LoadLimits limits(PlimsollCommand command, String maxRate) {
        LoadLimits usual = LoadLimits.DEFAULT;
        double reserve = diskReserve == null
                ? usual.diskReserve()
                : command.read("--disk-reserve", diskReserve, Quantities::ratio);
        command.require(
                reserve < 1, "cli.expected", "--disk-reserve", Sentence.of("cli.a.range", "0%", "99%"), diskReserve);
        return new LoadLimits(
                reserve,
                maxRate == null ? usual.maxRate() : command.read("--max-rate", maxRate, Quantities::rate),
                maxBytes == null ? usual.maxBytes() : command.read("--max-bytes", maxBytes, ByteSize::bytes),
                yes ? Consent.GIVEN : beyond -> isGranted(command, beyond),
                usual.lookEvery());
    }

    /** Asks whoever sits at the terminal; nobody does where there is none, since the launcher chooses the JDK's old console. */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isGranted(PlimsollCommand command, List<Sentence> beyond) {
        Console console = System.console();
        if (console == null) {
            return false;
        }
        beyond.forEach(command::say);
        String answer = console.readLine("%s ", Sentence.of("cli.goOn").in(command.language()));
        return answer != null
                && List.of("y", "yes", "是").contains(answer.strip().toLowerCase(Locale.ROOT));
    }
}
