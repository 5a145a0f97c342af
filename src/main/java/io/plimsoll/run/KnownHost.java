package io.plimsoll.run;

import io.plimsoll.LinuxRoot;
import io.plimsoll.PlimsollException;
import io.plimsoll.diagnose.HostBounds;
import io.plimsoll.observe.host.Fact;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.observe.host.HostInventory.Nic;
import io.plimsoll.observe.host.HostMeasurements;
import io.plimsoll.observe.host.ListeningProcess;
import io.plimsoll.result.CalibrationCache;
import io.plimsoll.result.Calibrations;
import io.plimsoll.result.HostRates;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Capacity of the host before a load: its engines, disk, and network, and whether brokers share it. Used by one thread. */
final class KnownHost {
    private static final Duration EACH = Duration.ofSeconds(1);

    private final HostInventory inventory;
    private final CalibrationCache cache;
    private final ClusterSession cluster;
    private final Consumer<Sentence> notes;
    private final boolean loadHere;
    private final boolean brokersHere;
    /** The disk with the brokers' logs; empty if it is remote, or several disks contain logs. */
    private Optional<String> disk;

    private final Set<Path> logs = new TreeSet<>();
    private final Map<String, Integer> copies = new HashMap<>();
    private Calibrations known;

    /** @param loadHere whether this host alone generates the load; other hosts are unknown */
    KnownHost(
            HostInventory inventory,
            CalibrationCache cache,
            ClusterSession cluster,
            boolean loadHere,
            Consumer<Sentence> notes) {
        this.inventory = inventory;
        this.loadHere = loadHere;
        this.cache = cache;
        this.cluster = cluster;
        this.notes = notes;
        this.known = cache.read(notes);
        if (loadHere && !LinuxRoot.isHere()) {
            notes.accept(Sentence.of("run.hostNotMeasured"));
        }
        this.brokersHere = cluster.isLab()
                || cluster.description().brokers().stream().allMatch(b -> ListeningProcess.isHere(b.host()));
        this.disk = brokersHere ? findDisk() : Optional.empty();
    }

    Calibrations calibrations() {
        return known;
    }

    private Optional<String> findDisk() {
        logs.clear();
        cluster.logDirs().paths().stream()
                .map(Path::of)
                .filter(Files::isDirectory)
                .forEach(logs::add);
        Set<String> devices = new TreeSet<>();
        logs.forEach(log -> HostMeasurements.device(log).ifPresent(devices::add));
        return devices.size() == 1 ? Optional.of(devices.iterator().next()) : Optional.empty();
    }

    /**
     * If brokers share this host and no result is stored yet, measures the host for a few seconds and stores the
     * result.
     */
    void measureIfUnknown(Path own, Runnable measuring) {
        HostRates rates = known.rates() == null ? HostRates.NONE : known.rates();
        Optional<Path> directory = disk.filter(
                        d -> !rates.diskWriteBytesPerSecond().containsKey(d))
                .flatMap(d -> place(d, own));
        if (!brokersHere || (directory.isEmpty() && rates.loopbackBytesPerSecond() != null)) {
            return;
        }
        measuring.run();
        try {
            HostRates measured = HostLimits.rates(directory, HostMeasurements.brief(directory, EACH));
            cache.add(measured, notes);
            known = new Calibrations(known.schema(), known.host(), known.calibrations(), rates.with(measured));
        } catch (PlimsollException e) {
            notes.accept(Sentence.of("run.hostUnknown", e.sentence()));
        }
    }

    /**
     * A directory on this disk for the measurement: beside the logs of a lab, Plimsoll's own directory, or the
     * temporary directory. Empty if none of them is on this disk.
     */
    private Optional<Path> place(String device, Path own) {
        List<Path> ours = cluster.isLab()
                ? List.of(logs.iterator().next().toAbsolutePath().getParent(), own)
                : List.of(own, Path.of(System.getProperty("java.io.tmpdir")));
        return ours.stream()
                .filter(p -> HostMeasurements.device(p).equals(Optional.of(device)))
                .findFirst();
    }

    void learn(Set<String> topics) {
        disk = brokersHere ? findDisk() : Optional.empty();
        cluster.topics()
                .describe(topics)
                .forEach((name, topic) ->
                        copies.put(name, topic.partitions().get(0).replicas().size()));
    }

    /**
     * Number of replicas of a topic. Before {@link #learn}, the number in the scenario also applies to existing topics.
     */
    int copies(TopicSpec topic) {
        return topic.existing() ? copies.getOrDefault(topic.name(), topic.replication()) : topic.replication();
    }

    /** Facts about the host for a scenario. Call {@link #learn} with the scenario's topics first. */
    HostBounds.Ground ground(Scenario scenario) {
        HostRates rates = known.rates() == null ? HostRates.NONE : known.rates();
        return new HostBounds.Ground(
                brokersHere,
                Runtime.getRuntime().availableProcessors(),
                disk.map(rates.diskWriteBytesPerSecond()::get).orElse(null),
                loadHere ? rates.loopbackBytesPerSecond() : null,
                loadHere ? link() : null,
                copies,
                readers(scenario));
    }

    private @Nullable Double link() {
        Fact<List<Nic>> nics = inventory.networks();
        if (!nics.isKnown()) {
            return null;
        }
        return nics.value().stream()
                .filter(nic -> nic.state().equals("up") && nic.bitsPerSecond().isKnown())
                // Bridges and container interfaces report arbitrary speeds; a bond reports the sum of its cards.
                .filter(nic -> !nic.virtual() || nic.name().matches("(bond|team)\\d+"))
                .map(nic -> nic.bitsPerSecond().value() / 8.0)
                .max(Double::compare)
                .orElse(null);
    }

    /** Number of groups that read each topic during the load; groups with a delayed start are excluded. */
    private static Map<String, Double> readers(Scenario scenario) {
        Map<String, Double> readers = new HashMap<>();
        for (ConsumerSpec spec : scenario.consumers()) {
            for (int g = 0; g < (spec.startsLate() ? 0 : spec.groups()); g++) {
                spec.topicsOf(g).forEach(topic -> readers.merge(topic, 1.0, Double::sum));
            }
        }
        return readers;
    }
}
