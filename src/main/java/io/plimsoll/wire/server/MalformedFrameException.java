package io.plimsoll.wire.server;

import java.io.IOException;

/** The input is not a valid request; the connection is closed. */
public final class MalformedFrameException extends IOException {
    public MalformedFrameException(String message) {
        super(message);
    }
}
