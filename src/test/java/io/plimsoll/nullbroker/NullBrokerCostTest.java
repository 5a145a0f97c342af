package io.plimsoll.nullbroker;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.apache.kafka.common.Uuid;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Discarding records produces no garbage, which would count against the generator in the same process. */
@Timeout(60)
class NullBrokerCostTest {
    private static final int IN_FLIGHT = 5;

    @ParameterizedTest
    @CsvSource({"8, 0", "12, 0", "12, 1"})
    void produceRequestAllocatesAlmostNothing(short version, long delayMillis) throws Exception {
        NullBrokerBehaviour behaviour = Misbehaving.delay(java.time.Duration.ofMillis(delayMillis));
        try (NullBroker broker = NullBroker.start(
                        new NullBrokerOptions().topic("lean", 1).behaviour(behaviour));
                SocketClient client = new SocketClient(broker)) {
            ByteBuffer frame = PlainProduceRequest.of(
                    "lean", Uuid.ZERO_UUID, PlainProduceRequest.batch(100, 100), version, (short) 1, 1);
            exchange(client, frame, 2000);
            long before = allocatedByLoops(broker);
            int requests = 5000;
            exchange(client, frame, requests);
            double perRequest = (allocatedByLoops(broker) - before) / (double) requests;
            assertThat(perRequest).isLessThan(512);
        }
    }

    private static void exchange(SocketClient client, ByteBuffer frame, int requests) throws Exception {
        for (int i = 0; i < requests; i += IN_FLIGHT) {
            for (int j = 0; j < IN_FLIGHT; j++) {
                client.send(frame.duplicate());
            }
            for (int j = 0; j < IN_FLIGHT; j++) {
                client.receive();
            }
        }
    }

    private static long allocatedByLoops(NullBroker broker) {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        String name = "null-broker-" + broker.port() + "-0";
        long[] ids = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .mapToLong(Thread::getId)
                .toArray();
        assertThat(ids).hasSize(1);
        return threads.getThreadAllocatedBytes(ids[0]);
    }
}
