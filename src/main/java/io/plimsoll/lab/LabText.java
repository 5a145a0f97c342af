package io.plimsoll.lab;

import io.plimsoll.Secrets;
import io.plimsoll.result.Units;
import io.plimsoll.scenario.LabKeys;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.scenario.Settings;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Says what a lab would be, for someone who wants to know before it is started. */
public final class LabText {
    private LabText() {}

    /** @throws io.plimsoll.PlimsollException {@link io.plimsoll.Exit#USAGE} if its release cannot be had */
    public static Sentence of(LabOptions lab) {
        LabSpec spec = lab.spec();
        Settings jvm = spec.get(LabKeys.JVM);
        List<Sentence> parts = new ArrayList<>();
        parts.add(Sentence.of("lab.told.brokers", lab.brokers(), lab.release().version()));
        int controllers = spec.get(LabKeys.CONTROLLERS);
        Sentence.addIf(controllers > 0, parts, "lab.told.controllers", controllers);
        Sentence.addIf(lab.release().needsZooKeeper(), parts, "lab.told.zooKeeper");
        List<String> flags = Stream.of(jvm.get(LabKeys.COLLECTOR), jvm.get(LabKeys.FLAGS))
                .filter(flag -> !flag.isEmpty())
                .toList();
        parts.add(Sentence.of("lab.told.jvm", lab.heapMegabytes(), flags));
        parts.add(disks(spec.get(LabKeys.DISKS)));
        Sentence.addIf(lab.diskBytes() > 0, parts, "lab.told.smallDisks", Units.configuredBytes(lab.diskBytes()));
        Sentence.addIf(!spec.get(LabKeys.CPUS).isEmpty(), parts, "lab.told.cpus", spec.get(LabKeys.CPUS));
        List<Sentence> clients = network(spec.get(LabKeys.NETWORK).get(LabKeys.CLIENTS));
        Sentence.addIf(!clients.isEmpty(), parts, "lab.told.clients", clients);
        List<Sentence> between = network(spec.get(LabKeys.NETWORK).get(LabKeys.BETWEEN));
        Sentence.addIf(!between.isEmpty(), parts, "lab.told.between", between);
        Sentence.addIf(lab.proxied(), parts, "lab.told.proxied");
        LabSecurity security = lab.security();
        if (security != null) {
            parts.add(Sentence.verbatim(security.protocol()
                    + security.mechanisms().stream().map(" "::concat).collect(Collectors.joining())));
        }
        Sentence.addIf(spec.get(LabKeys.RACKS) > 0, parts, "lab.told.racks", spec.get(LabKeys.RACKS));
        Sentence.addIf(lab.tiered(), parts, "lab.told.tiered");
        return Sentence.of("lab.told", parts, config(lab.brokerConfig()));
    }

    private static Sentence disks(List<String> disks) {
        boolean alike = disks.stream().allMatch(String::isEmpty);
        return alike
                ? Sentence.of("lab.told.directories", Math.max(1, disks.size()))
                : Sentence.of("lab.told.disks", disks);
    }

    private static List<Sentence> network(LabSpec.Link link) {
        List<Sentence> parts = new ArrayList<>();
        Sentence.addIf(!link.delay().isZero(), parts, "lab.told.delay", Quantities.text(link.delay()));
        Sentence.addIf(!link.jitter().isZero(), parts, "lab.told.jitter", Quantities.text(link.jitter()));
        if (link.bytesPerSecond() > 0) {
            parts.add(Sentence.verbatim(Units.byteRate(link.bytesPerSecond())));
        }
        return parts;
    }

    private static String config(Map<String, String> config) {
        return new TreeMap<>(Secrets.redact(config))
                .entrySet().stream()
                        .map(e -> "; " + e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining());
    }
}
