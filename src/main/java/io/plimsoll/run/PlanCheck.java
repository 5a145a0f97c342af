package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Ability;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.ClusterDescription;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.Connections;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.ProducerKind.Identity;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.Units;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.run.faults.OperatorFaults;
import io.plimsoll.scenario.Check;
import io.plimsoll.scenario.ConnectionSpec;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Key;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.Labels;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSizes;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.RecordSpec.Payload;
import io.plimsoll.scenario.RecordSpec.WeightedSize;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.Settings;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import io.plimsoll.wire.ApiLevels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;

/** Checks that the engines, and the lab if one is started, support a plan; needs no cluster. */
final class PlanCheck {
    /** An unused address: test clients are created and closed without connecting. */
    private static final String UNREACHABLE = "127.0.0.1:1";

    private static final String SERVERS = "bootstrap.servers";

    private static final int MOST_NAMED = 5;

    private static final String BROKER_LIMIT = "message.max.bytes";

    private final RunRequest request;
    private final LoadContext context;
    private final Set<Sentence> problems = new LinkedHashSet<>();
    private final Set<Sentence> warnings = new LinkedHashSet<>();
    /** Messages about unknown names: warnings, or errors if unknown names are refused. */
    private final Set<Sentence> unknown;

    private final Set<Object> tried = new HashSet<>();

    private PlanCheck(RunRequest request) {
        this.request = request;
        this.unknown = request.chosen().strict ? problems : warnings;
        Map<String, Object> properties = new HashMap<>(
                request.cluster().map(ClusterConnection::clientProperties).orElse(Map.of()));
        properties.put(SERVERS, UNREACHABLE);
        this.context = new LoadContext(properties, "check", 0, request.seed(), text -> {});
    }

    /** @throws PlimsollException {@link Exit#USAGE} with one problem per line */
    static List<Sentence> check(RunRequest request) {
        return new PlanCheck(request).check();
    }

    private List<Sentence> check() {
        request.cluster().ifPresent(c -> unknown.addAll(ClientProperties.unknownToAll(c.properties())));
        List<Plan.Trial> trials = request.plan().trials();
        if (!request.chosen().allowExec) {
            trials.forEach(trial -> ScenarioCode.in(trial.scenario())
                    .forEach(part -> problems.add(Sentence.of("run.codeNeedsConsent", part))));
            // Code of the scenario must not run before consent.
            refuse(Exit.USAGE, problems);
        }
        checkKept(trials);
        for (Plan.Trial trial : trials) {
            UnaryOperator<Sentence> where =
                    text -> trials.size() == 1 ? text : Sentence.of("run.ofTrial", trial.name(), text);
            check(trial.scenario(), where);
            if (trial.scenario().get(Scenario.OBSERVE).replicas() > 0 && !request.chosen().allowExec) {
                problems.add(where.apply(Sentence.of("run.scalingNeedsConsent")));
            }
            int index = 0;
            for (FaultSpec fault : trial.scenario().faults()) {
                String part = "faults[" + index++ + "]";
                mismatch(trial.scenario(), fault)
                        .ifPresent(text -> problems.add(where.apply(Sentence.of("run.atPart", part, text))));
            }
        }
        if (request.cluster().isPresent()) {
            checkNoLab(trials);
            Sentence.addIf(
                    request.chosen().observe == RunRequest.ObserveLevel.REQUESTS, warnings, "run.requestsNeedLab");
        } else {
            request.labs().forEach(spec -> checkLabs(spec, trials));
        }
        trials.forEach(trial -> checkTopicConfigs(trial.scenario()));
        refuse(Exit.USAGE, problems);
        return List.copyOf(warnings);
    }

    /**
     * Checks topic settings. Unknown settings are errors in a lab of the bundled release; brokers of other releases can
     * support them.
     */
    private void checkTopicConfigs(Scenario scenario) {
        boolean lab = request.cluster().isEmpty()
                && LabOptions.version(scenario.lab()).equals(ToolInfo.kafka());
        Set<Sentence> into = lab ? problems : unknown;
        for (TopicSpec topic : scenario.topics()) {
            into.addAll(Topics.unknownConfigs(topic.config(), "topics: " + topic.name()));
        }
        for (FaultSpec fault : scenario.faults()) {
            if (fault.kind().name().equals("changeConfig") && !(fault.target() instanceof Target.Brokers)) {
                into.addAll(Topics.unknownConfigs(fault.get(OperatorFaults.SET), fault.planned()));
            }
        }
    }

    /** @throws PlimsollException if no entry has the label of a check */
    static void labels(Plan plan, List<Check> checks) {
        for (Plan.Trial trial : plan.trials()) {
            for (Check check : checks) {
                try {
                    Labels.known(trial.scenario(), check.figure(), check.label());
                } catch (InvalidValueException e) {
                    throw Exit.USAGE.because(e, "run.ofTrial", trial.name(), e.sentence());
                }
            }
        }
    }

    /** Warnings about groups that cannot keep up because their processing takes too long. */
    static List<Sentence> slowReaders(Plan plan) {
        List<Sentence> slow = new ArrayList<>();
        for (LoadEstimate.Trial trial : LoadEstimate.of(plan).trials()) {
            for (LoadEstimate.SlowReader reader : trial.slow()) {
                Sentence text = Sentence.of(
                        "run.slowReader",
                        "consumers[" + reader.entry() + "]",
                        Units.rate(reader.most()),
                        reader.spec().members(),
                        reader.spec().work().orElseThrow().text(),
                        Units.rate(reader.written()));
                slow.add(plan.trials().size() == 1 ? text : Sentence.of("run.ofTrial", trial.name(), text));
            }
        }
        return slow;
    }

    /**
     * Reports labs that the plan describes although a cluster is given: an error if every trial describes a lab or labs
     * are compared, otherwise a warning.
     */
    private void checkNoLab(List<Plan.Trial> trials) {
        List<String> described = trials.stream()
                .filter(t -> t.scenario().lab().settings().keys().stream().anyMatch(key -> key != LabSpec.BROKERS)
                        || t.parameters().keySet().stream().anyMatch(path -> path.startsWith("lab")))
                .map(Plan.Trial::name)
                .toList();
        if (described.size() == trials.size() || request.plan().comparesLabs()) {
            problems.add(Sentence.of("run.labDescribed"));
        } else if (!described.isEmpty()) {
            warnings.add(Sentence.of("run.labOfTrials", Sentence.list(described, MOST_NAMED)));
        }
    }

    private void checkLabs(LabSpec spec, List<Plan.Trial> trials) {
        LabOptions lab = request.labOptions(spec);
        LabOptions.version(spec);
        trials.stream()
                .map(Plan.Trial::scenario)
                .filter(s -> s.lab().equals(spec))
                .forEach(s -> checkLab(s, lab));
    }

    /** @throws PlimsollException with one problem per line, unless the list is empty */
    static void refuse(Exit exit, Collection<Sentence> problems) {
        if (!problems.isEmpty()) {
            throw new PlimsollException(exit, Sentence.lines(List.copyOf(problems)));
        }
    }

    private Optional<Sentence> mismatch(Scenario scenario, FaultSpec fault) {
        Fault<?> kind = Fault.of(fault);
        if (kind.has(Trait.CONSENTED) && !request.chosen().allowExec) {
            return Optional.of(Sentence.of("run.needsConsent"));
        }
        if (kind.has(Trait.LOCAL_MEMBERS) && !request.workers().local()) {
            return Optional.of(Sentence.of("load.membersElsewhere"));
        }
        if (request.cluster().isPresent()) {
            return !kind.has(Trait.ANYWHERE)
                    ? Optional.of(Sentence.of("run.onlyLab", fault.planned()))
                    : Optional.empty();
        }
        return labMismatch(scenario.lab(), fault);
    }

    private Optional<Sentence> labMismatch(LabSpec lab, FaultSpec fault) {
        Fault<?> kind = Fault.of(fault);
        boolean controller = fault.target() instanceof Target.Controller;
        if (controller && kind.has(Trait.NEEDS_BROKER) && lab.get(LabSpec.CONTROLLERS) > 0) {
            return Optional.of(Sentence.of("run.dedicatedController", fault.planned()));
        }
        boolean zooKeeper = Stream.of(lab.get(LabSpec.KAFKA_VERSION), fault.get(OperatorFaults.TO))
                .anyMatch(LabOptions::needsZooKeeper);
        if (zooKeeper && (controller || kind.has(Trait.NEEDS_QUORUM))) {
            return Optional.of(Sentence.of("run.needsQuorum", fault.planned()));
        }
        int brokers = request.labOptions(lab).brokers();
        return fault.target() instanceof Target.Broker broker && (broker.id() < 1 || broker.id() > brokers)
                ? Optional.of(Sentence.of("run.noBrokerInLab", broker.id(), brokers, moreBrokers(broker.id())))
                : Optional.empty();
    }

    /** The advice to start enough brokers, if a lab can have this number. */
    private static Sentence moreBrokers(int needed) {
        return needed >= 1 && needed <= LabOptions.MAX_BROKERS ? Sentence.of("run.giveBrokers", needed) : Sentence.NONE;
    }

    /** Checks kept topics, which are created only once, as the first trial defines them. */
    private void checkKept(List<Plan.Trial> trials) {
        Map<String, TopicSpec> kept = new HashMap<>();
        for (Plan.Trial trial : trials) {
            for (TopicSpec topic : trial.scenario().topics()) {
                TopicSpec before = topic.keep() ? kept.putIfAbsent(topic.name(), topic) : null;
                if (before != null && !before.equals(topic)) {
                    problems.add(
                            Sentence.of("run.ofTrial", trial.name(), Sentence.of("run.keptOtherwise", topic.name())));
                }
            }
        }
    }

    private void check(Scenario scenario, UnaryOperator<Sentence> where) {
        boolean labels = scenario.producers().stream().anyMatch(p -> !p.on().isEmpty())
                || scenario.consumers().stream().anyMatch(c -> !c.on().isEmpty());
        if (request.workers().local() && (labels || scenario.fleet().apart())) {
            warnings.add(where.apply(Sentence.of("run.noFleet")));
        }
        if (!scenario.connections().isEmpty()) {
            long all = scenario.connections().stream()
                    .mapToLong(ConnectionSpec::count)
                    .sum();
            collect(where, () -> Connections.maker().check(request.workers().local() ? all : 0));
        }
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String part = "producers[" + index++ + "]";
            unknown.addAll(ClientProperties.unknown(
                    spec.config(), ProducerConfig.configNames(), "producer", part + ".config"));
            collect(where, () -> checkProducer(scenario, spec, part));
            if (scenario.audit()) {
                collect(where, () -> withoutIdentity(spec, part).ifPresent(warnings::add));
            }
        }
        index = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers[" + index++ + "]";
            unknown.addAll(ClientProperties.unknown(
                    spec.config(), ConsumerConfig.configNames(), "consumer", part + ".config"));
            collect(where, () -> checkConsumer(spec, part));
        }
    }

    /** A note that the audit of an entry compares counts with end offsets, because records have no identity. */
    private Optional<Sentence> withoutIdentity(ProducerSpec spec, String part) {
        if (ProducerKind.marksOf(context, spec).identity() != Identity.NONE) {
            return Optional.empty();
        }
        Payload payload = spec.record().payload();
        boolean made = !(payload instanceof Payload.File
                || payload instanceof Payload.Files
                || payload instanceof Payload.Template
                || payload instanceof Payload.InSchema);
        int smallest = spec.record().mix().stream()
                .mapToInt(WeightedSize::size)
                .min()
                .orElse(spec.record().size());
        Sentence reason = made && smallest < io.plimsoll.payload.Identity.BYTES
                ? Sentence.of("run.tooSmallForIdentity", smallest, io.plimsoll.payload.Identity.BYTES)
                : made ? Sentence.of("run.noIdentity") : Sentence.of("run.givenValues");
        return Optional.of(Sentence.of("run.auditByEnds", part, reason));
    }

    private void checkServers(Map<String, String> config, String part) {
        String named = config.get(SERVERS);
        boolean here = request.cluster()
                .filter(cluster -> cluster.bootstrapServers().equals(named))
                .isPresent();
        Exit.USAGE.when(named != null && !here, "run.clusterInConfig", part, named);
    }

    private void checkProducer(Scenario scenario, ProducerSpec spec, String part) {
        checkServers(spec.config(), part);
        ProducerKind kind = LoadKind.producers(spec.engine());
        kind.check(spec, part);
        Map<String, Object> properties = ClientProperties.of(context, spec, part, 0);
        ClientProperties.parseProducer(properties, part);
        ProducerLoad.sample(context, spec, part);
        RecordSpec sized = PayloadSource.sized(spec.record());
        if (!sized.equals(spec.record())) {
            Set<String> named = Set.copyOf(spec.topics());
            List<TopicSpec> topics = scenario.topics().stream()
                    .filter(topic -> named.contains(topic.name()))
                    .toList();
            RecordSizes.tooLarge(sized, spec.config(), topics).ifPresent(problem -> {
                throw Exit.USAGE.because("load.ofPart", part + ".record", problem);
            });
        }
        if (isNew(spec.engine(), properties, List.of())) {
            kind.tryOut(context, spec, part);
        }
    }

    private void checkConsumer(ConsumerSpec spec, String part) {
        checkServers(spec.config(), part);
        Map<String, Object> properties = ClientProperties.of(context, spec, part, 0);
        ClientProperties.parseConsumer(properties, part);
        ConsumerKind kind = LoadKind.consumers(spec.engine());
        kind.check(spec, part);
        unknown.addAll(ClientProperties.unknown(
                kind.outputConfig(spec), ProducerConfig.configNames(), "producer", part + ".outputConfig"));
        List<Object> own = new ArrayList<>();
        Engine.of(spec.engine()).consumerKeys().forEach(key -> own.add(spec.get(key)));
        if (isNew(spec.engine(), properties, own)) {
            kind.tryOut(context, spec, part);
        }
    }

    /**
     * Whether no client with the same properties, ignoring names, was checked yet; a plan can have hundreds of clients.
     * @param own settings that only entries of this engine have
     */
    private boolean isNew(String engine, Map<String, Object> properties, List<Object> own) {
        Map<String, Object> nameless = new HashMap<>(properties);
        List.of("client.id", "group.id", "transactional.id").forEach(nameless::remove);
        return tried.add(List.of(engine, nameless, own));
    }

    private void collect(UnaryOperator<Sentence> where, Runnable check) {
        try {
            check.run();
        } catch (PlimsollException e) {
            problems.add(where.apply(e.sentence()));
        }
    }

    private void checkLab(Scenario scenario, LabOptions lab) {
        for (TopicSpec topic : scenario.topics()) {
            if (topic.existing()) {
                problems.add(Sentence.of("run.labHasNoTopics", topic.name()));
                continue;
            }
            int needed = Math.max(topic.replication(), topic.brokers());
            if (needed > lab.brokers()) {
                String key = topic.replication() == needed ? "replication" : "brokers";
                problems.add(
                        Sentence.of("run.labTooSmall", topic.name(), key, needed, lab.brokers(), moreBrokers(needed)));
            }
        }
        String limit = lab.brokerConfig().getOrDefault(BROKER_LIMIT, "");
        if (limit.matches("\\d{1,9}")) {
            scenario.producers().forEach(p -> checkSize(scenario, p, Long.parseLong(limit)));
        }
    }

    private void checkSize(Scenario scenario, ProducerSpec producer, long limit) {
        Set<String> named = Set.copyOf(producer.topics());
        boolean bound = scenario.topics().stream()
                .anyMatch(t -> named.contains(t.name()) && !t.config().containsKey("max.message.bytes"));
        RecordSpec sized = PayloadSource.sized(producer.record());
        RecordSizes.leastBatchBytes(producer.with(ProducerSpec.RECORD, sized)).ifPresent(bytes -> {
            Sentence.addIf(bound && bytes > limit, problems, "run.recordOverLab", bytes, limit);
        });
    }

    /**
     * Parts of a scenario that can run any code or write any file; like commands, they need the user's consent. Classes
     * named by client properties are exempt, because they come from the program or {@code --classpath}.
     */
    static final class ScenarioCode {
        /** JVM flags that are numbers or switches; any other flag can name a file, library, or command. */
        private static final Pattern HARMLESS_FLAG =
                Pattern.compile("-X(ms|mx|mn|ss)\\d+[kKmMgG]?|-XX:[+-]\\w+|-XX:\\w+=\\d+[kKmMgGtT]?"
                        + "|-server|-Xint|-Xcomp|-Xbatch|-ea|-esa|-Xlog(:[\\w*+,=]+)?");

        /**
         * Properties that run code or write files: Kafka executes {@code kinit.cmd} and loads classes from {@code
         * class.path}; the other two properties set the directory to which the tiered storage of a lab writes.
         */
        private static final Pattern PROPERTY =
                Pattern.compile("(.*\\.)?sasl\\.kerberos\\.kinit\\.cmd|.*\\.class\\.path"
                        + "|rsm\\.config\\.dir|remote\\.log\\.storage\\.manager\\.impl\\.prefix");

        /** Login modules that recent Kafka releases reject; lab brokers can be older. */
        private static final Pattern LOGIN = Pattern.compile("(?s).*(Jndi|Ldap)LoginModule.*");

        static List<String> in(Scenario scenario) {
            List<String> parts = new ArrayList<>(lab(scenario.lab()));
            for (int i = 0; i < scenario.faults().size(); i++) {
                FaultSpec fault = scenario.faults().get(i);
                if (isDirectory(fault.get(OperatorFaults.TO))) {
                    parts.add("faults[" + i + "].to");
                }
                properties("faults[" + i + "].", fault.settings(), parts);
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
            if (isDirectory(lab.get(LabSpec.KAFKA_VERSION))) {
                parts.add("lab.kafkaVersion");
            }
            boolean harmless = Stream.of(
                            lab.get(LabSpec.JVM).get(LabSpec.FLAGS).strip().split("\\s+"))
                    .allMatch(flag ->
                            flag.isEmpty() || HARMLESS_FLAG.matcher(flag).matches());
            if (!harmless) {
                parts.add("lab.jvm.flags");
            }
            properties("lab.config.", lab.get(LabSpec.CONFIG), parts);
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
                boolean login = name.endsWith("sasl.jaas.config")
                        && LOGIN.matcher(value).matches();
                if (login || PROPERTY.matcher(name).matches()) {
                    parts.add(path + name);
                }
            });
        }
    }

    /** Checks that all trials of a plan can run on a cluster, before any change to the cluster. */
    record ClusterFit(Plan plan, ClusterSession session, ClusterDescription cluster, Set<Sentence> problems) {
        /** @throws PlimsollException with one problem per line: {@link Exit#USAGE}, or {@link Exit#CLUSTER} */
        static void check(Plan plan, ClusterSession session) {
            new ClusterFit(plan, session, session.description(), new LinkedHashSet<>()).check();
        }

        private void check() {
            cluster.unreachable().forEach((id, why) -> problems.add(Sentence.of("run.brokerUnreachable", id, why)));
            refuse(Exit.CLUSTER, problems);
            checkFaults();
            checkAbilities();
            Map<String, TopicSpec> specs = topics();
            Map<String, Optional<TopicDescription>> there = session.topics().lookup(specs.keySet());
            specs.forEach((name, spec) -> checkTopic(spec, there.getOrDefault(name, Optional.empty())));
            refuse(Exit.USAGE, problems);
            Set<String> existing = specs.values().stream()
                    .filter(TopicSpec::existing)
                    .map(TopicSpec::name)
                    .collect(Collectors.toSet());
            Topics rules = session.topics();
            checkRights(plan.trials().stream().map(Plan.Trial::scenario).toList(), rules, existing, problems);
            refuse(Exit.CLUSTER, problems);
            newTopics()
                    .forEach(wanted -> rules.tryToCreate(
                            wanted.stream().map(Topics::newTopic).toList(), problems::add));
            checkRecordSizes(rules, existing);
            refuse(Exit.USAGE, problems);
        }

        /** Checks that the target brokers of faults exist. For a lab, this is checked before it starts. */
        private void checkFaults() {
            plan.trials().stream()
                    .filter(trial -> !session.isLab())
                    .flatMap(trial -> trial.scenario().faults().stream())
                    .map(FaultSpec::target)
                    .filter(target -> target instanceof Target.Broker broker
                            && !cluster.ids().contains(broker.id()))
                    .forEach(target -> problems.add(Sentence.of(
                            "run.noSuchBroker",
                            ((Target.Broker) target).id(),
                            cluster.ids().toString())));
            refuse(Exit.USAGE, problems);
        }

        /** Checks the cluster's abilities, because Kafka-compatible systems can lack parts of the protocol. */
        private void checkAbilities() {
            ApiLevels levels = ApiLevels.ask(session.connection().clientProperties());
            plan.trials().stream()
                    .flatMap(trial -> needed(trial.scenario()).stream())
                    .filter(ability -> !ability.in(levels))
                    .forEach(ability -> problems.add(ability.missing()));
            refuse(Exit.USAGE, problems);
        }

        private static Set<Ability> needed(Scenario scenario) {
            Set<Ability> needed = EnumSet.noneOf(Ability.class);
            scenario.producers().forEach(producer -> needed.addAll(needed(producer)));
            for (ConsumerSpec consumer : scenario.consumers()) {
                needed.add(Ability.FETCH);
                Engine engine = Engine.of(consumer.engine());
                if (engine.sharesPartitions()) {
                    needed.add(Ability.SHARE_GROUPS);
                } else if (engine.joinsGroups()) {
                    boolean next = "consumer".equals(consumer.config().get("group.protocol"));
                    needed.add(next ? Ability.CONSUMER_GROUPS : Ability.GROUPS);
                }
            }
            for (FaultSpec fault : scenario.faults()) {
                Fault.of(fault).ability().ifPresent(needed::add);
                if (fault.target() instanceof Target.Controller) {
                    needed.add(Ability.CONTROLLERS);
                }
            }
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

        /** Each topic in the variant with the most partitions. */
        private Map<String, TopicSpec> topics() {
            Map<String, TopicSpec> specs = new LinkedHashMap<>();
            for (Plan.Trial trial : plan.trials()) {
                for (TopicSpec spec : trial.scenario().topics()) {
                    specs.merge(spec.name(), spec, (a, b) -> a.partitions() >= b.partitions() ? a : b);
                    int brokers = cluster.brokers().size();
                    int needed = Math.max(spec.replication(), spec.brokers());
                    if (!spec.existing() && needed > brokers) {
                        String key = spec.replication() == needed ? "replication" : "brokers";
                        problems.add(Sentence.of("run.clusterTooSmall", spec.name(), key, needed, brokers));
                    }
                }
            }
            return specs;
        }

        private void checkTopic(TopicSpec spec, Optional<TopicDescription> there) {
            String name = spec.name();
            if (spec.existing() && there.isEmpty()) {
                problems.add(Sentence.of("run.topicMissing", name));
            } else if (!spec.existing() && there.isPresent()) {
                problems.add(Sentence.of("run.topicExists", name));
            } else if (spec.existing() && there.get().partitions().size() < spec.partitions()) {
                int partitions = there.get().partitions().size();
                problems.add(Sentence.of("run.tooFewPartitions", name, partitions, spec.partitions()));
            }
        }

        private Set<List<TopicSpec>> newTopics() {
            return plan.trials().stream()
                    .map(t -> t.scenario().topics().stream()
                            .filter(s -> !s.existing())
                            .toList())
                    .filter(wanted -> !wanted.isEmpty())
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        private static void checkRights(
                List<Scenario> scenarios, Topics rules, Collection<String> topics, Set<Sentence> problems) {
            Set<String> written = new LinkedHashSet<>();
            Set<String> read = new LinkedHashSet<>();
            for (Scenario scenario : scenarios) {
                scenario.producers().stream().map(ProducerSpec::topics).forEach(written::addAll);
                scenario.consumers().stream().map(ConsumerSpec::topics).forEach(read::addAll);
            }
            written.retainAll(topics);
            read.retainAll(topics);
            forbid(rules, written, AclOperation.WRITE, problems);
            forbid(rules, read, AclOperation.READ, problems);
        }

        private static void forbid(
                Topics rules, Collection<String> topics, AclOperation operation, Set<Sentence> problems) {
            if (!topics.isEmpty()) {
                String key = operation == AclOperation.WRITE ? "run.mayNotWrite" : "run.mayNotRead";
                rules.forbidden(topics, operation).forEach(name -> problems.add(Sentence.of(key, name)));
            }
        }

        /** @throws PlimsollException {@link Exit#CLUSTER} if clients are not authorized for the trial's new topics */
        static void checkRights(Scenario scenario, Topics rules, Collection<String> created) {
            Set<Sentence> problems = new LinkedHashSet<>();
            checkRights(List.of(scenario), rules, created, problems);
            refuse(Exit.CLUSTER, problems);
        }

        private void checkRecordSizes(Topics rules, Set<String> existing) {
            Map<String, Long> limits = existing.isEmpty() ? Map.of() : rules.largestBatchOf(existing);
            OptionalLong usual = rules.largestBatch(cluster.ids());
            for (Plan.Trial trial : plan.trials()) {
                Map<String, TopicSpec> specs = trial.scenario().topics().stream()
                        .collect(Collectors.toMap(TopicSpec::name, s -> s, (a, b) -> a));
                for (ProducerSpec producer : trial.scenario().producers()) {
                    RecordSizes.leastBatchBytes(
                                    producer.with(ProducerSpec.RECORD, PayloadSource.sized(producer.record())))
                            .ifPresent(bytes -> producer.topics()
                                    .forEach(topic -> checkSize(
                                            bytes,
                                            Objects.requireNonNull(specs.get(topic), topic),
                                            limits.get(topic),
                                            usual)));
                }
            }
        }

        private void checkSize(long bytes, TopicSpec topic, @Nullable Long own, OptionalLong usual) {
            if (topic.existing()) {
                Sentence.addIf(own != null && bytes > own, problems, "run.recordOverTopic", bytes, topic.name(), own);
            } else if (!topic.config().containsKey("max.message.bytes")
                    && usual.isPresent()
                    && bytes > usual.getAsLong()) {
                problems.add(Sentence.of("run.recordOverBroker", bytes, usual.getAsLong(), topic.name()));
            }
        }
    }
}
