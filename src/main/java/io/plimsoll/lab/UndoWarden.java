package io.plimsoll.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A shell process that runs a user's undo command if this JVM ends, even by SIGKILL, before {@link #release}. Used by
 * one thread at a time.
 */
public final class UndoWarden {
    /** Environment variable with the command; other users can read command lines, but not the environment. */
    public static final String COMMAND = "PLIMSOLL_COMMAND";

    private final OutputStream orders;

    private UndoWarden(OutputStream orders) {
        this.orders = orders;
    }

    public static UndoWarden start(String undo, Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put(COMMAND, undo);
        Path here = Path.of("").toAbsolutePath();
        return new UndoWarden(Warden.shell("undo-warden.sh", List.of("plimsoll-undo"), here, all)
                .getOutputStream());
    }

    /** Makes the warden wait up to a minute for this process to end before the undo. */
    public void after(long pid) throws IOException {
        Warden.order(orders, "after " + pid);
    }

    /** Ends the warden without running the undo command. */
    public void release() throws IOException {
        Warden.order(orders, "release");
        orders.close();
    }
}
