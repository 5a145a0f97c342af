package io.plimsoll.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A trial with a name that says more than its settings is shown by its name. */
class SettingNamesTest {
    @Test
    void removesSettingsFromTrialName() {
        Map<String, String> acks = Map.of("producers[0].config.acks", "1");
        assertThat(SettingNames.ownName("acks=1", acks)).isEmpty();
        assertThat(SettingNames.ownName("producers[0].config.acks=1", acks)).isEmpty();
        assertThat(SettingNames.ownName("acks=1 cold", acks)).isEqualTo("cold");
        assertThat(SettingNames.ownName("acks=10", acks)).isEqualTo("acks=10");
        assertThat(SettingNames.ownName("acks=1 n=2", Map.of("a.acks", "1", "b.n", "2")))
                .isEmpty();
    }
}
