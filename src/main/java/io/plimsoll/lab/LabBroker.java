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
 * @param alive whether that process is there (a paused one is)
 * @param paused whether that process is there and stopped by a signal
 * @param dataDirectory the broker's log directory
 * @param logFile what the broker says about itself
 */
public record LabBroker(
        int id,
        String host,
        int port,
        int controllerPort,
        long pid,
        boolean alive,
        boolean paused,
        Path dataDirectory,
        Path logFile) {

    /** The broker's address as in {@code bootstrap.servers}. */
    public String address() {
        return host + ":" + port;
    }
}
