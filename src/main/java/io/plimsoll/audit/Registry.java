package io.plimsoll.audit;

/** Who sends. Answers hold for every record that is in a log already. */
public interface Registry {
    /** Null if there is none with this id. */
    ProducerProfile profile(int producer);

    /** All sequences below it may have been sent, none of the others was. */
    long sent(int producer);
}
