package io.plimsoll.lab;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A shell process that runs a command as soon as this JVM is gone, be it by SIGKILL, unless it was released before: nobody
 * else would put right what a command of the user has done. Used by one thread at a time.
 */
public final class UndoWarden {
    /** In the environment, where, unlike on a command line, only its user reads the command. */
    public static final String COMMAND = "PLIMSOLL_COMMAND";

    private final OutputStream orders;

    private UndoWarden(OutputStream orders) {
        this.orders = orders;
    }

    /** Starts one with more variables in its environment. */
    public static UndoWarden start(String undo, Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>(environment);
        all.put(COMMAND, undo);
        Path here = Path.of("").toAbsolutePath();
        return new UndoWarden(Warden.shell("undo-warden.sh", List.of("plimsoll-undo"), here, all)
                .getOutputStream());
    }

    /** Has it wait for the end of this process, for a minute at most, before it undoes what that has done. */
    public void after(long pid) throws IOException {
        Warden.order(orders, "after " + pid);
    }

    /** There is nothing left to undo. */
    public void release() throws IOException {
        Warden.order(orders, "release");
        orders.close();
    }
}
