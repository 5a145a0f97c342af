package io.plimsoll.fleet;

import io.plimsoll.run.fleet.FleetRules;
import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.Topics;
import io.plimsoll.fleet.FleetMessage.Calibrated;
import io.plimsoll.fleet.FleetMessage.Order;
import io.plimsoll.fleet.plan.WarmupTurn;
import io.plimsoll.fleet.plan.Placement;
import io.plimsoll.fleet.plan.Placement.Host;
import io.plimsoll.load.EndToEndSource;
import io.plimsoll.load.LoadContext;
import io.plimsoll.load.LoadKind;
import io.plimsoll.load.Slice;
import io.plimsoll.payload.SchemaSupport;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.result.WorkerResult;
import io.plimsoll.run.TrialAssignment;
import io.plimsoll.run.Worker;
import io.plimsoll.scenario.ConsumerSpec;
import io.plimsoll.scenario.Engine;
import io.plimsoll.scenario.ProducerSpec;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.scenario.SchemaSpec;
import io.plimsoll.scenario.SchemaSpec.Decoding;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Divides a trial among agents. Immutable. */
final class TrialPlacement {
    private final List<Host> hosts;
    /** The slices of each entry, by host. */
    private final List<List<Slice>> producers = new ArrayList<>();

    private final List<List<Slice>> consumers = new ArrayList<>();
    private final List<List<Slice>> connections;
    /** Members per group, for each consumer entry. */
    private final List<Integer> sizes = new ArrayList<>();

    /** @throws PlimsollException {@link Exit#USAGE} if no host has the required labels */
    TrialPlacement(Scenario scenario, List<Host> hosts, FleetRules rules) {
        this.hosts = hosts;
        RolePlacement sides =
                scenario.fleet().apart() ? RolePlacement.apart(scenario, hosts, rules) : RolePlacement.ANYWHERE;
        Placement placement = new Placement(hosts);
        int entry = 0;
        for (ProducerSpec p : scenario.producers()) {
            String what = "producers[" + entry++ + "]";
            List<Integer> eligible = eligible(what, p.on(), "--producers-on", rules.producersOn());
            producers.add(placement.place(p.clients(), p.threads(), sides.of(what, sides.producing(), eligible)));
        }
        entry = 0;
        for (ConsumerSpec c : scenario.consumers()) {
            String what = "consumers[" + entry++ + "]";
            List<Integer> eligible = eligible(what, c.on(), "--consumers-on", rules.consumersOn());
            List<Integer> left = sides.of(what, sides.consuming(), eligible);
            sizes.add(c.members());
            consumers.add(placement.placeGroups(c.groups(), c.members(), divisible(c), left));
        }
        // Idle connections do not reduce a host's share of producers and consumers.
        Placement idle = new Placement(hosts);
        List<Integer> all = IntStream.range(0, hosts.size()).boxed().toList();
        connections = scenario.connections().stream()
                .map(c -> idle.place(c.count(), 1, all))
                .toList();
    }

    /**
     * Whether a group's members can be on different hosts: if the group must read a given number of records, the count
     * is exact only with all members on one host.
     */
    private static boolean divisible(ConsumerSpec c) {
        return c.records().isEmpty();
    }

    private List<Integer> eligible(String entry, Map<String, String> on, String option, Map<String, String> labels) {
        List<Integer> eligible = RolePlacement.with(hosts, on, labels);
        if (eligible.isEmpty()) {
            throw new PlimsollException(
                    Exit.USAGE,
                    RolePlacement.with(hosts, on, Map.of()).isEmpty()
                            ? Sentence.of("fleet.noSuchLabels", entry + ".on", new TreeMap<>(on))
                            : Sentence.of(
                                    "fleet.noSuchLabels",
                                    option,
                                    on.isEmpty()
                                            ? new TreeMap<>(labels)
                                            : List.of(new TreeMap<>(labels), new TreeMap<>(on))));
        }
        return eligible;
    }

    List<Slice> producersOf(int host) {
        return producers.stream().map(e -> e.get(host)).toList();
    }

    List<Slice> consumersOf(int host) {
        return consumers.stream().map(e -> e.get(host)).toList();
    }

    List<Slice> connectionsOf(int host) {
        return connections.stream().map(e -> e.get(host)).toList();
    }

    boolean uses(int host) {
        return Stream.of(producersOf(host), consumersOf(host), connectionsOf(host))
                .flatMap(List::stream)
                .anyMatch(s -> s.count() > 0);
    }

    long used() {
        return IntStream.range(0, hosts.size()).filter(this::uses).count();
    }

    Worker.LoadLimits together(Map<String, Worker.LoadLimits> said) {
        List<CalibratedLimit> producing = new ArrayList<>();
        List<CalibratedLimit> consuming = new ArrayList<>();
        for (int host = 0; host < hosts.size(); host++) {
            Worker.LoadLimits limits = said.get(hosts.get(host).name());
            if (limits != null && !producers(host).isEmpty()) {
                producing.add(limits.producers());
            }
            if (limits != null && !consumers(host).isEmpty()) {
                consuming.add(limits.consumers());
            }
        }
        return new Worker.LoadLimits(CalibratedLimit.sum(producing), CalibratedLimit.sum(consuming));
    }

    /** Groups with members on several hosts, with the names of these hosts, by group key. */
    Map<String, Set<String>> spread() {
        Map<String, Set<String>> spread = new TreeMap<>();
        for (int entry = 0; entry < consumers.size(); entry++) {
            int size = sizes.get(entry);
            for (int host = 0; host < hosts.size(); host++) {
                Slice slice = consumers.get(entry).get(host);
                String part = "consumers-" + entry + "-group-";
                String name = hosts.get(host).name();
                slice.groups(size)
                        .filter(g -> slice.within(g, size).count() < size)
                        .forEach(g -> spread.computeIfAbsent(part + g, k -> new TreeSet<>())
                                .add(name));
            }
        }
        return spread;
    }

    /** The part of a host, for the result. */
    WorkerResult.Part part(int host, RemoteAgent agent) {
        FleetMessage.Info info = agent.info();
        return new WorkerResult.Part(
                agent.place(),
                info.build(),
                info.cores(),
                english(producers(host)),
                english(consumers(host)),
                english(connections(host)));
    }

    private static List<String> english(List<Sentence> parts) {
        return parts.stream().map(Sentence::english).toList();
    }

    List<Sentence> lines() {
        List<Sentence> lines = new ArrayList<>();
        for (int h = 0; h < hosts.size(); h++) {
            List<Sentence> parts = new ArrayList<>(producers(h));
            parts.addAll(consumers(h));
            parts.addAll(connections(h));
            Sentence.addIf(parts.isEmpty(), parts, "fleet.nothing");
            lines.add(Sentence.of("fleet.partOf", hosts.get(h).name(), parts));
        }
        return lines;
    }

    /** The part of a host in each producer entry, such as {@code producers[0] clients 0 to 1}. */
    List<Sentence> producers(int host) {
        return numbered("client", producersOf(host), "producers");
    }

    /** The part of a host in each entry of connections, such as {@code connections[0] 0 to 499}. */
    private List<Sentence> connections(int host) {
        return numbered("connection", connectionsOf(host), "connections");
    }

    private static List<Sentence> numbered(String unit, List<Slice> slices, String entries) {
        List<Sentence> parts = new ArrayList<>();
        for (int e = 0; e < slices.size(); e++) {
            if (slices.get(e).count() > 0) {
                parts.add(numbered(unit, slices.get(e), entries + "[" + e + "]"));
            }
        }
        return parts;
    }

    /** The part of a host in each consumer entry, such as {@code consumers[0] group 0 members 0 to 3}. */
    List<Sentence> consumers(int host) {
        List<Sentence> parts = new ArrayList<>();
        List<Slice> slices = consumersOf(host);
        for (int e = 0; e < slices.size(); e++) {
            parts.addAll(groups("consumers[" + e + "]", slices.get(e), sizes.get(e)));
        }
        return parts;
    }

    /** Describes consecutive complete groups as a range, and partial groups by members. */
    private static List<Sentence> groups(String entry, Slice slice, int size) {
        List<Sentence> parts = new ArrayList<>();
        int from = slice.from();
        while (from < slice.to()) {
            Slice members = slice.within(from / size, size);
            int wholes = members.count() == size ? (slice.to() - from) / size : 0;
            parts.add(
                    wholes > 0
                            ? numbered("group", new Slice(from / size, wholes), entry)
                            : numbered("member", members, entry, from / size));
            from += wholes > 0 ? wholes * size : members.count();
        }
        return parts;
    }

    private static Sentence numbered(String unit, Slice slice, Object... of) {
        List<Object> arguments = new ArrayList<>(List.of(of));
        arguments.add(slice.from());
        if (slice.count() > 1) {
            arguments.add(slice.to() - 1);
        }
        return new Sentence("fleet.part." + unit + (slice.count() > 1 ? "s" : ""), arguments);
    }

    /** Indexes of the hosts that can produce and of the hosts that can consume; null for any host. */
    private record RolePlacement(
            @Nullable Set<Integer> producing, @Nullable Set<Integer> consuming) {
        static final RolePlacement ANYWHERE = new RolePlacement(null, null);

        static List<Integer> with(List<Host> hosts, Map<String, String> on, Map<String, String> labels) {
            return IntStream.range(0, hosts.size())
                    .filter(i -> hosts.get(i).has(on) && hosts.get(i).has(labels))
                    .boxed()
                    .toList();
        }

        /**
         * Separates producer hosts from consumer hosts: hosts that are eligible for both roles are assigned, largest
         * first, to the role with the least capacity per thread. Fails with {@link Exit#USAGE} if a role has no host.
         */
        static RolePlacement apart(Scenario scenario, List<Host> hosts, FleetRules rules) {
            if (scenario.producers().isEmpty() || scenario.consumers().isEmpty()) {
                return ANYWHERE;
            }
            Set<Integer> producing = new TreeSet<>();
            scenario.producers().forEach(p -> producing.addAll(with(hosts, p.on(), rules.producersOn())));
            Set<Integer> consuming = new TreeSet<>();
            scenario.consumers().forEach(c -> consuming.addAll(with(hosts, c.on(), rules.consumersOn())));
            Set<Integer> both = new TreeSet<>(producing);
            both.retainAll(consuming);
            producing.removeAll(both);
            consuming.removeAll(both);
            double senders = scenario.producers().stream()
                    .mapToInt(ProducerSpec::totalThreads)
                    .sum();
            double readers = scenario.consumers().stream()
                    .mapToInt((ConsumerSpec c) -> c.groups() * c.members())
                    .sum();
            List<Integer> greatestFirst = both.stream()
                    .sorted(Comparator.comparing((Integer i) -> -hosts.get(i).capacity()))
                    .toList();
            for (int host : greatestFirst) {
                boolean sends = capacity(hosts, producing) / senders <= capacity(hosts, consuming) / readers;
                (sends ? producing : consuming).add(host);
            }
            Exit.USAGE.when(producing.isEmpty() || consuming.isEmpty(), "fleet.notEnoughApart");
            return new RolePlacement(producing, consuming);
        }

        private static double capacity(List<Host> hosts, Set<Integer> of) {
            return of.stream().mapToDouble(i -> hosts.get(i).capacity()).sum();
        }

        /** @throws PlimsollException {@link Exit#USAGE} if no host is left for an entry */
        List<Integer> of(String entry, @Nullable Set<Integer> side, List<Integer> eligible) {
            List<Integer> left = side == null
                    ? eligible
                    : eligible.stream().filter(side::contains).toList();
            Exit.USAGE.when(left.isEmpty(), "fleet.noneApart", entry);
            return left;
        }
    }

    /** Hosts with their calibrated capacities, or with their number of cores until all hosts are calibrated. */
    static List<Host> hosts(List<RemoteAgent> agents, Scenario scenario) {
        List<Double> rates = rates(agents, engine(agents, scenario));
        return IntStream.range(0, agents.size())
                .mapToObj(i -> {
                    FleetMessage.Info info = agents.get(i).info();
                    return new Host(info.name(), info.labels(), rates.isEmpty() ? info.cores() : rates.get(i));
                })
                .toList();
    }

    static Sentence basis(List<RemoteAgent> agents, Scenario scenario) {
        String engine = engine(agents, scenario);
        return Sentence.of(rates(agents, engine).isEmpty() ? "fleet.sharesByCores" : "fleet.sharesByRate", engine);
    }

    /** The calibrated rate of each agent; empty unless all are calibrated with records of one size. */
    private static List<Double> rates(List<RemoteAgent> agents, String engine) {
        List<Double> rates = new ArrayList<>();
        Set<Integer> sizes = new HashSet<>();
        for (RemoteAgent agent : agents) {
            Calibrated most = agent.info().calibrated().get(engine);
            if (most == null || most.recordsPerSecond() <= 0) {
                return List.of();
            }
            rates.add(most.recordsPerSecond());
            sizes.add(most.recordBytes());
        }
        // Rates for different record sizes are not comparable between hosts.
        return sizes.size() == 1 ? rates : List.of();
    }

    /** Chooses one of several engines: one for which not all hosts are calibrated, otherwise the one with the highest rate. */
    private static String engine(List<RemoteAgent> agents, Scenario scenario) {
        Set<String> engines =
                scenario.producers().stream().map(ProducerSpec::engine).collect(Collectors.toCollection(TreeSet::new));
        return engines.stream()
                .filter(engine -> rates(agents, engine).isEmpty())
                .findFirst()
                .or(() -> engines.stream()
                        .max(Comparator.comparingDouble(
                                engine -> rates(agents, engine).get(0))))
                .orElse(Engine.DEFAULT);
    }

    /** Creates the orders for the agents of a trial. */
    static final class TrialOrders {
        private final TrialAssignment assignment;
        private final TrialPlacement placement;
        private final @Nullable Duration drainLimit;
        /** The warm-up turn of each host. */
        private final List<WarmupTurn> turns;

        private final List<Integer> crowds;
        private final boolean readsOwn;
        private final Topics topics;
        private final Map<String, Integer> partitions = new HashMap<>();
        private int nextProducer;

        /** @param drainLimit null for the default */
        TrialOrders(
                TrialAssignment assignment,
                TrialPlacement placement,
                List<WarmupTurn> turns,
                List<Integer> crowds,
                Topics topics,
                @Nullable Duration drainLimit) {
            this.turns = turns;
            this.crowds = crowds;
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

        /**
         * Creates the order for one host. Call it once per host, in order, because producers are numbered
         * consecutively.
         */
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
            return new Order(
                    assignment.trial(),
                    new Order.Load(
                            s.topics(),
                            s.producers().stream().map(TrialOrders::pinned).toList(),
                            s.consumers().stream().map(this::withSchemas).toList(),
                            s.connections(),
                            s.duration(),
                            s.effectiveWarmup(),
                            turns.get(host)),
                    new Order.Share(
                            slices,
                            placement.consumersOf(host),
                            placement.connectionsOf(host),
                            first,
                            readsOwn,
                            crowds.get(host)),
                    new Order.RunKey(context.runTag(), context.runId(), context.seed()),
                    LoginFiles.text(properties),
                    assignment.endToEnd(),
                    drainLimit,
                    !s.faults().isEmpty());
        }

        private static ProducerSpec pinned(ProducerSpec spec) {
            return spec.with(ProducerSpec.RECORD, spec.record().withSchemas(SchemaSupport::pinned));
        }

        private ConsumerSpec withSchemas(ConsumerSpec spec) {
            List<SchemaSpec> sent = assignment.scenario().producers().stream()
                    .filter(p -> p.topics().stream().anyMatch(spec.topics()::contains))
                    .flatMap(p -> p.record().schema().stream())
                    .flatMap(SchemaSpec::versions)
                    .toList();
            return spec.with(
                    ConsumerSpec.SCHEMA,
                    spec.decoding()
                            .map(d -> new Decoding(
                                    SchemaSupport.pinnedForReading(d.schema(), sent), d.decode(), d.expect())));
        }

        /** The number of partitions, queried only for kinds of producers with a sequence per partition. */
        private int partitions(String topic) {
            if (partitions.isEmpty()) {
                topics.describe(assignment.scenario().producedTopics())
                        .forEach((name, described) ->
                                partitions.put(name, described.partitions().size()));
            }
            return partitions.getOrDefault(topic, 0);
        }
    }
}
