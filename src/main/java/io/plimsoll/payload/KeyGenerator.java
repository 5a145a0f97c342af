package io.plimsoll.payload;

/** Makes one thread's keys. */
interface KeyGenerator {

    /** Valid until the next call; not to be changed by the caller; null for records without a key. */
    byte[] next();

    double meanBytes();
}
