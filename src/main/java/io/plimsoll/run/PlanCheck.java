package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.Connections;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.ProducerLoad;
import io.plimsoll.payload.PayloadSource;
import io.plimsoll.result.Units;
import io.plimsoll.run.faults.Fault;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.run.faults.OperatorFaults;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.LabKeys;
import io.plimsoll.scenario.LabSpec;
import io.plimsoll.scenario.LoadEstimate;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerKeys;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSizes;
import io.plimsoll.scenario.RecordSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Checks that the engines, and the lab if one is started, support a plan; needs no cluster. */
final class PlanCheck {
    /** Unused address: test clients are created and closed without a connection. */
    private static final String NOBODY = "127.0.0.1:1";

    private static final String SERVERS = "bootstrap.servers";

    private static final int MOST_NAMED = 5;

    private static final String BROKER_LIMIT = "message.max.bytes";

    private final RunRequest request;
    private final LoadContext context;
    private final Set<Sentence> misfits = new LinkedHashSet<>();
    private final Set<Sentence> warnings = new LinkedHashSet<>();
    private final Set<Object> tried = new HashSet<>();

    private PlanCheck(RunRequest request) {
        this.request = request;
        Map<String, Object> properties = new HashMap<>(
                request.cluster().map(ClusterConnection::clientProperties).orElse(Map.of()));
        properties.put(SERVERS, NOBODY);
        this.context = new LoadContext(properties, "check", 0, request.seed(), text -> {});
    }

    /**
     * @return notices that do not prevent the run
     * @throws PlimsollException {@link Exit#USAGE} with one misfit per line
     */
    static List<Sentence> check(RunRequest request) {
        return new PlanCheck(request).check();
    }

    private List<Sentence> check() {
        request.cluster().ifPresent(c -> warnings.addAll(ClientProperties.unknownToAll(c.properties())));
        List<Plan.Trial> trials = request.plan().trials();
        if (!request.allowExec()) {
            trials.forEach(trial -> ScenarioCode.in(trial.scenario())
                    .forEach(part -> misfits.add(Sentence.of("run.codeNeedsConsent", part))));
            // Code of the scenario must not run before consent.
            refuse(Exit.USAGE, misfits);
        }
        checkKept(trials);
        for (Plan.Trial trial : trials) {
            UnaryOperator<Sentence> where =
                    text -> trials.size() == 1 ? text : Sentence.of("run.ofTrial", trial.name(), text);
            check(trial.scenario(), where);
            if (trial.scenario().observe().replicas() > 0 && !request.allowExec()) {
                misfits.add(where.apply(Sentence.of("run.scalingNeedsConsent")));
            }
            int index = 0;
            for (FaultSpec fault : trial.scenario().faults()) {
                String part = "faults[" + index++ + "]";
                misfit(trial.scenario(), fault)
                        .ifPresent(text -> misfits.add(where.apply(Sentence.of("run.atPart", part, text))));
            }
        }
        if (request.cluster().isPresent()) {
            checkNoLab(trials);
        } else {
            request.labs().forEach(spec -> checkLabs(spec, trials));
        }
        trials.forEach(trial -> checkTopicConfigs(trial.scenario()));
        refuse(Exit.USAGE, misfits);
        return List.copyOf(warnings);
    }

    /** A lab of the bundled release rejects unknown topic settings; other brokers can know them. */
    private void checkTopicConfigs(Scenario scenario) {
        boolean lab = request.cluster().isEmpty()
                && LabOptions.version(scenario.lab()).equals(ToolInfo.kafka());
        Set<Sentence> into = lab ? misfits : warnings;
        for (TopicSpec topic : scenario.topics()) {
            into.addAll(Topics.unknownConfigs(topic.config(), "topics: " + topic.name()));
        }
        for (FaultSpec fault : scenario.faults()) {
            if (fault.kind().name().equals("changeConfig") && !(fault.target() instanceof Target.Brokers)) {
                into.addAll(Topics.unknownConfigs(fault.get(OperatorFaults.SET), fault.planned()));
            }
        }
    }

    /**
     * Groups that must fall behind because their processing takes too long.
     *
     * @param plan with known record sizes
     */
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

    /** A given cluster keeps its brokers. Some trials can run there without their lab, but not all. */
    private void checkNoLab(List<Plan.Trial> trials) {
        List<String> described = trials.stream()
                .filter(t -> t.scenario().lab().settings().keys().stream().anyMatch(key -> key != LabKeys.BROKERS)
                        || t.parameters().keySet().stream().anyMatch(path -> path.startsWith("lab")))
                .map(Plan.Trial::name)
                .toList();
        if (described.size() == trials.size() || request.plan().comparesLabs()) {
            misfits.add(Sentence.of("run.labDescribed"));
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

    /** @throws PlimsollException with one misfit per line, unless there are none */
    static void refuse(Exit exit, Collection<Sentence> misfits) {
        if (!misfits.isEmpty()) {
            throw new PlimsollException(exit, Sentence.lines(List.copyOf(misfits)));
        }
    }

    /** The reason why a fault is not allowed or not possible in this run. */
    private Optional<Sentence> misfit(Scenario scenario, FaultSpec fault) {
        Fault<?> kind = Fault.of(fault);
        if (kind.has(Trait.CONSENTED)) {
            return request.allowExec() ? Optional.empty() : Optional.of(Sentence.of("run.needsConsent"));
        }
        if (request.cluster().isPresent()) {
            return !kind.has(Trait.ANYWHERE)
                    ? Optional.of(Sentence.of("run.onlyLab", fault.planned()))
                    : Optional.empty();
        }
        int brokers = request.labOptions(scenario.lab()).brokers();
        return fault.target() instanceof Target.Broker broker && broker.id() > brokers
                ? Optional.of(Sentence.of("run.noBrokerInLab", broker.id(), brokers))
                : Optional.empty();
    }

    /** A kept topic is created once, as the first trial defines it. */
    private void checkKept(List<Plan.Trial> trials) {
        Map<String, TopicSpec> kept = new HashMap<>();
        for (Plan.Trial trial : trials) {
            for (TopicSpec topic : trial.scenario().topics()) {
                TopicSpec before = topic.keep() ? kept.putIfAbsent(topic.name(), topic) : null;
                if (before != null && !before.equals(topic)) {
                    misfits.add(
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
            if (!request.workers().local()) {
                misfits.add(where.apply(Sentence.of("run.connectsHere")));
            }
            collect(where, () -> Connections.maker().check(scenario.connections()));
        }
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String part = "producers[" + index++ + "]";
            warnings.addAll(ClientProperties.unknown(
                    spec.config(), ProducerConfig.configNames(), "producer", part + ".config"));
            collect(where, () -> checkProducer(scenario, spec, part));
            if (scenario.audit()) {
                collect(where, () -> Identities.missing(spec, part, context).ifPresent(warnings::add));
            }
        }
        index = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers[" + index++ + "]";
            warnings.addAll(ClientProperties.unknown(
                    spec.config(), ConsumerConfig.configNames(), "consumer", part + ".config"));
            collect(where, () -> checkConsumer(spec, part));
        }
    }

    /** Client settings are restricted to protect the process of the run. */
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
            List<TopicSpec> topics = scenario.topics().stream()
                    .filter(topic -> spec.topics().contains(topic.name()))
                    .toList();
            RecordSizes.tooLarge(sized, spec.config(), topics).ifPresent(problem -> {
                throw Exit.USAGE.because("load.ofPart", part + ".record", problem);
            });
        }
        if (isNew(properties)) {
            kind.tryOut(context, spec, part);
        }
    }

    private void checkConsumer(ConsumerSpec spec, String part) {
        checkServers(spec.config(), part);
        Map<String, Object> properties = ClientProperties.of(context, spec, part, 0);
        ClientProperties.parseConsumer(properties, part);
        ConsumerKind kind = LoadKind.consumers(spec.engine());
        kind.check(spec, part);
        if (isNew(properties)) {
            kind.tryOut(context, spec, part);
        }
    }

    /** Whether no client with these properties, names aside, was checked yet; hundreds are possible. */
    private boolean isNew(Map<String, Object> properties) {
        Map<String, Object> nameless = new HashMap<>(properties);
        List.of("client.id", "group.id", "transactional.id").forEach(nameless::remove);
        return tried.add(nameless);
    }

    private void collect(UnaryOperator<Sentence> where, Runnable check) {
        try {
            check.run();
        } catch (PlimsollException e) {
            misfits.add(where.apply(e.sentence()));
        }
    }

    private void checkLab(Scenario scenario, LabOptions lab) {
        for (TopicSpec topic : scenario.topics()) {
            if (topic.existing()) {
                misfits.add(Sentence.of("run.labHasNoTopics", topic.name()));
                continue;
            }
            int needed = Math.max(topic.replication(), topic.brokers());
            if (needed > lab.brokers()) {
                String key = topic.replication() == needed ? "replication" : "brokers";
                misfits.add(Sentence.of(
                        "run.labTooSmall",
                        topic.name(),
                        key,
                        needed,
                        lab.brokers(),
                        needed <= LabOptions.MAX_BROKERS ? Sentence.of("run.giveBrokers", needed) : Sentence.NONE));
            }
        }
        String limit = lab.brokerConfig().getOrDefault(BROKER_LIMIT, "");
        if (limit.matches("\\d{1,9}")) {
            scenario.producers().forEach(p -> checkSize(scenario, p, Long.parseLong(limit)));
        }
    }

    private void checkSize(Scenario scenario, ProducerSpec producer, long limit) {
        boolean bound = scenario.topics().stream()
                .anyMatch(
                        t -> producer.topics().contains(t.name()) && !t.config().containsKey("max.message.bytes"));
        RecordSpec sized = PayloadSource.sized(producer.record());
        RecordSizes.leastBatchBytes(producer.with(ProducerKeys.RECORD, sized)).ifPresent(bytes -> {
            Sentence.addIf(bound && bytes > limit, misfits, "run.recordOverLab", bytes, limit);
        });
    }
}
