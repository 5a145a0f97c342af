package io.plimsoll.measure;

/** Phase of a trial. */
public enum Phase {
    WARMUP,
    MEASURE,
    /** Producers have stopped; late acknowledgments and the consumers' remaining records still count. */
    DRAIN
}
