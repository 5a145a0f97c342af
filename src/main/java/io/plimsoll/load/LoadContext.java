package io.plimsoll.load;

import io.plimsoll.load.PreciseWait.SpareCores;
import io.plimsoll.measure.ClientEvents;
import io.plimsoll.pace.Throttle;
import io.plimsoll.text.Sentence;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The context that all kinds of load of a trial share.
 * @param clientProperties bootstrap servers and security of the cluster
 * @param runTag short name of run and trial, part of client and group IDs
 * @param runId the ID stamped into records
 * @param notes receives messages for the user, from any thread
 * @param trail receives the outcome of each record; null unless the trial is audited by identities
 * @param cores decides whether senders may spin
 * @param throttle ramp-up and throttling of the load
 * @param events receives the events that clients observe
 */
public record LoadContext(
        Map<String, Object> clientProperties,
        String runTag,
        long runId,
        long seed,
        Consumer<Sentence> notes,
        @Nullable AuditTrail trail,
        SpareCores cores,
        Throttle throttle,
        ClientEvents events) {

    public LoadContext(
            Map<String, Object> clientProperties, String runTag, long runId, long seed, Consumer<Sentence> notes) {
        this(
                clientProperties,
                runTag,
                runId,
                seed,
                notes,
                null,
                SpareCores.ofThisHost(),
                new Throttle(0),
                new ClientEvents());
    }

    /** @param audited trail of the copy */
    public LoadContext with(@Nullable AuditTrail audited) {
        return new LoadContext(clientProperties, runTag, runId, seed, notes, audited, cores, throttle, events);
    }

    public LoadContext with(Throttle other) {
        return new LoadContext(clientProperties, runTag, runId, seed, notes, trail, cores, other, events);
    }

    @Override
    public String toString() {
        return "LoadContext[" + runTag + "]";
    }
}
