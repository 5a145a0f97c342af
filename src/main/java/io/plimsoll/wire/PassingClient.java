package io.plimsoll.wire;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.LeastLoadedNode;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.requests.AbstractRequest;

/**
 * Passes all calls to a client, and replaces the completion handler of each request. A producer's I/O thread makes
 * about ten calls for each request, and calls through a proxy would delay its records by several microseconds.
 */
final class PassingClient implements KafkaClient {
    private final KafkaClient client;
    private final BiFunction<String, RequestCompletionHandler, RequestCompletionHandler> watching;

    /** @param watching returns the handler to use instead of a handler of a request to a node */
    PassingClient(KafkaClient client, BiFunction<String, RequestCompletionHandler, RequestCompletionHandler> watching) {
        this.client = client;
        this.watching = watching;
    }

    /** Whether this class has all methods of the client interface on the class path, which can be of another release. */
    static boolean fits() {
        try {
            return Arrays.stream(KafkaClient.class.getMethods()).allMatch(method -> {
                try {
                    return PassingClient.class
                            .getDeclaredMethod(method.getName(), method.getParameterTypes())
                            .getReturnType()
                            .equals(method.getReturnType());
                } catch (NoSuchMethodException e) {
                    return false;
                }
            });
        } catch (LinkageError e) {
            return false;
        }
    }

    @Override
    public ClientRequest newClientRequest(
            String node,
            AbstractRequest.Builder<?> builder,
            long now,
            boolean answered,
            int timeout,
            RequestCompletionHandler handler) {
        return client.newClientRequest(node, builder, now, answered, timeout, watching.apply(node, handler));
    }

    @Override
    public void close() throws IOException {
        client.close();
    }

    @Override
    public boolean isReady(Node node, long now) {
        return client.isReady(node, now);
    }

    @Override
    public boolean ready(Node node, long now) {
        return client.ready(node, now);
    }

    @Override
    public long connectionDelay(Node node, long now) {
        return client.connectionDelay(node, now);
    }

    @Override
    public long pollDelayMs(Node node, long now) {
        return client.pollDelayMs(node, now);
    }

    @Override
    public boolean connectionFailed(Node node) {
        return client.connectionFailed(node);
    }

    @Override
    public AuthenticationException authenticationException(Node node) {
        return client.authenticationException(node);
    }

    @Override
    public void send(ClientRequest request, long now) {
        client.send(request, now);
    }

    @Override
    public List<ClientResponse> poll(long timeout, long now) {
        return client.poll(timeout, now);
    }

    @Override
    public void disconnect(String node) {
        client.disconnect(node);
    }

    @Override
    public void close(String node) {
        client.close(node);
    }

    @Override
    public LeastLoadedNode leastLoadedNode(long now) {
        return client.leastLoadedNode(now);
    }

    @Override
    public int inFlightRequestCount() {
        return client.inFlightRequestCount();
    }

    @Override
    public boolean hasInFlightRequests() {
        return client.hasInFlightRequests();
    }

    @Override
    public int inFlightRequestCount(String node) {
        return client.inFlightRequestCount(node);
    }

    @Override
    public boolean hasInFlightRequests(String node) {
        return client.hasInFlightRequests(node);
    }

    @Override
    public boolean hasReadyNodes(long now) {
        return client.hasReadyNodes(now);
    }

    @Override
    public void wakeup() {
        client.wakeup();
    }

    @Override
    public ClientRequest newClientRequest(String node, AbstractRequest.Builder<?> builder, long now, boolean answered) {
        return client.newClientRequest(node, builder, now, answered);
    }

    @Override
    public void initiateClose() {
        client.initiateClose();
    }

    @Override
    public boolean active() {
        return client.active();
    }
}
