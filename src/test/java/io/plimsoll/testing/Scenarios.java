package io.plimsoll.testing;

import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.ScenarioReader;
import java.util.List;

/** Single-trial scenarios from YAML text. */
public final class Scenarios {
    private Scenarios() {}

    public static Scenario scenario(String yaml) {
        return ScenarioReader.read(yaml, "test", List.of(), 1).trials().get(0).scenario();
    }

    /** The first producer. */
    public static ProducerSpec producer(String yaml) {
        return scenario(yaml).producers().get(0);
    }
}
