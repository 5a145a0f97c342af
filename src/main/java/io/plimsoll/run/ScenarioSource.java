package io.plimsoll.run;

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

public final class ScenarioSource {
    public static Plan plan(String nameOrFile, List<String> overrides, double scale) {
        boolean looksLikeFile = nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml") || nameOrFile.contains("/");
        if (!looksLikeFile) {
            return ScenarioReader.read(builtIn(nameOrFile), nameOrFile, overrides, scale);
        }
        return ScenarioReader.read(read(Path.of(nameOrFile), "run.aScenario"), nameOrFile, overrides, scale);
    }

    public static String builtIn(String name) {
        return BuiltIns.text(name)
                .orElseThrow(() -> Exit.USAGE.because(
                        "run.noSuchScenario",
                        name,
                        BuiltIns.nearest(name)
                                .map(near -> Sentence.of("run.didYouMean", near))
                                .orElse(Sentence.NONE)));
    }

    public static String read(Path file, String what) {
        return read(file, what, InputFile.WRITTEN);
    }

    public static String read(Path file, String what, int most) {
        try {
            return InputFile.text(file, most);
        } catch (java.nio.file.NoSuchFileException e) {
            throw Exit.USAGE.because(e, "run.noSuchFile", file, Sentence.of(what));
        } catch (AccessDeniedException e) {
            throw Exit.USAGE.because(e, "run.fileNotPermitted", file);
        } catch (MalformedInputException e) {
            throw Exit.USAGE.because(e, "run.fileNotText", file);
        } catch (IOException e) {
            if (Files.isDirectory(file)) {
                throw Exit.USAGE.because(e, "run.fileIsDirectory", file, Sentence.of(what));
            }
            throw Exit.USAGE.because(e, "run.fileNotRead", file, e.getMessage());
        }
    }
}
