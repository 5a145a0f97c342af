package io.plimsoll.wire.server;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.ObjectSerializationCache;

/**
 * The supported APIs and versions, and their handlers except those for produce and fetch, with Kafka's message classes.
 * Thread-safe.
 */
public final class ServerApis {
    public static final short PRODUCE = ApiMessageType.PRODUCE.apiKey();
    public static final short API_VERSIONS = ApiMessageType.API_VERSIONS.apiKey();

    private record Api(ApiMessageType type, short maxVersion, Function<ApiMessage, ApiMessage> answer) {
        boolean speaks(short version) {
            return version >= type.lowestSupportedVersion() && version <= maxVersion;
        }
    }

    private final Map<Short, Api> apis = new HashMap<>();
    private final Map<Short, Short> maxVersions;

    public ServerApis(Served served) {
        maxVersions = served.maxVersions;
        add(ApiMessageType.PRODUCE, ApiMessage.class, request -> null);
        add(ApiMessageType.FETCH, ApiMessage.class, request -> null);
        add(ApiMessageType.API_VERSIONS, ApiMessage.class, request -> versions(Errors.NONE));
        new ApiHandlers(this, served);
    }

    /** Adds a handler; a null response closes the connection. */
    <T extends ApiMessage> void add(ApiMessageType type, Class<T> request, Function<T, ApiMessage> answer) {
        short newest = type.highestSupportedVersion(false);
        short most = maxVersions.getOrDefault(type.apiKey(), newest);
        apis.put(
                type.apiKey(),
                new Api(type, (short) Math.min(most, newest), message -> answer.apply(request.cast(message))));
    }

    public boolean speaks(short apiKey, short version) {
        Api api = apis.get(apiKey);
        return api != null && api.speaks(version);
    }

    private Api api(short apiKey) {
        return Objects.requireNonNull(apis.get(apiKey), "not spoken");
    }

    /** Whether the headers of requests of this API and version end in tagged fields. */
    public boolean hasFlexibleHeader(short apiKey, short version) {
        return api(apiKey).type().requestHeaderVersion(version) >= 2;
    }

    private ApiVersionsResponseData versions(Errors error) {
        ApiVersionsResponseData response = new ApiVersionsResponseData().setErrorCode(error.code());
        for (Api api : apis.values()) {
            // Brokers advertise all old produce versions, because some non-Java clients fail otherwise.
            int least = api.type() == ApiMessageType.PRODUCE ? 0 : api.type().lowestSupportedVersion();
            response.apiKeys()
                    .add(new ApiVersion()
                            .setApiKey(api.type().apiKey())
                            .setMinVersion((short) least)
                            .setMaxVersion(api.maxVersion()));
        }
        return response;
    }

    /** The response to an API versions request of an unsupported version, after which the client retries with version 0. */
    public ByteBuffer unknownVersionOfVersions(int correlationId) {
        return encode(ApiMessageType.API_VERSIONS, (short) 0, correlationId, versions(Errors.UNSUPPORTED_VERSION));
    }

    /** Parses the body of a request; fails if it is invalid. */
    public Request parse(short apiKey, short version, int correlationId, ByteBuffer body)
            throws MalformedFrameException {
        ApiMessage request = api(apiKey).type().newRequest();
        try {
            request.read(new ByteBufferAccessor(body), version);
        } catch (RuntimeException e) {
            // Kafka's generated parsers can throw any exception for corrupt input.
            throw new MalformedFrameException("not a request of API " + apiKey + ": " + e.getMessage());
        }
        if (body.hasRemaining()) {
            throw new MalformedFrameException("bytes behind the end of a request of API " + apiKey);
        }
        return new Request(apiKey, version, correlationId, request);
    }

    /** @return the response frame, from index 0 to the buffer's position */
    public ByteBuffer answer(Request request) {
        Api api = api(request.apiKey());
        return encode(
                api.type(),
                request.version(),
                request.correlationId(),
                api.answer().apply(request.message()));
    }

    private static ByteBuffer encode(ApiMessageType type, short version, int correlationId, ApiMessage response) {
        boolean flexible = type.responseHeaderVersion(version) >= 1;
        ObjectSerializationCache cache = new ObjectSerializationCache();
        int bytes = Integer.BYTES + (flexible ? 1 : 0) + response.size(cache, version);
        ByteBuffer frame = ByteBuffer.allocate(Integer.BYTES + bytes);
        frame.putInt(bytes).putInt(correlationId);
        if (flexible) {
            frame.put((byte) 0);
        }
        response.write(new ByteBufferAccessor(frame), cache, version);
        return frame;
    }
}
