package io.plimsoll.search;

/**
 * A trial to run.
 *
 * @param load in records or bytes per second; for a {@link Kind#PUSH}, the highest load, which can be infinite
 * @param seconds length of the measured window, without the warm-up
 */
public record Step(Kind kind, double load, double seconds) {

    /** The same step with at least this length. */
    Step lasting(double least) {
        return new Step(kind, load, Math.max(seconds, least));
    }

    /** Purpose of a trial. */
    public enum Kind {
        /** As fast as acknowledgments and the highest load permit, for a first guess; its latencies are meaningless. */
        PUSH("push"),
        /** Short trials, to find a load that passes and a load that fails. */
        BRACKET("bracket"),
        /** Short trials between a load that passes and a load that fails. */
        BISECT("bisect"),
        /** Full-length trials at a bound. */
        CLASSIFY("classify"),
        /** A longer trial at the lower bound, which becomes the answer if the trial passes. */
        CONFIRM("confirm"),
        /** Short trials below the answer, for the curve of latency by load. */
        CURVE("curve");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** The kind as one word, for display. */
        public String label() {
            return label;
        }
    }
}
