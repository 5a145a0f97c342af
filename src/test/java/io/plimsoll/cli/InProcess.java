package io.plimsoll.cli;

import io.plimsoll.cli.Main.CleanWriter;
import io.plimsoll.text.Language;
import java.io.PrintWriter;
import java.io.StringWriter;
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
}
