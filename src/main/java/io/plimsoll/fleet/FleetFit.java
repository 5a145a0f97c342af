package io.plimsoll.fleet;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.Secrets;
import io.plimsoll.run.RunRequest;
import io.plimsoll.scenario.Plan;
import io.plimsoll.scenario.Scenario;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether these agents can do what a run asks for, beyond what any process can. */
final class FleetFit {
    private final List<RemoteAgent> agents;
    private final Certificates certificates;

    FleetFit(List<RemoteAgent> agents, Certificates certificates) {
        this.agents = agents;
        this.certificates = certificates;
    }

    /** @throws PlimsollException {@link Exit#USAGE} if not */
    void check(RunRequest request) {
        request.cluster().ifPresent(cluster -> secrets(Sentence.of("fleet.clientProperties"), cluster.properties()));
        for (Plan.Trial trial : request.plan().trials()) {
            check(trial.scenario());
        }
        Optional<RemoteAgent> far = agents.stream()
                .filter(a -> !NodeAddress.parse(a.place(), "--fleet").isLoopback())
                .findFirst();
        if (request.cluster().isEmpty() && far.isPresent()) {
            throw Exit.USAGE.because("fleet.labIsLocal", far.get());
        }
    }

    private void check(Scenario scenario) {
        scenario.producers().forEach(p -> secrets("producers.config", p.config()));
        scenario.consumers().forEach(c -> secrets("consumers.config", c.config()));
    }

    /** Without TLS whoever listens on the right port of this machine is an agent, and would be told. */
    private void secrets(Object where, Map<String, String> properties) {
        Optional<String> secret =
                properties.keySet().stream().filter(Secrets::isSecret).findFirst();
        if (secret.isPresent() && !certificates.present()) {
            throw Exit.USAGE.because("fleet.secretNeedsTls", where, secret.get());
        }
    }
}
