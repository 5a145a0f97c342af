package io.plimsoll.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** How long the kernel may put off the wake-ups of a thread to save power: by default 50 µs on Linux, and every one is. */
final class TimerSlack {
    private static final Path THREAD = Path.of("/proc/thread-self");

    private TimerSlack() {}

    /**
     * Asks for none in the calling thread. What a sleep takes beyond that is how long a core needs to wake up.
     *
     * @return false where that cannot be asked for, as on other systems than Linux; then nothing has changed
     */
    static boolean least() {
        try {
            Path thread = Files.readSymbolicLink(THREAD).getFileName();
            Path slack = Path.of("/proc").resolve(thread).resolve("timerslack_ns");
            Files.writeString(slack, "1", StandardOpenOption.WRITE);
            return true;
        } catch (IOException | UnsupportedOperationException | SecurityException e) {
            return false;
        }
    }
}
