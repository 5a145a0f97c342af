package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The format in which something is rendered, and where to. */
final class OutputOptions {
    @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "terminal")
    String format;

    @Option(names = "--out", paramLabel = "FILE")
    Path out;

    boolean toFile() {
        return out != null;
    }

    void write(String text, PrintWriter stdout) {
        write(out, text, stdout);
    }

    /**
     * @param file null for standard output; otherwise its path is printed there
     * @throws PlimsollException {@link Exit#USAGE} if the file cannot be written
     */
    static void write(Path file, String text, PrintWriter stdout) {
        if (file == null) {
            stdout.print(text);
        } else {
            writeFile(file, text);
            stdout.println(file);
        }
        stdout.flush();
    }

    private static void writeFile(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            String why = e instanceof java.nio.file.NoSuchFileException
                    ? "there is no such directory"
                    : e instanceof java.nio.file.AccessDeniedException ? "permission denied" : e.getMessage();
            throw new PlimsollException(Exit.USAGE, Sentence.of("cli.cannotWriteOut", file, why), e);
        }
    }
}
