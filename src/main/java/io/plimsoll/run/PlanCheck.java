package io.plimsoll.run;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.load.ClientProperties;
import io.plimsoll.load.ConsumerKind;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.ProducerKind;
import io.plimsoll.load.RecordSample;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.RecordSizes;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether the engines, and the lab if there is to be one, can do what a plan asks for; needs no cluster. */
final class PlanCheck {
    /** Nobody is asked there: clients are made on trial and closed at once. */
    private static final String NOBODY = "127.0.0.1:1";

    private static final String BROKER_LIMIT = "message.max.bytes";

    private final RunRequest request;
    private final LoadContext context;
    private final Set<String> misfits = new LinkedHashSet<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private final Set<Object> tried = new HashSet<>();

    private PlanCheck(RunRequest request) {
        this.request = request;
        Map<String, Object> properties = new HashMap<>(
                request.cluster().map(ClusterConnection::clientProperties).orElse(Map.of()));
        properties.put("bootstrap.servers", NOBODY);
        this.context = new LoadContext(properties, "check", 0, request.seed(), text -> {});
    }

    /**
     * @return what the user should know, in no way wrong
     * @throws PlimsollException {@link Exit#USAGE} with every misfit, one a line
     */
    static List<String> check(RunRequest request) {
        return new PlanCheck(request).check();
    }

    private List<String> check() {
        request.cluster()
                .ifPresent(
                        c -> warnings.addAll(ClientProperties.unknownToAll(c.properties(), "the client properties")));
        List<Plan.Trial> trials = request.plan().trials();
        checkKept(trials);
        for (Plan.Trial trial : trials) {
            String where = trials.size() == 1 ? "" : "trial " + trial.name() + ": ";
            check(trial.scenario(), where);
            FaultCheck.misfits(trial.scenario(), request).forEach(text -> misfits.add(where + text));
        }
        if (request.cluster().isEmpty()) {
            LabOptions lab = request.labOptions();
            trials.forEach(t -> checkLab(t.scenario(), lab));
        }
        if (!misfits.isEmpty()) {
            throw new PlimsollException(Exit.USAGE, String.join("\n", misfits));
        }
        return List.copyOf(warnings);
    }

    /** A topic that is kept is made once, as the first trial wants it. */
    private void checkKept(List<Plan.Trial> trials) {
        Map<String, TopicSpec> kept = new HashMap<>();
        for (Plan.Trial trial : trials) {
            for (TopicSpec topic : trial.scenario().topics()) {
                TopicSpec before = topic.keep() ? kept.putIfAbsent(topic.name(), topic) : null;
                if (before != null && !before.equals(topic)) {
                    misfits.add(
                            "trial " + trial.name() + ": topic " + topic.name() + " is kept from an earlier trial, but"
                                    + " has other partitions, replication or config there; give it another name");
                }
            }
        }
    }

    private void check(Scenario scenario, String where) {
        boolean labels = scenario.producers().stream().anyMatch(p -> !p.on().isEmpty())
                || scenario.consumers().stream().anyMatch(c -> !c.on().isEmpty());
        if (request.workers().local() && (labels || scenario.fleet().apart())) {
            warnings.add(
                    where + "this process makes all of the load: on and fleet.apart, which say what runs where, are"
                            + " for a run with --fleet.");
        }
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String part = "producers[" + index++ + "]";
            warnings.addAll(ClientProperties.unknownToProducers(spec.config(), part + ".config"));
            collect(where, () -> checkProducer(spec, part));
            if (scenario.audit()) {
                collect(where, () -> Identities.check(spec, part, context));
            }
        }
        index = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers[" + index++ + "]";
            warnings.addAll(ClientProperties.unknownToConsumers(spec.config(), part + ".config"));
            collect(where, () -> checkConsumer(spec, part));
        }
    }

    private void checkProducer(ProducerSpec spec, String part) {
        ProducerKind kind = LoadKind.producers(spec.engine());
        kind.check(spec, part);
        Map<String, Object> properties = ClientProperties.of(context, spec, part, 0);
        ClientProperties.parseProducer(properties, part);
        RecordSample.of(context, spec, part);
        if (isNew(properties)) {
            kind.tryOut(context, spec, part);
        }
    }

    private void checkConsumer(ConsumerSpec spec, String part) {
        Map<String, Object> properties = ClientProperties.of(context, spec, part, 0);
        ClientProperties.parseConsumer(properties, part);
        ConsumerKind kind = LoadKind.consumers(spec.engine());
        kind.check(spec, part);
        if (isNew(properties)) {
            kind.tryOut(context, spec, part);
        }
    }

    /** Whether a client has been tried that differs in no more than its name: there may be hundreds. */
    private boolean isNew(Map<String, Object> properties) {
        Map<String, Object> nameless = new HashMap<>(properties);
        List.of("client.id", "group.id", "transactional.id").forEach(nameless::remove);
        return tried.add(nameless);
    }

    private void collect(String where, Runnable check) {
        try {
            check.run();
        } catch (PlimsollException e) {
            misfits.add(where + e.getMessage());
        }
    }

    private void checkLab(Scenario scenario, LabOptions lab) {
        for (TopicSpec topic : scenario.topics()) {
            if (topic.existing()) {
                misfits.add("topic " + topic.name() + " is to exist already, and the lab that is started for the run"
                        + " has no topics; leave out 'existing: true', or name a cluster with --bootstrap-server");
                continue;
            }
            int needed = Math.max(topic.replication(), topic.brokers());
            if (needed > lab.brokers()) {
                String key = topic.replication() == needed ? "replication" : "brokers";
                misfits.add("topic " + topic.name() + " asks for " + key + " " + needed + " and the lab has "
                        + lab.brokers() + (lab.brokers() == 1 ? " broker" : " brokers") + "; lower " + key
                        + (needed <= LabOptions.MAX_BROKERS ? ", or give --brokers " + needed : ""));
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
        RecordSizes.leastBatchBytes(producer).ifPresent(bytes -> {
            if (bound && bytes > limit) {
                misfits.add("a record takes " + bytes + " bytes with its batch header, more than the brokers' "
                        + BROKER_LIMIT + " of " + limit + " (--broker-config); raise that or make the record smaller");
            }
        });
    }
}
