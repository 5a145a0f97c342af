package io.plimsoll.cli;

import io.plimsoll.Secrets;
import io.plimsoll.scenario.Overrides;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** The arguments of a command line, with secrets removed, for messages and files. Stateless. */
public final class Arguments {
    /** Options that take Kafka properties. */
    private static final Set<String> PROPERTIES =
            Set.of("--producer-props", "--command-property", "--broker-config", "--config");

    /** Options that set scenario keys, with the prefix for these keys. */
    private static final Map<String, String> CHANGES = Map.of("--set", "", "--ab", "", "--matrix", "matrix.");

    /** Options with a shell command. Shell commands, including those in a scenario, are never stored. */
    private static final Set<String> COMMANDS = Set.of("--exec", "--undo", "--scale-with");

    private static final Pattern QUERY = Pattern.compile("(https?://[^\\s?#]*)[?#].*");

    /** @param shown the argument as it can be printed and stored, without its secrets */
    private record Word(String option, String typed, String shown) {
        /** Whether the argument exposes a secret in the process list. */
        boolean exposesSecret() {
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
        // The word is the name of a secret, or contains one, such as {a: 1, ssl.key.password: ...}.
        return secret ? clean.substring(0, clean.indexOf('=') + 1) + Secrets.HIDDEN : clean;
    }

    /** The typed command, without secrets. */
    public static List<String> typed(CommandSpec spec) {
        Stream<String> shown = words(given(spec)).stream().map(Word::shown);
        return Stream.concat(Stream.of("plimsoll"), shown).toList();
    }

    /** Options that, judging by their names, expose a secret to every user of this host. */
    static List<String> exposingSecrets(CommandSpec spec) {
        return words(given(spec)).stream()
                .filter(Word::exposesSecret)
                .map(Word::option)
                .distinct()
                .toList();
    }

    /** The typed command, including secrets. */
    static List<String> given(CommandSpec spec) {
        return spec.commandLine().getParseResult().originalArgs();
    }

    static String scrubbed(String message, String... typed) {
        String scrubbed = message;
        for (Word word : words(List.of(typed))) {
            // A one-word command contains no secret, and replacing it could change equal words elsewhere.
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
