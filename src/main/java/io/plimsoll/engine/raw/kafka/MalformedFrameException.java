package io.plimsoll.engine.raw.kafka;

import java.io.IOException;

/** Bytes that are no request; whoever sent them is disconnected. */
final class MalformedFrameException extends IOException {
    MalformedFrameException(String message) {
        super(message);
    }
}
