package io.plimsoll.fleet.plan;

import io.plimsoll.measure.AckLooks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Merges acknowledgment snapshots of workers with synchronized clocks. Not thread-safe. */
public final class AckLooksMerger {
    private final Set<String> running;
    private final Map<String, Deque<AckLooks>> waiting = new TreeMap<>();

    /** @param workers workers that must all report */
    public AckLooksMerger(Set<String> workers) {
        running = new HashSet<>(workers);
        workers.forEach(w -> waiting.put(w, new ArrayDeque<>()));
    }

    /** @return the snapshots that are now complete */
    public List<AckLooks> add(String worker, AckLooks looks) {
        if (waiting.containsKey(worker)) {
            waiting.get(worker).add(looks);
        }
        if (looks.end()) {
            running.remove(worker);
        }
        return complete();
    }

    /** Reports that no more snapshots will arrive from this worker; returns the snapshots that are now complete. */
    public List<AckLooks> ended(String worker) {
        running.remove(worker);
        return complete();
    }

    private List<AckLooks> complete() {
        List<AckLooks> merged = new ArrayList<>();
        while (waiting.entrySet().stream()
                .noneMatch(w -> running.contains(w.getKey()) && w.getValue().isEmpty())) {
            Map<Long, AckLooks> next = new HashMap<>();
            for (Deque<AckLooks> looks : waiting.values()) {
                if (!looks.isEmpty()) {
                    next.merge(looks.peek().first(), looks.poll(), AckLooks::plus);
                }
            }
            if (next.isEmpty()) {
                return merged;
            }
            next.keySet().stream().sorted().forEach(first -> merged.add(next.get(first)));
        }
        return merged;
    }
}
