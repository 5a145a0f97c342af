package io.plimsoll.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Rate;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Targets and limits are parsed in their documented forms only. */
class TargetTest {
    @Test
    void parsesEveryPart() {
        Target target = Target.parse(" 800 MB/s in, 2 groups,replication 3, 3000 partitions");
        assertThat(target.rate()).isEqualTo(new Rate.Quantity(800e6, Rate.Unit.PAYLOAD_BYTES));
        assertThat(target.groups()).isEqualTo(2);
        assertThat(target.replication()).isEqualTo(3);
        assertThat(target.partitions()).isEqualTo(3000);
        assertThat(Target.parse("replication 2, 50000/s").rate())
                .isEqualTo(new Rate.Quantity(50_000, Rate.Unit.RECORDS));
        assertThat(Target.parse("1.5GiB/s").rate().value()).isEqualTo(1.5 * (1 << 30));
        assertThat(Target.parse("1 MB/s, 1 group").replication()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2 groups",
                "800 MB",
                "800 MB/s, 800 MB/s",
                "1 MB/s, replication 0",
                "1 MB/s out",
                "1 MB/s, 2 consumers",
                "1 MB/s wire"
            })
    void refusesInvalidTargets(String text) {
        assertThatThrownBy(() -> Target.parse(text)).isInstanceOf(InvalidValueException.class);
    }

    @Test
    void parsesBrokerLimitsStrictly() {
        assertThat(BrokerLimits.parse("cpu 8, network 1.25 GB/s, disk 500MB/s, partitions 4000, storage 2000GB"))
                .isEqualTo(new BrokerLimits(
                        Map.of("cpu", 8.0, "network", 1.25e9, "disk", 500e6, "partitions", 4000.0, "storage", 2e12)));
        assertThat(BrokerLimits.parse("cpu 0.5").get("network")).isNull();
        for (String text :
                new String[] {"memory 8", "cpu", "cpu 0", "network 5", "network 5000/s", "disk 5MB/s wire"}) {
            assertThatThrownBy(() -> BrokerLimits.parse(text)).isInstanceOf(InvalidValueException.class);
        }
    }

    @Test
    void compoundsGrowthAndReservesHeadroom() {
        assertThat(new Target.Margin(0.2, 2, 0.25, 1).load(100)).isCloseTo(192, within(1e-9));
        assertThat(Target.Margin.NONE.load(100)).isEqualTo(100);
    }
}
