package io.plimsoll.engine;

import java.util.Map;
import java.util.function.Consumer;

/**
 * What every engine of a trial shares.
 *
 * @param clientProperties bootstrap servers and security of the cluster
 * @param runTag short name of the run and trial, part of client and group ids
 * @param runId identity of the run, stamped into records
 * @param seed of everything random
 * @param notes takes what the user should know, from any thread
 */
public record EngineContext(
        Map<String, Object> clientProperties, String runTag, long runId, long seed, Consumer<String> notes) {
    public EngineContext {
        clientProperties = Map.copyOf(clientProperties);
    }

    @Override
    public String toString() {
        return "EngineContext[" + runTag + "]";
    }
}
