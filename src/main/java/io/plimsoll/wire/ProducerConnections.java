package io.plimsoll.wire;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.Node;

/**
 * Opens a producer's connections before its first record. A {@link KafkaProducer} connects to a leader only when it has
 * a batch for the leader, so latencies of the first records would include the connection setup (TCP, TLS,
 * authentication). No public method connects without writing. During preparation this class wraps the producer's
 * network client. At its next poll, on the producer's I/O thread, the wrapper opens the connections and then restores
 * the original client, so records never pass through it.
 *
 * <p>It uses the producer's field {@code sender} and the sender's field {@code client}, present in clients from 3.9 to
 * 4.3 ({@code ProducerConnectionsTest} lists the tested versions). With any other client, the future fails and the
 * producer is unchanged.
 */
public final class ProducerConnections {
    /**
     * @return a future that completes when every node is connected. It fails with {@link UnsupportedOperationException}
     *     for an incompatible client, or with the client's exception if a node rejects authentication. Unreachable
     *     nodes are retried until the caller cancels
     */
    public static CompletableFuture<Void> open(KafkaProducer<?, ?> producer, Collection<Node> nodes) {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        try {
            Object sender = field(KafkaProducer.class, "sender").get(producer);
            Field clientField = field(sender.getClass(), "client");
            KafkaClient original = (KafkaClient) clientField.get(sender);
            Opening opening = new Opening(original, new ArrayList<>(nodes), opened);
            KafkaClient wrapped = (KafkaClient) Proxy.newProxyInstance(
                    KafkaClient.class.getClassLoader(), new Class<?>[] {KafkaClient.class}, (proxy, method, args) -> {
                        if (method.getName().equals("poll")) {
                            return opening.poll((Long) args[0], (Long) args[1]);
                        }
                        try {
                            return method.invoke(original, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
            clientField.set(sender, wrapped);
            original.wakeup();
            return opened.whenComplete((done, failure) -> restore(clientField, sender, original));
        } catch (ReflectiveOperationException | RuntimeException e) {
            opened.completeExceptionally(
                    new UnsupportedOperationException("this Kafka client is built differently", e));
            return opened;
        }
    }

    private static void restore(Field clientField, Object sender, KafkaClient original) {
        try {
            clientField.set(sender, original);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the field was writable a moment ago", e);
        }
    }

    static Field field(Class<?> owner, String name) throws NoSuchFieldException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private record Opening(KafkaClient client, List<Node> missing, CompletableFuture<Void> opened) {
        private static final long RETRY_MILLIS = 2;

        Object poll(long timeoutMillis, long nowMillis) {
            if (opened.isDone()) {
                return client.poll(timeoutMillis, nowMillis);
            }
            for (Node node : missing) {
                if (client.authenticationException(node) != null) {
                    opened.completeExceptionally(client.authenticationException(node));
                    return client.poll(timeoutMillis, nowMillis);
                }
            }
            missing.removeIf(node -> client.ready(node, nowMillis));
            if (missing.isEmpty()) {
                opened.complete(null);
            }
            return client.poll(Math.min(timeoutMillis, RETRY_MILLIS), nowMillis);
        }
    }
}
