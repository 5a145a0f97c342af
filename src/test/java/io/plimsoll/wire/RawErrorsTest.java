package io.plimsoll.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.protocol.Errors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A batch that is not known to be rejected may be in the log, and is resent only under its own sequence. */
class RawErrorsTest {
    @ParameterizedTest
    @CsvSource({
        "NOT_LEADER_OR_FOLLOWER, -1, false",
        "NOT_LEADER_OR_FOLLOWER, 7, true",
        "UNKNOWN_TOPIC_OR_PARTITION, -1, false",
        "MESSAGE_TOO_LARGE, -1, false",
        "NOT_ENOUGH_REPLICAS, -1, false",
        "NOT_ENOUGH_REPLICAS_AFTER_APPEND, 7, true",
        "REQUEST_TIMED_OUT, 7, true",
        "REQUEST_TIMED_OUT, -1, true",
        "UNKNOWN_SERVER_ERROR, -1, true"
    })
    void batchMayBeWrittenUnlessRejectedBeforeAppend(Errors error, long baseOffset, boolean perhaps) {
        assertThat(RawErrors.perhapsWritten(error.code(), baseOffset)).isEqualTo(perhaps);
    }
}
