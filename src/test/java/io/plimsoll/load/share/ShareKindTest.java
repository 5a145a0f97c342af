package io.plimsoll.load.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.scenario.ScenarioReader;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A share group member can change the group's settings, which affects its other members. */
class ShareKindTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "existingGroup: true, kind: share, groupConfig: {share.delivery.count.limit: 1} | true",
                "existingGroup: true, kind: share, lock: 20s | true",
                "existingGroup: true, kind: share | false",
                "kind: share | true",
                "existingGroup: true | false"
            })
    void changesGroups(String consumer, boolean changes) {
        String yaml =
                "topics: [{name: t}]\nconsumers: [{topic: t, records: 5, config: {group.id: g}, " + consumer + "}]";
        assertThat(ScenarioReader.read(yaml, "f", List.of(), 1)
                        .trials()
                        .get(0)
                        .scenario()
                        .consumers()
                        .get(0)
                        .changesGroups())
                .isEqualTo(changes);
    }
}
