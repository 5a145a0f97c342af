package io.plimsoll.run.faults;

import static io.plimsoll.run.faults.BrokerFaults.broker;

import io.plimsoll.run.faults.BrokerFaults.OfLab;
import io.plimsoll.run.faults.Fault.Trait;
import io.plimsoll.scenario.FaultKind;
import io.plimsoll.scenario.FaultKind.Outage;
import io.plimsoll.scenario.FaultSpec;
import java.time.Duration;
import java.util.List;

/** The kind of fault that docs/contributing/extending.md adds. */
public final class AddedFaults implements FaultKind.Source {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(30);

    private static final Fault<OfLab> ROLL = broker(
                    FaultSpec.broker("roll").about("the broker is restarted in good order", "正常重启 broker"),
                    Outage.NONE,
                    (it, spec) -> {
                        it.withItAlive().shutDown(it.id(), STOP_PATIENCE);
                        it.lab().restart(it.id());
                    },
                    (it, spec) -> it.startAgain())
            .having(Trait.LOSES_RECORDS);

    @Override
    public List<FaultKind> kinds() {
        return List.of(ROLL);
    }
}
