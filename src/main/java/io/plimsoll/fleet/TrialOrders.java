package io.plimsoll.fleet;

import io.plimsoll.cluster.Topics;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.Slice;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the orders that each agent gets in a trial. */
final class TrialOrders {
    private final TrialAssignment assignment;
    private final TrialPlacement placement;
    private final Duration drainLimit;
    private final boolean readsOwn;
    private final Topics topics;
    private final Map<String, Integer> partitions = new HashMap<>();
    private int nextProducer;

    /** @param drainLimit null for the usual one */
    TrialOrders(TrialAssignment assignment, TrialPlacement placement, Topics topics, Duration drainLimit) {
        this.assignment = assignment;
        this.placement = placement;
        this.drainLimit = drainLimit;
        Scenario scenario = assignment.scenario();
        this.readsOwn = placement.used() > 1
                && !scenario.consumers().isEmpty()
                && assignment.endToEnd() == EndToEndSource.STAMP;
        this.topics = topics;
    }

    private boolean identified() {
        return assignment.context().trail() != null;
    }

    /** Makes the order of one host; called of each once, in their order: producers are numbered on. */
    Order of(int host) {
        Scenario s = assignment.scenario();
        LoadContext context = assignment.context();
        Map<String, String> properties = new LinkedHashMap<>();
        context.clientProperties().forEach((name, value) -> properties.put(name, String.valueOf(value)));
        Integer first = identified() ? Integer.valueOf(nextProducer) : null;
        List<Slice> slices = placement.producersOf(host);
        for (int entry = 0; identified() && entry < slices.size(); entry++) {
            ProducerSpec spec = s.producers().get(entry);
            nextProducer += LoadKind.producers(spec.engine()).identities(spec, slices.get(entry), this::partitions);
        }
        Duration selfWarmup = assignment.selfWarmup();
        return new Order(
                assignment.trial(),
                new Order.Load(s.topics(), s.producers(), s.consumers(), s.duration(), s.effectiveWarmup(), selfWarmup),
                new Order.Share(slices, placement.consumersOf(host), first, readsOwn),
                new Order.RunKey(context.runTag(), context.runId(), context.seed()),
                LoginText.of(properties),
                assignment.endToEnd(),
                drainLimit,
                !s.faults().isEmpty());
    }

    /** The partition count, queried only for kinds with a sequence per partition. */
    private int partitions(String topic) {
        if (partitions.isEmpty()) {
            topics.describe(assignment.scenario().producedTopics())
                    .forEach((name, described) ->
                            partitions.put(name, described.partitions().size()));
        }
        return partitions.getOrDefault(topic, 0);
    }
}
