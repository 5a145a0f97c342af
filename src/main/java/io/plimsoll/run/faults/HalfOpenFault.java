package io.plimsoll.run.faults;

import io.plimsoll.lab.Impairment;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.Settings;

/** Connections to a broker stay, and nothing passes. */
public final class HalfOpenFault extends LinkFault {
    public HalfOpenFault() {
        super(FaultKeys.broker("halfOpen")
                .about(
                        "connections to the broker stay, and nothing passes; they are reset when it is over",
                        "到 broker 的连接仍在，但什么都不通过；结束时连接被重置"));
    }

    @Override
    public String planned(String whom, Settings fault) {
        return "half-open " + whom;
    }

    @Override
    public String english() {
        return "half-open network of {0}";
    }

    @Override
    public String chinese() {
        return "使 {0} 的网络半开";
    }

    @Override
    Impairment impairment(FaultSpec spec) {
        return Impairment.HALF_OPEN;
    }
}
