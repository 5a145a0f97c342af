package io.plimsoll.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.junit.jupiter.api.Test;

/** The topic setting names are the ones that brokers of this release accept. */
class ClusterRulesTest {
    @Test
    void topicSettingNamesMatchBroker() {
        TreeSet<String> ofBroker = new TreeSet<>(LogConfig.configNames());
        ofBroker.remove(LogConfig.INTERNAL_SEGMENT_BYTES_CONFIG);
        assertThat(Topics.topicConfigs()).isEqualTo(ofBroker);
    }
}
