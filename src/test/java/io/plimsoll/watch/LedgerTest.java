package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.result.Json;
import io.plimsoll.watch.Attempts.Attempt;
import io.plimsoll.watch.WatchStatus.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Guards that an outage which outlives its process is one outage, from its start to the first success, in virtual time.
 */
class LedgerTest {
    private long now = Duration.ofDays(1).toNanos();
    private final List<Outage> told = new ArrayList<>();
    private Instant begin;
    private Ledger next;

    private Ledger ledger() {
        // Each process has its own running time.
        WatchClock clock = new WatchClock(Duration.ofHours(1).toNanos(), () -> now, () -> 0);
        return new Ledger(clock, Duration.ofSeconds(1), Duration.ofMillis(400), told::add);
    }

    private void pass(Ledger ledger, Duration time) {
        now += time.toNanos();
        ledger.look();
    }

    private Instant instant() {
        return Instant.EPOCH.plusNanos(now);
    }

    @BeforeEach
    void aProcessEndsWhileABrokerIsOut() throws Exception {
        Ledger first = ledger();
        first.end(Signal.METADATA, 2, first.begin(Signal.METADATA, 2), true);
        begin = instant();
        Attempt failing = first.begin(Signal.METADATA, 2);
        first.tell(Signal.METADATA, 2, "networkDisconnect");
        pass(first, Duration.ofSeconds(1));
        first.end(Signal.METADATA, 2, failing, false);
        assertThat(told).containsExactly(new Outage(Signal.METADATA, 2, begin, null, "networkDisconnect"));
        WatchFiles.Accounts accounts = new WatchFiles.Accounts(
                WatchStatus.SCHEMA,
                UUID.randomUUID(),
                begin,
                "cluster",
                "topic",
                List.of(new WatchFiles.Address(2, "kafka2", 9092)),
                first.counted(),
                first.outages());
        told.clear();
        now += Duration.ofMinutes(5).toNanos();
        next = ledger();
        next.restore(Json.MAPPER.readValue(Json.line(accounts), WatchFiles.Accounts.class), List.of());
        next.look();
    }

    private Outage over() {
        return new Outage(Signal.METADATA, 2, begin, instant(), "networkDisconnect");
    }

    @Test
    void outageLastsUntilNextSuccess() {
        assertThat(next.outages()).containsExactly(new Outage(Signal.METADATA, 2, begin, null, "networkDisconnect"));
        assertThat(told).isEmpty();
        next.end(Signal.METADATA, 2, next.begin(Signal.METADATA, 2), true);
        next.look();
        assertThat(told).containsExactly(over());
        assertThat(next.outages()).containsExactly(over());
        next.end(Signal.METADATA, 2, next.begin(Signal.METADATA, 2), true);
        next.look();
        assertThat(told).hasSize(1);
    }

    @Test
    void outageContinuesIfNextAttemptFails() {
        Attempt failing = next.begin(Signal.METADATA, 2);
        pass(next, Duration.ofSeconds(5));
        assertThat(told).containsExactly(new Outage(Signal.METADATA, 2, begin, null, "networkDisconnect"));
        assertThat(next.outages()).hasSize(1);
        next.end(Signal.METADATA, 2, failing, true);
        next.look();
        assertThat(next.outages()).containsExactly(over());
    }

    @Test
    void outageEndsWhenBrokerIsRemoved() {
        next.onlyOf(Set.of(2));
        next.look();
        assertThat(told).isEmpty();
        next.onlyOf(Set.of(1, 3));
        next.look();
        assertThat(told).containsExactly(over());
    }

    @Test
    void outageEndsWhenNoLongerProbed() {
        next.forget(Signal.METADATA, 2);
        next.look();
        assertThat(told).containsExactly(over());
    }

    @Test
    void manyLaterOutagesKeepOngoingOne() {
        for (int i = 0; i < 250; i++) {
            Attempt failing = next.begin(Signal.METADATA, 1);
            pass(next, Duration.ofSeconds(5));
            next.end(Signal.METADATA, 1, failing, true);
            pass(next, Duration.ofSeconds(1));
        }
        assertThat(next.outages())
                .hasSize(201)
                .contains(new Outage(Signal.METADATA, 2, begin, null, "networkDisconnect"));
    }

    private static double share(Ledger ledger, Signal signal) {
        return ledger.counted().stream()
                .filter(c -> c.signal() == signal && c.broker() == 1)
                .mapToDouble(c -> 1 - c.availability().all().share())
                .findFirst()
                .orElseThrow();
    }

    /**
     * Another broker leads after 3.5 s, and until 30 s after the broker has returned; attempts that fail in between are
     * not acknowledged.
     */
    @Test
    void outageCostsEachSignalEqualShareOfTime() {
        Ledger ledger = ledger();
        List<Attempt> produced = new ArrayList<>();
        List<Attempt> toRead = new ArrayList<>();
        for (int tenth = 0; tenth < 750; tenth++) {
            boolean down = tenth >= 200 && tenth < 340;
            boolean leads = tenth < 235 || tenth >= 640;
            ledger.end(Signal.METADATA, 1, ledger.begin(Signal.METADATA, 1), !down);
            if (leads) {
                produced.add(ledger.begin(Signal.PRODUCE, 1));
                toRead.add(ledger.begin(Signal.END_TO_END, 1));
            } else {
                ledger.unmade(Signal.PRODUCE, 1);
                ledger.unmade(Signal.END_TO_END, 1);
            }
            pass(ledger, Duration.ofMillis(100));
            if (!down) {
                produced.forEach(attempt -> ledger.end(Signal.PRODUCE, 1, attempt, true));
                toRead.forEach(attempt -> ledger.end(Signal.END_TO_END, 1, attempt, true));
                produced.clear();
                toRead.clear();
            } else if (tenth == 235) {
                produced.forEach(attempt -> ledger.end(Signal.PRODUCE, 1, attempt, false));
                toRead.forEach(attempt -> ledger.fail(Signal.END_TO_END, 1, attempt));
                produced.clear();
                toRead.clear();
            }
        }
        assertThat(share(ledger, Signal.METADATA)).isCloseTo(14 / 75.0, within(1e-9));
        assertThat(share(ledger, Signal.PRODUCE)).isCloseTo(14 / 75.0, within(0.01));
        assertThat(share(ledger, Signal.END_TO_END)).isCloseTo(14 / 75.0, within(0.01));
    }
}
