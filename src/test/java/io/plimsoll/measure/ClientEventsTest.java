package io.plimsoll.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Incident.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Throttle times of successive responses are one incident per broker; separate incidents stay separate. */
class ClientEventsTest {
    private static final long MILLI = 1_000_000;
    private final ClientEvents events = new ClientEvents();

    @Test
    void mergesSuccessiveEqualIncidents() {
        events.add(Kind.QUOTA, 1, 0, 100 * MILLI);
        events.add(Kind.QUOTA, 2, 50 * MILLI, 60 * MILLI);
        events.add(Kind.DISCONNECT, 1, 90 * MILLI, 95 * MILLI);
        events.add(Kind.QUOTA, 1, 105 * MILLI, 200 * MILLI);
        events.add(Kind.QUOTA, 1, 300 * MILLI, 310 * MILLI);

        List<Incident> taken = events.take();
        assertThat(taken)
                .extracting(i ->
                        i.kind().word() + " " + i.where() + " " + i.fromNanos() / MILLI + "-" + i.toNanos() / MILLI)
                .containsExactly(
                        "quota broker 1 0-200",
                        "quota broker 2 50-60",
                        "disconnect broker 1 90-95",
                        "quota broker 1 300-310");
        assertThat(events.take()).isEmpty();
    }
}
