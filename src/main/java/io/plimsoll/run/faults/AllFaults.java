package io.plimsoll.run.faults;

import io.plimsoll.scenario.FaultKind;
import java.util.List;
import java.util.stream.Stream;

/** All kinds of faults, in documentation order. */
public final class AllFaults implements FaultKind.Source {
    @Override
    public List<FaultKind> kinds() {
        return Stream.<FaultKind>concat(
                        Stream.concat(BrokerFaults.ALL.stream(), MemberFaults.ALL.stream()),
                        Stream.concat(OperatorFaults.ALL.stream(), Stream.of(ExecFault.KIND)))
                .toList();
    }
}
