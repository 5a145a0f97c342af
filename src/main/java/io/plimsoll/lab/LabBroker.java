package io.plimsoll.lab;

import java.nio.file.Path;

/**
 * One broker of a lab as it was when asked.
 *
 * @param id the broker id, from 1
 * @param host address of this machine where clients connect: 127.0.0.1 unless asked for otherwise
 * @param port where clients connect
 * @param controllerPort where the controllers talk to each other, on 127.0.0.1
 * @param pid the process; of the last one if the broker is not running
 * @param dataDirectory the broker's log directory
 * @param logFile what the broker says about itself
 */
public record LabBroker(
        int id, String host, int port, int controllerPort, long pid, State state, Path dataDirectory, Path logFile) {

    /** The state of a broker's process. */
    public enum State {
        RUNNING,
        /** Stopped by a signal. */
        PAUSED,
        GONE
    }

    /** Whether its process is there, be it paused. */
    public boolean alive() {
        return state != State.GONE;
    }

    public boolean paused() {
        return state == State.PAUSED;
    }

    /** The broker's address as in {@code bootstrap.servers}. */
    public String address() {
        return host + ":" + port;
    }
}
