package io.plimsoll.run.faults;

import io.plimsoll.lab.Impairment;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabOptions;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import java.util.Optional;

/** A kind of fault between a broker and those who talk to it: nothing that was acknowledged is lost by it. */
abstract class LinkFault extends BrokerFault {
    LinkFault(Key<Optional<Target>> key) {
        super(key);
    }

    abstract Impairment impairment(FaultSpec spec);

    @Override
    public final boolean mayLoseRecords() {
        return false;
    }

    @Override
    public final LabOptions prepared(LabOptions lab, FaultSpec spec) {
        return lab.withProxies();
    }

    @Override
    final void begin(Lab lab, int id, FaultSpec spec) {
        lab.impair(id, impairment(spec));
    }

    @Override
    final void end(Lab lab, int id) {
        lab.impair(id, Impairment.NONE);
    }

    @Override
    final boolean endsQuickly() {
        return true;
    }
}
