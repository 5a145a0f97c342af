package io.plimsoll.fleet;

/**
 * A message on its way.
 *
 * @param from the sender's address, to answer to
 * @param word that proves the sender, see {@link PeerProof}; null before it has one
 * @param session the run of a coordinator that it is about; null for a question to whomever it concerns
 * @param trial null if it is about none
 */
record Envelope(String from, String word, String session, String trial, FleetMessage message) {
    /** Without what only the other may know. */
    @Override
    public String toString() {
        return "Envelope[" + from + ", " + session + ", " + trial + ", "
                + message.getClass().getSimpleName() + "]";
    }
}
