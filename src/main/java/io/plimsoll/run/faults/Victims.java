package io.plimsoll.run.faults;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.lab.Lab;
import io.plimsoll.lab.LabBroker;
import io.plimsoll.load.GroupMember;
import io.plimsoll.result.RunResult;
import io.plimsoll.scenario.FaultSpec.Target;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/** Finds whom a fault is meant for, at the moment when it is to happen. Thread-safe. */
final class Victims {
    private final FaultContext ground;
    private final SplittableRandom random; // Guarded by this object.

    Victims(FaultContext ground) {
        this.ground = ground;
        this.random = new SplittableRandom(ground.seed());
    }

    /** The ids of all brokers. */
    List<Integer> brokers() {
        return ground.brokers().stream().map(RunResult.Broker::id).sorted().toList();
    }

    /** @throws PlimsollException if the brokers are somebody else's */
    Lab lab() {
        return ground.lab().orElseThrow(() -> new PlimsollException(Exit.USAGE, Sentence.of("run.notOurCluster")));
    }

    /** The role for which a broker was chosen, for people. */
    static String role(Target target) {
        if (target instanceof Target.LeaderOf leader) {
            return " (leader of " + leader.topic() + "-" + leader.partition() + ")";
        }
        return target instanceof Target.Controller ? " (controller)" : "";
    }

    /** @throws PlimsollException if there is none now */
    int broker(Target target) {
        if (target instanceof Target.Broker broker) {
            return broker.id();
        } else if (target instanceof Target.LeaderOf leader) {
            return found(
                    ground.roles().leaderOf(leader.topic(), leader.partition()),
                    Sentence.of("run.noLeaderNow", leader.topic() + "-" + leader.partition()));
        } else if (target instanceof Target.Controller) {
            return found(ground.roles().controller(), Sentence.of("run.noControllerNow"));
        }
        return any();
    }

    private static int found(OptionalInt id, Sentence otherwise) {
        return id.orElseThrow(() -> new PlimsollException(Exit.CLUSTER, otherwise));
    }

    private int any() {
        List<Integer> running = ground.lab()
                .map(lab -> lab.brokers().stream()
                        .filter(broker -> broker.alive() && !broker.paused())
                        .map(LabBroker::id)
                        .toList())
                .orElseGet(this::brokers);
        if (running.isEmpty()) {
            throw new PlimsollException(Exit.CLUSTER, Sentence.of("run.noBrokerRunning"));
        }
        return running.get(next(running.size()));
    }

    /** @throws PlimsollException if none is running */
    GroupMember member(Target target) {
        OptionalInt entry = target instanceof Target.MemberOf of ? of.entry() : OptionalInt.empty();
        List<GroupMember> alive = new ArrayList<>(ground.members().apply(entry));
        alive.removeIf(member -> !member.alive());
        if (alive.isEmpty()) {
            throw new PlimsollException(Exit.CLUSTER, Sentence.of("run.noMemberRunning"));
        }
        return alive.get(next(alive.size()));
    }

    private synchronized int next(int bound) {
        return random.nextInt(bound);
    }

    RunResult.Broker address(int id) {
        return ground.brokers().stream()
                .filter(broker -> broker.id() == id)
                .findFirst()
                .orElseThrow(() -> new PlimsollException(
                        Exit.CLUSTER,
                        Sentence.of("run.noSuchBroker", id, brokers().toString())));
    }
}
