package io.plimsoll.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ephemeral lab ends completely with its parent, even if the parent could not clean up. */
class ParentDeathTest {
    private static final long PATIENCE_MILLIS = 30_000;

    /** Starts a lab, prints its location, and waits to be killed. */
    static final class Parent {
        public static void main(String[] args) throws InterruptedException {
            Lab lab = Lab.start(LabOptions.ephemeral(2).withHeapMegabytes(256).withDirectory(Path.of(args[0])));
            // A stopped process does not react by itself.
            lab.pause(2);
            lab.brokers().forEach(broker -> System.out.println(broker.pid()));
            System.out.println("ready");
            Thread.sleep(Long.MAX_VALUE);
        }
    }

    @Test
    void killedParentLeavesNoBrokersOrData(@TempDir Path scratch) throws Exception {
        Path directory = Files.createDirectory(scratch.resolve("lab"));
        Path bystander = Files.writeString(directory.resolve("not-of-the-lab"), "stays");
        Process parent = Child.java(Parent.class, directory)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            List<Long> pids = List.of(Long.parseLong(out.readLine()), Long.parseLong(out.readLine()));
            assertThat(out.readLine()).isEqualTo("ready");
            assertThat(pids).allMatch(ParentDeathTest::isThere);

            parent.destroyForcibly().waitFor();

            await(() -> pids.stream().noneMatch(ParentDeathTest::isThere));
            await(() -> entries(directory).equals(List.of(bystander)));
        } finally {
            parent.destroyForcibly();
        }
        assertThat(entries(directory)).containsExactly(bystander);
    }

    private static boolean isThere(long pid) {
        return ProcessHandle.of(pid)
                .filter(process -> process.info().commandLine().orElse("").contains("BrokerMain"))
                .isPresent();
    }

    private static List<Path> entries(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds after the deadline")
                    .isNegative();
            Thread.sleep(50);
        }
    }
}
