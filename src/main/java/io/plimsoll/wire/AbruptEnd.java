package io.plimsoll.wire;

import java.lang.reflect.Field;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;

/**
 * Ends the connections of a share consumer as those of a process end that is killed. Closing the consumer by its public
 * call would acknowledge and leave the group first, however short its time. The way to the connections leads through
 * fields that are not public, as clients of 4.2 and 4.3 have them.
 */
public final class AbruptEnd {
    private static final String[] WAY = {
        "delegate", "applicationEventHandler", "networkThread", "networkClientDelegate", "client"
    };

    private AbruptEnd() {}

    /**
     * From now on the consumer sends nothing, and need not be closed: closing it would wait for answers. Any thread.
     *
     * @return false if this client is built differently: closing it will tell the group
     */
    public static boolean of(KafkaShareConsumer<?, ?> consumer) {
        try {
            Object at = consumer;
            Object thread = null;
            for (String name : WAY) {
                Field field = at.getClass().getDeclaredField(name);
                field.setAccessible(true);
                at = field.get(at);
                thread = name.equals("networkThread") ? at : thread;
            }
            // Without its thread nothing is sent; a client that is closing sends nothing on the thread's way out
            // either.
            Field running = thread.getClass().getDeclaredField("running");
            running.setAccessible(true);
            running.setBoolean(thread, false);
            ((KafkaClient) at).initiateClose();
            return true;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return false;
        }
    }
}
