package io.plimsoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A life cycle allows only legal transitions. */
class LifecycleTest {
    private enum Light {
        RED,
        GREEN,
        OFF
    }

    private final Lifecycle<Light> life = new Lifecycle<>(
            Light.RED, Map.of(Light.RED, Set.of(Light.GREEN, Light.OFF), Light.GREEN, Set.of(Light.OFF)));

    @Test
    void allowsLegalTransitions() {
        assertThat(life.reached(Light.RED)).isTrue();
        assertThat(life.reached(Light.GREEN)).isFalse();
        life.enter(Light.GREEN);
        assertThat(life.now()).isEqualTo(Light.GREEN);
        assertThat(life.reached(Light.RED)).isTrue();
        life.enter(Light.OFF);
        assertThat(life.reached(Light.GREEN)).isTrue();
    }

    @Test
    void rejectsIllegalTransitionsAndKeepsState() {
        life.enter(Light.GREEN);
        for (Light other : Set.of(Light.RED, Light.GREEN)) {
            assertThatThrownBy(() -> life.enter(other))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("GREEN -> " + other);
        }
        life.enter(Light.OFF);
        assertThatThrownBy(() -> life.enter(Light.OFF)).isInstanceOf(IllegalStateException.class);
        assertThat(life.now()).isEqualTo(Light.OFF);
    }
}
