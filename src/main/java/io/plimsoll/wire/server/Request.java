package io.plimsoll.wire.server;

import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiMessage;

/** A request that was read, to be handed to whoever answers it: {@link ServerApis}, or {@link FetchSend}. Immutable. */
public record Request(short apiKey, short version, int correlationId, ApiMessage message) {
    public boolean fetches() {
        return message instanceof FetchRequestData;
    }

    /** The time for which this fetch may wait for {@link #minBytes}. */
    public int maxWaitMillis() {
        return ((FetchRequestData) message).maxWaitMs();
    }

    /** The bytes of batches that are worth an answer to this fetch. */
    public int minBytes() {
        return ((FetchRequestData) message).minBytes();
    }
}
