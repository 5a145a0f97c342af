package io.plimsoll.audit;

/** A thing that can be wrong with records, or worth knowing about them. */
public enum Verdict {
    /** Acknowledged, and not in the log. */
    LOST("lost"),
    /** The record is in the log once more. */
    DUPLICATED("duplicated"),
    /** It is in the log behind a record of the same producer and partition that was sent later. */
    REORDERED("reordered"),
    /** It is in the log with other contents. */
    CORRUPTED("corrupted"),
    /** A record of this run is in the log that was never sent, or was refused. */
    PHANTOM("phantom"),
    /** A record in the log is not of this run. */
    FOREIGN("foreign"),
    /** Visible to {@code read_committed}, although its transaction was aborted. */
    ABORTED_YET_VISIBLE("aborted yet visible"),
    /** Offsets without a record, for which neither markers nor aborted transactions account. */
    OFFSET_GAP("offset gap"),
    /** Nobody knew whether it was written: it was. */
    UNKNOWN_AND_PRESENT("unknown, in the log"),
    /** Nobody knew whether it was written: it was not. */
    UNKNOWN_AND_ABSENT("unknown, not in the log"),
    /** Acknowledged, and deleted as the topic's own settings ask for before it could be read. */
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
