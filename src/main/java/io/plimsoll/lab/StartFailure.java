package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Why a broker did not start: one sentence, then the broker's own last lines. */
final class StartFailure extends PlimsollException {
    private static final long serialVersionUID = 1L;
    private static final int SHOWN_LINES = 10;
    private static final int EXIT_KILLED = 137;
    private static final Pattern BIND = Pattern.compile("failed to bind to (\\S+?):?\\s");
    private static final Pattern PROGRESS = Pattern.compile("^\\[[^]]+] INFO ");
    private static final Pattern CONFIG = Pattern.compile("ConfigException: (.+)");

    private final boolean portTaken;

    private StartFailure(Exit exit, String message, boolean portTaken) {
        super(exit, message);
        this.portTaken = portTaken;
    }

    /** Whether another choice of ports could help. */
    boolean portTaken() {
        return portTaken;
    }

    /** A process has ended before it was ready. */
    static StartFailure ended(BrokerProcess broker) {
        return explain(broker.node(), broker.exitCode(), broker.lastLines());
    }

    /** Processes are there, but the cluster did not come together in time. */
    static StartFailure notReady(BrokerProcess broker, Throwable last) {
        String cause = last == null ? "" : " (last answer: " + last + ")";
        return new StartFailure(
                Exit.INTERNAL,
                "The lab was not ready in time" + cause + "; the last lines of broker "
                        + broker.node().id() + ":"
                        + shown(broker.lastLines()),
                false);
    }

    /** Finds the reason in what the broker wrote; the lines are those of its log, oldest first. */
    static StartFailure explain(LabNode node, OptionalInt exitCode, List<String> log) {
        String text = String.join("\n", log);
        String who = "Broker " + node.id() + " did not start: ";
        Matcher config = CONFIG.matcher(text);
        String because;
        Exit exit = Exit.INTERNAL;
        boolean portTaken = false;
        if (text.contains("Address already in use")) {
            Matcher bind = BIND.matcher(text);
            because = (bind.find() ? bind.group(1) : "its port") + " is taken by another process.";
            portTaken = true;
        } else if (text.contains("No space left on device")) {
            because = "no space is left on the disk of " + node.directory() + ".";
        } else if (isAboutMemory(text)) {
            because = "this machine cannot give it the heap that was asked for; give a smaller one (--heap).";
            exit = Exit.USAGE;
        } else if (config.find()) {
            because = "it refuses its configuration: "
                    + withoutStop(config.group(1).strip()) + ".";
            exit = Exit.USAGE;
        } else {
            because = "its process ended" + code(exitCode) + ".";
        }
        return new StartFailure(exit, who + because + " Its last lines:" + shown(log), portTaken);
    }

    private static String withoutStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    private static boolean isAboutMemory(String text) {
        return text.contains("Could not reserve enough space")
                || text.contains("insufficient memory for the Java Runtime Environment")
                || text.contains("java.lang.OutOfMemoryError")
                || text.contains("maximum heap size");
    }

    private static String code(OptionalInt exitCode) {
        if (exitCode.isEmpty()) {
            return "";
        }
        return exitCode.getAsInt() == EXIT_KILLED
                ? " by a KILL signal (often the system's answer to too little memory)"
                : " with code " + exitCode.getAsInt();
    }

    /** The lines that are more than notes of progress, if there are any: a broker that fails goes on to tell how it ends. */
    private static String shown(List<String> log) {
        List<String> telling =
                log.stream().filter(line -> !PROGRESS.matcher(line).find()).toList();
        List<String> lines = telling.isEmpty() ? log : telling;
        if (lines.isEmpty()) {
            return "\n  (it wrote nothing)";
        }
        return lines.stream()
                .skip(Math.max(0, lines.size() - SHOWN_LINES))
                .map(line -> "\n  " + line)
                .collect(Collectors.joining());
    }
}
