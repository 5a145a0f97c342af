package io.plimsoll.fleet;

import io.plimsoll.fleet.Certificates.CertificateMaker;
import io.plimsoll.run.fleet.FleetSupport;
import io.plimsoll.text.Sentence;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The service of this module. Stateless. */
public final class FleetModule implements FleetSupport {
    @Override
    public Agents find(Wanted wanted) {
        return Fleet.find(wanted);
    }

    @Override
    public void serve(AgentOptions options, Consumer<Sentence> says) throws InterruptedException {
        AtomicBoolean ending = new AtomicBoolean();
        while (true) {
            try (Agent agent = Agent.start(options, says)) {
                Thread end = new Thread(
                        () -> {
                            ending.set(true);
                            agent.close();
                        },
                        "plimsoll-agent-end");
                Runtime.getRuntime().addShutdownHook(end);
                agent.awaitApart();
                if (!ending.get()) {
                    Runtime.getRuntime().removeShutdownHook(end);
                    says.accept(Sentence.of("fleet.joiningAgain"));
                }
            }
        }
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
