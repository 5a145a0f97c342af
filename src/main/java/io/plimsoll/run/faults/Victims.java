package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.BrokerRoles;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.load.GroupMember;
import io.plimsoll.result.RunResult;
import io.plimsoll.run.faults.BrokerFaults.OfLab;
import io.plimsoll.run.faults.Fault.Victim;
import io.plimsoll.run.faults.OperatorFaults.OfCluster;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * Finds the targets of a fault when it is due; throws a {@link PlimsollException} if none is available. Thread-safe.
 *
 * @param lab the lab; empty on a given cluster
 * @param brokers brokers at the start of the run
 * @param members returns the members of one entry of {@code consumers}, or of all entries
 * @param random guarded by this object
 * @param topics that faults may change; on a shared cluster only the run's own
 */
public record Victims(
        Optional<Lab> lab,
        BrokerRoles roles,
        List<RunResult.Broker> brokers,
        Function<OptionalInt, List<GroupMember>> members,
        SplittableRandom random,
        Set<String> topics) {

    List<Integer> ids() {
        return brokers.stream().map(RunResult.Broker::id).sorted().toList();
    }

    /** Description of a target before it is resolved. */
    static Sentence name(Target target) {
        if (target instanceof Target.Broker broker) {
            return Sentence.of("run.whom.broker", broker.id());
        } else if (target instanceof Target.LeaderOf leader) {
            return Sentence.of("run.whom.leader", leader.topic() + "-" + leader.partition());
        } else if (target instanceof Target.MemberOf of) {
            return of.entry().isPresent()
                    ? Sentence.of("run.whom.memberOf", "consumers[" + of.entry().getAsInt() + "]")
                    : Sentence.of("run.whom.member");
        } else if (target instanceof Target.Controller) {
            return Sentence.of("run.whom.controller");
        } else if (target instanceof Target.Brokers) {
            return Sentence.of("run.whom.brokers");
        } else if (target instanceof Target.Topics topics) {
            return topics.names().isEmpty()
                    ? Sentence.of("run.whom.topics")
                    : Sentence.verbatim(topics.names().get(0));
        }
        return Sentence.of(target instanceof Target.Each ? "run.whom.each" : "run.whom.any");
    }

    Victim<OfLab> ofLab(Target target) {
        int id = broker(target);
        return new Victim<>(
                new OfLab(lab.orElseThrow(() -> Exit.USAGE.because("run.notOurCluster")), id), found(id, target), id);
    }

    Victim<RunResult.Broker> address(Target target) {
        int id = broker(target);
        RunResult.Broker address = brokers.stream()
                .filter(broker -> broker.id() == id)
                .findFirst()
                .orElseThrow(() -> target instanceof Target.Controller
                        ? Exit.CLUSTER.because("run.controllerNoBroker", id)
                        : Exit.CLUSTER.because("run.noSuchBroker", id, ids().toString()));
        return new Victim<>(address, found(id, target), id);
    }

    private static Sentence found(int id, Target target) {
        Sentence broker = Sentence.of("run.whom.broker", id);
        return target instanceof Target.LeaderOf || target instanceof Target.Controller
                ? Sentence.of("run.whom.as", broker, name(target))
                : broker;
    }

    private int broker(Target target) {
        if (target instanceof Target.Broker broker) {
            return broker.id();
        } else if (target instanceof Target.LeaderOf leader) {
            return found(
                    roles.leaderOf(leader.topic(), leader.partition()),
                    Sentence.of("run.noLeaderNow", leader.topic() + "-" + leader.partition()));
        } else if (target instanceof Target.Controller) {
            return found(roles.controller(), Sentence.of("run.noControllerNow"));
        }
        return any();
    }

    private static int found(OptionalInt id, Sentence otherwise) {
        return id.orElseThrow(() -> new PlimsollException(Exit.CLUSTER, otherwise));
    }

    private int any() {
        List<Integer> running = lab.map(lab -> lab.brokers().stream()
                        .filter(broker -> broker.alive() && !broker.paused())
                        .map(LabBroker::id)
                        .toList())
                .orElseGet(this::ids);
        Exit.CLUSTER.when(running.isEmpty(), "run.noBrokerRunning");
        return running.get(next(running.size()));
    }

    Victim<OfCluster> ofCluster(Target target) {
        List<String> named = target instanceof Target.Topics topics ? topics.names() : List.of();
        List<String> ours = named.isEmpty() ? List.copyOf(topics) : named;
        Exit.USAGE.when(ours.isEmpty() || !topics.containsAll(ours), "run.notOurTopics", ours);
        List<Integer> ids = lab.map(
                        lab -> lab.brokers().stream().map(LabBroker::id).toList())
                .orElseGet(this::ids);
        return new Victim<>(new OfCluster(lab, roles.admin(), ours, ids), name(target), null);
    }

    Victim<OfCluster> drained(Target target) {
        int id = broker(target);
        Victim<OfCluster> all = ofCluster(new Target.Brokers());
        return new Victim<>(all.it(), found(id, target), id);
    }

    List<GroupMember> members(Target target) {
        OptionalInt entry = target instanceof Target.MemberOf of ? of.entry() : OptionalInt.empty();
        List<GroupMember> alive = new ArrayList<>(members.apply(entry));
        alive.removeIf(member -> !member.alive());
        return alive;
    }

    Victim<GroupMember> member(Target target) {
        List<GroupMember> alive = members(target);
        Exit.CLUSTER.when(alive.isEmpty(), "run.noMemberRunning");
        GroupMember found = alive.get(next(alive.size()));
        return new Victim<>(found, found.said(), null);
    }

    private synchronized int next(int bound) {
        return random.nextInt(bound);
    }
}
