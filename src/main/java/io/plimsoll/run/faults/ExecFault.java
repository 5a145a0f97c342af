package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Texts;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A command that the user has given, and allowed, does something to a broker. */
public final class ExecFault {
    private static final long LIMIT_SECONDS = 60;
    private static final int SHOWN_CHARACTERS = 200;

    public static final Key<Optional<String>> EXEC = FaultKeys.command("exec")
            .about("a command of yours is run by the shell; needs `--allow-exec`", "由 shell 执行您的命令；需要 `--allow-exec`");

    public static final Key<Optional<Target>> ON = FaultKeys.broker("on")
            .byDefault("`any`", "`any`")
            .about("for `exec`: the broker that the command is told of", "用于 `exec`：告知该命令的 broker");

    public static final Key<Optional<String>> UNDO = FaultKeys.command("undo")
            .byDefault("none", "无")
            .about(
                    "for `exec`: a command that ends the fault, when it is over or the run is interrupted",
                    "用于 `exec`：在故障结束或运行被中断时结束故障的命令");

    /** It ends quickly, since nobody else would put right what the user's own command has done. */
    static final Fault<RunResult.Broker> KIND = new Fault<>(
                    EXEC,
                    fault -> fault.get(EXEC).map(command -> fault.get(ON).orElse(new Target.Any())),
                    Victims::address,
                    (broker, spec) -> run(spec.get(EXEC).orElseThrow(), broker),
                    (broker, spec) -> {
                        if (spec.get(UNDO).isPresent()) {
                            run(spec.get(UNDO).get(), broker);
                        }
                    })
            .saying((whom, spec) ->
                    Sentence.of("run.fault.exec", Texts.shown(spec.get(EXEC).orElseThrow()), whom))
            .with(ON, UNDO)
            .losingRecords()
            .endingQuickly()
            .anywhere()
            .withConsent();

    private ExecFault() {}

    private static void run(String command, RunResult.Broker address) throws InterruptedException {
        Path output = null;
        try {
            output = Files.createTempFile("plimsoll-exec-", ".txt");
            ProcessBuilder builder = new ProcessBuilder("sh", "-c", command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment()
                    .putAll(Map.of(
                            "PLIMSOLL_BROKER_ID", Integer.toString(address.id()),
                            "PLIMSOLL_BROKER_HOST", address.host(),
                            "PLIMSOLL_BROKER_PORT", Integer.toString(address.port())));
            Process process = builder.start();
            process.getOutputStream().close();
            await(process, output);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "run.commandNotRun", e);
        } finally {
            remove(output);
        }
    }

    private static void await(Process process, Path output) throws InterruptedException, IOException {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw Exit.CLUSTER.because("run.commandTooLong", LIMIT_SECONDS, said(output));
            }
            if (process.exitValue() != 0) {
                throw Exit.CLUSTER.because("run.commandFailed", process.exitValue(), said(output));
            }
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    private static String said(Path output) throws IOException {
        String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .strip()
                .replaceAll("\\s+", " ");
        return text.isEmpty() ? "" : ": " + text.substring(Math.max(0, text.length() - SHOWN_CHARACTERS));
    }

    private static void remove(Path output) {
        try {
            if (output != null) {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            // A temporary file; what the command did is what counts.
        }
    }
}
