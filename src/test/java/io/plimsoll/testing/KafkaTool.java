package io.plimsoll.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One of Kafka's own tools, run as a process. */
public final class KafkaTool {
    private static final long LIMIT_SECONDS = 90;

    private KafkaTool() {}

    /**
     * Runs the tool to completion.
     *
     * @param name main class, such as {@code ProducerPerformance}
     * @return its standard output
     */
    public static String run(Path scratch, String name, String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(scratch, name, ".out");
        Path err = Files.createTempFile(scratch, name, ".err");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "org.apache.kafka.tools." + name));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("%s ended in time", name)
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        return Files.readString(out);
    }
}
