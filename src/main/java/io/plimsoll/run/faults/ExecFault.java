package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A command that the user has given, and allowed, does something to a broker. */
public final class ExecFault extends Fault {
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

    public ExecFault() {
        super(ON);
    }

    @Override
    public Key<?> key() {
        return EXEC;
    }

    @Override
    public List<Key<?>> keys() {
        return List.of(ON, UNDO);
    }

    @Override
    public Optional<Target> target(Settings fault) {
        return fault.get(EXEC).map(command -> fault.get(ON).orElse(new Target.Any()));
    }

    @Override
    public boolean needsEnd() {
        return false;
    }

    @Override
    public String english() {
        return "exec for {0}";
    }

    @Override
    public String chinese() {
        return "对 {0} 执行命令";
    }

    @Override
    public boolean mayLoseRecords() {
        return true;
    }

    @Override
    public boolean needsLab() {
        return false;
    }

    @Override
    public boolean needsConsent() {
        return true;
    }

    @Override
    Effect on(Target target, FaultSpec spec, Victims victims) {
        RunResult.Broker address = victims.address(victims.broker(target));
        String what = spec.text() + " for broker " + address.id() + Victims.role(target);
        return new Command(spec.get(EXEC).orElseThrow(), spec.get(UNDO), what, address);
    }

    private record Command(String command, Optional<String> undo, String what, RunResult.Broker address)
            implements Effect {
        @Override
        public Integer broker() {
            return address.id();
        }

        @Override
        public void begin() throws InterruptedException {
            run(command, address);
        }

        @Override
        public void end() throws InterruptedException {
            if (undo.isPresent()) {
                run(undo.get(), address);
            }
        }

        @Override
        public boolean endsQuickly() {
            // Nobody else would put right what the user's own command has done.
            return true;
        }
    }

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
            throw new PlimsollException(Exit.INTERNAL, Sentence.of("run.commandNotRun", e), e);
        } finally {
            remove(output);
        }
    }

    private static void await(Process process, Path output) throws InterruptedException, IOException {
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new PlimsollException(
                        Exit.CLUSTER, Sentence.of("run.commandTooLong", LIMIT_SECONDS, said(output)));
            }
            if (process.exitValue() != 0) {
                throw new PlimsollException(
                        Exit.CLUSTER, Sentence.of("run.commandFailed", process.exitValue(), said(output)));
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
