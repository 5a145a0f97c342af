package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The reason why a broker did not start: one sentence, then the broker's last log lines. */
final class StartFailure extends PlimsollException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_LINES = 10;
    private static final int EXIT_KILLED = 137;
    private static final Pattern BIND = Pattern.compile("failed to bind to (\\S+?):?\\s");
    private static final Pattern PROGRESS = Pattern.compile("^\\[[^]]+] INFO ");
    private static final Pattern CONFIG = Pattern.compile("ConfigException: (.+)");

    private final boolean portTaken;

    private StartFailure(Exit exit, Sentence sentence, boolean portTaken) {
        super(exit, sentence);
        this.portTaken = portTaken;
    }

    boolean portTaken() {
        return portTaken;
    }

    /** A process ended before it was ready. */
    static StartFailure ended(BrokerProcess broker) throws InterruptedException {
        return explain(broker.node(), broker.exitCode(), broker.lastLines());
    }

    /** The cluster did not form in time. */
    static StartFailure notReady(BrokerProcess broker, String last) {
        return new StartFailure(
                Exit.INTERNAL,
                Sentence.of(
                        "lab.notReadyInTime",
                        last == null ? Sentence.NONE : Sentence.of("lab.lastAnswer", last),
                        broker.node().id(),
                        shown(broker.lastLines())),
                false);
    }

    /** Derives the reason from the log lines, oldest first. */
    static StartFailure explain(LabNode node, OptionalInt exitCode, List<String> log) {
        String text = String.join("\n", log);
        Matcher config = CONFIG.matcher(text);
        Sentence because;
        Exit exit = Exit.INTERNAL;
        boolean portTaken = text.contains("Address already in use");
        if (portTaken) {
            Matcher bind = BIND.matcher(text);
            because = Sentence.of("lab.start.portTaken", bind.find() ? bind.group(1) : Sentence.of("lab.itsPort"));
        } else if (text.contains("No space left on device")) {
            because = Sentence.of("lab.start.noSpace", node.directory());
        } else if (isAboutMemory(text)) {
            because = Sentence.of("lab.start.noMemory");
            exit = Exit.USAGE;
        } else if (config.find()) {
            because = Sentence.of("lab.start.badConfig", config.group(1).strip().replaceFirst("\\.$", ""));
            exit = Exit.USAGE;
        } else {
            because = ended(exitCode);
        }
        return new StartFailure(exit, Sentence.of("lab.start.failed", node.id(), because, shown(log)), portTaken);
    }

    private static boolean isAboutMemory(String text) {
        return text.contains("Could not reserve enough space")
                || text.contains("insufficient memory for the Java Runtime Environment")
                || text.contains("java.lang.OutOfMemoryError")
                || text.contains("maximum heap size");
    }

    private static Sentence ended(OptionalInt exitCode) {
        if (exitCode.isEmpty()) {
            return Sentence.of("lab.start.ended");
        }
        return exitCode.getAsInt() == EXIT_KILLED
                ? Sentence.of("lab.start.killed")
                : Sentence.of("lab.start.endedWith", exitCode.getAsInt());
    }

    /** The log lines without notes of progress: a failing broker continues to log its shutdown. */
    private static Sentence shown(List<String> log) {
        List<String> telling =
                log.stream().filter(line -> !PROGRESS.matcher(line).find()).toList();
        List<String> lines = telling.isEmpty() ? log : telling;
        if (lines.isEmpty()) {
            return Sentence.of("lab.wroteNothing");
        }
        return Sentence.verbatim(lines.stream()
                .skip(Math.max(0, lines.size() - SHOWN_LINES))
                .map(line -> "\n  " + line)
                .collect(Collectors.joining()));
    }
}
