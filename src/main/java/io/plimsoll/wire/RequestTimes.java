package io.plimsoll.wire;

import io.plimsoll.measure.Acknowledgment;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.measure.Incident;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.RequestCompletionHandler;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceResponse;
import org.jspecify.annotations.Nullable;

/**
 * Provides the callbacks of a producer's records with the send time and the broker of their request, and reports lost
 * connections and throttled responses. A {@link KafkaProducer} reports only averages. This class wraps the network
 * client of the producer and records the time at which each request is created, immediately before it is sent. It uses
 * the same private fields as {@link ProducerConnections}; with another client, or another {@link Producer}, all times
 * are unknown. After construction, used only on the producer's I/O thread.
 */
public final class RequestTimes {
    /** Maximum number of remembered failed requests, enough for the retries of a slow record. */
    private static final int MOST_FAILED = 64;

    private @Nullable Request current;
    private final ArrayDeque<Request> failed = new ArrayDeque<>();

    private record Request(int broker, long nanos) {}

    private final ClientEvents events;

    private RequestTimes(ClientEvents events) {
        this.events = events;
    }

    /**
     * Observes this producer's requests from now on.
     * @param events receives lost connections and throttle times
     */
    public static RequestTimes of(Producer<?, ?> producer, ClientEvents events) {
        RequestTimes times = new RequestTimes(events);
        if (producer instanceof KafkaProducer<?, ?> kafka) {
            try {
                Object sender = field(KafkaProducer.class, "sender").get(kafka);
                Field client = field(sender.getClass(), "client");
                client.set(sender, times.watching((KafkaClient) client.get(sender)));
            } catch (ReflectiveOperationException | RuntimeException e) {
                // This client version is incompatible, so all times remain unknown.
            }
        }
        return times;
    }

    private static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private KafkaClient watching(KafkaClient client) {
        return (KafkaClient) Proxy.newProxyInstance(
                KafkaClient.class.getClassLoader(), new Class<?>[] {KafkaClient.class}, (proxy, method, args) -> {
                    if (args != null && args[args.length - 1] instanceof RequestCompletionHandler handler) {
                        args[args.length - 1] = watching((String) args[0], handler);
                    }
                    try {
                        return method.invoke(client, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private RequestCompletionHandler watching(String node, RequestCompletionHandler handler) {
        Request request = new Request(Integer.parseInt(node), System.nanoTime());
        return response -> {
            current = request;
            tell(request, response);
            if (failed(response)) {
                failed.addLast(request);
                if (failed.size() > MOST_FAILED) {
                    failed.removeFirst();
                }
            }
            try {
                handler.onComplete(response);
            } finally {
                current = null;
            }
        };
    }

    private void tell(Request request, ClientResponse response) {
        if (response.wasDisconnected()) {
            events.add(Incident.Kind.DISCONNECT, request.broker, request.nanos, System.nanoTime());
        } else if (response.responseBody() instanceof ProduceResponse produced
                && produced.throttleTimeMs() >= RawLink.LEAST_THROTTLE_MILLIS) {
            long now = System.nanoTime();
            events.add(Incident.Kind.QUOTA, request.broker, now, now + produced.throttleTimeMs() * 1_000_000L);
        }
    }

    private static boolean failed(ClientResponse response) {
        return response.wasDisconnected()
                || (response.responseBody() instanceof ProduceResponse produced
                        && produced.data().responses().stream()
                                .flatMap(topic -> topic.partitionResponses().stream())
                                .anyMatch(partition -> partition.errorCode() != Errors.NONE.code()));
    }

    /**
     * Sets the broker and the times of the acknowledged request. Call within a callback. If requests were created after
     * the record was sent, and failed, the earliest of them counts as the first attempt of the record, even if it
     * contained only other partitions.
     */
    public void current(Acknowledgment answer, long sentNanos) {
        Request request = current;
        if (request == null) {
            answer.to(-1, Acknowledgment.UNKNOWN, Acknowledgment.UNKNOWN);
            return;
        }
        long first = request.nanos;
        for (Iterator<Request> i = failed.descendingIterator(); i.hasNext() && first > sentNanos; ) {
            long nanos = i.next().nanos;
            first = nanos >= sentNanos ? Math.min(first, nanos) : first;
        }
        answer.to(request.broker, first, request.nanos);
    }
}
