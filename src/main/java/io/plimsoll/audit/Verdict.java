package io.plimsoll.audit;

/** Classification of records by the audit; the package documentation explains each. */
public enum Verdict {
    /** Acknowledged but missing from the log. */
    LOST("lost"),
    /** In the log more than once. */
    DUPLICATED("duplicated"),
    /** Stored after a record that the same producer sent later to the same partition. */
    REORDERED("reordered"),
    /** In the log with altered content. */
    CORRUPTED("corrupted"),
    /** In the log although it was never sent or was rejected. */
    PHANTOM("phantom"),
    /** In the log but written by another run or application. */
    FOREIGN("foreign"),
    /** Visible to {@code read_committed} consumers although its transaction was aborted. */
    ABORTED_YET_VISIBLE("aborted yet visible"),
    /** Missing offsets that transaction markers and aborted records do not explain. */
    OFFSET_GAP("offset gap"),
    /** Outcome unknown to the producer; present in the log. */
    UNKNOWN_AND_PRESENT("unknown, in the log"),
    /** Outcome unknown to the producer; absent from the log. */
    UNKNOWN_AND_ABSENT("unknown, not in the log"),
    /** Acknowledged, then deleted by the topic's retention or compaction before the audit read it. */
    EXPIRED("deleted by retention");

    private final String text;

    Verdict(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
