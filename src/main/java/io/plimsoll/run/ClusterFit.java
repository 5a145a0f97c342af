package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Ability;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.cluster.Topics;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSizes;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ApiLevels;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.acl.AclOperation;

/** Checks that a plan can run on a cluster: all trials at once, before anything on the cluster changes. */
record ClusterFit(Plan plan, ClusterSession session, ClusterDescription cluster, Set<Sentence> misfits) {
    /** @throws PlimsollException with one misfit per line: {@link Exit#USAGE}, or {@link Exit#CLUSTER} */
    static void check(Plan plan, ClusterSession session) {
        new ClusterFit(plan, session, session.description(), new LinkedHashSet<>()).check();
    }

    private void check() {
        cluster.unreachable().forEach((id, why) -> misfits.add(Sentence.of("run.brokerUnreachable", id, why)));
        PlanCheck.refuse(Exit.CLUSTER, misfits);
        checkAbilities();
        Map<String, TopicSpec> specs = topics();
        Map<String, Optional<TopicDescription>> there = session.topics().lookup(specs.keySet());
        specs.forEach((name, spec) -> checkTopic(spec, there.get(name)));
        PlanCheck.refuse(Exit.USAGE, misfits);
        Set<String> existing = specs.values().stream()
                .filter(TopicSpec::existing)
                .map(TopicSpec::name)
                .collect(Collectors.toSet());
        Topics rules = session.topics();
        checkRights(plan.trials().stream().map(Plan.Trial::scenario).toList(), rules, existing, misfits);
        PlanCheck.refuse(Exit.CLUSTER, misfits);
        newTopics()
                .forEach(wanted ->
                        rules.tryToCreate(wanted.stream().map(Topics::newTopic).toList(), misfits::add));
        checkRecordSizes(rules, existing);
        PlanCheck.refuse(Exit.USAGE, misfits);
    }

    /** Kafka-compatible systems can lack parts of the protocol. */
    private void checkAbilities() {
        ApiLevels levels = ApiLevels.ask(session.connection().clientProperties());
        plan.trials().stream()
                .flatMap(trial -> needed(trial.scenario()).stream())
                .filter(ability -> !ability.in(levels))
                .forEach(ability -> misfits.add(ability.missing()));
        PlanCheck.refuse(Exit.USAGE, misfits);
    }

    private static Set<Ability> needed(Scenario scenario) {
        Set<Ability> needed = EnumSet.noneOf(Ability.class);
        scenario.producers().forEach(producer -> needed.addAll(needed(producer)));
        for (ConsumerSpec consumer : scenario.consumers()) {
            needed.add(Ability.FETCH);
            Engine engine = Engine.all().get(consumer.engine());
            if (engine.sharesPartitions()) {
                needed.add(Ability.SHARE_GROUPS);
            } else if (engine.joinsGroups()) {
                boolean next = "consumer".equals(consumer.config().get("group.protocol"));
                needed.add(next ? Ability.CONSUMER_GROUPS : Ability.GROUPS);
            }
        }
        scenario.faults().forEach(fault -> Fault.of(fault).ability().ifPresent(needed::add));
        if (scenario.topics().stream().anyMatch(topic -> !topic.existing())) {
            needed.add(Ability.TOPICS);
        }
        return needed;
    }

    private static Set<Ability> needed(ProducerSpec producer) {
        Set<Ability> needed = EnumSet.of(Ability.PRODUCE);
        Map<String, String> config = producer.config();
        if (producer.transactions().enabled()) {
            needed.add(Ability.TRANSACTIONS);
        }
        boolean all = List.of("all", "-1").contains(config.getOrDefault("acks", "all"));
        if (producer.engine().equals(Engine.DEFAULT) && all && !"false".equals(config.get("enable.idempotence"))) {
            needed.add(Ability.IDEMPOTENCE);
        }
        return needed;
    }

    /** Each topic in its variant with the most partitions. */
    private Map<String, TopicSpec> topics() {
        Map<String, TopicSpec> specs = new LinkedHashMap<>();
        for (Plan.Trial trial : plan.trials()) {
            for (TopicSpec spec : trial.scenario().topics()) {
                specs.merge(spec.name(), spec, (a, b) -> a.partitions() >= b.partitions() ? a : b);
                int brokers = cluster.brokers().size();
                int needed = Math.max(spec.replication(), spec.brokers());
                if (!spec.existing() && needed > brokers) {
                    String key = spec.replication() == needed ? "replication" : "brokers";
                    misfits.add(Sentence.of("run.clusterTooSmall", spec.name(), key, needed, brokers));
                }
            }
        }
        return specs;
    }

    private void checkTopic(TopicSpec spec, Optional<TopicDescription> there) {
        String name = spec.name();
        if (spec.existing() && there.isEmpty()) {
            misfits.add(Sentence.of("run.topicMissing", name));
        } else if (!spec.existing() && there.isPresent()) {
            misfits.add(Sentence.of("run.topicExists", name));
        } else if (spec.existing() && there.get().partitions().size() < spec.partitions()) {
            int partitions = there.get().partitions().size();
            misfits.add(Sentence.of("run.tooFewPartitions", name, partitions, spec.partitions()));
        }
    }

    /** Distinct sets of topics to create together. */
    private Set<List<TopicSpec>> newTopics() {
        return plan.trials().stream()
                .map(t -> t.scenario().topics().stream()
                        .filter(s -> !s.existing())
                        .toList())
                .filter(wanted -> !wanted.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static void checkRights(
            List<Scenario> scenarios, Topics rules, Collection<String> topics, Set<Sentence> misfits) {
        Set<String> written = new LinkedHashSet<>();
        Set<String> read = new LinkedHashSet<>();
        for (Scenario scenario : scenarios) {
            scenario.producers().stream().map(ProducerSpec::topics).forEach(written::addAll);
            scenario.consumers().stream().map(ConsumerSpec::topics).forEach(read::addAll);
        }
        written.retainAll(topics);
        read.retainAll(topics);
        forbid(rules, written, AclOperation.WRITE, misfits);
        forbid(rules, read, AclOperation.READ, misfits);
    }

    private static void forbid(Topics rules, Collection<String> topics, AclOperation operation, Set<Sentence> misfits) {
        if (!topics.isEmpty()) {
            String key = operation == AclOperation.WRITE ? "run.mayNotWrite" : "run.mayNotRead";
            rules.forbidden(topics, operation).forEach(name -> misfits.add(Sentence.of(key, name)));
        }
    }

    /**
     * Checks that the clients of a trial are authorized for its newly created topics.
     *
     * @throws PlimsollException {@link Exit#CLUSTER} if not
     */
    static void checkRights(Scenario scenario, Topics rules, Collection<String> created) {
        Set<Sentence> misfits = new LinkedHashSet<>();
        checkRights(List.of(scenario), rules, created, misfits);
        PlanCheck.refuse(Exit.CLUSTER, misfits);
    }

    /** Checks record sizes against existing topics and the brokers' default for new ones. */
    private void checkRecordSizes(Topics rules, Set<String> existing) {
        Map<String, Long> limits = existing.isEmpty() ? Map.of() : rules.largestBatchOf(existing);
        OptionalLong usual = rules.largestBatch(cluster.ids());
        for (Plan.Trial trial : plan.trials()) {
            Map<String, TopicSpec> specs =
                    trial.scenario().topics().stream().collect(Collectors.toMap(TopicSpec::name, s -> s, (a, b) -> a));
            for (ProducerSpec producer : trial.scenario().producers()) {
                RecordSizes.leastBatchBytes(producer.with(ProducerKeys.RECORD, PayloadSource.sized(producer.record())))
                        .ifPresent(bytes -> producer.topics()
                                .forEach(topic -> checkSize(bytes, specs.get(topic), limits.get(topic), usual)));
            }
        }
    }

    private void checkSize(long bytes, TopicSpec topic, Long own, OptionalLong usual) {
        if (topic.existing()) {
            Sentence.addIf(own != null && bytes > own, misfits, "run.recordOverTopic", bytes, topic.name(), own);
        } else if (!topic.config().containsKey("max.message.bytes") && usual.isPresent() && bytes > usual.getAsLong()) {
            misfits.add(Sentence.of("run.recordOverBroker", bytes, usual.getAsLong(), topic.name()));
        }
    }
}
