package io.plimsoll.run.faults;

import io.plimsoll.lab.Impairment;
import io.plimsoll.scenario.FaultKeys;
import io.plimsoll.scenario.FaultSpec;

/** Connections to a broker are reset, and new ones too. */
public final class CutFault extends LinkFault {
    public CutFault() {
        super(FaultKeys.broker("cut")
                .about("connections to the broker are reset, and new ones too", "到 broker 的连接被重置，新连接也是"));
    }

    @Override
    public String english() {
        return "cut the network of {0}";
    }

    @Override
    public String chinese() {
        return "切断 {0} 的网络";
    }

    @Override
    Impairment impairment(FaultSpec spec) {
        return Impairment.CUT;
    }
}
