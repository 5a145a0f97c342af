package io.plimsoll.wire;

import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.protocol.Errors;

/** Meaning of the error codes of responses. */
public final class RawErrors {
    private RawErrors() {}

    public static boolean ok(short code) {
        return code == 0;
    }

    /** True if the same request may succeed later. */
    public static boolean retriable(short code) {
        return code != 0 && Errors.forCode(code).exception() instanceof RetriableException;
    }

    /**
     * False if the broker refused the batch before it wrote anything. A leader that lost its place while it waited for
     * its followers, for example, has written it.
     */
    public static boolean perhapsWritten(short code) {
        return switch (Errors.forCode(code)) {
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

    /** True if the metadata is out of date. */
    public static boolean staleMetadata(short code) {
        return code != 0 && Errors.forCode(code).exception() instanceof InvalidMetadataException;
    }

    /** True if the broker has this very batch already: as good as written. */
    public static boolean duplicateSequence(short code) {
        return code == Errors.DUPLICATE_SEQUENCE_NUMBER.code();
    }

    /** True if the broker expects another sequence of this producer and partition. */
    public static boolean outOfOrderSequence(short code) {
        return code == Errors.OUT_OF_ORDER_SEQUENCE_NUMBER.code() || code == Errors.UNKNOWN_PRODUCER_ID.code();
    }

    /** True if the batch is larger than the topic takes: the same records in smaller batches may not be. */
    public static boolean tooLarge(short code) {
        return code == Errors.MESSAGE_TOO_LARGE.code();
    }

    /** True if the log does not hold the offset that was asked for. */
    public static boolean offsetOutOfRange(short code) {
        return code == Errors.OFFSET_OUT_OF_RANGE.code();
    }

    /** True if the broker knows no such fetch session (any more). */
    static boolean unknownFetchSession(short code) {
        return code == Errors.FETCH_SESSION_ID_NOT_FOUND.code();
    }

    /** True if another fetch session is all it takes. */
    public static boolean aboutFetchSession(short code) {
        return code == Errors.FETCH_SESSION_ID_NOT_FOUND.code()
                || code == Errors.INVALID_FETCH_SESSION_EPOCH.code()
                || code == Errors.FETCH_SESSION_TOPIC_ID_ERROR.code();
    }

    /** The exception that the official client would report; null without error. */
    public static Exception exception(short code) {
        return Errors.forCode(code).exception();
    }

    /** A stable name, equal to the official client's name for the failure where it has one. */
    static String kind(short code) {
        Errors error = Errors.forCode(code);
        String name = error.exception() == null
                ? error.name()
                : error.exception().getClass().getSimpleName();
        String kind = name.replaceFirst("(Exception|Error)$", "");
        return Character.toLowerCase(kind.charAt(0)) + kind.substring(1);
    }
}
