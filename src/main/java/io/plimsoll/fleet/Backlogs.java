package io.plimsoll.fleet;

import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.ConsumerSpec.Start.BacklogBytes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sums the acknowledged bytes of all agents for groups that start after a backlog in bytes. Confined to the trial's thread. */
final class Backlogs {
    private final List<ConsumerSpec> entries;
    private final Map<String, List<Long>> piledUp = new HashMap<>();
    private final Set<Integer> told = new HashSet<>();

    Backlogs(List<ConsumerSpec> entries) {
        this.entries = entries;
    }

    /** Updates the bytes of one agent; returns entries that reached their backlog, each once. */
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
