package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.FaultSpec.Action.Exec;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command that the user has given, and allowed, does something to a broker. */
record ExecEffect(Exec exec, String what, RunResult.Broker address) implements Effect {
    private static final long LIMIT_SECONDS = 60;
    private static final int SHOWN_CHARACTERS = 200;

    @Override
    public Integer broker() {
        return address.id();
    }

    @Override
    public void begin() throws InterruptedException {
        run(exec.command());
    }

    @Override
    public void end() throws InterruptedException {
        if (exec.undo().isPresent()) {
            run(exec.undo().get());
        }
    }

    private void run(String command) throws InterruptedException {
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

    @Override
    public boolean endsQuickly() {
        // Nobody else would put right what the user's own command has done.
        return true;
    }
}
