package io.plimsoll.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.nullbroker.NullBroker;
import io.plimsoll.nullbroker.NullBrokerOptions;
import io.plimsoll.result.TrialResult;
import io.plimsoll.testing.Runs;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The raw engine supports brokers from 2.1 on, each with the protocol versions that it supports. */
class RawProtocolTest {
    private static final int PRODUCE = 0;
    private static final int FETCH = 1;
    private static final int LIST_OFFSETS = 2;
    private static final int METADATA = 3;
    private static final int API_VERSIONS = 18;
    private static final int INIT_PRODUCER_ID = 22;

    @TempDir
    Path out;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        2.1 | 7  | 10 | 4  | 7  | 2 | 1
        2.4 | 8  | 11 | 5  | 9  | 3 | 2
        2.8 | 9  | 12 | 6  | 11 | 3 | 4
        3.1 | 9  | 13 | 7  | 12 | 3 | 4
        3.9 | 11 | 17 | 9  | 12 | 4 | 5
        4.0 | 12 | 17 | 10 | 13 | 4 | 5
        """)
    void worksWithEveryRelease(
            String release, int produce, int fetch, int offsets, int metadata, int versions, int ids) {
        NullBrokerOptions options = new NullBrokerOptions()
                .topic("old", 3)
                .checkCrc(true)
                .log(10_000, 100, 50, "none")
                .maxVersion(PRODUCE, produce)
                .maxVersion(FETCH, fetch)
                .maxVersion(LIST_OFFSETS, offsets)
                .maxVersion(METADATA, metadata)
                .maxVersion(API_VERSIONS, versions)
                .maxVersion(INIT_PRODUCER_ID, ids);
        try (NullBroker broker = NullBroker.start(options)) {
            TrialResult trial =
                    Runs.run("""
                        name: old
                        topics: [{name: old, partitions: 3, existing: true}]
                        producers: [{topic: old, engine: raw, records: 20000, record: {size: 100}}]
                        consumers: [{topic: old, engine: raw, records: 30000}]
                        """, broker.bootstrapServers(), out).trials().get(0);
            assertThat(trial.produce().volume().records()).isEqualTo(20_000);
            assertThat(trial.produce().errors().total()).isZero();
            assertThat(broker.stats().records()).isEqualTo(20_000);
            assertThat(trial.consume().volume().records()).isEqualTo(30_000);
            assertThat(trial.consume().errors().total()).isZero();
        }
    }
}
