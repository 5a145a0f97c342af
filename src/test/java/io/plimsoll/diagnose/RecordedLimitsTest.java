package io.plimsoll.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.result.Json;
import io.plimsoll.result.Limits;
import io.plimsoll.result.Limits.Suspect;
import io.plimsoll.result.TrialResult;
import java.io.IOException;
import java.io.InputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials on real brokers into which {@code bench/known-limits} had planted a limit, as they were recorded: what is named first. */
class RecordedLimitsTest {
    @ParameterizedTest
    @CsvSource({
        "recompression, recompression, broker 1",
        "tiny, small batches,",
        "rare, linger.ms,",
        "standstill, broker stands still, broker 1",
        "sync, synchronous sends,",
        "transactions, transactions,",
        "fetchwait, fetch.min.bytes,",
        "uncommitted, transactions,",
        "far, network distance,",
        "late, replication, broker 2",
        "fifth, a broker's CPU quota, broker 1",
        "collecting, garbage collection, broker 1",
        "format, conversion to an older format, broker 1",
        "rack, one slow broker, broker 2"
    })
    void whatWasPlantedIsNamedFirst(String recorded, String limit, String where) throws IOException {
        // Some were planted by faults of the scenario, which are named before what they do.
        Suspect first = Diagnosis.of(trial(recorded)).causes().stream()
                .filter(s -> !s.limit().english().equals("a fault of the scenario"))
                .findFirst()
                .orElseThrow();
        assertThat(first.score()).isGreaterThanOrEqualTo(Limits.NAMED);
        assertThat(first.limit().english()).isEqualTo(limit);
        if (where != null) {
            assertThat(first.where().english()).isEqualTo(where);
        }
    }

    private static TrialResult trial(String recorded) throws IOException {
        try (InputStream in = RecordedLimitsTest.class.getResourceAsStream("/diagnose/" + recorded + ".json")) {
            return Json.MAPPER.readValue(in, TrialResult.class);
        }
    }
}
