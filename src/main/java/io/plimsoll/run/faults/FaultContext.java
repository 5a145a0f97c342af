package io.plimsoll.run.faults;

import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.lab.Lab;
import io.plimsoll.load.GroupMember;
import io.plimsoll.result.RunResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * What faults may happen to.
 *
 * @param lab empty: the brokers are somebody else's, and only commands of the user reach them
 * @param brokers as they were at the beginning of the run
 * @param members of the groups of an entry of {@code consumers}, or of all
 * @param seed of what is left to chance
 */
public record FaultContext(
        Optional<Lab> lab,
        BrokerRoles roles,
        List<RunResult.Broker> brokers,
        Function<OptionalInt, List<GroupMember>> members,
        long seed) {}
