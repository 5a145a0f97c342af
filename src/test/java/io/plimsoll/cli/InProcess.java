package io.plimsoll.cli;

import io.plimsoll.cli.Main.CleanWriter;
import io.plimsoll.testing.Said;
import io.plimsoll.text.Language;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;

/** A command run in this JVM: quick, but without its own standard input and signals. */
public record InProcess(int exit, String out, String err) {
    public static InProcess run(String... args) {
        return run(Language.EN, args);
    }

    public static InProcess run(Language language, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine commandLine = Main.commandLine(language, args);
        commandLine
                .setOut(new PrintWriter(new CleanWriter(out), true))
                .setErr(new PrintWriter(new CleanWriter(err), true));
        int exit = commandLine.execute(args);
        return new InProcess(exit, out.toString(), err.toString());
    }

    /**
     * The expectation of a table row about the output.
     *
     * @param text part of the output, or a sentence by its key, such as {@code @cli.needs(--exec,--allow-exec)}
     */
    static Pattern expected(String text) {
        return expected(Language.EN, text);
    }

    static Pattern expected(Language language, String text) {
        Matcher key = Pattern.compile("@([\\w.]+)(?:\\((.*)\\))?").matcher(text);
        if (!key.matches()) {
            return Pattern.compile(Pattern.quote(Said.text(text)));
        }
        Object[] arguments = key.group(2) == null
                ? new Object[0]
                : Stream.of(key.group(2).split(","))
                        .map(argument -> argument.equals("null") ? null : argument)
                        .toArray();
        return language == Language.ZH ? Said.zh(key.group(1), arguments) : Said.en(key.group(1), arguments);
    }
}
