package io.plimsoll.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.plimsoll.report.WatchText;
import io.plimsoll.watch.IncidentNews.State;
import io.plimsoll.watch.WatchStatus.Incident;
import io.plimsoll.watch.WatchStatus.Outage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** One event per outage, for any number of failing signals, in virtual time. */
class IncidentNewsTest {
    private static final Instant BEGIN = Instant.parse("2026-05-04T12:00:00Z");

    private final List<Outage> outages = new ArrayList<>();
    private final List<Incident> incidents = new ArrayList<>();
    private final List<State> states = new ArrayList<>();
    private final IncidentNews news = new IncidentNews(List.of(), (incident, state) -> {
        incidents.add(incident);
        states.add(state);
    });

    private static Instant at(double seconds) {
        return BEGIN.plusMillis(Math.round(seconds * 1000));
    }

    /** @param to negative while it continues */
    private void out(double now, Signal signal, int broker, double from, double to) {
        outages.removeIf(o -> o.signal() == signal && o.broker() == broker && o.ongoing());
        outages.add(new Outage(signal, broker, at(from), to < 0 ? null : at(to), null));
        look(now);
    }

    private void look(double now) {
        news.look(Math.round(now * 1e9), List.copyOf(outages));
    }

    private List<Tuple> report() {
        List<Tuple> told = new ArrayList<>();
        for (int i = 0; i < states.size(); i++) {
            told.add(tuple(incidents.get(i).broker(), states.get(i)));
        }
        return told;
    }

    /** Producers see it first, including at brokers that wait for replicas. */
    @Test
    void brokerOutageIsOneIncidentWithAllItsSignals() {
        for (int broker : new int[] {1, 2, 3}) {
            out(0.4, Signal.PRODUCE, broker, 0, -1);
        }
        assertThat(report()).isEmpty();
        out(0.5, Signal.METADATA, 2, 0.1, -1);
        assertThat(report()).containsExactly(tuple(2, State.TOLD));
        out(0.9, Signal.CONNECT, 2, 0.1, -1);
        out(0.9, Signal.COMMIT, 2, 0.2, -1);
        out(0.9, Signal.END_TO_END, 3, 0.1, -1);
        for (int broker : new int[] {1, 2, 3}) {
            out(4, Signal.PRODUCE, broker, 0, 3.5);
        }
        out(4, Signal.END_TO_END, 3, 0.1, 3.6);
        out(14.2, Signal.METADATA, 2, 0.1, 14.2);
        out(14.3, Signal.CONNECT, 2, 0.1, 14.3);
        assertThat(states).hasSize(1);
        out(15, Signal.COMMIT, 2, 0.2, 15);
        look(60);
        assertThat(report()).containsExactly(tuple(2, State.TOLD), tuple(2, State.OVER));
        assertThat(incidents.get(1).outages()).hasSize(7);
        assertThat(incidents.get(1).to()).isEqualTo(at(14.2));
        assertThat(WatchText.of(incidents.get(0), State.TOLD)).hasSize(1);
        // One line for each signal below.
        assertThat(WatchText.of(incidents.get(1), State.OVER)).hasSize(6);
    }

    @Test
    void reportsRecoveryAndLaterEndOfRemainingOutages() {
        out(0.5, Signal.METADATA, 1, 0, -1);
        out(6, Signal.JOIN, 1, 0, -1);
        out(10, Signal.METADATA, 1, 0, 10);
        look(12.9);
        assertThat(report()).containsExactly(tuple(1, State.TOLD));
        look(13.1);
        out(40, Signal.JOIN, 1, 0, 40);
        assertThat(report()).containsExactly(tuple(1, State.TOLD), tuple(1, State.BACK), tuple(1, State.OVER));
    }

    @Test
    void attributesOutageToNoBrokerWhileAllRespond() {
        out(0.4, Signal.PRODUCE, 1, 0, -1);
        look(1);
        out(1.1, Signal.PRODUCE, 3, 0.5, -1);
        look(1.5);
        assertThat(report()).containsExactly(tuple(null, State.TOLD));
        out(8, Signal.PRODUCE, 1, 0, 8);
        assertThat(states).hasSize(1);
        out(9, Signal.PRODUCE, 3, 0.5, 9);
        assertThat(report()).containsExactly(tuple(null, State.TOLD), tuple(null, State.OVER));
        assertThat(incidents.get(1).outages()).hasSize(2);
    }

    @Test
    void reportsBriefOutageOnce() {
        out(0.4, Signal.PRODUCE, 1, 0, -1);
        out(0.7, Signal.PRODUCE, 1, 0, 0.7);
        look(1.5);
        look(30);
        assertThat(report()).containsExactly(tuple(null, State.OVER));
    }

    @Test
    void doesNotRepeatReportOfAnEarlierProcess() {
        Outage before = new Outage(Signal.METADATA, 2, at(0), null, null);
        IncidentNews later = new IncidentNews(List.of(before), (incident, state) -> {
            incidents.add(incident);
            states.add(state);
        });
        later.look(5_000_000_000L, List.of(before));
        assertThat(states).isEmpty();
        later.look(6_000_000_000L, List.of(new Outage(Signal.METADATA, 2, at(0), at(6), null)));
        assertThat(report()).containsExactly(tuple(2, State.OVER));
    }
}
