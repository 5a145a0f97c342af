package io.plimsoll.run.faults;

import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The process of a broker ends as by a crash (SIGKILL). */
public final class KillFault extends BrokerFault {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    public KillFault() {
        super(FaultKeys.broker("kill")
                .about("the broker's process ends as by a crash (SIGKILL)", "broker 的进程像崩溃一样结束（SIGKILL）"));
    }

    @Override
    public Key<Optional<Duration>> end() {
        return FaultKeys.RESTART_AFTER;
    }

    @Override
    public String english() {
        return "kill {0}";
    }

    @Override
    public String chinese() {
        return "强杀 {0}";
    }

    @Override
    public boolean mayLoseRecords() {
        return true;
    }

    @Override
    AfterLoad afterLoad() {
        return AfterLoad.END_IF_NEEDED;
    }

    @Override
    void begin(Lab lab, int id, FaultSpec spec) {
        requireAlive(lab, id);
        lab.kill(id);
    }

    @Override
    void end(Lab lab, int id) {
        startAgain(lab, id);
    }

    @Override
    boolean endsQuickly() {
        return false;
    }

    @Override
    public List<ByHand> byHand() {
        return List.of(
                new ByHand(
                        "kill",
                        List.of("Ends a broker as a crash would (SIGKILL). Its data stays; 'lab restart' brings it"
                                + " back."),
                        false,
                        LabBroker::alive,
                        Lab::kill,
                        "Broker {0} is killed. Bring it back with: ./plimsoll lab restart --broker {0}{1}"),
                new ByHand(
                        "restart",
                        List.of(
                                "Starts a broker again; one that runs is shut down in good order before.",
                                "After a crash Kafka lets it back only when its session has expired (9 s)."),
                        true,
                        broker -> !broker.alive(),
                        KillFault::restart,
                        "Broker {0} is running again."));
    }

    private static void restart(Lab lab, int id) {
        if (broker(lab, id).alive()) {
            lab.shutDown(id, PATIENCE);
        }
        lab.restart(id);
    }
}
