package io.plimsoll.run;

import io.plimsoll.run.faults.OperatorFaults;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.LabKeys;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Parts of a scenario that run code or write files of its choice; like commands, they need the user's consent. Classes
 * named by client properties are exempt, because they come from the program or {@code --classpath}.
 */
final class ScenarioCode {
    /** JVM flags that are numbers or switches; any other flag can name a file, library, or command. */
    private static final Pattern HARMLESS_FLAG =
            Pattern.compile("-X(ms|mx|mn|ss)\\d+[kKmMgG]?|-XX:[+-]\\w+|-XX:\\w+=\\d+[kKmMgGtT]?"
                    + "|-server|-Xint|-Xcomp|-Xbatch|-ea|-esa|-Xlog(:[\\w*+,=]+)?");

    /** Kafka executes the first and loads classes from the rest. */
    private static final Pattern PROPERTY = Pattern.compile("(.*\\.)?sasl\\.kerberos\\.kinit\\.cmd|.*\\.class\\.path");

    /** Modules that Kafka rejects since 3.4 and 4.0; lab brokers can be older. */
    private static final Pattern LOGIN = Pattern.compile("(?s).*(Jndi|Ldap)LoginModule.*");

    private ScenarioCode() {}

    /** Paths of these parts in the scenario. */
    static List<String> in(Scenario scenario) {
        List<String> parts = new ArrayList<>(lab(scenario.lab()));
        for (int i = 0; i < scenario.faults().size(); i++) {
            if (isDirectory(scenario.faults().get(i).get(OperatorFaults.TO))) {
                parts.add("faults[" + i + "].to");
            }
        }
        List<ProducerSpec> producers = scenario.producers();
        for (int i = 0; i < producers.size(); i++) {
            properties("producers[" + i + "].", producers.get(i).settings(), parts);
        }
        List<ConsumerSpec> consumers = scenario.consumers();
        for (int i = 0; i < consumers.size(); i++) {
            properties("consumers[" + i + "].", consumers.get(i).settings(), parts);
        }
        return parts;
    }

    private static List<String> lab(LabSpec lab) {
        List<String> parts = new ArrayList<>();
        if (isDirectory(lab.get(LabKeys.KAFKA_VERSION))) {
            parts.add("lab.kafkaVersion");
        }
        boolean harmless = Stream.of(
                        lab.get(LabKeys.JVM).get(LabKeys.FLAGS).strip().split("\\s+"))
                .allMatch(flag -> flag.isEmpty() || HARMLESS_FLAG.matcher(flag).matches());
        if (!harmless) {
            parts.add("lab.jvm.flags");
        }
        properties("lab.config.", lab.get(LabKeys.CONFIG), parts);
        return parts;
    }

    private static boolean isDirectory(String release) {
        return release.startsWith("/");
    }

    @SuppressWarnings("unchecked")
    private static void properties(String path, Settings of, List<String> parts) {
        of.keys().stream()
                .filter(key -> key.content() == Key.Content.PROPERTIES)
                .forEach(key -> properties(path + key.name() + ".", (Map<String, String>) of.get(key), parts));
    }

    private static void properties(String path, Map<String, String> of, List<String> parts) {
        of.forEach((name, value) -> {
            boolean login =
                    name.endsWith("sasl.jaas.config") && LOGIN.matcher(value).matches();
            if (login || PROPERTY.matcher(name).matches()) {
                parts.add(path + name);
            }
        });
    }
}
