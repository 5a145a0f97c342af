package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.lab.UndoWarden;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs a command of the user against a broker, after consent. */
public final class ExecFault {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final List<String> SHELL =
            List.of("sh", "-c", "command=$PLIMSOLL_COMMAND; unset PLIMSOLL_COMMAND; eval \"$command\"");

    public static final Key<Optional<String>> EXEC = FaultSpec.command("exec");

    public static final Key<Optional<Target>> ON = FaultSpec.broker("on");

    public static final Key<Optional<String>> UNDO = FaultSpec.command("undo").noneByDefault();

    /**
     * Runs the undo command even after a failed command, because Plimsoll cannot repair the effects of commands itself.
     */
    static final Fault<Commands> KIND = new Fault<>(
                    EXEC,
                    fault -> fault.get(EXEC).map(command -> fault.get(ON).orElse(new Target.Any())),
                    (victims, target) -> {
                        Fault.Victim<RunResult.Broker> found = victims.address(target);
                        return new Fault.Victim<>(new Commands(found.it(), LIMIT), found.name(), found.broker());
                    },
                    FaultKind.Outage.NONE,
                    Commands::begin,
                    Commands::end)
            .saying((name, spec) -> Sentence.of("run.fault.exec", Secrets.HIDDEN, name))
            .with(ON, UNDO)
            .having(
                    Trait.LOSES_RECORDS,
                    Trait.ENDS_QUICKLY,
                    Trait.ENDS_AFTER_FAILURE,
                    Trait.ANYWHERE,
                    Trait.NEEDS_BROKER,
                    Trait.CONSENTED);

    /** Receives each started process. */
    public interface Started {
        void process(long pid) throws IOException;
    }

    /**
     * Runs a shell command and waits for it to finish.
     *
     * @throws PlimsollException {@link Exit#CLUSTER} if the command fails or exceeds the limit
     */
    public static void run(String command, Map<String, String> environment, Duration limit, Started started)
            throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(SHELL)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(environment);
        builder.environment().put(UndoWarden.COMMAND, command);
        Process process = null;
        try {
            process = builder.start();
            process.getOutputStream().close();
            started.process(process.pid());
            Exit.CLUSTER.when(
                    !process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS), "run.commandTooLong", limit.toSeconds());
            Exit.CLUSTER.when(process.exitValue() != 0, "run.commandFailed", process.exitValue());
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "run.commandNotRun", e);
        } finally {
            if (process != null && process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
    }

    /**
     * The commands of one fault, with the broker in environment variables. The output of the commands is discarded,
     * because it can contain secrets.
     */
    static final class Commands {
        private final Map<String, String> environment;
        private final Duration limit;
        private @Nullable UndoWarden warden;

        Commands(RunResult.Broker broker, Duration limit) {
            this.limit = limit;
            environment = Map.of(
                    "PLIMSOLL_BROKER_ID", Integer.toString(broker.id()),
                    "PLIMSOLL_BROKER_HOST", broker.host(),
                    "PLIMSOLL_BROKER_PORT", Integer.toString(broker.port()));
        }

        void begin(FaultSpec spec) throws InterruptedException {
            try {
                if (spec.get(UNDO).isPresent()) {
                    warden = UndoWarden.start(spec.get(UNDO).get(), environment);
                }
                run(spec.get(EXEC).orElseThrow());
            } catch (IOException e) {
                throw Exit.INTERNAL.because(e, "run.commandNotRun", e);
            }
        }

        void end(FaultSpec spec) throws InterruptedException {
            try {
                if (spec.get(UNDO).isPresent()) {
                    run(spec.get(UNDO).get());
                }
                // The warden, which undoes an interrupted command, is not needed after the undo.
                if (warden != null) {
                    warden.release();
                    warden = null;
                }
            } catch (IOException e) {
                throw Exit.INTERNAL.because(e, "run.commandNotRun", e);
            }
        }

        private void run(String command) throws InterruptedException {
            ExecFault.run(command, environment, limit, pid -> {
                if (warden != null) {
                    warden.after(pid);
                }
            });
        }
    }
}
