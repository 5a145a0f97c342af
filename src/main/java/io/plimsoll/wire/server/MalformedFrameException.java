package io.plimsoll.wire.server;

import java.io.IOException;

/** Bytes that are no request; whoever sent them is disconnected. */
public final class MalformedFrameException extends IOException {
    public MalformedFrameException(String message) {
        super(message);
    }
}
