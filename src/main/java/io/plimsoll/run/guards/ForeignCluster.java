package io.plimsoll.run.guards;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Groups;
import io.plimsoll.cluster.LogDirs;
import io.plimsoll.cluster.TopicMark;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.Lab;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.result.Units;
import io.plimsoll.run.guards.ForeignCluster.Findings;
import io.plimsoll.run.guards.LoadLimits.Consent;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Rate.Quantity;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Checks a shared cluster before a run, without changing it. */
public record ForeignCluster(LogDirs disks, Groups groups, Topics topics, int brokers) {
    /** Maximum number of connections, and of connections opened per second, without consent. */
    private static final int MANY_CONNECTIONS = 1000;

    private static final int MANY_A_SECOND = 100;
    /** Maximum number of a trial's new replicas per broker without consent. */
    private static final int MANY_PARTITIONS = 1000;
    /** Maximum read rate without consent, as a multiple of the maximum write rate. */
    private static final int READ_TIMES = 10;

    private static final long ASSUMED_BYTES = 1000;

    /**
     * A search for the ceiling.
     *
     * @param most highest load; 0 if unlimited
     * @param within time limit; empty for no limit
     */
    public record Search(Quantity most, Optional<Duration> within) {}

    /** Violations that no consent permits, violations that require consent, and the remedy without consent. */
    public record Findings(List<Sentence> refusals, List<Sentence> beyond, Sentence advice) {
        public static final Findings NONE = new Findings(List.of(), List.of(), Sentence.NONE);

        /** Findings about schemas that a run adds to a registry, which is shared even if the cluster is a lab. */
        public static Findings registrations(Plan plan) {
            List<Sentence> added = SchemaSupport.toRegister(plan).stream()
                    .filter(spec -> SchemaSupport.get().open(spec).pinned().id() < 0)
                    .map(spec -> Sentence.of("guards.registers", spec.file(), spec.subject(), spec.registry()))
                    .toList();
            return new Findings(List.of(), added, Sentence.of("guards.consentToRegister"));
        }

        /** Both findings together, with the advice of the first that requires consent. */
        public Findings and(Findings other) {
            return new Findings(
                    Stream.concat(refusals.stream(), other.refusals.stream()).toList(),
                    Stream.concat(beyond.stream(), other.beyond.stream()).toList(),
                    beyond.isEmpty() ? other.advice : advice);
        }

        /** @throws PlimsollException {@link Exit#USAGE} with one reason per line, unless the run may start */
        public void enforce(Consent consent) {
            if (!refusals.isEmpty()) {
                throw new PlimsollException(Exit.USAGE, Sentence.lines(refusals));
            }
            if (!beyond.isEmpty() && !consent.to(beyond)) {
                List<Sentence> lines = new ArrayList<>(beyond);
                lines.add(advice);
                throw new PlimsollException(Exit.USAGE, Sentence.lines(lines));
            }
        }
    }

    /**
     * Checks a plan against the limits.
     *
     * @param plan the trials; for a search, only the largest trial of each cell
     * @param search null for a run without a search
     */
    public Findings look(Plan plan, LoadLimits limits, @Nullable Search search) {
        LoadEstimate estimate = LoadEstimate.of(plan, present(plan));
        Set<Sentence> refusals = new LinkedHashSet<>();
        Set<Sentence> beyond = new LinkedHashSet<>();
        checkDisk(plan, estimate, limits, refusals, beyond);
        checkGroups(plan, refusals);
        checkTransactions(plan, refusals, beyond);
        checkRates(estimate, limits, search == null ? null : search.most(), beyond);
        checkBytes(estimate, limits, search, beyond);
        checkReads(estimate, limits, beyond);
        for (Plan.Trial trial : plan.trials()) {
            checkPartitions(trial.scenario(), beyond);
            trial.scenario().faults().stream()
                    .filter(fault -> fault.kind().changesBrokers(fault))
                    .forEach(fault -> refusals.add(Sentence.of("guards.changesBrokers", fault.planned())));
            checkConnections(trial.scenario(), beyond);
            existing(trial.scenario()).forEach(topic -> beyond.add(Sentence.of("guards.existingTopic", topic)));
        }
        return new Findings(List.copyOf(refusals), List.copyOf(beyond), Sentence.of("guards.consent"));
    }

    private static Set<String> existing(Scenario scenario) {
        Set<String> written = Stream.concat(
                        scenario.producers().stream().flatMap(p -> p.topics().stream()),
                        scenario.consumers().stream().flatMap(c -> c.writes().stream()))
                .collect(Collectors.toCollection(TreeSet::new));
        written.retainAll(scenario.topics().stream()
                .filter(TopicSpec::existing)
                .map(TopicSpec::name)
                .collect(Collectors.toSet()));
        return written;
    }

    /** Size in bytes of one replica of each existing topic that a run reads. */
    public Map<String, Long> present(Plan plan) {
        Set<String> read = new TreeSet<>();
        for (Plan.Trial trial : plan.trials()) {
            Set<String> there = trial.scenario().topics().stream()
                    .filter(TopicSpec::existing)
                    .map(TopicSpec::name)
                    .collect(Collectors.toSet());
            trial.scenario()
                    .consumers()
                    .forEach(c -> c.topics().stream().filter(there::contains).forEach(read::add));
        }
        Map<String, Long> bytes = new TreeMap<>();
        if (!read.isEmpty()) {
            Optional<Map<TopicPartition, Long>> sizes = topics.sizesOnDisk(read);
            if (sizes.isPresent()) {
                sizes.get().forEach((p, size) -> bytes.merge(p.topic(), size, Long::sum));
            } else {
                Map<TopicPartition, Long> starts = topics.earliestOffsets(read);
                topics.endOffsets(read)
                        .forEach((p, end) ->
                                bytes.merge(p.topic(), (end - starts.getOrDefault(p, 0L)) * ASSUMED_BYTES, Long::sum));
            }
        }
        return bytes;
    }

    private static void checkBytes(
            LoadEstimate estimate, LoadLimits limits, @Nullable Search search, Set<Sentence> beyond) {
        Optional<Duration> within = search == null || search.most().value() == 0 ? Optional.empty() : search.within();
        double bytes = within.map(time -> mostBytes(estimate, time)).orElse((double) estimate.bytes());
        Sentence.addIf(
                bytes > limits.maxBytes(),
                beyond,
                within.isPresent() ? "guards.searchBytes" : "guards.bytes",
                Units.bytes(bytes),
                "--max-bytes",
                Units.bytes(limits.maxBytes()));
    }

    /** Bytes that the fastest of these trials would write in this time, because the time limit applies to all cells. */
    private static double mostBytes(LoadEstimate estimate, Duration time) {
        return estimate.trials().stream()
                .mapToDouble(trial -> trial.bytes() / trial.seconds() * time.toNanos() / 1e9)
                .max()
                .orElse(0);
    }

    private static void checkReads(LoadEstimate estimate, LoadLimits limits, Set<Sentence> beyond) {
        Sentence.addIf(
                estimate.reads() > limits.maxBytes(),
                beyond,
                "guards.reads",
                Units.bytes(estimate.reads()),
                "--max-bytes",
                Units.bytes(limits.maxBytes()));
        if (limits.maxRate().unit() == Rate.Unit.RECORDS) {
            return;
        }
        double most = READ_TIMES * limits.maxRate().value();
        double rate = estimate.trials().stream()
                .mapToDouble(trial -> trial.peak().readBytesPerSecond())
                .max()
                .orElse(0);
        Sentence.addIf(
                rate > most,
                beyond,
                "guards.readRate",
                Units.byteRate(rate),
                READ_TIMES,
                "--max-rate",
                Units.byteRate(most));
    }

    private void checkPartitions(Scenario scenario, Set<Sentence> beyond) {
        long copies = scenario.topics().stream()
                .filter(topic -> !topic.existing())
                .mapToLong(topic -> (long) topic.partitions() * topic.replication())
                .sum();
        Sentence.addIf(
                copies > (long) MANY_PARTITIONS * brokers,
                beyond,
                "guards.partitions",
                Units.count(copies),
                Units.count((copies + brokers - 1) / brokers),
                Units.count(MANY_PARTITIONS));
    }

    private static void checkConnections(Scenario scenario, Set<Sentence> beyond) {
        int all =
                scenario.connections().stream().mapToInt(ConnectionSpec::count).sum();
        double rate = scenario.connections().stream()
                .mapToDouble(c -> c.ratePerSecond() + c.churnPerSecond())
                .sum();
        Sentence.addIf(
                all > MANY_CONNECTIONS || rate > MANY_A_SECOND,
                beyond,
                "guards.connections",
                all,
                Units.rate(rate),
                MANY_CONNECTIONS,
                MANY_A_SECOND);
    }

    private void checkDisk(
            Plan plan, LoadEstimate estimate, LoadLimits limits, Set<Sentence> refusals, Set<Sentence> beyond) {
        long needed = estimate.peakBytesPerBroker(plan, brokers, copies(plan));
        if (needed == 0) {
            return;
        }
        OptionalLong room = disks.leastRoomBytes(limits.diskReserve(), true);
        if (room.isEmpty()) {
            beyond.add(Sentence.of("guards.diskUnknown", Units.bytes(needed)));
        } else if (needed > room.getAsLong()) {
            refusals.add(Sentence.of(
                    "guards.disk",
                    Units.bytes(needed),
                    Units.bytes(Math.max(0, room.getAsLong())),
                    Units.percent(limits.diskReserve())));
        }
    }

    /** Number of replicas of each existing topic to which a run writes. */
    public Map<String, Integer> copies(Plan plan) {
        Set<String> written = plan.trials().stream()
                .flatMap(trial -> existing(trial.scenario()).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Integer> copies = new TreeMap<>();
        if (!written.isEmpty()) {
            topics.lookup(written)
                    .forEach((name, found) -> found.ifPresent(topic -> copies.put(
                            name, topic.partitions().get(0).replicas().size())));
        }
        return copies;
    }

    private void checkGroups(Plan plan, Set<Sentence> refusals) {
        List<ConsumerSpec> named =
                consumers(plan).filter(c -> c.config().containsKey("group.id")).toList();
        if (named.isEmpty()) {
            return;
        }
        Set<String> ids = named.stream().map(ForeignCluster::group).collect(Collectors.toCollection(TreeSet::new));
        Set<String> unusable = groups.ofOtherKinds(ids);
        unusable.forEach(id -> refusals.add(Sentence.of("guards.groupOfOtherKind", id)));
        ids.removeAll(unusable);
        Map<String, Integer> members = groups.members(ids);
        for (ConsumerSpec consumer : named) {
            Integer active = members.get(group(consumer));
            if (active == null) {
                continue;
            }
            if (active > 0) {
                refusals.add(Sentence.of("guards.activeGroup", group(consumer), active));
            } else if (consumer.rewind().isPresent()) {
                refusals.add(Sentence.of("guards.rewoundGroup", group(consumer)));
            } else if (!consumer.get(ConsumerSpec.EXISTING_GROUP)) {
                refusals.add(Sentence.of("guards.existingGroup", group(consumer)));
            } else if (consumer.changesGroups()) {
                refusals.add(Sentence.of("guards.changedGroup", group(consumer)));
            }
        }
    }

    private static Stream<ConsumerSpec> consumers(Plan plan) {
        return plan.trials().stream().flatMap(t -> t.scenario().consumers().stream());
    }

    private static String group(ConsumerSpec consumer) {
        return Objects.requireNonNull(consumer.config().get("group.id"));
    }

    private void checkTransactions(Plan plan, Set<Sentence> refusals, Set<Sentence> beyond) {
        Set<String> named = plan.trials().stream()
                .flatMap(t -> t.scenario().producers().stream())
                .filter(p -> !p.get(ProducerSpec.EXISTING_TRANSACTIONAL_ID))
                .map(ProducerSpec::config)
                .filter(config -> config.containsKey("transactional.id"))
                .map(config -> config.get("transactional.id"))
                .collect(Collectors.toCollection(TreeSet::new));
        if (named.isEmpty()) {
            return;
        }
        Optional<Set<String>> existing = topics.transactionalIds(named);
        if (existing.isEmpty()) {
            named.forEach(id -> beyond.add(Sentence.of("guards.transactionalIdUnknown", id)));
        }
        existing.orElse(Set.of()).forEach(id -> refusals.add(Sentence.of("guards.existingTransactionalId", id)));
    }

    private static void checkRates(
            LoadEstimate estimate, LoadLimits limits, @Nullable Quantity search, Set<Sentence> beyond) {
        boolean records = limits.maxRate().unit() == Rate.Unit.RECORDS;
        Sentence limit = text(limits.maxRate());
        if (search != null) {
            if (search.value() == 0) {
                beyond.add(Sentence.of("guards.search", "--max-rate"));
            } else if (search.unit() == limits.maxRate().unit()
                    && search.value() > limits.maxRate().value()) {
                beyond.add(Sentence.of("guards.rate", text(search), "--max-rate", limit));
            }
            return;
        }
        boolean several = estimate.trials().size() > 1;
        for (LoadEstimate.Trial trial : estimate.trials()) {
            Sentence in = several ? Sentence.of("guards.inTrial", trial.name()) : Sentence.NONE;
            LoadEstimate.Peak peak = trial.peak();
            double rate = records ? peak.recordsPerSecond() : peak.bytesPerSecond();
            if (peak.unlimited()) {
                beyond.add(Sentence.of("guards.unlimited", in));
            } else if (rate > limits.maxRate().value()) {
                Sentence most = text(new Quantity(rate, limits.maxRate().unit()));
                beyond.add(Sentence.of("guards.trialRate", in, most, "--max-rate", limit));
            } else if (records && peak.recordsUnknown()) {
                beyond.add(Sentence.of("guards.compressedRate", in, "--max-rate", limit));
            }
        }
    }

    private static Sentence text(Quantity rate) {
        return rate.unit() == Rate.Unit.RECORDS
                ? Sentence.of("guards.recordRate", Units.count(Math.round(rate.value())))
                : Sentence.verbatim(Units.byteRate(rate.value()));
    }

    /** Safety checks for commands that act on a cluster without a run. A lab ({@code own}) has no findings. */
    public record ClusterGuard(Admin admin, boolean own) {
        /** Uses the caller's client, because another client could be connected to a different cluster. */
        public static ClusterGuard of(Admin admin) {
            return new ClusterGuard(admin, Lab.isOwn(new Topics(admin).clusterId()));
        }

        /** Checks whether these existing topics can be deleted. */
        public Findings deleting(Collection<String> names) {
            if (own || names.isEmpty()) {
                return Findings.NONE;
            }
            Topics topics = new Topics(admin);
            Map<String, Map<String, String>> configs = topics.readableConfigs(names);
            List<String> marked = new ArrayList<>();
            List<String> others = new ArrayList<>();
            for (String name : names) {
                boolean ofRun =
                        TopicMark.of(configs.getOrDefault(name, Map.of())).isPresent();
                (ofRun ? marked : others).add(name);
            }
            // Marked topics are checked even after the planned end of their run, because any client can use them.
            List<Sentence> used = topics.written(marked).stream()
                    .map(name -> Sentence.of("guards.deletesWritten", name))
                    .toList();
            Map<TopicPartition, Long> ends = topics.endOffsets(others);
            Map<TopicPartition, Long> starts = topics.earliestOffsets(others);
            Set<TopicPartition> all = topics.leaders(others).keySet();
            List<Sentence> beyond = new ArrayList<>(used);
            for (String name : others) {
                List<TopicPartition> partitions =
                        all.stream().filter(p -> p.topic().equals(name)).toList();
                long records = partitions.stream()
                        .mapToLong(p -> ends.getOrDefault(p, 0L) - starts.getOrDefault(p, 0L))
                        .sum();
                beyond.add(
                        ends.keySet().containsAll(partitions)
                                ? Sentence.of("guards.deletes", name, Units.count(records))
                                : Sentence.of("guards.deletesUnknown", name));
            }
            return new Findings(List.of(), beyond, Sentence.of("guards.consentToDeed"));
        }

        /** Checks whether a command can join this group as a member that commits. */
        public Findings joining(String group) {
            if (own) {
                return Findings.NONE;
            }
            Groups groups = new Groups(admin);
            List<Sentence> refusals = new ArrayList<>();
            if (!groups.ofOtherKinds(Set.of(group)).isEmpty()) {
                refusals.add(Sentence.of("guards.groupOfOtherKind", group));
            } else {
                int members = groups.members(Set.of(group)).getOrDefault(group, 0);
                Sentence.addIf(members > 0, refusals, "guards.activeGroup", group, members);
            }
            return new Findings(refusals, List.of(), Sentence.NONE);
        }
    }
}
