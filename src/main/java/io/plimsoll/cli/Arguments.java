package io.plimsoll.cli;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.Overrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/** Words of a command line, for messages and files. Stateless. */
final class Arguments {
    /** Options whose words are properties of Kafka's. */
    private static final Set<String> PROPERTIES =
            Set.of("--producer-props", "--command-property", "--broker-config", "--config");

    /** Options that change keys of a scenario, and below which of them. */
    private static final Map<String, String> CHANGES = Map.of("--set", "", "--ab", "", "--matrix", "matrix.");

    /** Options with a command for the shell, which is kept nowhere, as that of a scenario is. */
    private static final Set<String> COMMANDS = Set.of("--exec", "--undo", "--scale-with");

    private static final Pattern QUERY = Pattern.compile("(https?://[^\\s?#]*)[?#].*");

    private Arguments() {}

    /** @param shown what may be printed and stored of the word */
    private record Word(String option, String typed, String shown) {
        /** Whether everybody who lists processes can read a secret in it. */
        boolean givesAway() {
            String name = typed.substring(0, Math.max(0, typed.indexOf('=')));
            String value = typed.substring(typed.indexOf('=') + 1);
            boolean said = Secrets.isSecret(name) && !value.isBlank() && !Secrets.isReference(value);
            return !shown.equals(typed) && (said || !Secrets.clean(typed).equals(typed) || Secrets.isSecret(value));
        }
    }

    private static List<Word> words(List<String> typed) {
        List<Word> words = new ArrayList<>();
        String option = "";
        for (String word : typed) {
            int equals = word.indexOf('=');
            if (word.startsWith("--") && equals > 0) {
                option = word.substring(0, equals);
                String value = word.substring(equals + 1);
                words.add(new Word(option, word, option + "=" + shown(option, value)));
            } else {
                option = word.startsWith("-") ? word : option;
                words.add(new Word(option, word, word.equals(option) ? word : shown(option, word)));
                option = COMMANDS.contains(option) && !word.equals(option) ? "" : option;
            }
        }
        return words;
    }

    private static String shown(String option, String value) {
        if (COMMANDS.contains(option)) {
            return Secrets.HIDDEN;
        }
        int equals = value.indexOf('=');
        if (PROPERTIES.contains(option) && equals > 0) {
            String name = value.substring(0, equals);
            return name + "=" + Secrets.shown(name, value.substring(equals + 1));
        }
        String below = CHANGES.get(option);
        if (below != null) {
            return Overrides.shown(below + value).substring(below.length());
        }
        String clean = QUERY.matcher(Secrets.clean(value)).replaceFirst("$1?" + Secrets.HIDDEN);
        boolean secret = equals > 0 && Secrets.isSecret(value);
        // The name of a secret, or {ssl.key.password: ...} behind another.
        return secret ? clean.substring(0, clean.indexOf('=') + 1) + Secrets.HIDDEN : clean;
    }

    /** The command as it was typed, without secrets. */
    static List<String> typed(CommandSpec spec) {
        List<String> words = new ArrayList<>();
        words.add("plimsoll");
        words(given(spec)).forEach(word -> words.add(word.shown()));
        return words;
    }

    /** Options with secrets in them, as far as their names tell, which everybody on this host can read. */
    static List<String> givingAway(CommandSpec spec) {
        return words(given(spec)).stream()
                .filter(Word::givesAway)
                .map(Word::option)
                .distinct()
                .toList();
    }

    /** The command as it was given, secrets included. */
    static List<String> given(CommandSpec spec) {
        return spec.commandLine().getParseResult().originalArgs();
    }

    /** A message that may quote some of these words, or their values, without their secrets. */
    static String scrubbed(String message, String... typed) {
        String scrubbed = message;
        for (Word word : words(List.of(typed))) {
            // A command of one word has no secret in it, and may be a part of any other word.
            boolean scrubs = !COMMANDS.contains(word.option()) || word.typed().contains(" ");
            if (scrubs && !word.shown().equals(word.typed())) {
                int value = word.typed().startsWith("--") ? word.typed().indexOf('=') + 1 : 0;
                scrubbed = scrubbed.replace(
                        word.typed().substring(value), word.shown().substring(value));
            }
        }
        return Secrets.clean(scrubbed);
    }
}
