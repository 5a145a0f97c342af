package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.report.Look;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Output destination of rendered text. */
final class OutputOptions {
    @Option(names = "--out", paramLabel = "FILE")
    Path out;

    Look look(Look terminal) {
        return out == null ? terminal : terminal.uncolored();
    }

    /** Writes to the file and prints its path, or prints the text. */
    void write(String text, PrintWriter stdout) {
        if (out == null) {
            stdout.print(text);
        } else {
            writeFile(out, text);
            stdout.println(out);
        }
        stdout.flush();
    }

    private static void writeFile(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw cannotWrite(file, e);
        }
    }

    static PlimsollException cannotWrite(Path file, IOException e) {
        return Exit.USAGE.because(e, "cli.cannotWriteOut", file, reason(e));
    }

    /** A readable reason for a failed write. */
    static Object reason(IOException e) {
        return e instanceof java.nio.file.NoSuchFileException
                ? Sentence.of("cli.noSuchDirectory")
                : e instanceof java.nio.file.AccessDeniedException
                        ? Sentence.of("cli.permissionDenied")
                        : e.getMessage();
    }
}
