package io.plimsoll.wire.server;

import org.apache.kafka.common.message.FetchRequestData;
import org.apache.kafka.common.protocol.ApiMessage;

/** A parsed request for {@link ServerApis} or {@link FetchSend}. Immutable. */
public record Request(short apiKey, short version, int correlationId, ApiMessage message) {
    public boolean fetches() {
        return message instanceof FetchRequestData;
    }

    /** Maximum wait of this fetch request for {@link #minBytes}, in ms. */
    public int maxWaitMillis() {
        return ((FetchRequestData) message).maxWaitMs();
    }

    /** Minimum batch bytes in the response to this fetch request. */
    public int minBytes() {
        return ((FetchRequestData) message).minBytes();
    }
}
