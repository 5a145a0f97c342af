package io.plimsoll.web;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Sets the limits of the JDK's web server as the program does. The JDK reads them once, when a JVM creates its first
 * server, which can be the server of another test.
 */
public final class ServerLimits implements LauncherSessionListener {
    @Override
    public void launcherSessionOpened(LauncherSession session) {
        try {
            Class.forName(WebServer.class.getName());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
