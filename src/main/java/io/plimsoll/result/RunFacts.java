package io.plimsoll.result;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Conditions of a run as named texts, for comparison with other runs. Stateless. */
public final class RunFacts {
    /** Names of facts that differ by chance, that a run changes itself, or that are free text. */
    public static final Set<String> CHANCE = Set.of(
            "about", "name", "cpu.hertz", "fileSystem.directory", "fileSystem.usableBytes", "memory.availableBytes");

    /** The scenario as requested. */
    public static Map<String, String> scenario(RunResult result) {
        return flat(result.scenario());
    }

    /** Versions of the load generator's software. */
    public static Map<String, @Nullable String> tool(RunResult result) {
        Map<String, @Nullable String> facts = new LinkedHashMap<>();
        RunResult.Tool tool = result.tool();
        if (tool != null) {
            facts.put("plimsoll", version(tool));
            facts.put("Kafka client", tool.kafkaClientVersion());
            facts.put("Java", tool.java());
        }
        return facts;
    }

    private static String version(RunResult.Tool tool) {
        boolean known = tool.commit() != null && !tool.commit().equals("unknown");
        return tool.version() + (known ? " (" + tool.commit() + ")" : "");
    }

    /** The brokers under load. */
    public static Map<String, @Nullable String> cluster(RunResult result) {
        Map<String, @Nullable String> facts = new LinkedHashMap<>();
        RunResult.Cluster cluster = result.cluster();
        if (cluster != null) {
            facts.put("started for the run", cluster.lab() ? "yes" : "no");
            facts.put("Kafka", cluster.kafkaVersion());
            facts.put("brokers", String.valueOf(cluster.brokers().size()));
            if (!cluster.lab()) {
                facts.put("id", cluster.id());
            }
        }
        return facts;
    }

    public static Map<String, String> host(RunResult result) {
        return result.environment() == null
                ? Map.of()
                : flat(result.environment().host());
    }

    private static Map<String, String> flat(Map<String, Object> values) {
        Map<String, String> facts = new LinkedHashMap<>();
        flatten("", values, facts);
        return facts;
    }

    private static void flatten(String path, @Nullable Object value, Map<String, String> into) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((k, v) -> flatten(path.isEmpty() ? String.valueOf(k) : path + "." + k, v, into));
        } else if (value instanceof Collection<?> list && list.stream().anyMatch(v -> v instanceof Map)) {
            int i = 0;
            for (Object element : list) {
                flatten(path + "[" + i++ + "]", element, into);
            }
        } else if (value != null) {
            into.put(path, value instanceof Collection ? Json.line(value) : value.toString());
        }
    }
}
