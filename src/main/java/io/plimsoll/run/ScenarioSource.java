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
import java.util.regex.Pattern;

public final class ScenarioSource {
    /** Keys of the workload and driver files of OpenMessaging Benchmark. */
    private static final Pattern OF_OMB = Pattern.compile("(?m)^(driverClass|partitionsPerTopic) *:");

    public static Plan plan(String nameOrFile, List<String> overrides, double scale) {
        boolean looksLikeFile = nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml") || nameOrFile.contains("/");
        String text = looksLikeFile ? read(Path.of(nameOrFile), "run.aScenario") : builtIn(nameOrFile);
        Exit.USAGE.when(OF_OMB.matcher(text).find(), "run.fileOfOmb", nameOrFile);
        return ScenarioReader.read(text, nameOrFile, overrides, scale);
    }

    public static String builtIn(String name) {
        Sentence meant = BuiltIns.nearest(name)
                .map(near -> Sentence.of("run.didYouMean", near))
                .orElse(Sentence.NONE);
        return BuiltIns.text(name).orElseThrow(() -> Exit.USAGE.because("run.noSuchScenario", name, meant));
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
