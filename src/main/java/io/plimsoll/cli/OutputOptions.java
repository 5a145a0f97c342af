package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where something that is rendered goes to. */
final class OutputOptions {
    @Option(names = "--out", paramLabel = "FILE")
    Path out;

    boolean toFile() {
        return out != null;
    }

    /**
     * Writes it to the file, whose path is printed then, or else to the standard output.
     *
     * @throws PlimsollException {@link Exit#USAGE} if the file cannot be written
     */
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
            Object why = e instanceof java.nio.file.NoSuchFileException
                    ? Sentence.of("cli.noSuchDirectory")
                    : e instanceof java.nio.file.AccessDeniedException
                            ? Sentence.of("cli.permissionDenied")
                            : e.getMessage();
            throw Exit.USAGE.because(e, "cli.cannotWriteOut", file, why);
        }
    }
}
