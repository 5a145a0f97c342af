package io.plimsoll.run.faults;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;
import java.util.List;

/** The process of a broker is stopped without ending (SIGSTOP). */
public final class PauseFault extends BrokerFault {
    public PauseFault() {
        super(FaultKeys.broker("pause")
                .about(
                        "the broker's process stands still (SIGSTOP): connections stay, nothing answers",
                        "broker 的进程停住（SIGSTOP）：连接仍在，但没有应答"));
    }

    @Override
    public String english() {
        return "pause {0}";
    }

    @Override
    public String chinese() {
        return "暂停 {0}";
    }

    @Override
    public boolean mayLoseRecords() {
        return true;
    }

    @Override
    void begin(Lab lab, int id, FaultSpec spec) {
        requireAlive(lab, id);
        lab.pause(id);
    }

    @Override
    void end(Lab lab, int id) {
        // It may have been killed by another fault meanwhile, which will see to it.
        if (broker(lab, id).alive()) {
            lab.resume(id);
        }
    }

    @Override
    boolean endsQuickly() {
        return true;
    }

    @Override
    public List<ByHand> byHand() {
        return List.of(
                new ByHand(
                        "pause",
                        List.of(
                                "Stops the process of a broker without ending it (SIGSTOP).",
                                "Its connections stay, and nothing answers on them."),
                        false,
                        broker -> broker.alive() && !broker.paused(),
                        Lab::pause,
                        "Broker {0} is paused. Let it go on with: ./plimsoll lab resume --broker {0}{1}"),
                new ByHand(
                        "resume",
                        List.of("Lets a paused broker go on (SIGCONT)."),
                        false,
                        LabBroker::paused,
                        Lab::resume,
                        "Broker {0} goes on."));
    }
}
