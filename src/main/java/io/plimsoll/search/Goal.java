package io.plimsoll.search;

/** A question that a search answers; each trial is evidence for every goal. */
public enum Goal {
    /** Whether the load is carried: no backlog grows, nothing fails, nothing is lost. */
    SUSTAINED,
    /** Whether it is carried and meets every criterion of the user. */
    WITHIN_SLO
}
