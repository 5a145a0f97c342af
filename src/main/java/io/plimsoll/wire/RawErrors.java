package io.plimsoll.wire;

import java.util.Objects;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;

/** Classification of protocol error codes. */
public final class RawErrors {
    public static boolean ok(short code) {
        return code == 0;
    }

    /** Whether a retry can succeed. */
    public static boolean retriable(short code) {
        return code != 0 && Errors.forCode(code).exception() instanceof RetriableException;
    }

    /**
     * Whether the batch may have been written. False if the broker rejected it before writing. A leader that lost
     * leadership while it waited for followers has written the batch: Kafka then returns {@code NOT_LEADER_OR_FOLLOWER}
     * with the offset of the batch. Without an offset, the broker was not the leader when the batch arrived, as happens
     * shortly after the creation of a topic.
     * @param baseOffset base offset in the response; −1 if the batch was not appended
     */
    public static boolean perhapsWritten(short code, long baseOffset) {
        return switch (Errors.forCode(code)) {
            case NOT_LEADER_OR_FOLLOWER -> baseOffset >= 0;
            case CORRUPT_MESSAGE,
                    INVALID_RECORD,
                    INVALID_TIMESTAMP,
                    INVALID_TOPIC_EXCEPTION,
                    MESSAGE_TOO_LARGE,
                    NOT_ENOUGH_REPLICAS,
                    OUT_OF_ORDER_SEQUENCE_NUMBER,
                    RECORD_LIST_TOO_LARGE,
                    TOPIC_AUTHORIZATION_FAILED,
                    UNKNOWN_PRODUCER_ID,
                    UNKNOWN_TOPIC_ID,
                    UNKNOWN_TOPIC_OR_PARTITION,
                    UNSUPPORTED_COMPRESSION_TYPE,
                    UNSUPPORTED_FOR_MESSAGE_FORMAT -> false;
            default -> true;
        };
    }

    /** Whether the metadata is stale. */
    public static boolean staleMetadata(short code) {
        return code != 0 && Errors.forCode(code).exception() instanceof InvalidMetadataException;
    }

    /** Whether the broker already has this batch, which counts as success. */
    public static boolean duplicateSequence(short code) {
        return code == Errors.DUPLICATE_SEQUENCE_NUMBER.code();
    }

    /** Whether the broker expects another sequence of this producer and partition. */
    public static boolean outOfOrderSequence(short code) {
        return code == Errors.OUT_OF_ORDER_SEQUENCE_NUMBER.code() || code == Errors.UNKNOWN_PRODUCER_ID.code();
    }

    /** Whether the batch exceeds the topic's limit; smaller batches of the same records can succeed. */
    public static boolean tooLarge(short code) {
        return code == Errors.MESSAGE_TOO_LARGE.code();
    }

    /** Whether the requested offset is outside the log. */
    public static boolean offsetOutOfRange(short code) {
        return code == Errors.OFFSET_OUT_OF_RANGE.code();
    }

    /** Whether the broker does not know the fetch session. */
    static boolean unknownFetchSession(short code) {
        return code == Errors.FETCH_SESSION_ID_NOT_FOUND.code();
    }

    public static boolean aboutFetchSession(short code) {
        return code == Errors.FETCH_SESSION_ID_NOT_FOUND.code()
                || code == Errors.INVALID_FETCH_SESSION_EPOCH.code()
                || code == Errors.FETCH_SESSION_TOPIC_ID_ERROR.code();
    }

    /** The exception that the official client reports for this error code. */
    public static Exception exception(short code) {
        return Objects.requireNonNull(Errors.forCode(code).exception());
    }

    /** A stable name for the error, equal to the name used for failures of the official client if one exists. */
    static String kind(short code) {
        Errors error = Errors.forCode(code);
        String name = error.exception() == null
                ? error.name()
                : error.exception().getClass().getSimpleName();
        String kind = name.replaceFirst("(Exception|Error)$", "");
        return Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
    }
}
