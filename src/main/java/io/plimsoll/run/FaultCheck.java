package io.plimsoll.run;

import io.plimsoll.run.faults.Fault;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Scenario;
import java.util.ArrayList;
import java.util.List;

/** Whether the faults of a scenario may and can happen to the cluster of a run; needs no cluster. */
final class FaultCheck {
    private FaultCheck() {}

    /** @return what is wrong, a sentence each */
    static List<String> misfits(Scenario scenario, RunRequest request) {
        List<String> misfits = new ArrayList<>();
        int index = 0;
        for (FaultSpec fault : scenario.faults()) {
            String where = "faults[" + index++ + "]: ";
            Fault kind = Fault.of(fault);
            if (kind.needsConsent()) {
                if (!request.allowExec()) {
                    misfits.add(where + "runs a command of the scenario, which needs your consent: read it, then give"
                            + " --allow-exec");
                }
            } else if (request.cluster().isPresent() && kind.needsLab()) {
                misfits.add(where + "'" + fault.text() + "' can only happen to a lab, and --bootstrap-server names a"
                        + " cluster that is not this run's own; leave out"
                        + " --bootstrap-server, or use exec with a command that does it"
                        + " there");
            } else if (request.cluster().isEmpty()
                    && fault.target() instanceof Target.Broker broker
                    && broker.id() > request.labOptions().brokers()) {
                int brokers = request.labOptions().brokers();
                misfits.add(where + "there is no broker " + broker.id() + " in a lab of " + brokers
                        + (brokers == 1 ? " broker" : " brokers") + ", whose ids begin at 1; give --brokers "
                        + broker.id() + ", or another id");
            }
        }
        return misfits;
    }
}
