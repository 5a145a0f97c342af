package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.Secrets;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A command that the user has given, and allowed, does something to a broker. */
public final class ExecFault {
    private static final long LIMIT_SECONDS = 60;
    /** Everybody can read a command line, and nobody else what is in an environment. */
    private static final List<String> SHELL =
            List.of("sh", "-c", "command=$PLIMSOLL_COMMAND; unset PLIMSOLL_COMMAND; eval \"$command\"");

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
            .saying((whom, spec) -> Sentence.of("run.fault.exec", Secrets.HIDDEN, whom))
            .with(ON, UNDO)
            .losingRecords()
            .endingQuickly()
            .anywhere()
            .withConsent();

    private ExecFault() {}

    private static void run(String command, RunResult.Broker address) throws InterruptedException {
        try {
            ProcessBuilder builder = new ProcessBuilder(SHELL)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("PLIMSOLL_COMMAND", command);
            builder.environment()
                    .putAll(Map.of(
                            "PLIMSOLL_BROKER_ID", Integer.toString(address.id()),
                            "PLIMSOLL_BROKER_HOST", address.host(),
                            "PLIMSOLL_BROKER_PORT", Integer.toString(address.port())));
            Process process = builder.start();
            process.getOutputStream().close();
            await(process);
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "run.commandNotRun", e);
        }
    }

    private static void await(Process process) throws InterruptedException {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw Exit.CLUSTER.because("run.commandTooLong", LIMIT_SECONDS);
            }
            if (process.exitValue() != 0) {
                throw Exit.CLUSTER.because("run.commandFailed", process.exitValue());
            }
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }
}
