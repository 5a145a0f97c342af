package io.plimsoll.lab;

import io.plimsoll.Exit;
import io.plimsoll.text.Sentence;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A file system of limited size in memory (tmpfs) for the data of each broker: it can be filled without harm to anything
 * else. To mount one takes the right to do so, which is root's.
 */
final class SmallDisk {
    private static final long MOUNT_SECONDS = 10;
    private static final int BLOCK_BYTES = 1 << 16;
    private static final int SMALLEST_BLOCK_BYTES = 1 << 10;
    /** Kafka looks at directories only. */
    private static final String BALLAST = "plimsoll-ballast";

    /** Why it cannot be had on this machine, in one sentence. */
    static final class Impossible extends Exception {
        private static final long serialVersionUID = 1L;

        final transient Sentence sentence;

        Impossible(Sentence sentence) {
            super(sentence.english());
            this.sentence = sentence;
        }
    }

    private SmallDisk() {}

    /** Mounts one at a directory; the warden unmounts it at the end, however that comes. */
    static SmallDisk mount(long bytes, Path disk, Warden warden) throws IOException, Impossible {
        Path directory = Files.createDirectories(disk);
        // Before it is mounted, so that there is no moment in which nobody would unmount it.
        warden.unmount(directory);
        mount(bytes, directory);
        return new SmallDisk();
    }

    private static void mount(long bytes, Path directory) throws IOException, Impossible {
        Process mount;
        try {
            mount = new ProcessBuilder(
                            "mount",
                            "-t",
                            "tmpfs",
                            "-o",
                            "mode=700,size=" + bytes,
                            "plimsoll-lab",
                            directory.toString())
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new Impossible(Sentence.of("lab.noMount"));
        }
        mount.getOutputStream().close();
        String said = new String(mount.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .strip()
                .replaceAll("\\s+", " ");
        try {
            if (!mount.waitFor(MOUNT_SECONDS, TimeUnit.SECONDS) || mount.exitValue() != 0) {
                throw new Impossible(
                        Sentence.of("lab.mayNotMount", said.isEmpty() ? Sentence.of("lab.mountFailed") : said));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Exit.INTERRUPTED.because(e, "lab.interruptedStarting");
        }
    }

    /** Writes until there is no room for another kibibyte. */
    void fill(Path dataDirectory) {
        int block = BLOCK_BYTES;
        try (OutputStream ballast = Files.newOutputStream(dataDirectory.resolve(BALLAST))) {
            while (block >= SMALLEST_BLOCK_BYTES) {
                try {
                    ballast.write(new byte[block]);
                } catch (IOException full) {
                    block /= 4;
                }
            }
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.diskNotFilled", dataDirectory, e);
        }
    }

    void free(Path dataDirectory) {
        try {
            Files.deleteIfExists(dataDirectory.resolve(BALLAST));
        } catch (IOException e) {
            throw Exit.INTERNAL.because(e, "lab.diskNotFreed", dataDirectory, e);
        }
    }
}
