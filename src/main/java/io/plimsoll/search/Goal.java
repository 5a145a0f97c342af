package io.plimsoll.search;

/** A question that a search answers; each trial says something about every one. */
public enum Goal {
    /** Is the load carried at all: no backlog grows, nothing fails, nothing is lost. */
    SUSTAINED,
    /** Is it carried, and is every criterion of the user met as well. */
    WITHIN_SLO
}
