package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.fleet.FleetMessage.Calibrated;
import io.plimsoll.fleet.plan.FleetPlan;
import io.plimsoll.fleet.plan.FleetPlan.PlannedHost;
import io.plimsoll.observe.host.HostInventory;
import io.plimsoll.result.Calibrations.CalibratedLimit;
import io.plimsoll.run.HostLimits;
import io.plimsoll.run.fleet.FleetSupport;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The service of this module. Stateless. */
public final class FleetModule implements FleetSupport {
    @Override
    public Agents find(Wanted wanted) {
        return Fleet.find(wanted);
    }

    @Override
    public Exit serve(AgentOptions options, Stay stay, Consumer<Sentence> says) throws InterruptedException {
        Agent agent = Agent.start(options, says);
        Thread end = new Thread(agent::close, "plimsoll-agent-end");
        Runtime.getRuntime().addShutdownHook(end);
        Exit exit = agent.awaitEnd(stay);
        agent.close();
        return exit;
    }

    @Override
    public Planned plan(PlanTarget target, Wanted fleet, String version) {
        FleetPlan plan;
        if (fleet == null) {
            HostInventory host = HostInventory.read(Path.of("."));
            CalibratedLimit limit =
                    Agent.limit(HostLimits.cache(host, version).read(note -> {}), target.engine());
            plan = FleetPlan.of(
                    target,
                    List.of(new PlannedHost(
                            String.valueOf(host.name().plain()),
                            Runtime.getRuntime().availableProcessors(),
                            Agent.networkCard(host),
                            limit)),
                    false);
        } else {
            try (Fleet found = Fleet.find(fleet)) {
                // Agents of one host share its cores, which each of them was calibrated with.
                Set<String> known = new HashSet<>();
                List<PlannedHost> hosts = found.agents().stream()
                        .map(RemoteAgent::info)
                        .filter(i -> known.add(i.host()))
                        .map(i -> new PlannedHost(
                                i.name(), i.cores(), i.networkCard(), limit(i.calibrated(), target.engine())))
                        .toList();
                plan = FleetPlan.of(target, hosts, true);
            }
        }
        return new Planned(plan, plan.lines());
    }

    private static CalibratedLimit limit(Map<String, Calibrated> calibrated, String engine) {
        Calibrated of = calibrated.get(engine);
        return of == null ? null : of.limit();
    }

    @Override
    public Path certify(Path directory, int days, String host) {
        return new CertificateMaker(directory, days).host(host);
    }

    @Override
    public Path revoke(Path directory, List<String> hosts) {
        return new CertificateMaker(directory, CERTIFICATE_DAYS).revoke(hosts);
    }
}
