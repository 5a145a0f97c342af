package io.plimsoll.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plimsoll.Exit;
import io.plimsoll.result.Json;
import io.plimsoll.run.SelfTest.Plant;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The self-test finds each problem that it plants; a wrong report ends it with another code. */
@Tag("nightly")
class SelfTestCommandTest {
    @TempDir
    Path out;

    @Test
    void findsAllPlantedProblems() throws Exception {
        InProcess result = InProcess.run("selftest", "--json", "--out", out.toString());
        JsonNode plants = Json.MAPPER.readTree(result.out()).get("plants");
        assertThat(plants).hasSize(Plant.values().length).allSatisfy(plant -> assertThat(
                        plant.get("found").booleanValue())
                .as(plant.toString())
                .isTrue());
        assertThat(result.exit()).isEqualTo(Exit.PASSED.code());
    }
}
