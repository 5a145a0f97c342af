package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.InputFile;
import io.plimsoll.scenario.BuiltIns;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ScenarioReader;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A scenario by its built-in name or from a file. */
final class ScenarioSource {
    private ScenarioSource() {}

    static Plan plan(String nameOrFile, List<String> overrides, double scale) {
        boolean looksLikeFile = nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml") || nameOrFile.contains("/");
        if (!looksLikeFile) {
            return ScenarioReader.read(builtIn(nameOrFile), nameOrFile, overrides, scale);
        }
        return ScenarioReader.read(read(Path.of(nameOrFile), "cli.aScenario"), nameOrFile, overrides, scale);
    }

    static String builtIn(String name) {
        return BuiltIns.text(name)
                .orElseThrow(() -> Exit.USAGE.because(
                        "cli.noSuchScenario",
                        name,
                        BuiltIns.nearest(name)
                                .map(near -> Sentence.of("cli.didYouMean", near))
                                .orElse(Sentence.NONE)));
    }

    static String read(Path file, String what) {
        return read(file, what, InputFile.WRITTEN);
    }

    /** @param what key of what it ought to be, for messages */
    static String read(Path file, String what, int most) {
        try {
            return InputFile.text(file, most);
        } catch (java.nio.file.NoSuchFileException e) {
            throw Exit.USAGE.because(e, "cli.noSuchFile", file, Sentence.of(what));
        } catch (AccessDeniedException e) {
            throw Exit.USAGE.because(e, "cli.fileNotPermitted", file);
        } catch (MalformedInputException e) {
            throw Exit.USAGE.because(e, "cli.fileNotText", file);
        } catch (IOException e) {
            if (Files.isDirectory(file)) {
                throw Exit.USAGE.because(e, "cli.fileIsDirectory", file, Sentence.of(what));
            }
            throw Exit.USAGE.because(e, "cli.fileNotRead", file, e.getMessage());
        }
    }
}
