package io.plimsoll.lab;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Lets the brokers of all tests start with a third less CPU time, as those of {@code ./plimsoll} do: their classes are laid
 * out once for each build, beside the first tests, which do not wait for it.
 */
public final class FasterStarts implements LauncherSessionListener {
    private final Thread preparing = new Thread(Lab::prepare, "prepare-lab");

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        preparing.setDaemon(true);
        preparing.start();
    }

    @Override
    public void launcherSessionClosed(LauncherSession session) {
        try {
            // A file that is half written would be in the way of the next build.
            preparing.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
