package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** An agent: makes load for runs of a coordinator, until it is closed. */
public final class Agent implements AutoCloseable {
    /**
     * The settings of an agent.
     *
     * @param join agents of the fleet to join; empty to start a fleet
     * @param name unique in the fleet; null for its address
     * @param permits additional rights of coordinators
     * @param build version and commit; must equal the coordinator's
     * @param version of the program
     */
    public record Options(
            NodeAddress listen,
            List<NodeAddress> join,
            String name,
            Map<String, String> labels,
            Permits permits,
            Certificates certificates,
            String build,
            String version) {}

    /**
     * The rights of coordinators on this agent beyond the default.
     *
     * @param data directory of payload files; empty to reject payload files
     * @param names classes and URLs that client properties may name for a login
     */
    public record Permits(Optional<Path> data, Set<String> names) {
        public static final Permits NONE = new Permits(Optional.empty(), Set.of());

        public Permits {
            names = Set.copyOf(names);
        }
    }

    private final AgentServer desk;
    private final FleetNode node;

    private Agent(AgentServer desk, FleetNode node) {
        this.desk = desk;
        this.node = node;
    }

    /**
     * Starts listening.
     *
     * @param says receives messages for the owner of the agent
     * @throws PlimsollException {@link Exit#USAGE} if it cannot listen there, or its data directory holds secrets
     */
    public static Agent start(Options options, Consumer<Sentence> says) {
        DataDirectory data = new DataDirectory(
                options.permits().data(), options.certificates().secrets());
        HostFacts facts = HostFacts.read(options.permits().data().orElse(Path.of(".")), options.version());
        OrderCheck check =
                new OrderCheck(data, new LoginSettings(options.permits().names()));
        AgentServer desk = new AgentServer(options, facts, check, says);
        FleetNode node = FleetNode.start(options.listen(), FleetNode.AGENT, options.certificates(), desk);
        String place = FleetNode.place(node.self);
        desk.connect(options.name() == null ? place : options.name(), node::send);
        if (options.join().isEmpty()) {
            node.found();
        } else {
            node.join(options.join());
        }
        says.accept(Sentence.of("fleet.listens", place));
        return new Agent(desk, node);
    }

    /** Where it listens. */
    public NodeAddress address() {
        return NodeAddress.parse(FleetNode.place(node.self), "--listen");
    }

    /**
     * Waits until this agent and the fleet have lost each other, and it has no run; a new one may then join in its
     * place.
     *
     * @throws PlimsollException {@link Exit#INTERNAL} if this one does not listen any more and was not closed
     */
    public void awaitApart() throws InterruptedException {
        desk.awaitApart();
    }

    @Override
    public void close() {
        desk.close();
        node.close();
    }
}
