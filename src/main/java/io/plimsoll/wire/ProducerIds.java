package io.plimsoll.wire;

import java.util.function.Consumer;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;

/** Requests the producer id of an idempotent producer. */
public final class ProducerIds {
    private ProducerIds() {}

    /**
     * @param error 0 if none
     * @param id producer id
     * @param epoch producer epoch
     */
    public record Answer(short error, long id, short epoch) {}

    /**
     * Sends the request over an idle link.
     *
     * @param found receives the response on the network thread, null if none
     */
    public static void send(RawLink link, String clientId, Consumer<Answer> found) {
        InitProducerIdRequestData data = new InitProducerIdRequestData()
                .setTransactionalId(null)
                .setTransactionTimeoutMs(Integer.MAX_VALUE)
                .setProducerId(-1)
                .setProducerEpoch((short) -1);
        link.ask(
                new InitProducerIdRequest.Builder(data).build(link.version(ApiKeys.INIT_PRODUCER_ID)),
                clientId,
                (response, version) -> {
                    var answer = InitProducerIdResponse.parse(response, version).data();
                    return new Answer(answer.errorCode(), answer.producerId(), answer.producerEpoch());
                },
                found);
    }
}
