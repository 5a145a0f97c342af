package io.plimsoll.search;

/**
 * A trial to run.
 *
 * @param load records per second; positive infinity for a closed loop
 * @param seconds length of the measured window, without the warm-up
 */
public record Step(Kind kind, double load, double seconds) {

    /** The same with at least this length. */
    Step lasting(double least) {
        return new Step(kind, load, Math.max(seconds, least));
    }

    /** Purpose of a trial. */
    public enum Kind {
        /** As fast as acknowledgments allow, for a first guess; its latencies mean nothing. */
        PUSH("push"),
        /** Short, to find one load that passes and one that fails. */
        BRACKET("bracket"),
        /** Short, between the two. */
        BISECT("bisect"),
        /** Full length, at a bound. */
        CLASSIFY("classify"),
        /** Longer than full, at the lower bound that becomes the answer. */
        CONFIRM("confirm"),
        /** Short, below the answer, for the curve of latency over load. */
        CURVE("curve");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The kind in a word, for display. */
        public String label() {
            return label;
        }
    }
}
