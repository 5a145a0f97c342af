package io.plimsoll.fleet.plan;

import io.plimsoll.load.GroupPart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Consumer groups with members on several workers: collects the state of each worker and provides each worker with the
 * state of the other workers. Partitions that a lost worker has read to the end remain read. Not thread-safe.
 */
public final class SpreadGroups {
    private final Map<String, Group> groups = new TreeMap<>();

    private static final class Group {
        private final Map<String, GroupPart> parts = new HashMap<>();
        private final Set<String> reached = new HashSet<>();
        private long takenByLost;
        private boolean changed = true;
    }

    /** @param workers workers with members of each group, by group key */
    public SpreadGroups(Map<String, Set<String>> workers) {
        workers.forEach((key, names) -> {
            Group group = groups.computeIfAbsent(key, k -> new Group());
            names.forEach(name -> group.parts.put(name, GroupPart.unknown(key)));
        });
    }

    public void update(String worker, List<GroupPart> parts) {
        for (GroupPart part : parts) {
            Group group = groups.get(part.key());
            if (group != null && group.parts.containsKey(worker)) {
                group.parts.put(worker, part);
                group.reached.addAll(part.reached());
                group.changed = true;
            }
        }
    }

    /** Removes the members of a lost worker; other members take over their partitions. */
    public void lost(String worker) {
        for (Group group : groups.values()) {
            GroupPart last = group.parts.remove(worker);
            if (last != null) {
                group.takenByLost += last.taken();
                group.changed = true;
            }
        }
    }

    /** @return for each worker with members, the state of changed groups from the other workers */
    public Map<String, List<GroupPart>> changed() {
        Map<String, List<GroupPart>> news = new TreeMap<>();
        groups.forEach((key, group) -> {
            if (group.changed) {
                group.changed = false;
                Map<String, Integer> owners = owners(group);
                group.parts.keySet().forEach(worker -> news.computeIfAbsent(worker, w -> new ArrayList<>())
                        .add(rest(key, group, worker, owners)));
            }
        });
        return news;
    }

    /** Number of owners of each partition; can exceed one during a rebalance. */
    private static Map<String, Integer> owners(Group group) {
        Map<String, Integer> owners = new HashMap<>();
        group.parts.values().forEach(part -> part.owned().forEach(p -> owners.merge(p, 1, Integer::sum)));
        return owners;
    }

    private static GroupPart rest(String key, Group group, String worker, Map<String, Integer> owners) {
        Map<String, GroupPart> rest = new HashMap<>(group.parts);
        Set<String> mine = rest.remove(worker).owned();
        boolean open = rest.values().stream().anyMatch(GroupPart::open);
        boolean joined = rest.values().stream().allMatch(GroupPart::joined);
        long taken = group.takenByLost
                + rest.values().stream().mapToLong(GroupPart::taken).sum();
        Set<String> owned = new HashSet<>();
        for (Map.Entry<String, Integer> owner : owners.entrySet()) {
            int others = owner.getValue() - (mine.contains(owner.getKey()) ? 1 : 0);
            joined &= others < 2;
            if (others > 0) {
                owned.add(owner.getKey());
            }
        }
        return new GroupPart(key, open, joined, owned, group.reached, taken);
    }
}
