package io.plimsoll.run.faults;

import io.plimsoll.lab.Lab;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Key;
import java.time.Duration;
import java.util.Optional;

/** A broker shuts down in good order (SIGTERM). */
public final class StopFault extends BrokerFault {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    public StopFault() {
        super(FaultKeys.broker("stop").about("the broker shuts down in good order (SIGTERM)", "broker 正常关闭（SIGTERM）"));
    }

    @Override
    public Key<Optional<Duration>> end() {
        return FaultKeys.RESTART_AFTER;
    }

    @Override
    public String english() {
        return "stop {0}";
    }

    @Override
    public String chinese() {
        return "停止 {0}";
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
        lab.shutDown(id, PATIENCE);
    }

    @Override
    void end(Lab lab, int id) {
        startAgain(lab, id);
    }

    @Override
    boolean endsQuickly() {
        return false;
    }
}
