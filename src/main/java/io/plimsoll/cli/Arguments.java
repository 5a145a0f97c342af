package io.plimsoll.cli;

import io.plimsoll.Secrets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Words of a command line, for messages and files. Stateless. */
final class Arguments {
    private Arguments() {}

    /** The word without the value that it sets, if any part of it says that it is secret. */
    static String redacted(String word) {
        if (!Secrets.isSecret(word)) {
            return word;
        }
        for (int equals = word.indexOf('='); equals >= 0; equals = word.indexOf('=', equals + 1)) {
            // --command-property=ssl.key.password=...: only the second one ends the name of a secret.
            if (Secrets.isSecret(word.substring(0, equals))) {
                return word.substring(0, equals + 1) + Secrets.HIDDEN;
            }
        }
        // {ssl.key.password: ...}, or the path of a file that just has such a word in its name.
        int equals = word.indexOf('=');
        return equals < 0 ? word : word.substring(0, equals + 1) + Secrets.HIDDEN;
    }

    /** The command as it was typed, without secrets. */
    static List<String> typed(CommandSpec spec) {
        List<String> words = new ArrayList<>();
        words.add("plimsoll");
        spec.commandLine().getParseResult().originalArgs().forEach(word -> words.add(redacted(word)));
        return words;
    }

    /** A message that may quote some of these words, without their secrets. */
    static String scrubbed(String message, String... words) {
        List<String> secret =
                Arrays.stream(words).filter(w -> !redacted(w).equals(w)).toList();
        String scrubbed = message;
        for (String word : secret) {
            scrubbed = scrubbed.replace(word, redacted(word));
        }
        return scrubbed;
    }
}
