package io.plimsoll.run;

import io.plimsoll.engine.EndToEndSource;
import io.plimsoll.engine.EngineContext;
import io.plimsoll.engine.client.ClientProducers;
import io.plimsoll.engine.client.ClientProperties;
import io.plimsoll.engine.client.Topics;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.result.Fold;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent;
import io.plimsoll.result.TimelineEvent.Note;
import io.plimsoll.result.TimelineEvent.TrialEnded;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.TrialResult.Audit;
import io.plimsoll.result.TrialResult.PartitionResult;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Rate;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.TopicSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;

/** One trial from its topics to its clean-up. */
final class TrialRun {
    private static final Duration TOPIC_LIMIT = Duration.ofSeconds(60);
    private static final Duration AUDIT_LIMIT = Duration.ofSeconds(60);
    private static final Duration INTERRUPTED_AUDIT_LIMIT = Duration.ofSeconds(1);

    private final RunRequest request;
    private final Plan.Trial trial;
    private final ClusterSession cluster;
    private final Topics topics;
    private final Fold fold;
    private final Consumer<TimelineEvent> timeline;
    private final Progress progress;
    private final EngineContext context;
    private final LocalWorker worker;
    private final Interruption interruption;
    private final Traces traces;
    private final AtomicLong unknown = new AtomicLong();
    private boolean clockStarted;
    private long sentSoFar;

    TrialRun(
            RunRequest request,
            Plan.Trial trial,
            int index,
            long runId,
            ClusterSession cluster,
            Fold fold,
            Consumer<TimelineEvent> timeline,
            Progress progress,
            Interruption interruption) {
        this.request = request;
        this.trial = trial;
        this.cluster = cluster;
        this.topics = cluster.topics();
        this.fold = fold;
        this.timeline = timeline;
        this.progress = progress;
        this.interruption = interruption;
        this.traces = new Traces(topics, cluster.groups());
        this.context = new EngineContext(
                cluster.connection().clientProperties(),
                "plimsoll-" + Long.toHexString(runId).substring(0, 6) + "-" + index,
                runId,
                request.seed(),
                this::warn);
        this.worker = new LocalWorker("local", topics);
    }

    void stop() {
        worker.stop();
    }

    /** Waits no longer than this for what is late at the end of the trial. */
    void limitDrain(Duration limit) {
        worker.limitDrain(limit);
    }

    /** What this trial has made on a cluster that is not ours and not yet removed, as a warning. */
    Optional<String> leftBehind() {
        return cluster.isLab() ? Optional.empty() : traces.left();
    }

    private void warn(String text) {
        // Before the trial's first event, a note belongs to the run.
        note(clockStarted ? trial.name() : null, text);
    }

    private void note(String where, String text) {
        timeline.accept(new Note(Instant.now(), where, "warning", text));
    }

    void execute() {
        Scenario scenario = trial.scenario();
        try {
            createTopics(scenario);
            Set<String> names = names(scenario);
            progress.phase(trial.name(), "preparing", -1, -1);
            Map<String, Long> before = interruption.during(() -> prepare(scenario, names));
            begin(scenario);
            TrialOutcome outcome = worker.run(this::snapshot);
            TrialEnded end = fold.endOf(ended(outcome, before, names), scenario.checks());
            timeline.accept(end);
        } finally {
            cleanUp();
        }
    }

    private void createTopics(Scenario scenario) {
        List<TopicSpec> wanted =
                scenario.topics().stream().filter(t -> !t.existing()).toList();
        if (wanted.isEmpty()) {
            return;
        }
        progress.phase(trial.name(), "creating topics", -1, -1);
        interruption.during(
                () -> topics.create(wanted.stream().map(Topics::newTopic).toList(), TOPIC_LIMIT));
        traces.topics(wanted.stream().map(TopicSpec::name).toList());
    }

    /** @return where the partitions end before the first record */
    private Map<String, Long> prepare(Scenario scenario, Set<String> names) {
        ClusterFit.checkRights(scenario, cluster.rules(), traces.topics());
        EndToEndSource source = endToEndSource(scenario);
        traces.groups(worker.groupIds(scenario, context));
        worker.prepare(new TrialAssignment(trial.name(), scenario, context, source));
        Map<String, Long> before = byName(topics.endOffsets(names));
        timeline.accept(new TimelineEvent.TrialStarted(
                trial.name(), Instant.now(), trial.parameters(), trialPlan(scenario, source), setup(scenario)));
        clockStarted = true;
        return before;
    }

    /** Deletes exactly what this trial created. A lab is removed as a whole, but its topics may be needed anew. */
    private void cleanUp() {
        if (cluster.isLab() && (isLastTrial() || interruption.requested())) {
            return;
        }
        progress.phase(trial.name(), "cleaning up", -1, -1);
        traces.remove().ifPresent(left -> note(null, left));
    }

    private boolean isLastTrial() {
        List<Plan.Trial> trials = request.plan().trials();
        return trials.get(trials.size() - 1) == trial;
    }

    private static Set<String> names(Scenario scenario) {
        Set<String> names = new LinkedHashSet<>();
        scenario.topics().forEach(t -> names.add(t.name()));
        return names;
    }

    private EndToEndSource endToEndSource(Scenario scenario) {
        if (scenario.producers().isEmpty()) {
            return EndToEndSource.NONE;
        }
        boolean stamped = true;
        for (ProducerSpec spec : scenario.producers()) {
            try (ClientProducers entry = new ClientProducers(context, spec, "producers", 0)) {
                stamped &= entry.stamped();
            }
        }
        if (stamped) {
            return EndToEndSource.STAMP;
        }
        boolean appendTime = topics.configs(names(scenario)).values().stream()
                .anyMatch(c -> "LogAppendTime".equals(c.get("message.timestamp.type")));
        return appendTime ? EndToEndSource.LOG_APPEND_TIME : EndToEndSource.CREATE_TIME;
    }

    private TrialPlan trialPlan(Scenario scenario, EndToEndSource source) {
        double bytes = 0;
        long bufferMemory = 0;
        int clients = 0;
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String part = "producers-" + index++;
            ProducerConfig config = ClientProperties.parseProducer(ClientProperties.of(context, spec, part, 0), part);
            bufferMemory += config.getLong(ProducerConfig.BUFFER_MEMORY_CONFIG) * spec.clients();
            clients += spec.clients();
            try (ClientProducers entry = new ClientProducers(context, spec, part, 0)) {
                bytes += entry.payloadBytes() / scenario.producers().size();
            }
        }
        boolean open = scenario.producers().stream().noneMatch(p -> p.rate() instanceof Rate.Unlimited);
        double planned = scenario.boundByRecords() ? 0 : scenario.duration().toNanos() / 1e9;
        List<ConsumerSpec> consumers = scenario.consumers();
        return new TrialPlan(
                open,
                scenario.effectiveWarmup().toNanos() / 1e9,
                planned,
                bytes,
                bufferMemory,
                engines(scenario.producers().stream().map(ProducerSpec::engine)),
                clients,
                engines(consumers.stream().map(ConsumerSpec::engine)),
                consumers.isEmpty() ? 0 : consumers.get(0).members(),
                source.label());
    }

    /** Null if there are none. */
    private static String engines(Stream<Engine> engines) {
        String names =
                engines.distinct().map(e -> e.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(" and "));
        return names.isEmpty() ? null : names;
    }

    private Map<String, Map<String, String>> setup(Scenario scenario) {
        Map<String, Map<String, String>> setup = new LinkedHashMap<>();
        int index = 0;
        for (ProducerSpec spec : scenario.producers()) {
            String part = "producers[" + index++ + "]";
            setup.put(
                    part,
                    ClientProperties.differing(
                            ClientProperties.parseProducer(ClientProperties.of(context, spec, part, 0), part),
                            ProducerConfig.configDef()));
        }
        index = 0;
        for (ConsumerSpec spec : scenario.consumers()) {
            String part = "consumers[" + index++ + "]";
            setup.put(
                    part,
                    ClientProperties.differing(
                            ClientProperties.parseConsumer(ClientProperties.of(context, spec, part, 0), part),
                            ConsumerConfig.configDef()));
        }
        scenario.topics().forEach(t -> setup.put("topic " + t.name(), t.config()));
        return setup;
    }

    private void snapshot(Snapshot snapshot) {
        // An unanswered record may be in the log or not, and so may one whose answer was a time-out.
        unknown.addAndGet(unknownIn(snapshot.warmup().produce())
                + unknownIn(snapshot.measured().produce()));
        timeline.accept(new TimelineEvent.Measured(snapshot));
        reportProgress(snapshot);
    }

    /** The first snapshot comes a second later, and until then it would look as if the trial were being prepared. */
    private void begin(Scenario scenario) {
        double warmup = scenario.effectiveWarmup().toNanos() / 1e9;
        if (warmup > 0) {
            progress.phase(trial.name(), "warm-up", 0, warmup);
        } else {
            progress.phase(trial.name(), "measuring", scenario.boundByRecords() ? -1 : 0, -1);
        }
    }

    private void reportProgress(Snapshot snapshot) {
        Scenario scenario = trial.scenario();
        double at = snapshot.toNanos() / 1e9;
        double warmup = scenario.effectiveWarmup().toNanos() / 1e9;
        double planned = scenario.duration().toNanos() / 1e9;
        switch (snapshot.phase()) {
            case WARMUP -> progress.phase(trial.name(), "warm-up", at / warmup, warmup - at);
            case MEASURE -> {
                if (!scenario.boundByRecords()) {
                    progress.phase(trial.name(), "measuring", (at - warmup) / planned, warmup + planned - at);
                } else {
                    sentSoFar += snapshot.measured().produce().acknowledged();
                    double asked = scenario.producers().stream()
                            .mapToLong(p -> p.records().orElse(0))
                            .sum();
                    double done = asked > 0 ? Math.min(1, sentSoFar / asked) : -1;
                    progress.phase(trial.name(), "measuring", done, done > 0 ? (at - warmup) * (1 / done - 1) : -1);
                }
            }
            case DRAIN -> progress.phase(trial.name(), "draining", -1, -1);
        }
    }

    private static long unknownIn(io.plimsoll.measure.ProduceCounts counts) {
        long timedOut = counts.errors().entrySet().stream()
                .filter(e -> UNKNOWN_KINDS.contains(e.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return counts.unacknowledged() + timedOut;
    }

    private static final Set<String> UNKNOWN_KINDS =
            Set.of("timeout", "deliveryTimeout", "networkDisconnect", "notEnoughReplicasAfterAppend");

    private TrialEnded ended(TrialOutcome outcome, Map<String, Long> before, Set<String> names) {
        progress.phase(trial.name(), "auditing", -1, -1);
        Optional<Ends> ends = Question.ask(
                () -> ends(names),
                AUDIT_LIMIT,
                interruption::requested,
                INTERRUPTED_AUDIT_LIMIT,
                problem -> warn("the audit could not read the ends of the partitions: " + problem));
        boolean audited =
                trial.scenario().audit() && !trial.scenario().producers().isEmpty();
        // Nothing to compare with is no finding if the user did not want to wait for it.
        boolean possible = ends.isPresent() || outcome.complete();
        Ends known = ends.orElse(new Ends(Map.of(), Map.of()));
        Audit audit = audited && possible
                ? OffsetAudit.audit(before, known.offsets(), outcome.acknowledged(), outcome.markers(), unknown.get())
                : null;
        return new TrialEnded(
                trial.name(),
                Instant.now(),
                outcome.measuredSeconds(),
                outcome.consumeSeconds(),
                outcome.complete(),
                audit,
                partitions(outcome, known.leaders()),
                List.of());
    }

    /** Where each partition ends, and the broker that leads it. */
    private record Ends(Map<String, Long> offsets, Map<String, Integer> leaders) {}

    private Ends ends(Set<String> names) {
        Map<String, Integer> leaders = new HashMap<>();
        topics.leaders(names).forEach((p, leader) -> leaders.put(p.toString(), leader));
        return new Ends(byName(topics.endOffsets(names)), leaders);
    }

    private List<PartitionResult> partitions(TrialOutcome outcome, Map<String, Integer> leaders) {
        Set<String> names = new TreeSet<>(outcome.acknowledged().keySet());
        names.addAll(outcome.consumed().keySet());
        List<PartitionResult> results = new ArrayList<>();
        for (String name : names) {
            int dash = name.lastIndexOf('-');
            results.add(new PartitionResult(
                    name.substring(0, dash),
                    Integer.parseInt(name.substring(dash + 1)),
                    leaders.get(name),
                    outcome.acknowledged().getOrDefault(name, 0L),
                    outcome.consumed().getOrDefault(name, 0L)));
        }
        results.sort(java.util.Comparator.comparing(PartitionResult::topic).thenComparing(PartitionResult::partition));
        return results;
    }

    private static Map<String, Long> byName(Map<TopicPartition, Long> offsets) {
        Map<String, Long> named = new HashMap<>();
        offsets.forEach((partition, offset) -> named.put(partition.toString(), offset));
        return named;
    }
}
