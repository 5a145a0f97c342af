package io.plimsoll.observe.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.measure.Incident;
import io.plimsoll.measure.Incident.Kind;
import io.plimsoll.observe.incident.IncidentSink;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A broker's collections are placed in the trial's time within the error that the incident states. */
class JmxPausesTest {
    private static final long MILLI = 1_000_000;

    private long zeroNanos = System.nanoTime() - TimeUnit.HOURS.toNanos(1);
    private final IncidentSink sink = new IncidentSink(0, 0);
    private long collections;
    private long[] last;
    private double queue;
    private double idle;

    private final JmxPauses.Requests broker = new JmxPauses.Requests() {
        @Override
        public long uptime() {
            return (System.nanoTime() - zeroNanos + 30 * MILLI) / MILLI;
        }

        @Override
        public List<String> collectors() {
            return List.of(
                    "java.lang:name=G1 Young Generation,type=GarbageCollector", "java.lang:name=G1 Concurrent GC");
        }

        @Override
        public double number(String bean, String attribute) {
            assertThat(bean).doesNotContain("Concurrent");
            if (bean.contains("=RequestHandler")) {
                // With the idle threads of a controller in the same process.
                return System.nanoTime();
            }
            return bean.startsWith("java.lang") ? collections : bean.contains("Queue") ? queue : idle;
        }

        @Override
        public long[] lastCollection(String bean) {
            return last;
        }
    };

    private void collect(long millis) {
        long end = (System.nanoTime() - zeroNanos) / MILLI;
        last = new long[] {end - millis, end};
        collections++;
    }

    @Test
    void findsEachCollectionOnceWithItsTime() throws IOException, InterruptedException {
        JmxPauses pauses = new JmxPauses("broker 1", false);
        pauses.look(broker, sink);
        for (int i = 0; i < 5; i++) {
            TimeUnit.MILLISECONDS.sleep(13);
            collect(40);
            TimeUnit.MILLISECONDS.sleep(7);
            pauses.look(broker, sink);
            pauses.look(broker, sink);
            long from = zeroNanos + last[0] * MILLI;
            List<Incident> found = sink.take();
            assertThat(found).extracting(Incident::detail).containsExactly("G1 Young Generation");
            assertThat(Math.abs(found.get(0).fromNanos() - from))
                    .isLessThanOrEqualTo(found.get(0).errorNanos());
        }
        collect(9);
        pauses.look(broker, sink);
        assertThat(sink.take()).as("too short").isEmpty();
    }

    /** A pause beyond the response limit ends the connection, and the process has another origin after a restart. */
    @Test
    void findsCollectionOverNewConnectionButNotAfterRestart() throws IOException, InterruptedException {
        JmxPauses pauses = new JmxPauses("broker 1", false);
        pauses.look(broker, sink);
        JmxPauses.Requests hanging = failing();
        assertThatThrownBy(() -> pauses.look(hanging, sink)).isInstanceOf(SocketTimeoutException.class);
        collect(40);
        TimeUnit.MILLISECONDS.sleep(2);
        pauses.look(broker, sink);
        assertThat(sink.take()).extracting(Incident::kind).containsExactly(Kind.GC);
        zeroNanos += TimeUnit.SECONDS.toNanos(30);
        collect(40);
        TimeUnit.MILLISECONDS.sleep(110);
        pauses.look(broker, sink);
        assertThat(sink.take()).as("of another process").isEmpty();
        TimeUnit.MILLISECONDS.sleep(45);
        collect(40);
        TimeUnit.MILLISECONDS.sleep(2);
        pauses.look(broker, sink);
        long from = zeroNanos + last[0] * MILLI;
        List<Incident> found = sink.take();
        assertThat(found).extracting(Incident::kind).containsExactly(Kind.GC);
        assertThat(Math.abs(found.get(0).fromNanos() - from))
                .isLessThanOrEqualTo(found.get(0).errorNanos());
    }

    private JmxPauses.Requests failing() {
        return (JmxPauses.Requests) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JmxPauses.Requests.class}, (proxy, method, arguments) -> {
                    throw new SocketTimeoutException();
                });
    }

    @Test
    void handlersAreBusyWhileRequestsWaitAndNoneIsIdle() throws IOException, InterruptedException {
        JmxPauses pauses = new JmxPauses("broker 1", true);
        queue = 2;
        pauses.look(broker, sink);
        long from = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(110);
        pauses.look(broker, sink);
        queue = 0;
        pauses.look(broker, sink);
        List<Incident> found = sink.take();
        assertThat(found).extracting(Incident::kind).containsExactly(Kind.HANDLERS_BUSY);
        assertThat(found.get(0).fromNanos()).isLessThanOrEqualTo(from);
    }

    /** The queue's figure can be the controller's, in the same process. */
    @Test
    void handlersWithoutIdleTimeAreBusyEvenIfQueueIsUnknown() throws IOException, InterruptedException {
        JmxPauses pauses = new JmxPauses("broker 1", true);
        pauses.look(broker, sink);
        TimeUnit.MILLISECONDS.sleep(460);
        pauses.look(broker, sink);
        idle = System.nanoTime();
        pauses.look(broker, sink);
        assertThat(sink.take()).extracting(Incident::kind).containsExactly(Kind.HANDLERS_BUSY);
        TimeUnit.MILLISECONDS.sleep(110);
        pauses.look(broker, sink);
        idle += 300 * MILLI;
        pauses.look(broker, sink);
        assertThat(sink.take()).isEmpty();
    }
}
