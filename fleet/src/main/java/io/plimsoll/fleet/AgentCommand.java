package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.LinuxRoot;
import io.plimsoll.cli.FleetOptions;
import io.plimsoll.cli.ModuleCommand;
import io.plimsoll.cli.RunCommand;
import io.plimsoll.cli.UiOptions.PageOptions;
import io.plimsoll.fleet.AgentOptions.Permits;
import io.plimsoll.fleet.AgentOptions.Stay;
import io.plimsoll.run.ToolInfo;
import io.plimsoll.run.fleet.NodeAddress;
import io.plimsoll.scenario.Quantities;
import io.plimsoll.text.Sentence;
import io.plimsoll.web.ObservedHostPage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code plimsoll agent}: generates load on this host for a coordinator, or only reports figures of the host. */
@Command(name = "agent")
public final class AgentCommand extends ModuleCommand.OfFleet {
    /** Default of the options that end an agent. */
    private static final String NEVER = "0";

    @Option(names = "--listen", paramLabel = "HOST:PORT", defaultValue = "127.0.0.1:7654")
    String listen;

    @Option(names = "--join", paramLabel = "HOST:PORT[,...]")
    String join;

    @Option(names = "--name", paramLabel = "N")
    String name;

    @Option(names = "--labels", paramLabel = "NAME=VALUE", split = ",")
    Map<String, String> labels = new LinkedHashMap<>();

    @Option(names = "--data", paramLabel = "DIR")
    Path data;

    @Option(names = "--allow", paramLabel = "CLASS|URL")
    List<String> allowed = new ArrayList<>();

    @Option(names = "--runs", paramLabel = "N", defaultValue = NEVER)
    int runs;

    @Option(names = "--idle-timeout", paramLabel = "TIME", defaultValue = NEVER)
    String idle;

    @Mixin
    RunCommand.SelfWarmup selfWarmup = new RunCommand.SelfWarmup();

    @Mixin
    FleetOptions.Certs certs = new FleetOptions.Certs();

    @Option(names = "--observe")
    boolean observe;

    @Mixin
    PageOptions shown = new PageOptions();

    @Override
    protected Exit execute() throws InterruptedException {
        require(observe || !shown.given(), "cli.onlyObserving");
        if (observe) {
            return observe();
        }
        AgentOptions options = new AgentOptions(
                NodeAddress.parse(listen, "--listen"),
                join == null ? List.of() : NodeAddress.parseAll(join, "--join"),
                name,
                labels,
                new Permits(Optional.ofNullable(data), Set.copyOf(allowed)),
                certs.given(),
                ToolInfo.build(),
                ToolInfo.version(),
                selfWarmup.limit(this));
        expect(runs >= 0, "--runs", runs, "scenario.a.count.least", 0);
        Stay stay = new Stay(runs, read("--idle-timeout", idle, Quantities::durationOrZero));
        Agent agent = Agent.start(options, this::say);
        Thread end = new Thread(agent::close, "plimsoll-agent-end");
        Runtime.getRuntime().addShutdownHook(end);
        Exit exit = agent.awaitEnd(stay);
        agent.close();
        return exit;
    }

    /** Serves the host's figures read-only: it generates no load, joins no fleet and accepts no orders. */
    private Exit observe() throws InterruptedException {
        boolean ofFleet = join != null || name != null || certs.any() || !labels.isEmpty() || !allowed.isEmpty();
        boolean ends = runs != 0 || !idle.equals(NEVER);
        require(!ofFleet && !ends, "cli.notObserving");
        require(LinuxRoot.isHere(), "cli.observeNeedsLinux");
        NodeAddress at = NodeAddress.parse(listen, "--listen");
        try (ObservedHostPage page =
                new ObservedHostPage(shown.place(at.host(), at.port()), data == null ? Path.of(".") : data)) {
            say("cli.observesAt", page.address());
            new CountDownLatch(1).await();
        }
        return Exit.PASSED;
    }

    @Override
    protected void say(Sentence sentence) {
        tell("plimsoll agent: " + sentence.in(language()));
    }
}
