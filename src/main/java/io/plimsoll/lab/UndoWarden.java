package io.plimsoll.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A shell process that runs a command when this JVM is gone, even by SIGKILL, unless released first: only this command
 * can undo the effects of a user's command. Confined to one thread at a time.
 */
public final class UndoWarden {
    /** The command is passed in the environment, which other users cannot read, unlike a command line. */
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

    /** Waits up to a minute for this process to end before the undo. */
    public void after(long pid) throws IOException {
        Warden.order(orders, "after " + pid);
    }

    /** Ends the warden without the undo. */
    public void release() throws IOException {
        Warden.order(orders, "release");
        orders.close();
    }
}
