package io.plimsoll.search;

/** A question that a search answers; each trial is evidence for every goal. */
public enum Goal {
    /** Whether the load is sustained: no backlog grows, no record fails, no record is lost. */
    SUSTAINED,
    /** Whether the load is sustained and meets every criterion of the user. */
    WITHIN_SLO
}
