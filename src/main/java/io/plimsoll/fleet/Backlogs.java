package io.plimsoll.fleet;

import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Start.BacklogBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Adds up what the producers of all agents have had acknowledged for groups that wait for so many bytes. Used by the trial's thread. */
final class Backlogs {
    private final List<ConsumerSpec> entries;
    private final Map<String, List<Long>> piledUp = new HashMap<>();
    private final Set<Integer> told = new HashSet<>();

    Backlogs(List<ConsumerSpec> entries) {
        this.entries = entries;
    }

    /** Takes what one agent's producers have come to; the entries that have waited for enough with this, each only once. */
    List<Integer> add(String agent, List<Long> bytes) {
        piledUp.put(agent, bytes);
        List<Integer> enough = new ArrayList<>();
        for (int e = 0; e < entries.size(); e++) {
            if (entries.get(e).start() instanceof BacklogBytes backlog && sum(e) >= backlog.bytes() && told.add(e)) {
                enough.add(e);
            }
        }
        return enough;
    }

    private long sum(int entry) {
        return piledUp.values().stream()
                .filter(bytes -> entry < bytes.size())
                .mapToLong(bytes -> bytes.get(entry))
                .sum();
    }
}
