package io.plimsoll.measure;

/** Where a trial is. */
public enum Phase {
    WARMUP,
    MEASURE,
    /** Producers have stopped; late acknowledgements and the consumers' rest still count. */
    DRAIN
}
