package io.plimsoll.lab;

import java.nio.file.Path;
import java.util.Objects;

/**
 * State of one lab broker at one point in time.
 *
 * @param id broker id, from 1
 * @param host client address on this host; 127.0.0.1 by default
 * @param port client port
 * @param controllerPort controller port on 127.0.0.1
 * @param pid process id, or id of the last process if the broker is not running
 * @param dataDirectory directory of the broker's record logs
 * @param logFile the broker's application log
 */
public record LabBroker(
        int id, String host, int port, int controllerPort, long pid, State state, Path dataDirectory, Path logFile) {

    /** State of a broker process. */
    public enum State {
        RUNNING,
        /** Stopped by a signal (SIGSTOP). */
        PAUSED,
        GONE
    }

    /** Working directory of the process, which contains its flight recordings. */
    public Path directory() {
        return Objects.requireNonNull(logFile.getParent());
    }

    /** The broker's log of slow produce requests, written only with {@link LabOptions#withRequestLog}. */
    public Path requestLog() {
        return logFile.resolveSibling(logFile.getFileName() + ".requests");
    }

    /** Whether the process exists, paused or not. */
    public boolean alive() {
        return state != State.GONE;
    }

    public boolean paused() {
        return state == State.PAUSED;
    }

    /** The address in the format of {@code bootstrap.servers}. */
    public String address() {
        return host + ":" + port;
    }
}
