package io.plimsoll.load;

import io.plimsoll.pace.Throttle;
import io.plimsoll.text.Sentence;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The context that all kinds of load of a trial share.
 *
 * @param clientProperties bootstrap servers and security of the cluster
 * @param runTag short name of the run and trial, part of client and group ids
 * @param runId identity of the run, stamped into records
 * @param seed of everything random
 * @param notes takes what the user should know, from any thread
 * @param trail takes what becomes of each record; null if the trial is not audited by identities
 * @param cores which the trial's senders may spin on
 * @param throttle how the load comes to its rate, and is held back
 */
public record LoadContext(
        Map<String, Object> clientProperties,
        String runTag,
        long runId,
        long seed,
        Consumer<Sentence> notes,
        AuditTrail trail,
        SpareCores cores,
        Throttle throttle) {
    public LoadContext {
        clientProperties = Map.copyOf(clientProperties);
    }

    public LoadContext(
            Map<String, Object> clientProperties, String runTag, long runId, long seed, Consumer<Sentence> notes) {
        this(clientProperties, runTag, runId, seed, notes, null, SpareCores.ofThisHost(), new Throttle(0));
    }

    /** The same trial, audited; or not, if this is null. */
    public LoadContext with(AuditTrail audited) {
        return new LoadContext(clientProperties, runTag, runId, seed, notes, audited, cores, throttle);
    }

    /** The same trial, whose load comes to its rate like this. */
    public LoadContext with(Throttle other) {
        return new LoadContext(clientProperties, runTag, runId, seed, notes, trail, cores, other);
    }

    @Override
    public String toString() {
        return "EngineContext[" + runTag + "]";
    }
}
