package io.plimsoll.fleet;

/**
 * A message with its sender and subject.
 *
 * @param from address of the sender
 * @param word token that proves the sender, see {@link PeerAuthenticator}; null before the exchange of tokens
 * @param session the run of a coordinator; null for messages outside of a run
 * @param trial null outside of a trial
 */
record Envelope(String from, String word, String session, String trial, FleetMessage message) {
    /** Without the secret token. */
    @Override
    public String toString() {
        return "Envelope[" + from + ", " + session + ", " + trial + ", "
                + message.getClass().getSimpleName() + "]";
    }
}
