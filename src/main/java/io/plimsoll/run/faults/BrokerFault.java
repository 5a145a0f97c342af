package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.scenario.FaultSpec;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.scenario.Key;
import io.plimsoll.text.Sentence;
import java.util.Optional;

/** A kind of fault that happens to a broker of the run's lab. */
abstract class BrokerFault extends Fault {
    BrokerFault(Key<Optional<Target>> key) {
        super(key);
    }

    /** @throws PlimsollException if it cannot be done */
    abstract void begin(Lab lab, int id, FaultSpec spec);

    /** Puts right what is wrong, as far as that is not done already. */
    abstract void end(Lab lab, int id);

    /** Whether {@link #end} is a matter of milliseconds. */
    abstract boolean endsQuickly();

    @Override
    final Effect on(Target target, FaultSpec spec, Victims victims) {
        int id = victims.broker(target);
        return new OnBroker(this, spec, victims.lab(), id, done("broker " + id + Victims.role(target)));
    }

    static LabBroker broker(Lab lab, int id) {
        return lab.brokers().stream()
                .filter(broker -> broker.id() == id)
                .findFirst()
                .orElseThrow(() -> new PlimsollException(Exit.USAGE, Sentence.of("run.labHasNoBroker", id)));
    }

    static void requireAlive(Lab lab, int id) {
        if (!broker(lab, id).alive()) {
            throw new PlimsollException(Exit.CLUSTER, Sentence.of("run.brokerNotRunning", id));
        }
    }

    static void startAgain(Lab lab, int id) {
        if (!broker(lab, id).alive()) {
            lab.restart(id);
        }
    }

    private record OnBroker(BrokerFault kind, FaultSpec spec, Lab lab, int id, String what) implements Effect {
        @Override
        public Integer broker() {
            return id;
        }

        @Override
        public void begin() {
            kind.begin(lab, id, spec);
        }

        @Override
        public void end() {
            kind.end(lab, id);
        }

        @Override
        public boolean endsQuickly() {
            return kind.endsQuickly();
        }
    }
}
