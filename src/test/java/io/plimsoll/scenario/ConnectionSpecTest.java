package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plimsoll.testing.Said;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The due times of connections follow from the scenario, to the nanosecond and indefinitely. */
class ConnectionSpecTest {
    private static final long SECOND = 1_000_000_000L;

    private static ConnectionSpec spec(String entry) {
        String yaml = "name: s\nconnections: [" + entry + "]\n";
        return ScenarioReader.read(yaml, "f.yaml", List.of(), 1)
                .trials()
                .get(0)
                .scenario()
                .connections()
                .get(0);
    }

    @Test
    void computesOpenCloseAndChurnTimes() {
        ConnectionSpec spec = spec("{count: 5000, rate: 500/s, hold: 1m, churn: 10%/min}");
        assertThat(spec.opens(0, 0)).isZero();
        assertThat(spec.opens(4999, 0)).isEqualTo(4999 * SECOND / 500);
        assertThat(spec.ends(0)).isEqualTo(70 * SECOND);
        assertThat(spec.opens(250, 3)).isEqualTo(210 * SECOND + SECOND / 2);
        // 500 per minute: the first one 0.12 s after the start.
        assertThat(spec.churns(0)).isEqualTo(120_000_000L);
        assertThat(spec.churns(499)).isEqualTo(60 * SECOND);
    }

    @Test
    void connectionsStayOpenByDefault() {
        ConnectionSpec spec = spec("{count: 3}");
        assertThat(spec.ratePerSecond()).isEqualTo(100);
        assertThat(spec.ends(0)).isEqualTo(Long.MAX_VALUE);
        assertThat(spec.churns(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void reportsMistakes() {
        assertThatThrownBy(() -> spec("{count: 3, rate: 5MB/s, churn: 10%}"))
                .hasMessageContaining("connections[0].rate: expected a rate such as 500/s")
                .hasMessageContaining(Said.text("connections[0].churn: expected «scenario.a.churn»"));
        assertThatThrownBy(() -> spec("{count: 3, rate: 5/s, churn: -10%/min}"))
                .hasMessageContaining(Said.text("connections[0].churn: expected «scenario.a.churn»"));
        assertThatThrownBy(() -> spec("{rate: 5/s}")).hasMessageContaining("count");
    }
}
