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
 * Looks up values such as <code>${env:GROUP}</code>, once and before anything uses them, so that guards judge the values
 * that clients get. Kafka's own code does it, with all its providers, its own rules and
 * {@code org.apache.kafka.automatic.config.providers}.
 */
public final class ConfigProviders {
    private static final String NAMES = "config.providers";
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*?):(([^}]*?):)?([^}]*?)}");

    private ConfigProviders() {}

    /** Whether a property configures the providers; clients do not get it, since there is nothing left to look up. */
    public static boolean configures(String property) {
        return property.equals(NAMES) || property.startsWith(NAMES + ".");
    }

    /** Whether a value has a part that a provider may look up. */
    public static boolean isReferredTo(String value) {
        return REFERENCE.matcher(value).find();
    }

    /**
     * The properties with the values that clients get, without those that configure providers. Where a value comes from is
     * remembered for what is shown of it.
     *
     * @param below properties whose providers are used unless {@code own} has others
     * @throws PlimsollException ({@link Exit#USAGE}) where a provider cannot be used or has no value
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

    /** Kafka's clients take a reference without a value for the value. */
    private static void requireFound(String name, String value, String providers) {
        Matcher left = REFERENCE.matcher(value);
        while (left.find()) {
            boolean known = (" " + providers + " ").matches(".*[\\s,]" + Pattern.quote(left.group(1)) + "[\\s,].*");
            Exit.USAGE.when(known, "cluster.notLookedUp", name, left.group());
        }
    }
}
