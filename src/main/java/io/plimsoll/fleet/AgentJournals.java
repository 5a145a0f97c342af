package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.audit.ProducerProfile;
import io.plimsoll.fleet.FleetMessage.Journalled;
import io.plimsoll.fleet.FleetMessage.Prepared;
import io.plimsoll.load.AuditTrail;
import io.plimsoll.load.AuditTrail.RemoteTrails;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Passes the record journals of agents to the audit of the trial, if any. Confined to the trial's thread. */
final class AgentJournals {
    /** Null without an audit. */
    private final RemoteTrails adopted;

    private final Map<String, List<ProducerProfile>> producers = new HashMap<>();
    private final Map<String, Long> blocks = new HashMap<>();

    /** @param trail null without an audit by identities */
    AgentJournals(AuditTrail trail) {
        adopted = trail == null ? null : trail.adopted();
    }

    /**
     * @param agents in the order of their producer numbers
     * @param topics in the order of the journals
     * @throws PlimsollException {@link Exit#INTERNAL} for other producer numbers
     */
    void begin(List<String> agents, Map<String, Prepared> prepared, List<String> topics) {
        if (adopted == null) {
            return;
        }
        try {
            for (String agent : agents) {
                producers.put(agent, prepared.get(agent).producers());
                adopted.producers(producers.get(agent), topics);
            }
        } catch (IllegalArgumentException e) {
            throw Exit.INTERNAL.because(e, "fleet.producerNumbers");
        }
    }

    void add(String agent, Journalled journal) {
        blocks.merge(agent, 1L, Long::sum);
        if (adopted != null) {
            adopted.journal(journal.block());
        }
    }

    /** @return false if not all blocks came that it has sent */
    boolean ended(String agent, long sent) {
        boolean all = sent == blocks.getOrDefault(agent, 0L);
        if (!all && adopted != null) {
            adopted.missed();
        }
        return all;
    }

    /** Notes that the outcome of its last records is unknown. */
    void lost(String agent) {
        if (producers.containsKey(agent)) {
            adopted.lost(producers.get(agent));
        }
    }
}
