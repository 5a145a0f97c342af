package io.plimsoll.cluster;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/**
 * Resolves references such as <code>${env:GROUP}</code> once and before any use, so that guards check the values that
 * clients get. Uses Kafka's own code with its providers, rules, and {@code
 * org.apache.kafka.automatic.config.providers}.
 */
public final class ConfigProviders {
    private static final String NAMES = "config.providers";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*?):(([^}]*?):)?([^}]*?)}");

    private ConfigProviders() {}

    /** Whether a property configures providers; clients do not get it, since no reference is left. */
    public static boolean configures(String property) {
        return property.equals(NAMES) || property.startsWith(NAMES + ".");
    }

    /** Whether a value contains a possible reference. */
    public static boolean isReferredTo(String value) {
        return REFERENCE.matcher(value).find();
    }

    /**
     * Resolves {@code own} with its providers, or with those of {@code below}, and drops the provider settings. Fails
     * with {@link Exit#USAGE} if a provider is unusable or has no value.
     */
    public static Map<String, String> lookUp(Map<String, String> below, Map<String, String> own) {
        Map<String, String> asked = new LinkedHashMap<>(own);
        asked.keySet().removeIf(ConfigProviders::configures);
        if (asked.values().stream().noneMatch(ConfigProviders::isReferredTo)) {
            return Collections.unmodifiableMap(asked);
        }
        Map<String, String> all = new HashMap<>(asked);
        Stream.of(below, own).flatMap(each -> each.entrySet().stream()).forEach(property -> {
            if (configures(property.getKey())) {
                all.put(property.getKey(), property.getValue());
            }
        });
        if (!all.containsKey(NAMES)) {
            return Collections.unmodifiableMap(asked);
        }
        Map<String, Object> found;
        try {
            found = new AbstractConfig(new ConfigDef(), all, false).originals();
        } catch (KafkaException e) {
            throw ClusterConnection.unusable(e, all);
        }
        asked.replaceAll((name, written) -> {
            String value = String.valueOf(found.get(name));
            requireFound(name, value, all.get(NAMES));
            Secrets.lookedUp(name, written, value);
            return value;
        });
        Secrets.learn(asked);
        return Collections.unmodifiableMap(asked);
    }

    /** Kafka's clients keep an unresolvable reference as the literal value. */
    private static void requireFound(String name, String value, String providers) {
        Matcher left = REFERENCE.matcher(value);
        while (left.find()) {
            boolean known = (" " + providers + " ").matches(".*[\\s,]" + Pattern.quote(left.group(1)) + "[\\s,].*");
            Exit.USAGE.when(known, "cluster.notLookedUp", name, left.group());
        }
    }
}
